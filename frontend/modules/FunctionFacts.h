//===- FunctionFacts.h - what prototypes declare ----------------*- C++ -*-===//
//
// Facts about a library function stand behind its prototype in the standard
// toolkit (stdlib/spl/*.spl), after a colon:
//
//   <any T> public void print(T value) : effects{console};
//
// The words:
//
//   effects{e}   the function touches e outside the graph: console, log, files,
//                random, metrics (what the operator that calls has for itself: these, and
//                connections to other jobs) or everything
//   instruction  on numbers it becomes a few instructions and cannot fail
//   scratchFree  it leaves no temporaries in the scratch arena
//   waits        it may put the thread to sleep, for as many seconds as its first
//                argument says
//   counted      an operator that calls it counts what comes to and leaves its ports
//   perChannel   it says something else in each channel of a @parallel region
//   end          a call of it does not return
//   planned      it is not in this release; only the name counts
//   located      the compiler appends two arguments: the name of the SPL file and
//                the line of the call
//   toolkits     the compiler appends one: names and directories, by turns, of the
//                toolkits that have messages (Modules::toolkitsWithMessages)
//   intrinsic{i} the compiler may generate something else: append, range,
//                channel or maxChannels (ir/SplAttrs.td)
//   identity     an output function that is its argument
//   aggregate{f, g}  an output function over the tuples of a window: SPL functions
//                fLift, fAdd, fMerge, fRemove and fResult (or gLift, ... where there is
//                no such f) of the namespace `aggregates` inside that of the
//                prototype; see stdlib/operators/README.md
//   counts{w}    an output function that counts in the whole window, whatever the
//                group: groups, tuples or by_group (ir/SplAttrs.td)
//   eventTime{f} the event time of its argument, a tuple of an input port, as
//                sluice.lang::f makes it of the attribute
//   pane{f}      an output function that tells a fact of the pane of a timeInterval
//                window that fires: timing, start, end or index (ir/SplAttrs.td)
//   rule{r}      warns of constant arguments: a rule of FunctionRules.h
//   truncates    of integers its result is an integer, without the fraction
//   fold         an output function whose arguments are calls: the first runs once,
//                the second for each tuple, the last gives the value
//
// Without them a function touches nothing but its arguments and may leave
// temporaries if it has to do with more than scalars. A result that depends on
// more than the arguments is declared by `stateful`.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/modules/FunctionRules.h"
#include "frontend/syntax/AST.h"
#include "ir/Enums.h"

namespace sluice {
class Diagnostics;

namespace typed {
struct FunctionFacts {
  spl::Effect effects = spl::Effect::none;
  spl::CallTrait traits = spl::CallTrait::none;
  spl::Intrinsic intrinsic = spl::Intrinsic::none;
  bool isPlanned = false, isLocated = false, seesToolkits = false, isIdentity = false,
       isFold = false, isEnd = false, truncates = false;
  std::vector<std::string> algebras; // in which the functions of an aggregate are looked up
  std::optional<spl::WindowCount> counts;
  std::string eventTime; // the function that makes it, or empty
  std::optional<spl::PaneFact> pane;
  sema::FunctionRule rule = nullptr;

  bool is(spl::CallTrait trait) const { return spl::bitEnumContainsAll(traits, trait); }
  /// An output function that says something about several tuples.
  bool summarises() const { return !algebras.empty() || counts || isFold; }
};
} // namespace typed

namespace sema {
/// Gives the facts of a prototype their meaning. Unknown words are reported where
/// they stand.
typed::FunctionFacts readFacts(Diagnostics &, const ast::Function &prototype);
} // namespace sema
} // namespace sluice
