//===- NumberFn.h - functions of decimals and complex numbers ---*- C++ -*-===//
//
// Those of spl.math, by name. Code of the bitcode calls them, which computes those of floats
// itself.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/value.h"

namespace sluice {

/// The names of DecimalFn (value/Numbers.h).
#define SLUICE_NUMBER_FNS                                                                          \
  SLUICE_NUMBER_FN(Sqrt)                                                                           \
  SLUICE_NUMBER_FN(Exp)                                                                            \
  SLUICE_NUMBER_FN(Ln)                                                                             \
  SLUICE_NUMBER_FN(Log10)                                                                          \
  SLUICE_NUMBER_FN(Ceil)                                                                           \
  SLUICE_NUMBER_FN(Floor)                                                                          \
  SLUICE_NUMBER_FN(Round)                                                                          \
  SLUICE_NUMBER_FN(Sin)                                                                            \
  SLUICE_NUMBER_FN(Cos)                                                                            \
  SLUICE_NUMBER_FN(Tan)                                                                            \
  SLUICE_NUMBER_FN(Asin)                                                                           \
  SLUICE_NUMBER_FN(Acos)                                                                           \
  SLUICE_NUMBER_FN(Atan)

enum class NumberFn : uint32_t {
  Abs,
  Pow,
  Fmod,
#define SLUICE_NUMBER_FN(name) name,
  SLUICE_NUMBER_FNS
#undef SLUICE_NUMBER_FN
};

extern "C" {
/// A function of one operand, or of two (Pow, Fmod). Returns 0.
int32_t sl_number_fn(const TypeDesc *, NumberFn, void *result, const void *x, const void *y);
uint8_t sl_number_is(const TypeDesc *, const void *x, uint32_t infinite);
}

} // namespace sluice
