//===- Json.h - writes JSON -------------------------------------*- C++ -*-===//
#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// Builds the text of a JSON value. Members are in the order of the calls. It is valid UTF-8: a
/// byte of a string that belongs to no character becomes a replacement character.
class Json {
public:
  enum class Style {
    Line,    // without blanks
    Indented // two blanks a level; `flat` objects on one line
  };
  explicit Json(Style style) : style(style) {}

  // Members of objects. Numbers have the shortest digits that read back as the same number;
  // infinities and NaN, which JSON does not have, are strings.
  void text(std::string_view name, std::string_view value);
  void number(std::string_view name, double value);
  template <std::integral T> void number(std::string_view name, T value) {
    key(name);
    out += std::to_string(value);
  }
  /// Finite, with so many significant digits.
  void rounded(std::string_view name, double value, int digits);
  void flag(std::string_view name, bool value);
  void null(std::string_view name);
  /// Begins an object or array: `{` or `[`.
  void open(std::string_view name, char bracket, bool flat = false);

  // Elements of arrays, or the value itself.
  void openElement(char bracket, bool flat = false);
  void element(std::string_view value);
  void element(double value);
  template <std::integral T> void element(T value) {
    separate();
    out += std::to_string(value);
  }

  /// Ends what was opened last.
  void close();
  /// The text with a line end. All that was opened is closed.
  std::string finish() && { return std::move(out) + "\n"; }

private:
  struct Level {
    char end; // its closing bracket
    bool flat, empty;
  };
  /// What stands before an element.
  void separate();
  void newline();
  void key(std::string_view name);
  void quote(std::string_view value);
  void shortest(double value);

  Style style;
  std::string out;
  std::vector<Level> levels; // that are open
};

} // namespace sluice
