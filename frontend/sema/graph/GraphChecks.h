//===- GraphChecks.h - checks of annotations, settings and the graph -*- C++ -*-===//
#pragma once
#include "frontend/sema/graph/GraphSema.h"

namespace sluice::sema {

/// Reports that no input port is called `label`.
void unknownInputPort(Diagnostics &, Range, llvm::StringRef label, llvm::ArrayRef<PortView>);
/// The same of any expression where the name of an input port is to stand.
void unknownInputPort(Diagnostics &, const ast::Expr *, llvm::ArrayRef<PortView>);

//===--- of an invocation ---------------------------------------------------===//

/// @parallel: adds its region to the program, and says in `result` how it splits the streams
/// (Parallel.cpp).
void checkParallel(GraphSema &, Instance &, const ast::Invocation &, const ast::Annotation &,
                   llvm::ArrayRef<PortView>, Annotations &result);

/// Reports keys of @threading that do not go with the model (config/Threading.cpp).
void checkThreadingKeys(Diagnostics &, const ast::Annotation &);
/// What @threading says; names are those of the instance.
typed::Threading threadingOf(GraphSema &, Instance &, const ast::Annotation &);
/// What holds in the instance: its definition's annotation, if there is one, or `outer`.
typed::Threading threadingInside(GraphSema &, Instance &, const typed::Threading &outer);
void checkThreadedPort(GraphSema &, Instance &, const ast::Setting &, llvm::ArrayRef<PortView>,
                       typed::Operator &);

/// @consistent: adds it to the program. Its number; nothing after an error (config/Recovery.cpp).
std::optional<unsigned> checkConsistent(GraphSema &, Instance &, const ast::Annotation &);
/// Takes `config restartable`, `relocatable` and `checkpoint` of a clause into what the operators
/// say that it stands for.
void checkRecoverySettings(GraphSema &, Instance &, llvm::ArrayRef<ast::Setting>,
                           typed::Recovery &);
/// What annotations say of an operator or composite in an instance.
typed::Recovery recoveryInside(const typed::Recovery &outer, const Annotations &);

typed::Placement placementOf(GraphSema &, Instance &, const ast::Setting &);

/// What @eventTime says; nothing after an error (EventTimeMark.cpp).
std::optional<EventTimeMark> checkEventTime(GraphSema &, Instance &, const ast::Annotation &);
/// Gives the outputs that have the attribute their event time.
void markEventTime(Diagnostics &, typed::Operator &, const EventTimeMark &);

/// Reports clauses and annotations that operators for streams of other jobs do not have.
/// `regionAround`: the @parallel region that the invocation is in. False after an error.
bool checkJobs(Diagnostics &, const ast::Invocation &, const typed::OperatorModel &,
               const Annotations &, int regionAround);

//===--- of the whole graph, when all operators are known -------------------===//

/// Reports placements that contradict each other.
void checkPlacements(GraphSema &);
/// Ports that need window punctuation get it from one stream.
void checkPunctuation(GraphSema &);
/// Reports streams that are exported twice or out of a @parallel region.
void checkExports(GraphSema &);
/// Finds what carries event time, and reports what needs it and has none.
void spreadEventTime(GraphSema &);
/// Finds consistent regions, and reports what cannot be in one or start one.
void findConsistentRegions(GraphSema &);
/// Warns of operators that meet in one file.
void checkFiles(GraphSema &);

} // namespace sluice::sema
