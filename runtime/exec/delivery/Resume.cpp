//===- Resume.cpp - where operators go on ---------------------------------===//
#include "sluice/resume.h"
#include "runtime/exec/delivery/Acknowledger.h"
#include "runtime/exec/dispatch/Forward.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Receipt.h"
#include "runtime/exec/state/Source.h"
#include <utility>

using namespace sluice;

extern "C" void sl_resume_point(Ctx *ctx, const OperatorDesc *op, ResumePoint *point) {
  const Program &p = *ctx->program;
  if (p.main->acknowledges && p.options.job->ledger)
    *point = p.options.job->ledger->point(p.indexOf(op));
}

void sluice::tellOfSources(Program &p) {
  if (!p.main->acknowledges || p.options.job->isAgain)
    return;
  std::string names;
  for (uint32_t i = 0; i < p.desc.operatorCount; ++i) {
    const OperatorDesc &op = p.desc.operators[i];
    if (op.inputs || op.link >= 0 || !p.isHere(i) ||
        (op.native >= 0 && p.natives[op.native]->resumes()))
      continue;
    names += (names.empty() ? "" : ", ") + std::string(op.name);
  }
  if (!names.empty())
    tell(p, std::string(p.desc.mainName) + ": warning: PE " + std::to_string(p.options.pe) + ": " +
                names +
                " cannot go on where it was when this PE is started again: it begins "
                "anew, and what it does not make again is lost\n");
}

/// What the source reads until the next call is a span, with a receipt.
extern "C" void sl_reached(Ctx *ctx, const OperatorDesc *op, uint64_t position) {
  ResumePoint point;
  sl_resume_point(ctx, op, &point);
  if (!point || !ctx->thread->isSource || ctx->thread->depth)
    return;
  auto &s = static_cast<Source &>(*ctx->thread);
  Acknowledger &acknowledger = *s.program.acknowledger;
  if (!s.spans)
    s.spans = &acknowledger.read(point);
  forwardAll(s); // what is submitted holds the receipt of its span
  Receipt *next = s.spans->begin(position);
  if (!next)
    return; // many are open: this one goes on
  if (Receipt *span = std::exchange(s.receipt, next)) {
    span->position = position;
    span->release();
  }
  acknowledger.noteBegun(*s.spans);
}
