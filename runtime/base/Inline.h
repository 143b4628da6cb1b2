//===- Inline.h - functions that are part of their caller --------*- C++ -*-===//
#pragma once

/// For what a batch passes at each boundary: it must become part of the loop that calls it.
#define SLUICE_INLINE inline __attribute__((always_inline))
