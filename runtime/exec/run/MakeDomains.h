//===- MakeDomains.h - the domains and boundaries of a program ---*- C++ -*-===//
#pragma once
#include "runtime/exec/state/Domains.h"

namespace sluice {

/// The domains of a program and the boundaries between them: a pure function of its tables.
Domains makeDomains(const ProgramDesc &);

} // namespace sluice
