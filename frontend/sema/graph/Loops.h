//===- Loops.h - feedback loops that cannot run yet -------------*- C++ -*-===//
#pragma once
#include "frontend/sema/Sema.h"

namespace sluice::sema {

/// Reports streams that close a feedback loop where they enter or leave a @parallel
/// region.
void checkLoops(Diagnostics &, const typed::Program &);

} // namespace sluice::sema
