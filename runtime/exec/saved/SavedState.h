//===- SavedState.h - the state of an operator as bytes ----------*- C++ -*-===//
//
// What an operator remembers is its state variables; windows are state variables, too. Saved state
// begins with a header: a magic number, the version of the format, a hash of the types of the
// variables, the number of bytes behind the header, and a hash of those.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/saved/SavedValue.h"

namespace sluice {

/// The state of a generated operator. `state` is Ctx::state of its replica.
std::vector<char> saveState(const OperatorDesc &, const char *state);

/// Replaces the state of the operator. Returns what is wrong with the bytes, or null. If they are
/// wrong, the state is either as it was or, past the header, that of the start.
const char *restoreState(Ctx &, const OperatorDesc &, const char *bytes, size_t size);

/// --save-every, for tests: saves the operator's state, clears it and restores it. Aborts if that
/// does not work. By a thread that is inside its domain and not in its handlers.
void saveAndRestore(Ctx &, const OperatorDesc &);

} // namespace sluice
