//===- Loops.h - feedback loops that cannot run -----------------*- C++ -*-===//
#pragma once
#include "frontend/sema/Sema.h"

namespace sluice::sema {

/// Reports feedback loops that no source leads into, and streams that close one where they
/// enter or leave a @parallel region.
void checkLoops(Diagnostics &, const typed::Program &);

} // namespace sluice::sema
