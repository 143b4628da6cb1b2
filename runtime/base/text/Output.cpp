//===- Output.cpp - buffered standard output -----------------------------===//
#include "runtime/base/text/Output.h"
#include "runtime/base/stop.h"
#include <algorithm>
#include <cstring>
#include <optional>

namespace sluice {

static constexpr size_t kBufferBytes = 64 * 1024;

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
