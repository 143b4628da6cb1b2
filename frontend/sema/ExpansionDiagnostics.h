//===- ExpansionDiagnostics.h - errors inside of instances -------*- C++ -*-===//
#pragma once
#include "frontend/sema/graph/GraphSema.h"
#include <set>

namespace sluice::sema {

/// Composites are checked once for each instance. This handler drops an error that was reported
/// before, and adds notes with the invocations that lead to the instance.
class ExpansionDiagnostics {
public:
  ExpansionDiagnostics(Diagnostics &diags, const GraphSema &graph) : diags(diags), graph(graph) {
    id = diags.context()->getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &d) { return handle(d); });
  }
  ~ExpansionDiagnostics() { diags.context()->getDiagEngine().eraseHandler(id); }

private:
  mlir::LogicalResult handle(mlir::Diagnostic &diagnostic) {
    if (!seen.insert({diagnostic.getLocation().getAsOpaquePointer(), diagnostic.str()}).second)
      return mlir::success();
    for (const Instance *inst : llvm::reverse(graph.trail()))
      if (inst->at)
        diagnostic.attachNote(diags.location(inst->at->op.range))
            << llvm::formatv(Diagnostics::text(Diag::note_expansion),
                             inst->def.composite->name.text)
                   .str();
    return mlir::failure(); // printed by the next handler
  }

  Diagnostics &diags;
  const GraphSema &graph;
  mlir::DiagnosticEngine::HandlerID id;
  std::set<std::pair<const void *, std::string>> seen;
};

} // namespace sluice::sema
