//===- Batches.h - batches and who has them ---------------------*- C++ -*-===//
#pragma once
#include "runtime/exec/program/Program.h"

namespace sluice {

/// An empty batch for a port. By who is inside the port's domain.
Batch *takeBatch(Thread &, uint32_t outPort);
/// Nobody has the batch any more.
void giveBack(Thread &, Batch *);
/// One of those who had it has run it.
void releaseBatch(Thread &, Batch *);
/// What the batch keeps others from using, in bytes.
uint32_t bytesOf(const PortState &, Batch *);

/// Bytes of payload that an empty batch may keep: what large rows took goes back to malloc, no
/// budget knows of it.
constexpr uint64_t kKeptBytes = 256 << 10;

inline void resetBatch(Batch *b, uint32_t limit) {
  // The timer looks at rows and writes limit meanwhile.
  __atomic_store_n(&b->rows, 0, __ATOMIC_RELAXED);
  b->punctCount = 0;
  b->payload = 0;
  __atomic_store_n(&b->limit, limit, __ATOMIC_RELAXED);
  arenaReset(&b->arena);
  if (Block *block = b->arena.block;
      block && (block->next || uint64_t(block->end - block->begin()) > kKeptBytes))
    arenaTrim(&b->arena, kKeptBytes);
}

/// It is to be forwarded. relaxed: the timer may lower the limit meanwhile, which guards nothing.
inline bool isFull(const Batch *b) {
  return b->rows >= __atomic_load_n(&b->limit, __ATOMIC_RELAXED);
}

inline const char *element(const Batch *b, const ColumnDesc &column, uint32_t row) {
  return reinterpret_cast<const char *>(b) + column.offset + uint64_t(row) * column.size;
}

/// Equal keys, equal hash; `before` sets apart what is partitioned for different ends.
inline uint64_t hashKey(uint64_t before, const TypeDesc *type, const void *key) {
  uint64_t hash = (before ^ sl_hash(type, key)) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

inline void setBatch(OutPort *ports, uint32_t outPort, Batch *b) {
  // release: the timer reads the program's at any time.
  __atomic_store_n(&ports[outPort].batch, b, __ATOMIC_RELEASE);
}

} // namespace sluice
