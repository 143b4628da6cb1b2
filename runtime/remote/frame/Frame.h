//===- Frame.h - a batch as bytes for another process ------------*- C++ -*-===//
//
// A frame is [header, kBatchHeader bytes][columns][table][punctuation][payload]. It has two forms.
// In an *image* the columns are where they are in a batch. In a *compact* frame they lie one behind
// the other, and the reader moves them apart. Pointers of values are offsets from the start of the
// image, so that the memory of a frame becomes a batch without being copied.
//
// The payload of each far column is one range, in which what its values point to lies in the order
// of the values, without gaps. The reader demands that order: so nothing is read outside of the
// frame, and no two values share what one of them changes. Texts alone may be shared: one that is
// the same bytes in memory as the text before it in its column is not repeated.
//
// Little-endian, 64 bits. Pure functions of memory: no thread, no call of the operating system.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/remote/Piece.h"
#include "runtime/remote/frame/Schema.h"
#include <optional>
#include <string>

namespace sluice::remote {

constexpr uint32_t kFrameMagic = 0x4d465253, kFrameVersion = 2; // "SRFM"

enum class Form : uint32_t { Image = 0, Compact = 1 };

struct FrameHeader {
  uint32_t magic;
  uint32_t limit; // 1. A frame is received over a batch, whose limit the timer of a program may
                  // set to 1 a moment after the batch was given back (exec/run/Timer.cpp)
  uint64_t job, schema, sequence; // schema: Schema::hash
  uint32_t link;
  Form form;
  uint32_t rows, puncts;
  uint64_t bytes; // of the frame
  uint64_t birth; // Batch::birth
  uint32_t hasChecksum, version;
  uint64_t checksum; // of all bytes of the frame, these eight being 0
};
static_assert(sizeof(FrameHeader) == 80 && sizeof(FrameHeader) <= kBatchHeader);
static_assert(offsetof(FrameHeader, limit) == offsetof(Batch, limit));

/// XXH3 of the bytes of all pieces.
uint64_t checksumOf(std::span<const Piece>);

/// Makes frames of batches: one for each link. Allocates nothing once it has seen frames of all
/// usual sizes. The schema must outlive it.
class FrameWriter {
public:
  FrameWriter(const Schema &, uint64_t job, uint32_t link, bool checksum);
  ~FrameWriter();
  FrameWriter(const FrameWriter &) = delete;
  FrameWriter &operator=(const FrameWriter &) = delete;

  /// The bytes of the next frame: the rows of a batch, and punctuation. They lie in the batch and
  /// in memory of the writer, and are valid until the batch changes or the next call. Frames are
  /// numbered from 0.
  std::span<const Piece> write(const Batch &, std::span<const Punctuation>);
  /// Gives back the memory that is kept for the next frame.
  void dropMemory();
  /// The next frame is number `sequence`.
  void continueAt(uint64_t sequence) { header.sequence = sequence; }

private:
  struct Text {
    const char *ptr;
    uint32_t len;
    uint64_t at;
  };
  void fit();
  void grow(uint64_t);
  uint64_t append(uint64_t bytes, uint64_t align);
  void putPuncts(std::span<const Punctuation>);
  void putColumns(const Batch &);
  void putText(uint64_t at);
  void putSequence(const TypeDesc *, uint64_t at);
  void putValues(const TypeDesc *, uint64_t at, uint64_t count, uint64_t stride);
  void addPiece(const char *data, uint64_t bytes);
  void collect(const Batch &, bool copied);

  const Schema &schema;
  FrameHeader header = {};
  // An image, in which columns without pointers and those of compact frames have other places.
  char *memory = nullptr;
  uint64_t used = 0, capacity = 0;
  Text last = {}; // the text that was written last, of this column
  std::vector<Piece> pieces;
};

/// The header of the frame at the front of these bytes. Nothing: it is not all there, or its
/// checksum is not right.
std::optional<FrameHeader> wholeFrame(std::span<const char>);

/// Gives a frame that was written before another number.
void renumber(std::span<char> frame, uint64_t sequence);

/// What the reader knows of the next frame.
struct Expected {
  uint64_t job, sequence;
  uint32_t link;
  bool checksum;
};
using Problem = std::optional<std::string>; // what is wrong with a frame

/// Makes a batch of a frame, in place. `memory` has `room` bytes, of which `bytes` were received;
/// `saved` is the header of the batch that was there before. Whatever the frame holds, `memory` is
/// a batch afterwards, which is empty if there is a problem. Its payload lies behind its columns,
/// indexes of sets and maps lie in its arena.
Problem readFrame(const Schema &, const Expected &, void *memory, size_t bytes, size_t room,
                  const Batch &saved);

} // namespace sluice::remote
