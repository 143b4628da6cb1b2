//===- FrameReader.cpp - from received bytes to a batch -------------------===//
//
// Whoever sent the frame may have sent anything: what it says is checked before it is used.
//
//===----------------------------------------------------------------------===//
#include "runtime/memory/Memory.h"
#include "runtime/remote/frame/Frame.h"
#include "runtime/remote/frame/Rebase.h"
#include "runtime/value/Value.h"
#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace sluice::remote {

__attribute__((format(printf, 1, 2))) static std::string format(const char *text, ...) {
  char buffer[256];
  va_list args;
  va_start(args, text);
  vsnprintf(buffer, sizeof buffer, text, args);
  va_end(args);
  return buffer;
}

/// A number of the frame that is not the expected one.
static Problem differs(const char *what, uint64_t is, uint64_t expected) {
  if (is == expected)
    return {};
  return format("a frame of %s %llu (0x%llx); expected %s %llu (0x%llx)", what,
                (unsigned long long)is, (unsigned long long)is, what, (unsigned long long)expected,
                (unsigned long long)expected);
}

static Problem checkSum(const Expected &expected, const FrameHeader &h, char *memory) {
  if (!expected.checksum)
    return {};
  if (h.hasChecksum != 1)
    return "a frame without a checksum";
  store<uint64_t>(memory + offsetof(FrameHeader, checksum), 0);
  Piece all = {memory, h.bytes};
  if (uint64_t sum = checksumOf({&all, 1}); sum != h.checksum)
    return format("a frame whose checksum is %llx says that it is %llx: its bytes have changed",
                  (unsigned long long)sum, (unsigned long long)h.checksum);
  return {};
}

/// Whether the frame is one that is waited for.
static Problem checkHeader(const Schema &schema, const Expected &expected, const FrameHeader &h,
                           char *memory, size_t bytes) {
  if (h.magic == __builtin_bswap32(kFrameMagic))
    return "a frame of a machine with the other byte order";
  if (h.magic != kFrameMagic)
    return format("bytes that are no frame: they begin with %08x", h.magic);
  if (Problem p = differs("version", h.version, kFrameVersion))
    return p;
  if (h.bytes != bytes)
    return format("a frame of %llu bytes, of which %zu were received", (unsigned long long)h.bytes,
                  bytes);
  if (Problem p = checkSum(expected, h, memory))
    return p;
  if (Problem p = differs("job", h.job, expected.job))
    return p;
  if (Problem p = differs("link", h.link, expected.link))
    return p;
  if (Problem p = differs("schema", h.schema, schema.hash))
    return p;
  return differs("sequence number", h.sequence, expected.sequence);
}

/// The end of the columns of a frame.
static uint64_t columnsEnd(const Schema &schema, const FrameHeader &h) {
  return h.form == Form::Compact ? schema.compactBytes(h.rows) : schema.bytes;
}

/// Whether what it says of itself fits into its bytes, and its batch into the room.
static Problem checkSizes(const Schema &schema, const FrameHeader &h, size_t room) {
  uint64_t columns = columnsEnd(schema, h);
  uint64_t least = columns + schema.tableBytes() + h.puncts * uint64_t(sizeof(Punctuation));
  if (h.bytes < least || (!schema.far && h.bytes > least))
    return format("a frame of %llu bytes for %u rows and %u punctuation marks",
                  (unsigned long long)h.bytes, h.rows, h.puncts);
  if (uint64_t needed = h.bytes - columns + schema.bytes; needed > room)
    return format("a frame that needs %llu bytes of room; there are %zu",
                  (unsigned long long)needed, room);
  return {};
}

/// The payload of far columns lies behind punctuation, one behind the other.
static Problem checkTable(const Schema &schema, const char *frame, uint64_t payload, uint64_t end) {
  uint64_t before = payload;
  for (uint32_t i = 0; schema.far && i <= schema.far; ++i) {
    uint64_t at = load<uint64_t>(frame + schema.bytes + i * sizeof(uint64_t));
    if (at < before || at > end || (i == 0 && at != payload) || (i == schema.far && at != end))
      return "a frame whose payload does not follow its table";
    before = at;
  }
  return {};
}

