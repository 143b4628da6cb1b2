//===- leftout.h - what operators leave out ---------------------*- C++ -*-===//
#pragma once
#include <cstdint>

namespace sluice {

/// What is counted of what an operator leaves out (LeftOut.def).
enum class LeftOut : uint32_t {
#define SLUICE_LEFT_OUT(Id, name, unit, text, advice, said) Id,
#include "sluice/LeftOut.def"
};
constexpr uint32_t kLeftOuts = 0
#define SLUICE_LEFT_OUT(Id, name, unit, text, advice, said) +1
#include "sluice/LeftOut.def"
    ;

struct Ctx;
struct OperatorDesc;

/// The operator leaves out so many more. Returns how many it had left out before. Any thread, also
/// while others are in the operator.
extern "C" uint64_t sl_leaves_out(Ctx *, const OperatorDesc *, LeftOut, uint64_t count);

} // namespace sluice
