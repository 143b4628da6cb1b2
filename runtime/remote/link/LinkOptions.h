//===- LinkOptions.h - how the links of a job work --------------*- C++ -*-===//
#pragma once
#include "runtime/remote/link/Credits.h"
#include "runtime/remote/link/Waiting.h"
#include <string>
#include <string_view>

namespace sluice::remote {

/// What frames may go over: what is fastest, or one of the carriers.
enum class Transport { Auto, Shm, Socket, Ucx };

struct LinkOptions {
  CreditOptions credits;
  Wait wait = Wait::Auto;
  int64_t sleepNanos = 10'000'000;   // of Wait::Sleep
  int64_t latencyNanos = 10'000'000; // Wait::Auto sleeps for no longer
  Transport transport = Transport::Auto;
  bool checksum = true;             // frames have one
  bool pool = true;                 // buffers of frames are used again; else each is freed
  bool inPlace = true;              // what is received becomes a batch where it is; else a copy
  bool lazy = true;                 // values are read when they are used; else each is made anew
  bool restarts = false;            // a process that has gone may come back
  bool acknowledges = false;        // frames are delivered at least once (exec/delivery)
  uint32_t unacknowledged = 1000;   // frames that a sender keeps until they are acknowledged
  size_t room = 65536;              // bytes of a posted buffer; both ends have the same
  size_t largest = size_t(1) << 31; // bytes of a frame

  /// Buffers of a receiver into which frames come by themselves: with UCX all of them. Otherwise a
  /// frame is read when it is asked for.
  uint32_t depth() const;
  /// What both ends have to have in common, but for `room`.
  std::string agreement() const;
};

/// The values of --receive, --transport, --delivery and --transport-option. Empty, or what is
/// wrong: what stands behind the name of the option.
std::string setReceive(LinkOptions &, std::string_view value);
std::string setTransport(LinkOptions &, std::string_view value);
std::string setDelivery(LinkOptions &, std::string_view value);
std::string setTransportOption(LinkOptions &, std::string_view nameAndValue);
/// What the numbers say together that does not fit. Empty: nothing.
std::string contradiction(const LinkOptions &);

} // namespace sluice::remote
