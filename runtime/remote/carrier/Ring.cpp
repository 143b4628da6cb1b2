//===- Ring.cpp - bytes from one process to another in memory -------------===//
#include "runtime/remote/carrier/Ring.h"
#include <algorithm>
#include <cstring>

namespace sluice::remote {

/// Whether the other end sleeps; then it is woken by who asks, once.
static bool takeSleeper(std::atomic<uint32_t> &sleeps) {
  // seq_cst: with the fence of RingReader::arm() and RingWriter::arm(). Either this end sees that
  // the other one sleeps, or that one sees what was published before.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return sleeps.load(std::memory_order_relaxed) &&
         sleeps.exchange(0, std::memory_order_relaxed); // relaxed: only one of both wakes
}

/// A reader that breaks the protocol leaves no room.
size_t RingWriter::room() {
  uint64_t used = written - taken;
  return used <= bytes.capacity ? bytes.capacity - used : 0;
}

size_t RingWriter::write(std::span<const Piece> pieces, bool &wake) {
  size_t all = 0;
  for (const Piece &piece : pieces)
    all += piece.bytes;
  if (room() < all)
    taken = head.taken.load(std::memory_order_acquire); // pairs with RingReader::read()
  size_t left = std::min(all, room()), count = left;
  for (const Piece &piece : pieces) {
    size_t part = std::min(left, piece.bytes);
    if (part)
      memcpy(bytes.at(written), piece.data, part);
    written += part, left -= part;
  }
  if (!count)
    return 0;
  head.written.store(written, std::memory_order_release); // pairs with RingReader::available()
  wake = takeSleeper(head.readerSleeps);
  return count;
}

bool RingWriter::arm() {
  head.writerSleeps.store(1, std::memory_order_relaxed);
  // With the fence of takeSleeper(): no room that is told now is missed.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  taken = head.taken.load(std::memory_order_acquire); // pairs with RingReader::read()
  if (room() < bytes.capacity / 2)
    return true;
  head.writerSleeps.store(0, std::memory_order_relaxed); // who has seen it wakes in vain
  return false;
}

/// A writer that breaks the protocol has written nothing.
size_t RingReader::available() {
  written = head.written.load(std::memory_order_acquire); // pairs with RingWriter::write()
  uint64_t count = written - taken;
  return count <= bytes.capacity ? count : 0;
}

size_t RingReader::read(void *to, size_t count, bool &wake) {
  size_t there = written - taken;
  if (there < count || there > bytes.capacity)
    there = available();
  size_t part = std::min(there, count);
  if (!part)
    return 0;
  memcpy(to, bytes.at(taken), part);
  taken += part;
  // A writer that sleeps waits for half of the ring, so what is not told keeps none asleep.
  if (part < there && taken - told < bytes.capacity / 8)
    return part;
  told = taken;
  head.taken.store(taken, std::memory_order_release); // pairs with RingWriter::write() and arm()
  if (written - taken <= bytes.capacity / 2)
    wake = takeSleeper(head.writerSleeps);
  return part;
}

bool RingReader::arm() {
  head.readerSleeps.store(1, std::memory_order_relaxed);
  // With the fence of takeSleeper(): nothing that is written now is missed.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!available())
    return true;
  head.readerSleeps.store(0, std::memory_order_relaxed); // who has seen it wakes in vain
  return false;
}

} // namespace sluice::remote
