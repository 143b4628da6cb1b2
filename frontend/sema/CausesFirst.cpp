//===- CausesFirst.cpp - the order of errors ------------------------------===//
#include "frontend/sema/CausesFirst.h"

using namespace sluice;
using namespace sluice::sema;

CausesFirst::CausesFirst(Diagnostics &diags, uint32_t own)
    : engine(diags.context()->getDiagEngine()) {
  id = engine.registerHandler([this, path = diags.path(own)](mlir::Diagnostic &diagnostic) {
    auto at = llvm::dyn_cast<mlir::FileLineColRange>(diagnostic.getLocation());
    Rank rank = roleOf(diagnostic).isCause                   ? Cause
                : !at || at.getFilename().getValue() == path ? Own
                                                             : Other;
    held.push_back({rank, std::move(diagnostic)});
    return mlir::success();
  });
}

CausesFirst::~CausesFirst() {
  engine.eraseHandler(id);
  llvm::SmallDenseSet<unsigned> unreadable;
  for (Held &one : held)
    if (one.rank == Cause)
      for (unsigned source : roleOf(one.diagnostic).sources)
        unreadable.insert(source);
  auto isDoubtful = [&](Held &one) {
    return one.rank != Cause && llvm::any_of(roleOf(one.diagnostic).sources, [&](unsigned source) {
             return unreadable.contains(source);
           });
  };
  for (Rank rank : {Cause, Own, Other})
    for (Held &one : held)
      if (one.rank == rank && !isDoubtful(one))
        engine.emit(std::move(one.diagnostic));
}
