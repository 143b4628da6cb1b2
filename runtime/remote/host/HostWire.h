//===- HostWire.h - what a PE and its host say to each other ----*- C++ -*-===//
//
// A host is a process that has started a PE and carries its links: it writes to the standard input
// of the PE and reads its standard output. Each frame is `[u32 bytes][u8 type][bytes]`,
// little-endian. README.md says which frame has what behind its head, and when it comes.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sluice::remote {

constexpr uint32_t kHostVersion = 1;

enum class HostFrame : uint8_t {
  // Of both.
  Hello = 'H', // HostHello; of the PE: PeHello
  Data = 'D',  // HostLink, then a frame of the link
  End = 'E',   // HostLink: a stream has ended
  // Of the host.
  Restore = 'R',   // a part of what the PE is to go on from
  Begin = 'B',     // u64: the number of the checkpoint that was of; 0: it begins anew
  Gone = 'N',      // HostLink: its sender has ended, and the stream has not
  Cut = 'C',       // u64: the number of the checkpoint that is to be made
  Committed = 'K', // u64: that one is complete
  Stop = 'S',      // the sources are to end
  Close = 'X',     // nothing more is asked of a PE that is over
  // Of the PE.
  Grant = 'G',   // HostLink, u32: so many more frames of that sender are taken
  CutDone = 'c', // u64, then why it was given up: empty if it was not. All that is before it is out
  State = 'T',   // u64, then what the PE remembered at that cut
  Over = 'O',    // the PE has run to its end
  Log = 'L',     // text that the program has written to its standard output
  Metrics = 'M'  // its counters, as text for Prometheus
};

/// The first frame of all.
struct HostHello {
  uint32_t version, pe;
  uint64_t job;        // frames of links say it
  uint64_t program;    // the structure of the program that the host knows; 0: it knows none
  uint32_t saves;      // 1: it asks for checkpoints
  uint32_t relaunches; // how often the PE was started before, for this job
};

/// The answer.
struct PeHello {
  uint32_t version, pe;
  uint64_t program;
};

/// The receiver of a link, and the PE that sends.
struct HostLink {
  uint32_t receiver, sender;
};

constexpr size_t kHostHead = 5;
using HostHead = std::array<std::byte, kHostHead>;

inline HostHead hostHead(uint32_t bytes, HostFrame type) {
  HostHead head;
  memcpy(head.data(), &bytes, sizeof bytes);
  head[sizeof bytes] = std::byte(type);
  return head;
}

} // namespace sluice::remote
