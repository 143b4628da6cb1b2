//===- Failure.cpp - what failed first is what is reported ---------------===//
#include "runtime/exec/dispatch/Failure.h"
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/dispatch/Forward.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/ending/Failures.h"
#include "runtime/exec/state/Failure.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Tickets.h"
#include <utility>

namespace sluice {

bool takeTurn(Thread &t) {
  if (!t.at.run)
    return true;
  t.program.queues.scheduler->takeTurn(*t.self, *t.at.run);
  // relaxed: as Domain::failed says.
  return !inPortOf(*t.at.run).domain.failed.load(std::memory_order_relaxed);
}

int32_t fail(Thread &t, uint32_t op, int32_t site, bool caught) {
  Program &p = t.program;
  if (t.trouble.endsAtOnce) {
    printError(p, {op, site, t.trouble.error});
    os::endProcess(p.options.restart || p.options.isHosted ? os::kEndedAtOnce : 1);
  }
  if (!t.at.part && !takeTurn(t))
    return caught ? 0 : -1;
  Failure failure{op, site, std::move(t.trouble.error)};
  t.trouble.error.clear();
  if (failure.message.empty())
    failure.message = "failed";
  if (t.at.part) { // nothing in a part catches; which failure was first is known when its ticket
                   // ends
    t.at.part->failure = std::move(failure);
    return -1;
  }
  if (caught) {
    bool isTold = p.show.leftOut.add(op, LeftOut::Caught, 1) < infoOf(LeftOut::Caught).said;
    if (p.options.traceLevel >= (isTold ? 1 : 2) && !p.end.unread)
      printWarning(p, failure, " (caught)");
    return 0;
  }
  record(t, std::move(failure));
  return -1;
}

/// Forwards while a failure is pending. What is forwarded was submitted before it, so a failure
/// that comes of that takes its place.
static void forwardBefore(Thread &t, const std::function<void()> &forwards) {
  std::optional<Failure> held;
  held.swap(t.trouble.pending);
  forwards();
  if (!t.program.end.reported.load(std::memory_order_relaxed) && !t.trouble.pending)
    t.trouble.pending = std::move(held);
}

/// The same for ports. `shift` is added to their ids.
static void forwardBefore(Thread &t, const uint32_t *ports, uint32_t count, uint32_t shift) {
  forwardBefore(t, [=, &t] {
    for (uint32_t i = 0; i < count; ++i)
      forward(t, ports[i] + shift);
  });
}

int32_t unwind(Thread &t, const std::function<void()> &forwards) {
  forwardBefore(t, forwards);
  reportPending(t);
  return t.program.end.failing ? -1 : 0;
}

void failNow(Thread &t, Failure failure, const std::vector<uint32_t> &ports) {
  record(t, std::move(failure));
  forwardBefore(t, ports.data(), uint32_t(ports.size()), 0);
  reportPending(t);
}

int32_t settle(Thread &t, uint32_t index, int32_t result) {
  if (result == 0)
    return 0;
  Program &p = t.program;
  const OperatorDesc &op = p.desc.operators[index];
  if (result > 0 && fail(t, index, op.native < 0 ? result : 0, op.isCatch) == 0)
    return 0;
  std::vector<uint32_t> ports;
  for (uint32_t i = 0; i < op.outputs; ++i)
    if (!p.out.ports[op.firstOut + i].busy)
      ports.push_back(op.firstOut + i);
  forwardBefore(t, ports.data(), uint32_t(ports.size()), 0);
  return -1;
}

} // namespace sluice

using namespace sluice;

extern "C" int32_t sl_fail(Ctx *ctx, uint32_t op, int32_t site) {
  op += ctx->replica->op;
  return fail(*ctx->thread, op, site, ctx->program->desc.operators[op].isCatch);
}

extern "C" int32_t sl_caught(Ctx *ctx, uint32_t op, int32_t site) {
  return fail(*ctx->thread, op + ctx->replica->op, site, true);
}

extern "C" int32_t sl_catch(Ctx *ctx, const OperatorDesc *op) {
  return fail(*ctx->thread, ctx->program->indexOf(op), 0, true);
}

extern "C" int32_t sl_unwind(Ctx *ctx, const uint32_t *outPorts, uint32_t count) {
  Thread &t = *ctx->thread;
  if (t.at.part)
    return -1;
  if (ctx->channels != kOwnChannel)
    return -1; // who runs the batch for all channels unwinds (Give.cpp)
  if (Batch *b = std::exchange(t.entered.inHand,
                               nullptr)) // a segment that forwards in place reaches one port
    setBatch(t.at.ports, outPorts[0] + ctx->replica->out, b);
  return unwind(t, [=, &t] {
    for (uint32_t i = 0; i < count; ++i)
      forward(t, outPorts[i] + t.ctx.replica->out);
  });
}
