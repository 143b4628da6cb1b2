//===- DefaultList.h - defaults of submission-time values ------*- C++ -*-===//
#pragma once
#include "runtime/memory/Arena.h"
#include "sluice/value.h"
#include <string_view>

namespace sluice {

/// The default of a list<rstring>, which is a literal of SPL, in memory of the arena.
Seq defaultList(Arena *, std::string_view literal);

} // namespace sluice
