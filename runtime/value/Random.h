//===- Random.h - random numbers of programs --------------------*- C++ -*-===//
#pragma once
#include <cstdint>

namespace sluice {

/// Lets the program's only sequence of random numbers begin anew. Any thread may.
void seedRandom(uint64_t seed);
/// The next one: from 0 up to but not including 1. Any thread may.
double nextRandom();
/// Where the sequence is: set, it goes on from there.
uint64_t randomState();
void setRandomState(uint64_t);

} // namespace sluice
