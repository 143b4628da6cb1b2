//===- Elements.h - collections as they are read ----------------*- C++ -*-===//
#pragma once
#include "memory/Arena.h"
#include "value/Table.h"

namespace sluice::json {

/// Elements, or entries of a map, laid out by stride.
class Elements {
public:
  Elements(Arena &arena, uint32_t stride) : arena(arena), stride(stride) {}

  /// The place of one more, all zero; valid until the next call.
  char *next() {
    if (count == room) {
      uint32_t more = room ? room * 2 : 8;
      auto *to = static_cast<char *>(arenaAlloc(&arena, uint64_t(more) * stride, 16));
      if (count)
        memcpy(to, data, uint64_t(count) * stride);
      data = to;
      room = more;
    }
    char *at = data + uint64_t(count++) * stride;
    memset(at, 0, stride);
    return at;
  }
  /// The last one is none.
  void drop() { --count; }

  /// As a value of the type, with no more than its bound. Of equal keys the first one counts.
  Seq collect(const TypeDesc *type) {
    uint32_t most = type->bound ? type->bound : count;
    if (type->kind == Kind::List)
      return {count < most ? count : most, 0, data};
    Seq table;
    tableReserve(&arena, type, &table, count);
    for (uint32_t i = 0; i < count && table.len < most; ++i) {
      const char *entry = data + uint64_t(i) * stride;
      bool added;
      uint32_t slot = tableAdd(type, &table, entry, &added);
      if (added)
        memcpy(elementAt(type, &table, slot), entry, stride);
    }
    return table;
  }

private:
  Arena &arena;
  uint32_t stride, count = 0, room = 0;
  char *data = nullptr;
};

} // namespace sluice::json
