//===- Jobs.cpp - streams that come from other jobs, or go there ----------===//
//
// language.md 7.6, 9.2, 9.3. What is exported is the stream, so it is exported once, and what takes
// it is no part of the program.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/GraphSema.h"
#include "llvm/ADT/DenseMap.h"

using namespace sluice;
using namespace sluice::sema;

bool sema::checkJobs(Diagnostics &diags, const ast::Invocation &invocation,
                     const typed::OperatorModel &model, const Annotations &annotations,
                     int regionAround) {
  if (!model.facts.exports && !model.facts.imports)
    return true;
  unsigned before = diags.errors();
  if (!invocation.config.empty())
    diags.report(invocation.config.front().range, Diag::err_jobs_config, model.qualified());
  if (annotations.region != regionAround)
    diags.report(invocation.op.range, Diag::err_jobs_parallel, model.qualified());
  return diags.errors() == before;
}

std::pair<const ast::Expr *, Scope *> GraphSema::applicationScope() const {
  const Instance &main = instances.front();
  for (const ast::Setting &setting : main.def.composite->config)
    if (setting.label.text == "applicationScope" && setting.values.size() == 1)
      return {setting.values.front(), main.scope};
  return {};
}

void sema::checkExports(GraphSema &graph) {
  if (graph.diags.errors())
    return;
  llvm::DenseMap<const typed::Stream *, const typed::Operator *> exported;
  for (const Connection &connection : graph.connections) {
    const typed::Operator &op = *connection.op;
    if (!op.facts.exports)
      continue;
    const typed::InputPort &port = op.inputs[connection.port];
    for (auto [stream, splits] : llvm::zip_equal(port.streams, port.splits)) {
      if (!splits.empty())
        graph.diags.report(op.range, Diag::err_export_region, stream->name, op.kind);
      auto [slot, isNew] = exported.try_emplace(stream, &op);
      if (isNew)
        continue;
      auto error = graph.diags.report(op.range, Diag::err_export_twice, stream->name);
      graph.diags.note(error, slot->second->range, Diag::note_previous_here);
    }
  }
}
