//===- recovery.h - what an operator is to checkpoints ----------*- C++ -*-===//
#pragma once
#include "sluice/abi.h"

namespace sluice {

inline bool hasRole(const OperatorDesc &op, RecoveryRole role) {
  return (op.recovery & uint32_t(role)) != 0;
}

/// Whether nothing of it is restored, and so nothing need be saved.
inline bool beginsAnew(const OperatorDesc &op) {
  return hasRole(op, RecoveryRole::Autonomous) && !hasRole(op, RecoveryRole::Checkpointed);
}

} // namespace sluice
