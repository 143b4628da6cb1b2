//===- Batches.h - batches and who has them ---------------------*- C++ -*-===//
#pragma once
#include "runtime/base/HashKey.h"
#include "runtime/exec/state/PortState.h"
#include "runtime/exec/state/Sent.h"
#include "runtime/memory/Arena.h"
#include "sluice/abi.h"
#include <span>

namespace sluice {

namespace remote {
struct Column;
}

/// Makes the output ports of a program and their first batches; before any thread runs.
void makePorts(Program &);
/// Frees all batches; after all threads have ended.
void freePorts(Program &);

/// The most rows that a batch of the output port may have.
uint32_t mostRows(const Program &, const OutPortDesc &);
/// An empty batch for a port. By who is inside the port's domain.
Batch *takeBatch(Thread &, uint32_t outPort);
/// Gives a batch that nobody uses any more to the thread's spares.
void giveBack(Thread &, Batch *);
/// Gives the port an empty batch after its batch `b` was sent: the same one, if nobody has kept it.
/// A port that forwards in place gets none. By who is inside the port's domain.
void refill(Thread &, uint32_t outPort, Batch *b, Sent);
/// One of those that share the batch (Batch::refs) has run it. The last one gives it back.
void releaseBatch(Thread &, Batch *);
/// Bytes that the batch takes, with its payload, for the budget of the queues. By who has it alone.
uint32_t bytesOf(const PortState &, Batch *);
/// Appends punctuation. Its row is at most the number of rows.
void addPunct(Batch *, Punctuation);
/// Copies rows, what they point to, and punctuation into an empty batch of the same columns.
void copyBatch(Batch *to, const Batch *from, std::span<const remote::Column>);
/// The same for what is in no column.
void copyRest(Batch *to, const Batch *from);
/// Ends the batch before row `rows`.
void cutBatch(Batch *, uint32_t rows);

/// Bytes of payload that an empty batch may keep. The memory that larger rows took goes back to
/// malloc, as no budget knows of it.
constexpr uint64_t kKeptBytes = 256 << 10;

/// Empties a batch; it is full at `limit` rows. relaxed: the timer (Timer.cpp) may look at the
/// rows and lower the limit at any time, which guards nothing.
inline void resetBatch(Batch *b, uint32_t limit) {
  __atomic_store_n(&b->rows, 0, __ATOMIC_RELAXED);
  b->punctCount = 0;
  b->payload = 0;
  __atomic_store_n(&b->limit, limit, __ATOMIC_RELAXED);
  arenaReset(&b->arena);
  if (Block *block = b->arena.block;
      block && (block->next || uint64_t(block->end - block->begin()) > kKeptBytes))
    arenaTrim(&b->arena, kKeptBytes);
}

/// True if the batch is to be forwarded. relaxed: as in resetBatch().
inline bool isFull(const Batch *b) {
  return b->rows >= __atomic_load_n(&b->limit, __ATOMIC_RELAXED);
}

/// The element of a column in a row.
inline const char *element(const Batch *b, const ColumnDesc &column, uint32_t row) {
  return reinterpret_cast<const char *>(b) + column.offset + uint64_t(row) * column.size;
}

/// Makes `b` the batch that an output port fills. release: pairs with the acquire of the timer
/// (tickUntil() in Timer.cpp), which looks at the ports of the program.
inline void setBatch(OutPort *ports, uint32_t outPort, Batch *b) {
  __atomic_store_n(&ports[outPort].batch, b, __ATOMIC_RELEASE);
}

} // namespace sluice
