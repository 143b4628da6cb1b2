//===- Json.h - one line of JSON --------------------------------*- C++ -*-===//
#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::trace {

/// Builds one JSON object on one line. Keys are in the order of the calls. Numbers have the
/// shortest digits that read back as the same number; infinities and NaN are strings.
class Json {
public:
  explicit Json(std::string_view line) : out("{") { text("line", line); }

  void text(std::string_view name, std::string_view value);
  void number(std::string_view name, double value);
  template <std::integral T> void number(std::string_view name, T value) {
    key(name);
    out += std::to_string(value);
  }
  void flag(std::string_view name, bool value) {
    key(name);
    out += value ? "true" : "false";
  }
  void open(std::string_view name, char bracket) {
    key(name);
    out += bracket;
  }
  void close(char bracket) { out += bracket; }
  // Elements of arrays.
  void openElement(char bracket) {
    comma();
    out += bracket;
  }
  void element(std::string_view value);
  void element(double value);
  template <std::integral T> void element(T value) {
    comma();
    out += std::to_string(value);
  }
  /// The line with its line end.
  std::string finish() && { return std::move(out) + "}\n"; }

private:
  void comma();
  void key(std::string_view name);
  void quote(std::string_view value);
  void digits(double value);
  std::string out;
};

} // namespace sluice::trace
