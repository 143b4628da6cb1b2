//===- Beside.cpp - files of operators beside checkpoints ------------------===//
#include "sluice/beside.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/table/Label.h"
#include <algorithm>

std::string sluice::besideCheckpoints(const Ctx *ctx, const OperatorDesc *op) {
  const CheckpointOptions &options = ctx->program->options.checkpoints;
  if (options.directory.empty())
    return "";
  std::string name = labelOf(*op);
  std::ranges::replace(name, '/', '_');
  return options.directory + "/" + name;
}

bool sluice::resumesBeside(const Ctx *ctx) { return ctx->program->options.checkpoints.resumes; }
