//===- Output.cpp - buffered standard output ----------------------------===//
#include "runtime/exec/Output.h"
#include "runtime/exec/Program.h"
#include <cstring>

namespace sluice {

static constexpr size_t kBufferBytes = 64 * 1024;

Output::Output(int fd) : fd(fd), terminal(os::isTerminal(fd)) { buffer.reserve(kBufferBytes); }

int Output::flush() {
  if (buffer.empty() || dead)
    return 0;
  int result = os::writeFile(fd, buffer.data(), buffer.size());
  buffer.clear();
  dead = result < 0;
  return result;
}

int Output::write(const char *text, size_t length) {
  if (dead)
    return 0;
  if (buffer.size() + length > kBufferBytes)
    if (int result = flush())
      return result;
  if (length > kBufferBytes) {
    int result = os::writeFile(fd, text, length);
    dead = result < 0;
    return result;
  }
  buffer.append(text, length);
  return terminal && memchr(text, '\n', length) ? flush() : 0;
}

} // namespace sluice

using namespace sluice;

/// A failure that belongs to no operator.
static void outputFailed(Program &p, int error) {
  p.failing = true;
  p.stop.raise();
  if (p.reported)
    return;
  p.reported = true;
  fprintf(stderr, "%s: error: cannot write standard output: %s\n", p.desc.mainName,
          os::errorText(-error).c_str());
}

extern "C" void sl_out(Ctx *ctx, const char *text, size_t length) {
  if (int error = ctx->program->output.write(text, length))
    outputFailed(*ctx->program, error);
}

extern "C" void sl_out_flush(Ctx *ctx) {
  if (int error = ctx->program->output.flush())
    outputFailed(*ctx->program, error);
}
