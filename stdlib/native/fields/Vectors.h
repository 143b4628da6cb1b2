//===- Vectors.h - code for the vectors of this processor -------*- C++ -*-===//
//
// The toolkit is compiled for any processor of its architecture. A function that is marked with
// SLUICE_BY_32 or SLUICE_BY_64 is for those with vectors of so many bytes: see vectorBytes.
//
//===----------------------------------------------------------------------===//
#pragma once

namespace sluice {

#if defined(__x86_64__)

#define SLUICE_BY_32 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define SLUICE_BY_64                                                                               \
  __attribute__((target("avx2,bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl")))

inline unsigned seeVectorBytes() {
  __builtin_cpu_init();
  bool by32 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
              __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  bool by64 = by32 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return by64 ? 64 : by32 ? 32 : 16;
}
/// The longest vectors that there is code for. Tests set it to less.
inline unsigned vectorBytes = seeVectorBytes();

#else

#define SLUICE_BY_32
#define SLUICE_BY_64
inline unsigned vectorBytes = 16;

#endif

} // namespace sluice
