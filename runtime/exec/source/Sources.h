//===- Sources.h - finding the sources --------------------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "sluice/abi.h"

namespace sluice {

struct Source;

/// Makes a Source for each source operator.
void findSources(Program &);

} // namespace sluice
