//===- Reach.h - what tuples of an operator may reach -----------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"
#include <cstdint>
#include <vector>

namespace sluice {

/// How far reachable() goes.
enum class Reach {
  All,
  Segment, // what is called inside the segment that the operator heads
  Turn     // what is run in the turns of a source: no port that delays
};

/// By operator: true if tuples of operator `start` may reach it; true for `start` itself.
std::vector<bool> reachable(const ProgramDesc &, uint32_t start, Reach = Reach::All);
/// True if the tables say where every stream leads. If not, any operator may reach any other.
bool knowsConsumers(const ProgramDesc &);
/// By operator: true if it is in the segment that operator `op` heads.
std::vector<bool> segmentOf(const ProgramDesc &, uint32_t op);

} // namespace sluice
