//===- Output.cpp - buffered standard output ----------------------------===//
#include "runtime/exec/program/Output.h"
#include "runtime/exec/program/Program.h"
#include <cstdio>
#include <cstring>

namespace sluice {

static constexpr size_t kBufferBytes = 64 * 1024;

Output::Output(int fd) : fd(fd), terminal(os::isTerminal(fd)) { buffer.reserve(kBufferBytes); }

int Output::flush() {
  os::Held held(lock);
  return flushLocked();
}

int Output::flushLocked() {
  if (buffer.empty() || dead)
    return 0;
  int result = os::writeFile(fd, buffer.data(), buffer.size());
  buffer.clear();
  dead = result < 0;
  return result;
}

int Output::write(const char *text, size_t length) {
  os::Held held(lock);
  if (dead)
    return 0;
  if (buffer.size() + length > kBufferBytes)
    if (int result = flushLocked())
      return result;
  if (length > kBufferBytes) {
    int result = os::writeFile(fd, text, length);
    dead = result < 0;
    return result;
  }
  buffer.append(text, length);
  return terminal && memchr(text, '\n', length) ? flushLocked() : 0;
}

} // namespace sluice

using namespace sluice;

/// Stops the program and reports an error of standard output, which belongs to no operator.
/// relaxed: as Program::reported says.
static void outputFailed(Program &p, int error) {
  p.failing = true;
  p.stop.raise();
  if (p.reported.exchange(true, std::memory_order_relaxed))
    return;
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
