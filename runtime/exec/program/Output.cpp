//===- Output.cpp - buffered standard output ----------------------------===//
#include "runtime/exec/program/Output.h"
#include "runtime/base/stop.h"
#include "runtime/exec/program/Program.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>

namespace sluice {

static constexpr size_t kBufferBytes = 64 * 1024;
/// What write() returns once a buffer of text was printed after standard output had failed.
static constexpr int kLost = 1;

Output::Output(int fd) : fd(fd), terminal(os::isTerminal(fd)) { buffer.reserve(kBufferBytes); }

int Output::flush() {
  os::Held held(lock);
  return flushLocked();
}

bool Output::isPending() {
  os::Held held(lock);
  return !buffer.empty() && !error;
}

int Output::failure() {
  os::Held held(lock);
  return error;
}

int Output::flushLocked() {
  if (buffer.empty() || error)
    return 0;
  int result = send(buffer.data(), buffer.size());
  buffer.clear();
  return result;
}

int Output::send(const char *text, size_t length) {
  std::optional<os::DrawsTerminal> draws;
  if (terminal) {
    draws.emplace();
    os::clearLinesBelow();
    whole = text[length - 1] == '\n';
  }
  return error = os::writeFile(fd, text, length);
}

int Output::message(std::string_view text) {
  os::Held held(lock);
  int result = flushLocked();
  os::DrawsTerminal draws;
  os::clearLinesBelow();
  os::writeFile(2, text.data(), text.size()); // there is nowhere to report a failure
  return result;
}

void Output::showBelow(const std::string &lines) {
  os::Held held(lock);
  if (!whole || os::stopAsked())
    return;
  os::DrawsTerminal draws;
  os::clearLinesBelow();
  os::writeFile(2, lines.data(), lines.size());
  os::setLinesBelow(unsigned(std::count(lines.begin(), lines.end(), '\n')));
}

int Output::write(const char *text, size_t length) {
  os::Held held(lock);
  if (error) { // reported; other operators may still do their work, but nobody prints for ever
    if (buffer.size() + length > kBufferBytes)
      return kLost;
    buffer.append(text, length);
    return 0;
  }
  if (buffer.size() + length > kBufferBytes)
    if (int result = flushLocked())
      return result;
  if (length > kBufferBytes)
    return send(text, length);
  buffer.append(text, length);
  return terminal && memchr(text, '\n', length) ? flushLocked() : 0;
}

} // namespace sluice

using namespace sluice;

/// Stops the program and reports an error of standard output, which belongs to no operator.
/// relaxed: as Program::reported says.
static void outputFailed(Program &p, int error) {
  p.failing = true;
  p.failed.raise();
  p.stop.raise();
  p.unread = error == -EPIPE; // who has closed the pipe wants no more, and no message
  if (p.reported.exchange(true, std::memory_order_relaxed) || p.unread)
    return;
  p.output.message(std::string(p.desc.mainName) +
                   ": error: cannot write standard output: " + os::errorText(-error) + "\n");
}

extern "C" int32_t sl_out(Ctx *ctx, const char *text, size_t length) {
  Output &output = ctx->program->output;
  int result = output.write(text, length);
  // Another thread may have seen the error and not have reported it yet. It comes before the
  // failure of this operator, which is its consequence.
  if (result)
    outputFailed(*ctx->program, output.failure());
  return result == kLost;
}

void sluice::flushOutput(Program &p) {
  if (int error = p.output.flush())
    outputFailed(p, error);
}

void sluice::tell(Program &p, std::string_view message) {
  if (int error = p.output.message(message))
    outputFailed(p, error);
}

extern "C" void sl_out_flush(Ctx *ctx) { flushOutput(*ctx->program); }

extern "C" void sl_message(Ctx *ctx, const char *text, size_t length) {
  tell(*ctx->program, {text, length});
}
