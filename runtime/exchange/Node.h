//===- Node.h - the tree of a condition --------------------------*- C++ -*-===//
#pragma once
#include "runtime/exchange/Condition.h"

namespace sluice::exchange {

struct Condition::Node {
  enum class Op : uint8_t {
    Literal,
    Name,
    List, // its parts are literals
    Or,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Neg,
    Subscript
  };
  Op op = Op::Literal;
  uint32_t slot = 0; // Name
  std::unique_ptr<Node> left, right;
  unsigned height = 1;         // nodes from here down to the lowest
  Value value;                 // Literal, List; points into what is below
  std::string text;            // a literal text
  std::vector<Value> elements; // List
  std::vector<std::unique_ptr<Node>> parts;
};

} // namespace sluice::exchange
