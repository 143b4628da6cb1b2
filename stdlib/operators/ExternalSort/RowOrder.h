//===- RowOrder.h - the order of rows ---------------------------*- C++ -*-===//
//
// A row is a tuple as it lies in memory (TypeDesc). Its first word (value/SortKeys.h) decides most
// comparisons.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "value/SortKeys.h"
#include <vector>

namespace sluice::external {

class RowOrder {
public:
  struct Key {
    uint32_t attribute;
    bool descending;
  };
  /// `tuple` outlives this.
  RowOrder(const TypeDesc *tuple, const std::vector<Key> &);
  RowOrder(const RowOrder &) = delete;

  const TypeDesc *const type;
  uint32_t rowBytes() const { return type->size; }
  bool isPlain() const { return type->plain; }
  /// A row is one integer of 64 bits: its word is all of it.
  bool isBare() const { return bare; }

  uint64_t word(const char *row) const {
    return bare ? load<uint64_t>(row) ^ flipped : keys.word(row, {});
  }
  /// The row of a word, if rows are bare.
  uint64_t bareRow(uint64_t word) const { return word ^ flipped; }
  /// Whether rows with the same first word may differ.
  bool goesOn() const { return moreThanWord; }
  /// Compares two rows with the same first word: below, at or above 0.
  int compareRest(const char *a, const char *b) const;
  /// Copies the keys of a row to one whose bytes are zero.
  void copyKeys(Arena *, char *to, const char *row) const;

private:
  static constexpr uint64_t kSign = uint64_t(1) << 63;

  std::vector<Field> fields; // the keys
  std::vector<uint8_t> descending;
  SortKeys keys;
  bool bare, moreThanWord;
  uint64_t flipped; // the bits in which a bare row and its word differ
};

} // namespace sluice::external
