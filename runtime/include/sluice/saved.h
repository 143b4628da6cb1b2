//===- saved.h - what native operators save ---------------------*- C++ -*-===//
//
// A checkpoint holds what each operator needs to go on behind it, as values with names. Names are
// part of the format of checkpoints: an operator reads what an older version of itself has saved.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/value.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// Takes the state of one operator.
class Saver {
public:
  explicit Saver(std::vector<char> &to) : to(to) {}
  void number(std::string_view name, int64_t);
  /// Bytes; shown as text.
  void text(std::string_view name, std::string_view);
  /// A value of SPL, by its type.
  void value(std::string_view name, const TypeDesc *, const void *value);
  /// A set or map whose entries are in several tables.
  void tables(std::string_view name, const TypeDesc *, const std::vector<const Seq *> &);

private:
  std::vector<char> &to;
};

/// Gives back what a Saver took. What has another kind than is asked for, or was not saved, is not
/// there.
class Loader {
public:
  explicit Loader(std::string_view bytes) : bytes(bytes) {}
  std::optional<int64_t> number(std::string_view name) const;
  /// All numbers whose names begin so, with what follows that in their names.
  void numbers(std::string_view prefix,
               const std::function<void(std::string_view rest, int64_t)> &take) const;
  /// Bytes that stay as long as those of the Loader.
  std::optional<std::string_view> text(std::string_view name) const;
  /// The type of a value, as SPL spells it. Nothing: there is no value of this name.
  std::optional<std::string> typeOf(std::string_view name) const;
  /// Reads a value into a place that is zero. False: it is not there, or of another type; the place
  /// then holds part of a value, which is to be destroyed as any other.
  bool value(std::string_view name, struct Heap *, const TypeDesc *, void *place) const;

private:
  std::string_view bytes;
};

/// Whether a checkpoint can hold an operator. Stateless: it has nothing to save.
struct Saves {
  enum Answer : uint8_t { No, Stateless, State };

  Saves(Answer answer) : answer(answer) {}
  /// No, for this reason: a clause for people, which stays.
  static Saves no(const char *why) {
    Saves result(No);
    result.why = why;
    return result;
  }
  /// No for this reason, unless that is null: then there is state.
  static Saves unless(const char *why) { return why ? no(why) : Saves(State); }

  Answer answer;
  const char *why = "";
};

} // namespace sluice
