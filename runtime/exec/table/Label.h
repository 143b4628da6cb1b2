//===- Label.h - what people call an operator ------------------------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"
#include <string>

namespace sluice {

/// Its name, and which part of the operator of that name it is. `port`: the text of one of its
/// ports, behind the name.
inline std::string labelOf(const OperatorDesc &op, const std::string &port = "") {
  return op.name + port + (op.part ? std::string(" (part ") + op.part + ")" : "");
}

} // namespace sluice
