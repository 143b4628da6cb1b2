//===- Condition.h - subscriptions and filters -------------------*- C++ -*-===//
//
// What an Import asks of streams of other jobs: a condition over their properties (subscription),
// or over attributes of their tuples (filter). The compiler checks it where it is written and
// makes a text of it; the text goes to the job that has the tuples, is parsed and evaluated there.
//
//   a || b, a && b, == != < <= > >=, in, + - * / %, -a, a[i], (a), names, [a, b],
//   "text", integers, floats, true, false
//
// A comparison of what is not there, or of values of different kinds, is false. Integers are
// computed with 128 bits; a division by 0 has no value. Pure: it may be given any text.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exchange/Value.h"
#include <cstddef>
#include <memory>
#include <vector>

namespace sluice::exchange {

/// What the names in a condition stand for at the moment.
class Names {
public:
  virtual ~Names() = default;
  /// `slot`: of Condition::names.
  virtual Value valueOf(uint32_t slot) const = 0;
};

class Condition {
public:
  /// Longer ones are refused, and those that are nested more deeply.
  static constexpr size_t kMostBytes = 64 << 10;
  static constexpr unsigned kMostDepth = 200;

  Condition();
  Condition(Condition &&) noexcept;
  Condition &operator=(Condition &&) noexcept;
  ~Condition();

  /// Nothing is wrong: returns "". An empty text is the condition that always holds.
  std::string parse(std::string_view text);
  bool holds(const Names &) const;
  bool isAlways() const { return !root; }
  /// The names in it, without repetition.
  const std::vector<std::string> &names() const { return all; }

  struct Node;

private:
  friend class ConditionParser;
  std::unique_ptr<Node> root;
  std::vector<std::string> all;
};

} // namespace sluice::exchange
