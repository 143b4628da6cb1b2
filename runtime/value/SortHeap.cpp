//===- SortHeap.cpp - the first of rows that come and go --------*- C++ -*-===//
//
// A binary heap of row numbers. Each has the row's first word (SortKeys.h), so most comparisons
// touch no row.
//
//===----------------------------------------------------------------------===//
#include "value/SortKeys.h"

using namespace sluice;

namespace {
/// As in the operations heap_push and heap_pop.
struct Entry {
  uint64_t word;
  uint64_t row;
};

class SortHeap {
public:
  SortHeap(const TypeDesc *list, const Seq *rows, SortKeys keys, Seq *heap)
      : list(list), rows(rows), keys(keys), entries(static_cast<Entry *>(heap->data)) {}

  void push(uint64_t at) {
    Entry added = entries[at];
    added.word = keys.word(elementAt(list, rows, added.row), {});
    while (at > 0 && isBefore(added, entries[(at - 1) / 2])) {
      entries[at] = entries[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    entries[at] = added;
  }

  void pop(uint64_t size) {
    Entry last = entries[--size];
    entries[size] = entries[0];
    uint64_t at = 0;
    for (uint64_t child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && isBefore(entries[child + 1], entries[child]))
        ++child;
      if (!isBefore(entries[child], last))
        break;
      entries[at] = entries[child];
      at = child;
    }
    if (size)
      entries[at] = last;
  }

private:
  bool isBefore(const Entry &a, const Entry &b) const {
    if (a.word != b.word)
      return a.word < b.word;
    uint64_t word = a.word;
    for (SortKeys::Position at; keys.advance(word, at);) {
      uint64_t other = keys.word(elementAt(list, rows, b.row), at);
      word = keys.word(elementAt(list, rows, a.row), at);
      if (word != other)
        return word < other;
    }
    return false;
  }

  const TypeDesc *list;
  const Seq *rows;
  SortKeys keys;
  Entry *entries;
};
} // namespace

extern "C" void sl_heap_push(const TypeDesc *list, const Seq *rows, const uint8_t *descending,
                             uint32_t keys, Seq *heap, uint64_t size) {
  SortHeap(list, rows, {list, descending, keys}, heap).push(size);
}

extern "C" void sl_heap_pop(const TypeDesc *list, const Seq *rows, const uint8_t *descending,
                            uint32_t keys, Seq *heap, uint64_t size) {
  SortHeap(list, rows, {list, descending, keys}, heap).pop(size);
}
