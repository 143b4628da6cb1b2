//===- Sources.cpp - finding the sources ---------------------------------===//
#include "runtime/exec/source/Sources.h"
#include "runtime/exec/source/Baton.h"
#include "runtime/exec/source/Delays.h"
#include "runtime/exec/source/Holds.h"
#include "runtime/exec/source/Wait.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include "runtime/exec/table/Facts.h"
#include "runtime/exec/table/Reach.h"
#include "sluice/ending.h"

namespace sluice {

/// By source: true if it reaches an operator of the segment that the input port heads.
static std::vector<bool> reaching(const ProgramDesc &desc, uint32_t inPort,
                                  const std::vector<std::vector<bool>> &reach) {
  std::vector<bool> result, segment = segmentOf(desc, desc.inPorts[inPort].op);
  for (const std::vector<bool> &reached : reach) {
    bool meets = false;
    for (size_t op = 0; op < segment.size(); ++op)
      meets |= segment[op] && reached[op];
    result.push_back(meets);
  }
  return result;
}

/// By source and operator: true if tuples of the source may reach the operator.
static std::vector<std::vector<bool>> reachOfSources(const Program &p, Reach how) {
  std::vector<std::vector<bool>> result;
  bool known = knowsConsumers(p.desc);
  for (auto &s : p.threads.sources)
    result.push_back(known ? reachable(p.desc, s->op, how)
                           : std::vector<bool>(p.desc.operatorCount, true));
  return result;
}

/// Finds what may hold sources back.
static void findHolds(Program &p) {
  const ProgramDesc &desc = p.desc;
  auto reach = reachOfSources(p, Reach::All);
  auto leads = [&desc](uint32_t from, uint32_t to) {
    const OperatorDesc &op = desc.operators[from];
    bool found = false;
    for (uint32_t out = op.firstOut; out < op.firstOut + op.outputs; ++out)
      for (uint32_t i = 0; i < desc.outPorts[out].consumerCount; ++i)
        found |= reachable(desc, desc.inPorts[desc.outPorts[out].consumers[i]].op)[to];
    return found;
  };
  connectHolds(p, [&](const Source &s, uint32_t op) -> bool { return reach[s.index][op]; }, leads);
}

static void setUpBaton(Program &p) {
  std::vector<std::vector<bool>> met(p.desc.inPortCount); // which sources; once it was asked
  auto reaches = [reach = reachOfSources(p, Reach::Turn), met = std::move(met),
                  &p](uint32_t source, uint32_t inPort) mutable -> bool {
    if (met[inPort].empty())
      met[inPort] = reaching(p.desc, inPort, reach);
    return met[inPort][source];
  };
  auto hopeless = [&p](uint32_t source) {
    return isHopeless(*p.threads.sources[source], [] { return true; });
  };
  p.turns.baton->setUp(
      uint32_t(p.threads.sources.size()), p.options.deterministic, std::move(reaches),
      p.clock.isVirtual() ? &p.clock : nullptr,
      [&p](uint32_t source) { return isToEnd(*p.threads.sources[source]); },
      {.isHeldBack = [&p](uint32_t source) { return isHeldBack(*p.threads.sources[source]); },
       .isHopeless = hopeless,
       .ignore = [&p](uint32_t source) { ignoreHolds(*p.threads.sources[source]); }});
}

void findSources(Program &p) {
  for (uint32_t i = 0; i < p.desc.operatorCount; ++i)
    if (isSource(p.desc.operators[i]) && p.isHere(i)) {
      p.threads.sources.push_back(std::make_unique<Source>(p));
      p.threads.sources.back()->op = i;
      int32_t native = p.desc.operators[i].native;
      p.threads.sources.back()->finishes = native >= 0 && p.natives.list[native]->finishes();
      p.threads.sources.back()->cut.isLink = p.desc.operators[i].link >= 0;
      p.threads.sources.back()->isDaemon =
          p.desc.operators[i].daemon || (native >= 0 && p.natives.list[native]->isDaemon());
      p.threads.regular += !p.threads.sources.back()->isDaemon;
      p.threads.sources.back()->index = uint32_t(p.threads.sources.size() - 1);
    }
  findDelays(p);
  p.turns.regularLeft = p.threads.regular;
  findHolds(p);
  setUpBaton(p);
}

} // namespace sluice

using namespace sluice;

//===--- ABI ------------------------------------------------------------------===//

extern "C" int32_t sl_is_shutdown(Ctx *ctx) {
  ctx->clock = 0;
  return isToEnd(*ctx->thread);
}

extern "C" int32_t sl_is_asked_to_end(Ctx *ctx) {
  return ctx->program->cut.stop.raised() || ctx->program->end.stop.raised();
}

extern "C" int32_t sl_source_made(Ctx *ctx, uint32_t outPort, uint64_t tuples) {
  ctx->program->out.ports[outPort + ctx->replica->out].counted.rows.set(tuples);
  return sl_is_shutdown(ctx);
}

extern "C" int32_t sl_source_submitted(Ctx *ctx, uint32_t outPort) {
  ctx->program->out.ports[outPort + ctx->replica->out].counted.rows.add(1);
  return sl_is_shutdown(ctx);
}
