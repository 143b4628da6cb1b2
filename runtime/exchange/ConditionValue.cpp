//===- ConditionValue.cpp - the value of a condition ----------------------===//
#include "runtime/exchange/Node.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace sluice::exchange {

using Node = Condition::Node;
using Op = Node::Op;
using Kind = Value::Kind;

/// -1, 0, 1; 2: they cannot be compared.
static int compare(const Value &a, const Value &b) {
  auto order = [](auto x, auto y) { return x < y ? -1 : x == y ? 0 : x > y ? 1 : 2; };
  if (a.kind == Kind::Integer && b.kind == Kind::Integer)
    return order(a.integer, b.integer);
  if (a.isNumber() && b.isNumber())
    return order(a.asFloat(), b.asFloat());
  if (a.kind != b.kind)
    return 2;
  if (a.kind == Kind::Text)
    return order(a.text, b.text);
  if (a.kind == Kind::Boolean)
    return order(a.boolean, b.boolean);
  return 2;
}

/// Of numbers, texts and booleans; lists are equal or not.
static bool compares(Op op, const Value &a, const Value &b) {
  if (a.kind == Kind::List && b.kind == Kind::List) {
    auto same = [](const Value &x, const Value &y) { return compare(x, y) == 0; };
    bool equal = std::ranges::equal(a.list, b.list, same);
    return op == Op::Eq ? equal : op == Op::Ne && !equal;
  }
  int order = compare(a, b);
  if (order == 2)
    return false;
  return op == Op::Eq   ? order == 0
         : op == Op::Ne ? order != 0
         : op == Op::Lt ? order < 0
         : op == Op::Le ? order <= 0
         : op == Op::Gt ? order > 0
                        : order >= 0;
}

/// Bits beyond the 128th are lost.
static Value computeIntegers(Op op, Integer a, Integer b) {
  using Bits = unsigned __int128;
  constexpr auto least = Integer(Bits(1) << 127);
  if (op == Op::Add)
    return Value::of(Integer(Bits(a) + Bits(b)));
  if (op == Op::Sub)
    return Value::of(Integer(Bits(a) - Bits(b)));
  if (op == Op::Mul)
    return Value::of(Integer(Bits(a) * Bits(b)));
  if (b == 0 || (b == -1 && a == least))
    return {};
  return Value::of(op == Op::Div ? a / b : a % b);
}

static Value compute(Op op, const Value &a, const Value &b) {
  if (!a.isNumber() || !b.isNumber())
    return {};
  if (a.kind == Kind::Integer && b.kind == Kind::Integer)
    return computeIntegers(op, a.integer, b.integer);
  double x = a.asFloat(), y = b.asFloat();
  if (op == Op::Rem)
    return {}; // it is for integers
  return Value::of(op == Op::Add ? x + y : op == Op::Sub ? x - y : op == Op::Mul ? x * y : x / y);
}

static Value negate(const Value &value) {
  if (value.kind == Kind::Integer)
    return computeIntegers(Op::Sub, 0, value.integer);
  return value.kind == Kind::Float ? Value::of(-value.number) : Value();
}

static bool contains(const Value &list, const Value &element) {
  return list.kind == Kind::List && std::ranges::any_of(list.list, [&](const Value &each) {
           return compare(element, each) == 0;
         });
}

static Value elementOf(const Value &list, const Value &index) {
  bool inside = list.kind == Kind::List && index.kind == Kind::Integer && index.integer >= 0 &&
                index.integer < Integer(list.list.size());
  return inside ? list.list[size_t(index.integer)] : Value();
}

static Value valueOf(const Node &node, const Names &names) {
  auto left = [&] { return valueOf(*node.left, names); };
  auto right = [&] { return valueOf(*node.right, names); };
  switch (node.op) {
  case Op::Literal:
  case Op::List:
    return node.value;
  case Op::Name:
    return names.valueOf(node.slot);
  case Op::Or:
    return Value::of(left().isTrue() || right().isTrue());
  case Op::And:
    return Value::of(left().isTrue() && right().isTrue());
  case Op::In:
    return Value::of(contains(right(), left()));
  case Op::Neg:
    return negate(left());
  case Op::Subscript:
    return elementOf(left(), right());
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div:
  case Op::Rem:
    return compute(node.op, left(), right());
  case Op::Eq:
  case Op::Ne:
  case Op::Lt:
  case Op::Le:
  case Op::Gt:
  case Op::Ge:
    return Value::of(compares(node.op, left(), right()));
  }
  __builtin_unreachable();
}

bool Condition::holds(const Names &names) const {
  return !root || exchange::valueOf(*root, names).isTrue();
}

//===--- literals -------------------------------------------------------------===//

static std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    char escape[5];
    if (c == '"' || c == '\\')
      result += '\\';
    if (static_cast<unsigned char>(c) < ' ') {
      snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned char>(c));
      result += escape;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

static std::string digits(Integer value) {
  std::string result;
  bool negative = value < 0;
  auto rest =
      negative ? -static_cast<unsigned __int128>(value) : static_cast<unsigned __int128>(value);
  do
    result.insert(result.begin(), char('0' + int(rest % 10)));
  while (rest /= 10);
  return negative ? "-" + result : result;
}

/// What parses as the same number; infinite ones as one that is too large.
static std::string digits(double value) {
  if (std::isnan(value))
    return "(0.0 / 0.0)";
  if (std::isinf(value))
    return value < 0 ? "(-1.0 / 0.0)" : "(1.0 / 0.0)";
  char text[40];
  snprintf(text, sizeof text, "%.17g", value);
  return strpbrk(text, ".e") ? text : std::string(text) + ".0";
}

std::string literalOf(const Value &value) {
  switch (value.kind) {
  case Kind::None:
    break;
  case Kind::Boolean:
    return value.boolean ? "true" : "false";
  case Kind::Integer:
    return digits(value.integer);
  case Kind::Float:
    return digits(value.number);
  case Kind::Text:
    return quoted(value.text);
  case Kind::List: {
    std::string result = "[";
    for (const Value &element : value.list)
      result += (result.size() > 1 ? ", " : "") + literalOf(element);
    return result + "]";
  }
  }
  return "none";
}

} // namespace sluice::exchange
