//===- Value.h - values of properties and attributes -------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace sluice::exchange {

/// Integers of all kinds of SPL: none of their values or sums overflows it.
using Integer = __int128;

/// A value of a condition. It owns nothing.
struct Value {
  enum class Kind : uint8_t { None, Boolean, Integer, Float, Text, List };
  Kind kind = Kind::None; // None: there is no such property, or nothing can be said
  bool boolean = false;
  Integer integer = 0;
  double number = 0;
  std::string_view text = {};
  std::span<const Value> list = {};

  static Value of(bool b) { return {.kind = Kind::Boolean, .boolean = b}; }
  static Value of(Integer i) { return {.kind = Kind::Integer, .integer = i}; }
  static Value of(double d) { return {.kind = Kind::Float, .number = d}; }
  static Value of(std::string_view t) { return {.kind = Kind::Text, .text = t}; }
  static Value of(const char *t) { return of(std::string_view(t)); }
  static Value of(std::span<const Value> l) { return {.kind = Kind::List, .list = l}; }

  bool isNumber() const { return kind == Kind::Integer || kind == Kind::Float; }
  double asFloat() const { return kind == Kind::Integer ? double(integer) : number; }
  bool isTrue() const { return kind == Kind::Boolean && boolean; }
};

/// As a condition has it: "a\n", -3, 0.5, true, ["a", "b"].
std::string literalOf(const Value &);

} // namespace sluice::exchange
