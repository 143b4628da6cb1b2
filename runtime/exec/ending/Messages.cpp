//===- Messages.cpp - what a running program prints ----------------------===//
#include "runtime/exec/ending/Messages.h"
#include "runtime/base/stop.h"
#include "runtime/base/text/Output.h"
#include "runtime/exec/state/Program.h"
#include <cerrno>

using namespace sluice;

/// Stops the program and reports an error of standard output, which belongs to no operator.
/// relaxed: as Ending::reported says.
static void outputFailed(Program &p, int error) {
  p.end.failing = true;
  p.end.failed.raise();
  p.end.stop.raise();
  p.end.unread = error == -EPIPE; // who has closed the pipe wants no more, and no message
  if (p.end.reported.exchange(true, std::memory_order_relaxed) || p.end.unread)
    return;
  p.show.output.message(std::string(p.desc.mainName) +
                        ": error: cannot write standard output: " + os::errorText(-error) + "\n");
}

extern "C" int32_t sl_out(Ctx *ctx, const char *text, size_t length) {
  Output &output = ctx->program->show.output;
  int result = output.write(text, length);
  // Another thread may have seen the error and not have reported it yet. It comes before the
  // failure of this operator, which is its consequence.
  if (result)
    outputFailed(*ctx->program, output.failure());
  return result == Output::kLost;
}

void sluice::flushOutput(Program &p) {
  if (int error = p.show.output.flush())
    outputFailed(p, error);
}

void sluice::tell(Program &p, std::string_view message) {
  if (int error = p.show.output.message(message))
    outputFailed(p, error);
}

extern "C" void sl_out_flush(Ctx *ctx) { flushOutput(*ctx->program); }

extern "C" void sl_message(Ctx *ctx, const char *text, size_t length) {
  tell(*ctx->program, {text, length});
}
