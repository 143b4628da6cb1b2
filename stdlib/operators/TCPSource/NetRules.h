//===- NetRules.h - rules of operators with connections ---------*- C++ -*-===//
#pragma once
#include "frontend/sema/graph/OperatorRules.h"

namespace sluice::sema {

/// Reports a port that is missing, or is neither a number from `least` on nor the name of a
/// service.
void checkPort(OperatorRules &, int64_t least = 1);
/// Reports what does not go together of role, address, port, name and reconnection.
void checkConnection(OperatorRules &);

} // namespace sluice::sema
