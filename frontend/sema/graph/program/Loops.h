//===- Loops.h - feedback loops that cannot run -----------------*- C++ -*-===//
#pragma once
#include "frontend/sema/Sema.h"
#include "frontend/syntax/AST.h"

namespace sluice::sema {

/// Reports feedback loops that no source leads into, and streams that close one where they
/// enter or leave a @parallel region.
void checkLoops(Diagnostics &, const typed::Program &);

/// Whether all inputs of the invocation of a primitive operator are its own outputs, which is
/// reported. Nothing else can be said of it: what it was meant to read is not known.
bool readsOnlyItself(Diagnostics &, const ast::Invocation &);

} // namespace sluice::sema
