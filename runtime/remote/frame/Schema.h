//===- Schema.h - what both ends of a link agree on --------------*- C++ -*-===//
//
// The columns of the batches of a stream, and where the parts of a frame lie (Frame.h).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/abi.h"
#include <span>
#include <vector>

namespace sluice::remote {

/// Columns begin at multiples of it in a compact frame, and so does what is behind them.
constexpr uint64_t kFrameAlign = 16;
constexpr uint64_t alignFrame(uint64_t n) { return (n + kFrameAlign - 1) & -kFrameAlign; }

/// Bytes that an element of a list, or an entry of a set or map, takes in a frame. An empty tuple
/// takes one, so that no frame has more of them than bytes.
inline uint64_t entryBytes(const TypeDesc *type) { return type->stride ? type->stride : 1; }

struct Column : ColumnDesc {
  bool far = false;     // its values may have pointers
  bool checked = false; // not every pattern of bits is a value
  uint32_t place = 0;   // among the far ones
};

/// A batch of these columns is `bytes` long, its header included. In frames, three parts lie behind
/// the columns: the table, punctuation, payload. The table says where the payload of each far
/// column begins, and where that of the last one ends (uint64_t, from the start of the frame).
struct Schema {
  /// Columns as the compiler lays them out; one of its tables has them (OutPortDesc).
  Schema(std::span<const ColumnDesc> columns, uint32_t capacity);
  /// Those of a tuple type, by the rule of columns.h.
  Schema(const TypeDesc *tuple, uint32_t capacity);

  std::vector<Column> columns;
  uint32_t capacity; // rows
  uint32_t bytes;    // of a batch, to the end of its columns
  uint32_t room;     // what a buffer for usual frames takes; larger ones are images (Frame.h)
  uint32_t far = 0;  // columns with pointers
  uint64_t hash;     // of the structure of the types, without names, and of the layout

  /// Bytes of the table behind the columns.
  uint64_t tableBytes() const { return far ? alignFrame((far + 1) * sizeof(uint64_t)) : 0; }
  /// Bytes of a frame to the end of its columns, if these lie one behind the other.
  uint64_t compactBytes(uint32_t rows) const;
  /// Moves columns that lie one behind the other to where they are in a batch.
  void expand(char *frame, uint32_t rows) const;

private:
  struct Sizes {
    uint32_t size, count;
  };
  std::vector<Sizes> sizes; // columns of one size in a row
};

/// What both ends of a link know of its batches: what the table says of the receiver's port.
Schema schemaOf(const OutPortDesc &);

} // namespace sluice::remote
