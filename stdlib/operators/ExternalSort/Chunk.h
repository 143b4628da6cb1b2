//===- Chunk.h - rows in memory ---------------------------------*- C++ -*-===//
#pragma once
#include "runtime/memory/Arena.h"
#include "stdlib/operators/ExternalSort/RowOrder.h"

namespace sluice::external {

/// Rows that take so many bytes at most, with what is needed to sort them.
class Chunk {
public:
  Chunk(const RowOrder &, uint64_t bytes);
  ~Chunk();
  Chunk(const Chunk &) = delete;

  /// Copies a row. False: it is full. One row always fits.
  bool add(const void *row);
  /// Puts the rows in order. Then nothing is added until clear().
  void sort();
  void clear();
  uint64_t size() const { return count; }
  /// The row and its word at a place in the order.
  uint64_t word(uint64_t at) const { return order.isBare() ? words()[at] : entries()[at].word; }
  /// Valid until the next call.
  const char *row(uint64_t at) {
    if (!order.isBare())
      return rowAt(entries()[at].row);
    bare = order.bareRow(words()[at]);
    return reinterpret_cast<const char *>(&bare);
  }

private:
  struct Entry {
    uint64_t word, row;
  };
  uint64_t *words() const { return reinterpret_cast<uint64_t *>(pages); }
  /// Behind the rows.
  Entry *entries() const {
    return reinterpret_cast<Entry *>(pages + (count * stride + alignof(Entry) - 1) /
                                                 alignof(Entry) * alignof(Entry));
  }
  void takeRows();
  void giveRows();
  const char *rowAt(uint64_t number) const { return pages + number * stride; }
  void sortEntries();

  const RowOrder &order;
  const uint64_t bytes, stride; // stride: of rows
  char *pages;
  Arena payload = {};
  Block *block = nullptr; // of the payload, that is being filled
  uint64_t count = 0, payloadBytes = 0, bare = 0;
};

} // namespace sluice::external
