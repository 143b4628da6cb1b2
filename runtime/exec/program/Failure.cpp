//===- Failure.cpp - what failed first is what is reported --------------===//
#include "runtime/exec/program/Failure.h"
#include "runtime/base/foreign.h"
#include "runtime/base/os.h"
#include "runtime/exec/dispatch/Batches.h"
#include "runtime/exec/dispatch/Ports.h"
#include "runtime/exec/program/Program.h"
#include "runtime/exec/shared/KeyTicket.h"
#include "runtime/exec/shared/Tickets.h"
#include "runtime/exec/stop/Running.h"
#include <cstdarg>
#include <cstdio>
#include <utility>

namespace sluice {

/// A line for people: where, and which operator says what.
static std::string lineOf(const Program &p, const Failure &f, const char *name,
                          const char *severity) {
  const OperatorDesc &op = p.desc.operators[f.op];
  const Site *site = f.site > 0 ? &p.desc.sites[f.site - 1] : nullptr;
  return std::string(p.desc.mainName) + ": " + (site ? site->file : op.file) + ":" +
         std::to_string(site ? site->line : op.line) + ":" +
         std::to_string(site ? site->column : op.column) + ": " + severity + ": operator " + name +
         ": " + f.message;
}

static void print(Program &p, const Failure &f, const char *severity, const char *remark) {
  const Site *site = f.site > 0 ? &p.desc.sites[f.site - 1] : nullptr;
  std::string text = lineOf(p, f, p.desc.operators[f.op].name, severity) + remark + "\n";
  if (site && site->text && *site->text)
    text += "    " + std::string(site->text) + "\n";
  tell(p, text);
}

void printError(Program &p, const Failure &f) { print(p, f, "error", ""); }

std::string warningOf(const Program &p, const Failure &f, const char *name) {
  return lineOf(p, f, name, "warning") + "\n";
}

/// Makes a failure the pending one of the thread, and stops the sources.
static void record(Thread &t, Failure failure) {
  t.pending = std::move(failure);
  t.program.failing = true;
  t.program.stop.raise();
}

int32_t fail(Thread &t, uint32_t op, int32_t site, bool caught) {
  Program &p = t.program;
  if (t.endsAtOnce) {
    print(p, {op, site, t.error}, "error", "");
    os::endProcess(1);
  }
  if (!t.part && !takeTurn(t))
    return caught ? 0 : -1;
  Failure failure{op, site, std::move(t.error)};
  t.error.clear();
  if (failure.message.empty())
    failure.message = "failed";
  if (t.part) { // nothing in a part catches; which failure was first is known when its ticket ends
    t.part->failure = std::move(failure);
    return -1;
  }
  if (caught) {
    bool isTold = p.leftOut.add(op, LeftOut::Caught, 1) < infoOf(LeftOut::Caught).said;
    if (p.options.traceLevel >= (isTold ? 1 : 2) && !p.unread)
      print(p, failure, "warning", " (caught)");
    return 0;
  }
  record(t, std::move(failure));
  return -1;
}

void failOutside(Program &p, const Failure &failure) {
  p.failing = true;
  p.failed.raise();
  p.stop.raise();
  if (!p.reported.exchange(true, std::memory_order_relaxed))
    print(p, failure, "error", "");
}

void reportPending(Thread &t) {
  Program &p = t.program;
  if (t.pending && !p.reported.exchange(true, std::memory_order_relaxed))
    print(p, *t.pending, "error", "");
  if (t.pending) // not before: what was submitted until then is still sent to other PEs
    p.failed.raise();
  t.pending.reset();
}

/// Forwards ports while a failure is pending. What they hold was submitted before it, so a failure
/// that comes of that takes its place. `shift` is added to the ids of the ports.
static void forwardBefore(Thread &t, const uint32_t *ports, uint32_t count, uint32_t shift) {
  std::optional<Failure> held;
  held.swap(t.pending);
  for (uint32_t i = 0; i < count; ++i)
    forward(t, ports[i] + shift);
  if (!t.program.reported.load(std::memory_order_relaxed) && !t.pending)
    t.pending = std::move(held);
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
    if (!p.ports[op.firstOut + i].busy)
      ports.push_back(op.firstOut + i);
  forwardBefore(t, ports.data(), uint32_t(ports.size()), 0);
  return -1;
}

} // namespace sluice

using namespace sluice;

extern "C" const char *sl_running_native(const char *name) {
  if (Thread *t = runningThread())
    t->foreign.store(name, std::memory_order_relaxed);
  return os::exchangeForeign(name);
}

extern "C" int32_t sl_error(Ctx *ctx, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (ctx && ctx->thread)
    ctx->thread->error = text;
  return 1;
}

extern "C" int32_t sl_end_at_once(Ctx *ctx, const char *message) {
  if (ctx->thread)
    ctx->thread->endsAtOnce = true;
  return sl_error(ctx, "%s", message);
}

/// What the runtime's own functions may need on top of the program's.
static constexpr uint64_t kReservedStack = 256 << 10;

extern "C" int32_t sl_check_stack(Ctx *ctx) {
  if (os::stackLeft() > kReservedStack)
    return 0;
  return sl_error(ctx, "the recursion is too deep, or does not end: the stack is full");
}

extern "C" void sl_warn(Ctx *ctx, const OperatorDesc *op, const char *format, ...) {
  Program &p = *ctx->program;
  if (p.options.traceLevel < 1)
    return;
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  print(p, {p.indexOf(op), 0, text}, "warning", "");
}

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
  if (t.part)
    return -1;
  if (Batch *b =
          std::exchange(t.inHand, nullptr)) // a segment that forwards in place reaches one port
    setBatch(t.ports, outPorts[0] + ctx->replica->out, b);
  forwardBefore(t, outPorts, count, ctx->replica->out);
  reportPending(t);
  return t.program.failing ? -1 : 0;
}
