//===- Chunk.cpp - rows in memory -----------------------------------------===//
#include "stdlib/operators/ExternalSort/Chunk.h"
#include "runtime/memory/Memory.h"
#include "stdlib/operators/ExternalSort/InPlaceSort.h"
#include <algorithm>

namespace sluice::external {

/// Large pages are quicker to sort in.
static bool isLarge(uint64_t bytes) { return bytes >= 2 * kLargePage; }

/// Without what large pages would round up to.
static uint64_t roundedDown(uint64_t bytes) {
  return isLarge(bytes) ? bytes / kLargePage * kLargePage : bytes;
}

Chunk::Chunk(const RowOrder &order, uint64_t atMost)
    : order(order),
      bytes(roundedDown(std::max<uint64_t>(atMost, order.rowBytes() + 2 * sizeof(Entry)))),
      stride(order.rowBytes()) {
  takeRows();
}

Chunk::~Chunk() {
  arenaFree(&payload);
  giveRows();
}

void Chunk::takeRows() {
  pages = static_cast<char *>(isLarge(bytes) ? takePages(bytes) : takeMemory(bytes, 64));
}

void Chunk::giveRows() {
  if (isLarge(bytes))
    givePages(pages, bytes);
  else
    giveMemory(pages);
}

bool Chunk::add(const void *row) {
  if (order.isBare()) {
    if ((count + 1) * sizeof(uint64_t) > bytes)
      return false;
    words()[count++] = order.word(static_cast<const char *>(row));
    return true;
  }
  uint64_t rows = (count + 1) * (stride + sizeof(Entry)) + sizeof(Entry);
  if (count && rows + payloadBytes > bytes)
    return false;
  char *to = pages + count++ * stride;
  if (order.isPlain()) {
    memcpy(to, row, stride);
    return true;
  }
  sl_copy_to(&payload, order.type, to, row);
  while (block != payload.block) {
    block = block ? block->next : payload.block->first;
    payloadBytes += uint64_t(block->end - block->begin());
  }
  return true;
}

void Chunk::sortEntries() {
  Entry *list = entries();
  for (uint64_t i = 0; i < count; ++i)
    list[i] = {order.word(rowAt(i)), i};
  auto wordOf = [](const Entry &e) { return e.word; };
  if (!order.goesOn())
    return sortInPlace(list, count, wordOf, [](const Entry &a, const Entry &b) {
      return a.word != b.word ? a.word < b.word : a.row < b.row;
    });
  sortInPlace(list, count, wordOf, [this](const Entry &a, const Entry &b) {
    if (a.word != b.word)
      return a.word < b.word;
    int rest = order.compareRest(rowAt(a.row), rowAt(b.row));
    return rest ? rest < 0 : a.row < b.row;
  });
}

void Chunk::sort() {
  if (order.isBare())
    return sortInPlace(
        words(), count, [](uint64_t word) { return word; },
        [](uint64_t a, uint64_t b) { return a < b; });
  sortEntries();
}

void Chunk::clear() {
  count = 0;
  if (order.isPlain())
    return;
  // The next rows may have more payload: what those before have touched goes back.
  arenaFree(&payload);
  payload = {};
  block = nullptr;
  payloadBytes = 0;
  giveRows();
  takeRows();
}

} // namespace sluice::external
