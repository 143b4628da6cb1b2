//===- Acknowledgements.cpp - what of a link is acknowledged --------------===//
#include "runtime/remote/peer/Acknowledgements.h"
#include <cerrno>
#include <cstring>

namespace sluice::remote {

static constexpr uint64_t kMagic = 0x454e4f4453'4b4341; // "ACKSDONE"

bool Acknowledgements::say(uint64_t frames) {
  for (;;) {
    bool begun = handled != 0; // that message goes first
    if (!begun) {
      Message message = {kMagic, frames};
      memcpy(bytes.data(), &message, sizeof message);
    }
    int64_t n = writeSome(control, std::span(bytes).subspan(handled));
    if (n <= 0)
      return false;
    handled = (handled + size_t(n)) % bytes.size();
    if (!begun && handled == 0)
      return true;
  }
}

Acknowledgements::Heard Acknowledgements::hear(uint64_t &frames) {
  Heard heard = Heard::Nothing;
  for (;;) {
    int64_t n = readSome(control, bytes.data() + handled, bytes.size() - handled);
    if (n == -EAGAIN)
      return heard;
    if (n <= 0)
      return Heard::Gone;
    handled += size_t(n);
    if (handled < bytes.size())
      continue;
    handled = 0;
    Message message;
    memcpy(&message, bytes.data(), sizeof message);
    if (message.magic != kMagic)
      return Heard::Gone;
    frames = message.frames;
    heard = Heard::Some;
  }
}

} // namespace sluice::remote
