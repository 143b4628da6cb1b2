//===- Resume.cpp - where operators go on ---------------------------------===//
#include "sluice/resume.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/program/Program.h"

using namespace sluice;

extern "C" void sl_resume_point(Ctx *ctx, const OperatorDesc *op, ResumePoint *point) {
  const Program &p = *ctx->program;
  if (p.main->acknowledges && p.options.job->ledger)
    *point = p.options.job->ledger->point(p.indexOf(op));
}
