//===- Retained.cpp - frames that were sent and not acknowledged ----------===//
#include "runtime/exec/delivery/Retained.h"
#include "runtime/exec/state/Receipt.h"
#include "runtime/memory/Memory.h"
#include <cstring>

namespace sluice {

Retained::Retained(uint32_t most, size_t bytes) : size(bytes), slots(most) {}

Retained::~Retained() {
  for (uint64_t n = reclaimed; n != added; ++n)
    if (!isInside(slot(n).at))
      giveMemory(slot(n).at);
  giveMemory(memory);
}

/// Takes the memory of frames that were acknowledged.
void Retained::reclaim() {
  for (uint64_t end = acknowledged.load(std::memory_order_seq_cst); reclaimed != end; ++reclaimed) {
    Slot &old = slot(reclaimed);
    kept -= old.bytes;
    if (!isInside(old.at))
      giveMemory(old.at);
  }
}

bool Retained::hasRoom() {
  reclaim();
  return added - reclaimed < slots.size() && kept < size;
}

/// Memory for a frame: behind the last one, or where the ring begins.
char *Retained::place(size_t bytes) {
  if (!memory)
    memory = static_cast<char *>(takeMemory(size, 64));
  // The oldest frame that lies in the ring bounds what is free.
  size_t oldest = size;
  bool any = false;
  for (uint64_t n = reclaimed; n != added && !any; ++n)
    if (isInside(slot(n).at)) {
      oldest = size_t(slot(n).at - memory);
      any = true;
    }
  if (!any)
    next = 0;
  bool wrapped = any && next <= oldest; // free is what lies between both
  size_t end = wrapped ? oldest : size;
  if (!wrapped && next + bytes > size && bytes <= oldest && any) {
    next = 0;
    end = oldest;
  }
  if (next + bytes > end)
    return static_cast<char *>(takeMemory(bytes, 64));
  char *at = memory + next;
  next += bytes;
  return at;
}

void Retained::add(std::span<const remote::Piece> frame, uint32_t rows, Receipt *receipt) {
  size_t bytes = 0;
  for (const remote::Piece &piece : frame)
    bytes += piece.bytes;
  Slot &s = slot(added);
  s = {place(bytes), bytes, rows, receipt};
  char *to = s.at;
  for (const remote::Piece &piece : frame) {
    memcpy(to, piece.data, piece.bytes);
    to += piece.bytes;
  }
  if (receipt)
    receipt->hold();
  kept += bytes;
  added.store(added + 1, std::memory_order_release); // pairs with acknowledge()
}

void Retained::restart() {
  base = acknowledged;
  lost.store(false, std::memory_order_relaxed);
}

Retained::Frame Retained::frame(uint64_t number) const {
  const Slot &s = slot(base + number);
  return {{s.at, s.bytes}, s.rows};
}

bool Retained::acknowledge(uint64_t frames) {
  uint64_t from = acknowledged.load(std::memory_order_relaxed), to = base + frames;
  if (to < from || to > added.load(std::memory_order_acquire))
    return false;
  for (uint64_t n = from; n != to; ++n)
    if (Receipt *receipt = slot(n).receipt)
      receipt->release();
  // seq_cst: either this sees that the other thread waits, or that sees what is acknowledged.
  acknowledged.store(to, std::memory_order_seq_cst);
  if (waits.load(std::memory_order_seq_cst))
    moved.raise();
  return true;
}

void Retained::lose() {
  lost.store(true, std::memory_order_seq_cst); // as in acknowledge()
  gone.raise();
  if (waits.load(std::memory_order_seq_cst))
    moved.raise();
}

void Retained::beginWait() {
  moved.lower();
  waits.store(true, std::memory_order_seq_cst);
}

} // namespace sluice
