//===- LeftOut.cpp - what is left at the end ----------------------------===//
#include "runtime/exec/metrics/LeftOut.h"
#include "runtime/base/text/Words.h"
#include "runtime/exec/counters/LeftOut.h"
#include "runtime/exec/ending/Failures.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/state/Position.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Tickets.h"
#include <map>

namespace sluice {

/// Keyed state that is partitioned lies in its shards, and else in the state of the program.
void countLeftInState(Program &p) {
  Thread &t = *p.main;
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op) {
    HandlerFn end = p.desc.operators[op].end;
    if (!end || !p.isHere(op))
      continue;
    Inside inside(t, *p.instances.ofOperator[op]);
    end(&t.ctx);
    const Domain *domain = p.domains.ofOperator[op];
    if (!domain || !domain->shards)
      continue;
    char *state = t.ctx.state;
    for (const KeyShard &shard : domain->shards->shards) {
      t.ctx.state = shard.state;
      end(&t.ctx);
    }
    t.ctx.state = state;
  }
}

void tellLeftOut(Program &p, const std::vector<LeftOutSample> &samples) {
  // The channels of a region share the template's name and place.
  std::map<std::tuple<std::string_view, std::string_view, LeftOut>, LeftOutSample> sums;
  std::vector<LeftOutSample *> inOrder;
  for (const LeftOutSample &sample : samples) {
    const char *part = p.desc.operators[sample.op].part;
    auto [at, isNew] = sums.try_emplace(
        {p.instances.templateNames[sample.op], part ? part : "", sample.what}, sample);
    if (isNew)
      inOrder.push_back(&at->second);
    else
      at->second.count += sample.count;
  }
  for (const LeftOutSample *sum : inOrder)
    if (sum->count > infoOf(sum->what).said)
      tell(p, warningOf(p, {sum->op, 0, leftOutText(sum->what, sum->count)},
                        p.instances.templateNames[sum->op]));
}

} // namespace sluice

using namespace sluice;

extern "C" void sl_left_out(Ctx *ctx, uint32_t op, uint32_t what, uint64_t count) {
  ctx->program->leftOut.add(ctx->replica->op + op, LeftOut(what), count);
}

extern "C" uint64_t sl_leaves_out(Ctx *ctx, const OperatorDesc *op, LeftOut what, uint64_t count) {
  return ctx->program->leftOut.add(ctx->program->indexOf(op), what, count);
}
