//===- FrameWriter.cpp - from a batch to the pieces of a frame ------------===//
#include "runtime/memory/Memory.h"
#include "runtime/remote/frame/Frame.h"
#include "runtime/value/Value.h"

namespace sluice::remote {

/// Memory that a writer keeps for frames that are larger than usual.
static constexpr uint64_t kKeptBytes = 1 << 20;

FrameWriter::FrameWriter(const Schema &schema, uint64_t job, uint32_t link, bool checksum)
    : schema(schema) {
  header.magic = kFrameMagic;
  header.limit = 1;
  header.version = kFrameVersion;
  header.job = job;
  header.schema = schema.hash;
  header.link = link;
  header.hasChecksum = checksum;
  pieces.reserve(schema.columns.size() + 2);
}
FrameWriter::~FrameWriter() { giveMemory(memory); }

void FrameWriter::dropMemory() {
  giveMemory(memory);
  memory = nullptr;
  capacity = used = 0;
}

//===--- memory -------------------------------------------------------------===//

/// Gives back what only a frame that was larger than usual needed.
void FrameWriter::fit() {
  if (memory && (capacity <= schema.room + kKeptBytes || used > schema.room))
    return;
  dropMemory();
  grow(schema.room);
  memset(memory, 0, capacity); // holes are sent, too
}

__attribute__((noinline)) void FrameWriter::grow(uint64_t bytes) {
  capacity = bytes < 2 * capacity ? 2 * capacity : bytes;
  auto *larger = static_cast<char *>(takeMemory(capacity, 64));
  if (used)
    memcpy(larger, memory, used);
  giveMemory(memory);
  memory = larger;
}

/// Room behind what is there: its offset. Moves the memory.
uint64_t FrameWriter::append(uint64_t bytes, uint64_t align) {
  uint64_t at = (used + align - 1) & -align;
  if (at + bytes > capacity)
    grow(at + bytes);
  used = at + bytes;
  return at;
}

//===--- values -------------------------------------------------------------===//

/// Copies more than Str::kInline bytes; most texts are short, and a call takes longer than they do.
static inline void copyText(char *to, const char *from, uint64_t bytes) {
  static_assert(Str::kInline >= 8);
  if (bytes > 32) {
    memcpy(to, from, bytes);
  } else if (bytes >= 16) {
    memcpy(to, from, 16);
    memcpy(to + bytes - 16, from + bytes - 16, 16);
  } else {
    memcpy(to, from, 8);
    memcpy(to + bytes - 8, from + bytes - 8, 8);
  }
}

inline void FrameWriter::putText(uint64_t at) {
  Str s = load<Str>(memory + at);
  if (s.len <= Str::kInline)
    return;
  if (s.far.ptr != last.ptr || s.len != last.len) {
    last = {s.far.ptr, s.len, append(s.len, 1)};
    copyText(memory + last.at, s.far.ptr, s.len);
  }
  store(memory + at + offsetof(Str, far.ptr), last.at);
}

void FrameWriter::putSequence(const TypeDesc *type, uint64_t at) {
  Seq seq = load<Seq>(memory + at);
  uint64_t header = isHashed(type) ? sizeof(SeqHeader) : 0, data = 0;
  if (seq.len) {
    data = append(header + seq.len * entryBytes(type), kFrameAlign) + header;
    memset(memory + data - header, 0, header);
    memcpy(memory + data, seq.data, uint64_t(seq.len) * type->stride);
  }
  store(memory + at, Seq{seq.len, 0, reinterpret_cast<void *>(data)});
  putValues(type->elem, data, seq.len, type->stride);
  if (type->kind == Kind::Map)
    putValues(type->value, data + type->valueOffset, seq.len, type->stride);
}

/// Makes offsets of the pointers of values that were copied to `at`.
void FrameWriter::putValues(const TypeDesc *type, uint64_t at, uint64_t count, uint64_t stride) {
  if (type->plain)
    return;
  switch (storageOf(type->kind)) {
  case Storage::Scalar:
  case Storage::Plain:
    return;
  case Storage::Text:
    for (uint64_t i = 0; i < count; ++i)
      putText(at + i * stride);
    return;
  case Storage::Sequence:
    for (uint64_t i = 0; i < count; ++i)
      putSequence(type, at + i * stride);
    return;
  case Storage::Parts:
    for (uint32_t i = 0; i < type->count; ++i)
      putValues(type->fields[i].type, at + type->fields[i].offset, count, stride);
  }
}

//===--- frames -------------------------------------------------------------===//

void FrameWriter::putPuncts(std::span<const Punctuation> puncts) {
  uint64_t at = append(puncts.size_bytes(), kFrameAlign);
  if (!puncts.empty())
    memcpy(memory + at, puncts.data(), puncts.size_bytes());
}

/// Copies the columns that cannot be sent from the batch, with what they point to.
void FrameWriter::putColumns(const Batch &b) {
  uint64_t compact = kBatchHeader, entry = schema.bytes;
  for (const Column &column : schema.columns) {
    uint64_t bytes = uint64_t(b.rows) * column.size;
    uint64_t at = header.form == Form::Compact ? compact : column.offset;
    compact += alignFrame(bytes);
    if (column.far || header.form == Form::Compact)
      memcpy(memory + at, reinterpret_cast<const char *>(&b) + column.offset, bytes);
    if (!column.far)
      continue;
    last = {};
    store(memory + entry, used);
    entry += sizeof(uint64_t);
    putValues(column.type, at, b.rows, column.size);
  }
  if (schema.far)
    store(memory + entry, used);
}

void FrameWriter::addPiece(const char *data, uint64_t bytes) {
  if (!bytes)
    return;
  if (!pieces.empty() &&
      static_cast<const char *>(pieces.back().data) + pieces.back().bytes == data)
    pieces.back().bytes += bytes;
  else
    pieces.push_back({data, bytes});
}

/// `copied`: all columns are in memory of the writer.
void FrameWriter::collect(const Batch &b, bool copied) {
  pieces.clear();
  uint64_t end = header.form == Form::Compact ? schema.compactBytes(b.rows) : schema.bytes;
  addPiece(memory, copied ? end : kBatchHeader);
  for (size_t i = 0; !copied && i < schema.columns.size(); ++i) {
    const Column &column = schema.columns[i];
    uint64_t next = i + 1 < schema.columns.size() ? schema.columns[i + 1].offset : schema.bytes;
    const char *from = column.far ? memory : reinterpret_cast<const char *>(&b);
    addPiece(from + column.offset, next - column.offset);
  }
  addPiece(memory + schema.bytes, used - schema.bytes);
  header.bytes = end + used - schema.bytes;
}

std::span<const Piece> FrameWriter::write(const Batch &b, std::span<const Punctuation> puncts) {
  fit();
  // The holes of an image cost as much as moving the columns of a compact frame.
  bool compact = 2 * schema.compactBytes(b.rows) < schema.bytes;
  header.form = compact ? Form::Compact : Form::Image;
  header.rows = b.rows;
  header.puncts = uint32_t(puncts.size());
  header.birth = b.birth;
  used = schema.bytes + schema.tableBytes();
  putPuncts(puncts);
  putColumns(b);
  if (compact && used > schema.room) { // it would not fit where it is received
    schema.expand(memory, b.rows);
    header.form = Form::Image;
  }
  collect(b, compact);
  header.checksum = 0;
  memset(memory, 0, kBatchHeader);
  memcpy(memory, &header, sizeof header);
  if (header.hasChecksum)
    store(memory + offsetof(FrameHeader, checksum), checksumOf(pieces));
  ++header.sequence;
  return pieces;
}

void renumber(std::span<char> frame, uint64_t sequence) {
  FrameHeader header;
  memcpy(&header, frame.data(), sizeof header);
  header.sequence = sequence;
  header.checksum = 0;
  memcpy(frame.data(), &header, sizeof header);
  Piece whole = {frame.data(), frame.size()};
  if (header.hasChecksum)
    store(frame.data() + offsetof(FrameHeader, checksum), checksumOf({&whole, 1}));
}

} // namespace sluice::remote
