//===- enums.h - numbers that the compiler and the runtime share -*- C++ -*-===//
//
// Part of the ABI: the program table and batches hold these numbers. Every part of the compiler
// may use them; an enumeration of the IR's dialects that means the same has the same numbers
// (ir/StreamAttrs.cpp compares them).
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>

namespace sluice {

/// What a punctuation says. Code that depends on it is a switch without a `default`, or asks
/// isFinal() (abi.h), so that a further kind (a checkpoint) passes for none of these: the compiler
/// names the places that have to know it. Watermark: no tuple follows whose event time is earlier.
enum class PunctuationKind : uint32_t { Window = 0, Final = 1, Watermark = 2 };
/// Event times are nanoseconds since 1970, and at most so many before and after it (146 years), so
/// that windows can add lengths to them.
constexpr int64_t kMostEventTime = int64_t(1) << 62;
/// The members of SPL's enumeration of those that programs may submit, by their numbers.
constexpr const char *kMarkerNames[] = {"WindowMarker", "FinalMarker"};

/// What a source does at a save point: it stays there while a checkpoint is made; it is about to
/// wait, and a checkpoint may be made meanwhile; it has waited. Ask: it asks for a checkpoint, to
/// be made while it stays at its next save point.
enum class SaveStep : uint32_t { Stay = 0, Wait = 1, Go = 2, Ask = 3 };

/// Bits: what an operator is to checkpoints. Starts, Ends: where tuples of its consistent region
/// begin and end. Triggers: it says when a checkpoint is made. Autonomous: nothing of it is
/// restored, unless it is Checkpointed (config checkpoint). StaysDown: config restartable is false.
enum class RecoveryRole : uint32_t {
  None = 0,
  Starts = 1,
  Ends = 2,
  Triggers = 4,
  Autonomous = 8,
  Checkpointed = 16,
  StaysDown = 32
};

/// How many tuples one tuple becomes, unless it fails.
enum class RowsOut : uint8_t { None = 0, One = 1, Unknown = 2 };

/// How an input port is reached. Exclusive: by a call, as long as nobody else is inside; no policy
/// makes it a queue.
enum class BoundaryKind : uint32_t { Direct = 0, Switchable = 1, Queue = 2, Exclusive = 3 };

/// What an output port forwards at once. All: each tuple and each punctuation, the stream is
/// ordered. Puncts: each punctuation, with the tuples before it.
enum class OrderKind : uint32_t { None = 0, All = 1, Puncts = 2 };

/// What happens to a tuple that comes to a full queue. DropFirst: the oldest goes.
enum class QueuePolicy : uint32_t { Wait = 0, DropFirst = 1, DropLast = 2 };

/// How the tuples of a stream are shared out where it enters a @parallel region.
enum class SplitKind : uint32_t { RoundRobin = 0, ByKey = 1, ToAll = 2 };

} // namespace sluice
