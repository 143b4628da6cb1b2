//===- LeftOut.cpp - what operators leave out -----------------------------===//
#include "runtime/exec/metrics/LeftOut.h"
#include "runtime/base/Words.h"
#include "runtime/exec/program/Failure.h"
#include "runtime/exec/program/Program.h"
#include "runtime/exec/shared/KeyShards.h"
#include <map>

namespace sluice {

static constexpr LeftOutInfo kInfos[] = {
#define SLUICE_LEFT_OUT(Id, name, unit, text, advice, said) {name, unit, text, advice, said},
#include "sluice/LeftOut.def"
};
static_assert(std::size(kInfos) == kLeftOuts);

const LeftOutInfo &infoOf(LeftOut what) { return kInfos[uint32_t(what)]; }

std::string leftOutText(LeftOut what, uint64_t count) {
  static constexpr std::string_view kWere = "{were}";
  const LeftOutInfo &info = infoOf(what);
  std::string text = std::to_string(count) + " " + info.unit + plural(count) + " " + info.text;
  if (size_t at = text.find(kWere); at != text.npos)
    text.replace(at, kWere.size(), count == 1 ? "was" : "were");
  return info.advice ? text + "; " + info.advice : text;
}

std::vector<LeftOutSample> LeftOuts::sample() const {
  std::vector<LeftOutSample> samples;
  for (size_t i = 0; i < counts.size(); ++i)
    if (uint64_t count = counts[i].load(std::memory_order_relaxed))
      samples.push_back({uint32_t(i / kLeftOuts), LeftOut(i % kLeftOuts), count});
  return samples;
}

//===--- the end of the program -----------------------------------------------===//

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
