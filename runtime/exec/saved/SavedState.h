//===- SavedState.h - the state of an operator as bytes ----------*- C++ -*-===//
//
// What an operator remembers is its state variables; windows are state variables, too. They are
// saved by their names and types, as what a native operator saves (sluice/saved.h).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"
#include "sluice/saved.h"
#include <string>
#include <vector>

namespace sluice {

/// Names of the state variables, in their order. Several of one name are told apart by numbers.
std::vector<std::string> namesOfStates(const OperatorDesc &);
/// The state of a generated operator. `state` is Ctx::state of its replica.
void saveState(Saver &, const OperatorDesc &, const char *state);
/// Replaces the state variables that were saved; others stay as they are. Returns the names of
/// those whose values cannot be read or have another type: they have their types' default values.
std::vector<std::string> restoreState(Ctx &, const OperatorDesc &, const Loader &);

/// --save-every, for tests: saves the operator's state, clears it and restores it. Aborts if that
/// does not work. By a thread that is inside its domain and not in its handlers.
void saveAndRestore(Ctx &, const OperatorDesc &);

} // namespace sluice
