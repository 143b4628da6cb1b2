//===- Acknowledgements.h - what of a link is acknowledged ------*- C++ -*-===//
//
// The receiver's PE says over the control socket of a link how many frames, from the first one on,
// are done. Each side is used by one thread at a time.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/peer/Socket.h"
#include <array>

namespace sluice::remote {

class Acknowledgements {
public:
  explicit Acknowledgements(Socket control) : control(std::move(control)) {}
  int descriptor() const { return control.descriptor(); }

  /// By the receiver. False: there is no room now, or nobody listens any more.
  bool say(uint64_t frames);
  /// By the sender: hears all that was said. Some: `frames` is the last number.
  enum class Heard { Nothing, Some, Gone };
  Heard hear(uint64_t &frames);
  /// The other side does not keep to the protocol: both see the end of the socket.
  void cutOff() { shutDown(control); }

private:
  struct Message {
    uint64_t magic, frames;
  };
  using Bytes = std::array<std::byte, sizeof(Message)>;

  Socket control;
  Bytes bytes = {};   // of a message of which a part was sent, or received
  size_t handled = 0; // how much of it
};

} // namespace sluice::remote
