//===- cpu.cpp - what this processor can do -------------------------------===//
#include "runtime/base/cpu.h"

using namespace sluice;

static const char *const kNames[] = {
#if defined(__x86_64__)
#define SLUICE_CPU_X86(name) name,
#elif defined(__powerpc64__)
#define SLUICE_CPU_POWER(name, supported) supported,
#endif
#include "sluice/Cpus.def"
};

uint64_t cpu::features() {
  uint64_t have = 0, bit = 1;
#if defined(__x86_64__)
  __builtin_cpu_init();
#define SLUICE_CPU_X86(name)                                                                       \
  have |= __builtin_cpu_supports(name) ? bit : 0;                                                  \
  bit <<= 1;
#elif defined(__powerpc64__)
#define SLUICE_CPU_POWER(name, supported)                                                          \
  have |= __builtin_cpu_supports(supported) ? bit : 0;                                             \
  bit <<= 1;
#endif
#include "sluice/Cpus.def"
  return have;
}

std::string cpu::names(uint64_t features) {
  std::string result;
  for (const char *name : kNames) {
    if (features & 1)
      result += (result.empty() ? "" : ", ") + std::string(name);
    features >>= 1;
  }
  return result;
}
