//===- Frames.h - batches and frames for tests -------------------*- C++ -*-===//
#pragma once
#include "../value/Types.h"
#include "exec/batch/Batches.h"
#include "memory/Memory.h"
#include "remote/frame/Frame.h"
#include "value/Table.h"
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace sluice::remote::test {
using namespace sluice::test;

/// A batch with memory of its own, `room` bytes.
struct TestBatch {
  Batch *b;
  size_t room;
  TestBatch(const Schema &schema, size_t room) : room(room) {
    b = static_cast<Batch *>(std::aligned_alloc(64, (room + 63) / 64 * 64));
    memset(static_cast<void *>(b), 0, kBatchHeader);
    b->capacity = b->limit = schema.capacity;
    b->least = 7;
    b->pool = 3;
  }
  explicit TestBatch(const Schema &schema) : TestBatch(schema, schema.room) {}
  TestBatch(const TestBatch &) = delete;
  ~TestBatch() {
    arenaFree(&b->arena);
    giveMemory(b->puncts);
    giveMemory(b->otherPuncts);
    std::free(b);
  }
  char *at(const ColumnDesc &column, uint32_t row) {
    return const_cast<char *>(element(b, column, row));
  }
  void reset() { resetBatch(b, b->capacity); }
};

using Row = std::vector<std::string>; // values as text, by column

/// Appends a row. What its values point to lies in the arena of the batch, as generated code does
/// it, or in `world`.
inline void append(TestBatch &batch, const Schema &schema, World &world, const Row &row,
                   bool keep = true) {
  for (size_t i = 0; i < schema.columns.size(); ++i) {
    const Column &column = schema.columns[i];
    char *to = batch.at(column, batch.b->rows);
    void *value = world.value(column.type, row[i]);
    if (!value)
      abort();
    memcpy(to, value, column.size);
    if (keep)
      sl_batch_keep(batch.b, column.type, to);
  }
  ++batch.b->rows;
}

inline std::vector<Row> rowsOf(TestBatch &batch, const Schema &schema) {
  std::vector<Row> rows(batch.b->rows);
  for (uint32_t r = 0; r < batch.b->rows; ++r)
    for (const Column &column : schema.columns)
      rows[r].push_back(text(column.type, batch.at(column, r)));
  return rows;
}
inline std::vector<std::string> punctsOf(const Batch *b) {
  std::vector<std::string> puncts;
  for (uint32_t i = 0; i < b->punctCount; ++i)
    puncts.push_back(std::to_string(b->puncts[i].row) + ":" +
                     std::to_string(uint32_t(b->puncts[i].kind)) + ":" +
                     std::to_string(b->puncts[i].time));
  return puncts;
}

inline std::string bytesOf(std::span<const Piece> pieces) {
  std::string bytes;
  for (const Piece &piece : pieces)
    bytes.append(static_cast<const char *>(piece.data), piece.bytes);
  return bytes;
}
inline FrameHeader headerOf(const std::string &frame) {
  FrameHeader header;
  memcpy(&header, frame.data(), sizeof header);
  return header;
}
/// The frame with a field of its header changed.
template <typename T> std::string with(std::string frame, T FrameHeader::*field, T value) {
  FrameHeader header = headerOf(frame);
  header.*field = value;
  memcpy(frame.data(), &header, sizeof header);
  return frame;
}
/// The frame with the checksum that belongs to it.
inline std::string sealed(std::string frame) {
  frame = with(std::move(frame), &FrameHeader::checksum, uint64_t(0));
  Piece all = {frame.data(), frame.size()};
  return with(frame, &FrameHeader::checksum, checksumOf({&all, 1}));
}

/// The next frame: the batch with its punctuation.
inline std::span<const Piece> piecesOf(FrameWriter &writer, const TestBatch &from) {
  return writer.write(*from.b, {from.b->puncts, from.b->punctCount});
}

/// Receives a frame over the bytes of a batch.
inline Problem receive(TestBatch &batch, const Schema &schema, const Expected &expected,
                       std::string_view frame) {
  Batch saved = *batch.b;
  memcpy(static_cast<void *>(batch.b), frame.data(), std::min(frame.size(), batch.room));
  return readFrame(schema, expected, batch.b, frame.size(), batch.room, saved);
}

/// Types of all kinds, in tuples that are flattened to columns.
struct AllTypes {
  const char *const names[3] = {"red", "green", "blue"};
  const TypeDesc colour = enumOf(names, 3), ints = listOf(&int32), flags = listOf(&boolean),
                 lists = listOf(&ints), words = setOf(&rstring), numbers = setOf(&int64),
                 colours = setOf(&colour), table = mapOf(&rstring, &ints),
                 counts = mapOf(&int16, &float64), deep = mapOf(&ints, &words),
                 blobs = setOf(&blob);
  const TupleType pair{{{"x", &rstring}, {"c", &colour}}};
  const TypeDesc pairs = listOf(pair), byPair = mapOf(pair, &table);
  const TypeDesc money = scalar(Kind::Decimal64), large = scalar(Kind::Decimal128),
                 point = scalar(Kind::Complex32), prices = mapOf(&money, &large);
  const OptionalType perhaps{&rstring}, listed{&ints};
  const TypeDesc many = listOf(perhaps);
  const TupleType inner{{{"a", &int16}, {"b", &rstring}, {"p", pair}}};
  const TupleType row{
      {{"i8", &int8},    {"i16", &int16},  {"i32", &int32},   {"i64", &int64},   {"u8", &uint8},
       {"u16", &uint16}, {"u32", &uint32}, {"u64", &uint64},  {"f32", &float32}, {"f64", &float64},
       {"b", &boolean},  {"s", &rstring},  {"t", &timestamp}, {"e", &colour},    {"l", &ints},
       {"fl", &flags},   {"ll", &lists},   {"w", &words},     {"n", &numbers},   {"co", &colours},
       {"m", &table},    {"c", &counts},   {"d", &deep},      {"ps", &pairs},    {"bp", &byPair},
       {"in", inner},    {"s2", &rstring}, {"mo", &money},    {"la", &large},    {"po", &point},
       {"pr", &prices},  {"pe", perhaps},  {"li", listed},    {"ma", &many},     {"us", &ustring},
       {"bl", &blob},    {"bs", &blobs},   {"x", &xml}}};
};

/// The text of a random value. `most`: elements of its collections.
inline std::string randomText(const TypeDesc *type, std::mt19937 &random, uint32_t most) {
  auto below = [&](uint32_t n) { return uint32_t(random() % n); };
  auto some = [&](const char *open, const char *close, auto one) {
    std::string all = open;
    for (uint32_t i = 0, n = below(most + 1); i < n; ++i)
      all += (i ? "," : "") + one();
    return all + close;
  };
  auto of = [&](const TypeDesc *part) { return randomText(part, random, (most + 2) / 3); };
  switch (type->kind) {
  case Kind::Boolean:
    return below(2) ? "true" : "false";
  case Kind::Int8:
  case Kind::Int16:
  case Kind::Int32:
  case Kind::Int64:
    return std::to_string(int32_t(below(256)) - 128);
  case Kind::UInt8:
  case Kind::UInt16:
  case Kind::UInt32:
  case Kind::UInt64:
    return std::to_string(below(256));
  case Kind::Float32:
  case Kind::Float64:
    return std::to_string(below(1000)) + ".5";
  case Kind::Decimal32:
  case Kind::Decimal64:
  case Kind::Decimal128:
    return std::to_string(below(1000)) + ".50";
  case Kind::Complex32:
  case Kind::Complex64:
    return "(" + std::to_string(below(1000)) + ",0.5)";
  case Kind::Optional:
    return below(3) ? of(type->fields[1].type) : "null";
  case Kind::Enum:
    return type->names[below(type->count)];
  case Kind::Timestamp:
    return "(" + std::to_string(below(1000)) + "," + std::to_string(below(1000)) + ",1)";
  case Kind::Blob: {
    std::string digits;
    for (uint32_t i = 0, bytes = below(most * 10 + 1); i < 2 * bytes; ++i)
      digits += "0123456789abcdef"[below(16)];
    return digits;
  }
  case Kind::Xml:
    return below(2) || !checksXml()
               ? "\"\"x"
               : "\"<document>" + std::to_string(below(1000)) + "</document>\"x";
  case Kind::RString:
  case Kind::UString: {
    uint32_t length = below(4) ? below(16) : below(most * 20 + 1);
    std::string s = "\"";
    for (uint32_t i = 0; i < length; ++i)
      s += char('a' + below(26));
    return s + "\"";
  }
  case Kind::List:
    return some("[", "]", [&] { return of(type->elem); });
  case Kind::Set:
    return some("{", "}", [&] { return of(type->elem); });
  case Kind::Map:
    return some("{", "}", [&] { return of(type->elem) + ":" + of(type->value); });
  case Kind::Tuple: {
    std::string s = "{";
    for (uint32_t i = 0; i < type->count; ++i)
      s += (i ? "," : "") + std::string(type->fields[i].name) + "=" + of(type->fields[i].type);
    return s + "}";
  }
  }
  abort();
}
inline Row randomRow(const Schema &schema, std::mt19937 &random, uint32_t most = 24) {
  Row row;
  for (const Column &column : schema.columns)
    row.push_back(randomText(column.type, random, most));
  return row;
}

} // namespace sluice::remote::test