/// What is wrong with a mark behind one that stands before row `before`.
static Problem checkPunct(const Punctuation &punct, uint32_t before, uint32_t rows) {
  if (punct.kind > PunctuationKind::Watermark)
    return format("punctuation of kind %u, which is none", uint32_t(punct.kind));
  if (punct.row < before || punct.row > rows)
    return format("punctuation before row %u of %u", punct.row, rows);
  if (punct.kind == PunctuationKind::Watermark &&
      (punct.time < -kMostEventTime || punct.time > kMostEventTime))
    return format("a watermark of %lld, which is no event time", (long long)punct.time);
  return {};
}

static Problem takePuncts(Batch *b, const char *from, uint32_t count, uint32_t rows) {
  uint32_t before = 0;
  for (uint32_t i = 0; i < count; ++i) {
    auto punct = load<Punctuation>(from + i * sizeof(Punctuation));
    if (Problem p = checkPunct(punct, before, rows))
      return p;
    before = punct.row;
  }
  if (count > b->punctCapacity) {
    giveMemory(b->puncts);
    b->puncts = static_cast<Punctuation *>(takeMemory(count * sizeof(Punctuation)));
    b->punctCapacity = count;
  }
  std::copy_n(reinterpret_cast<const Punctuation *>(from), count, b->puncts);
  b->punctCount = count;
  return {};
}

/// Checks the values of a column, and makes pointers of their offsets.
static Problem rebaseColumn(const Schema &schema, Batch *b, size_t number) {
  const Column &column = schema.columns[number];
  char *frame = reinterpret_cast<char *>(b);
  uint64_t range[2] = {};
  if (column.far)
    memcpy(range, frame + schema.bytes + column.place * sizeof(uint64_t), sizeof range);
  Rebase rebase(frame, range[0], range[1], &b->arena);
  const char *problem = rebase.values(column.type, frame + column.offset, b->rows, column.size);
  if (!problem && !rebase.isAtEnd())
    problem = "payload that no value has";
  if (!problem)
    return {};
  return format("a frame with %s, in column %zu of %zu", problem, number, schema.columns.size());
}

/// Fills the batch, whose header is there already.
static Problem fill(const Schema &schema, const FrameHeader &h, Batch *b) {
  char *frame = reinterpret_cast<char *>(b);
  uint64_t columns = columnsEnd(schema, h);
  if (h.form == Form::Compact) {
    memmove(frame + schema.bytes, frame + columns, h.bytes - columns);
    schema.expand(frame, h.rows);
  }
  uint64_t puncts = schema.bytes + schema.tableBytes();
  if (Problem p = takePuncts(b, frame + puncts, h.puncts, h.rows))
    return p;
  if (Problem p = checkTable(schema, frame, puncts + h.puncts * uint64_t(sizeof(Punctuation)),
                             h.bytes - columns + schema.bytes))
    return p;
  b->rows = h.rows;
  b->birth = h.birth;
  for (size_t i = 0; i < schema.columns.size(); ++i)
    if (schema.columns[i].checked)
      if (Problem p = rebaseColumn(schema, b, i))
        return p;
  return {};
}

/// Whether the bytes are a frame that fits into a batch. Reads its header.
static Problem check(const Schema &schema, const Expected &expected, FrameHeader &h, char *memory,
                     size_t bytes, size_t room) {
  if (bytes < kBatchHeader)
    return format("%zu bytes, which are no frame", bytes);
  memcpy(&h, memory, sizeof h);
  if (Problem p = checkHeader(schema, expected, h, memory, bytes))
    return p;
  if (h.rows > schema.capacity || h.form > Form::Compact)
    return format("a frame of form %u with %u rows; a batch has %u", uint32_t(h.form), h.rows,
                  schema.capacity);
  return checkSizes(schema, h, room);
}

Problem readFrame(const Schema &schema, const Expected &expected, void *memory, size_t bytes,
                  size_t room, const Batch &saved) {
  auto *b = static_cast<Batch *>(memory);
  FrameHeader h = {};
  Problem problem = check(schema, expected, h, static_cast<char *>(memory), bytes, room);
  *b = saved;
  b->rows = b->punctCount = b->payload = 0;
  if (!problem)
    problem = fill(schema, h, b);
  if (problem)
    b->rows = b->punctCount = 0;
  return problem;
}

} // namespace sluice::remote
