//===- Failures.cpp - failures become messages ---------------------------===//
#include "runtime/exec/ending/Failures.h"
#include "runtime/base/foreign.h"
#include "runtime/base/os.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/ending/Running.h"
#include "runtime/exec/state/Failure.h"
#include "runtime/exec/state/Program.h"
#include "sluice/threads.h"
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

void printWarning(Program &p, const Failure &f, const char *remark) {
  print(p, f, "warning", remark);
}

std::string warningOf(const Program &p, const Failure &f, const char *name) {
  return lineOf(p, f, name, "warning") + "\n";
}

void record(Thread &t, Failure failure) {
  t.trouble.pending = std::move(failure);
  t.program.end.failing = true;
  t.program.end.stop.raise();
}

void failOutside(Program &p, const Failure &failure) {
  p.end.failing = true;
  p.end.failed.raise();
  p.end.stop.raise();
  if (!p.end.reported.exchange(true, std::memory_order_relaxed))
    print(p, failure, "error", "");
}

void reportPending(Thread &t) {
  Program &p = t.program;
  if (t.trouble.pending && !p.end.reported.exchange(true, std::memory_order_relaxed))
    print(p, *t.trouble.pending, "error", "");
  if (t.trouble.pending) // not before: what was submitted until then is still sent to other PEs
    p.end.failed.raise();
  t.trouble.pending.reset();
}

} // namespace sluice

using namespace sluice;

extern "C" const char *sl_running_native(const char *name) {
  if (Thread *t = runningThread())
    t->watched.foreign.store(name, std::memory_order_relaxed);
  return os::exchangeForeign(name);
}

extern "C" int32_t sl_error(Ctx *ctx, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (ctx && ctx->thread)
    ctx->thread->trouble.error = text;
  return 1;
}

extern "C" int32_t sl_end_at_once(Ctx *ctx, const char *message) {
  if (ctx->thread)
    ctx->thread->trouble.endsAtOnce = true;
  return sl_error(ctx, "%s", message);
}

extern "C" void sl_fail_outside(Ctx *ctx, const OperatorDesc *op, const char *message) {
  failOutside(*ctx->program, {ctx->program->indexOf(op), 0, message});
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
  printWarning(p, {p.indexOf(op), 0, text});
}
