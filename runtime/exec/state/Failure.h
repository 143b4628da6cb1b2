//===- Failure.h - the failure of an operator -------------------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string>

namespace sluice {

/// The failure of an operator.
struct Failure {
  uint32_t op;  // id of the operator
  int32_t site; // index of the failure site, plus 1; 0: the operator itself
  std::string message;
};

} // namespace sluice
