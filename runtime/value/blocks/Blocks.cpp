//===- Blocks.cpp - which parts of a large set or map have changed ----------===//
#include "value/blocks/Blocks.h"
#include <algorithm>
#include <utility>

namespace sluice {

static constexpr uint32_t kMost = 1 << 16; // tables
static constexpr size_t kChunk = 1 << 20;  // bytes that the owner hands over
Blocks *Blocks::known[kMost];

namespace {
/// Numbers of tables that are not used. With the lock.
struct Numbers {
  os::Lock lock;
  std::vector<uint32_t> free;
  uint32_t next = 0;
  uint64_t serial = 0;
};
} // namespace
static Numbers numbers;

static uint32_t blocksIn(uint32_t entries) {
  return entries / kBlockEntries + (entries % kBlockEntries != 0);
}

std::shared_ptr<Blocks> Blocks::begin(const TypeDesc *type, Seq *seq, Save save) {
  os::Held held(numbers.lock);
  if (numbers.free.empty() && numbers.next == kMost)
    return nullptr;
  uint32_t number = numbers.next;
  if (numbers.free.empty()) {
    ++numbers.next;
  } else {
    number = numbers.free.back();
    numbers.free.pop_back();
  }
  std::shared_ptr<Blocks> blocks(new Blocks(++numbers.serial, type, save));
  blocks->self = blocks;
  known[number] = blocks.get();
  SeqHeader *header = tableHeader(seq);
  blocks->ownIndex = {header->index, header->mask};
  blocks->makeMarks(seq->cap);
  *header = {nullptr, kTracked | number, kNoSlot};
  return blocks;
}

Blocks::~Blocks() {
  if (buffer.data)
    heapFreeLarge(buffer.data, buffer.bytes);
}

/// With the lock, or while nobody is inside. By the owner, who alone may make one Changed: what the
/// saver has stored was with the lock.
void Blocks::makeMarks(uint32_t capacity) {
  const uint32_t count = blocksIn(capacity);
  if (count <= markCount)
    return;
  std::unique_ptr<uint8_t[]> larger(new uint8_t[count]());
  std::copy_n(marks.get(), markCount, larger.get());
  marks = std::move(larger);
  markCount = count;
}

/// Who stops all, and lets them go on, orders what is done to marks here.
uint32_t Blocks::cut(Seq *seq, bool all) {
  entries = static_cast<const char *>(seq->data);
  atCut = seq->len;
  next = 0;
  end = blocksIn(atCut);
  uint8_t *mark = marks.get();
  uint32_t count = 0;
  for (uint32_t i = 0; i < end; ++i) {
    const bool is = all || mark[i] != Clean;
    mark[i] = is ? ToSave : Clean;
    count += is;
  }
  std::fill(mark + end, mark + markCount, Clean);
  tableHeader(seq)->guess = kNoSlot; // a guess says that a block has changed
  return count;
}

uint32_t Blocks::countChanged() const {
  return uint32_t(std::count(marks.get(), marks.get() + markCount, Changed));
}

void Blocks::put(std::vector<char> &to, uint32_t block) const {
  const uint32_t first = block * kBlockEntries, count = std::min(kBlockEntries, atCut - first);
  SavedBlock header{block, count, 0};
  const size_t at = to.size();
  to.resize(at + sizeof header);
  save(to, type, entries + uint64_t(first) * type->stride, count);
  header.bytes = to.size() - at - sizeof header;
  memcpy(to.data() + at, &header, sizeof header);
}

/// acquire: who has saved the block has read it before the release of its mark, and it may change.
/// release: the saver that sees the mark sees what was saved early, too.
void Blocks::changeFirst(uint32_t block) {
  std::atomic_ref<uint8_t> mark = markOf(block);
  for (uint8_t seen = mark.load(std::memory_order_acquire);;) {
    if (seen == Changed)
      return;
    if (seen == Saving) {
      os::spinPause();
      seen = mark.load(std::memory_order_acquire);
    } else if (mark.compare_exchange_strong(seen, seen == Clean ? Changed : Saving,
                                            std::memory_order_acquire)) {
      if (seen == Clean)
        return;
      put(early, block);
      bool isFull = early.size() >= kChunk; // which the saver may have taken after the next line
      mark.store(Changed, std::memory_order_release);
      return isFull ? handOver() : void();
    }
  }
}

/// Not while a mark is Saving: the saver waits for that with the lock.
void Blocks::handOver() {
  os::Held held(lock);
  if (early.empty())
    return;
  full.push_back(std::move(early));
  early = {};
  early.reserve(kChunk + kChunk / 8);
}

/// acquire, release: as in changeFirst().
bool Blocks::saveSome(std::vector<char> &to, size_t bytes) {
  os::Held held(lock);
  for (const size_t enough = to.size() + bytes; next < end && to.size() < enough; ++next) {
    std::atomic_ref<uint8_t> mark = markOf(next);
    uint8_t seen = ToSave;
    if (mark.compare_exchange_strong(seen, Saving, std::memory_order_acquire)) {
      put(to, next);
      mark.store(Clean, std::memory_order_release);
    }
    while (seen == Saving) { // by the owner
      os::spinPause();
      seen = mark.load(std::memory_order_acquire);
    }
  }
  return next < end;
}

std::vector<std::vector<char>> Blocks::takeEarly() {
  os::Held held(lock);
  if (next == end && !early.empty()) {
    full.push_back(std::move(early));
    early = {};
  }
  return std::exchange(full, {});
}

/// acquire: what the owner has saved early is seen, and goes.
void Blocks::letGo() {
  os::Held held(lock);
  for (; next < end; ++next) {
    uint8_t seen = ToSave;
    markOf(next).compare_exchange_strong(seen, Changed, std::memory_order_acquire);
    while (seen == Saving)
      seen = markOf(next).load(std::memory_order_acquire); // as in changeFirst()
  }
  early = {};
  full.clear();
}

bool Blocks::release(SeqHeader *header, uint64_t bytes) {
  const uint32_t number = header->mask & ~kTracked;
  bool isKept = false;
  {
    os::Held held(lock);
    const bool isPlain = type->elem->plain && (type->kind != Kind::Map || type->value->plain);
    isKept = next < end && isPlain && bytes > Heap::kMaxPooled;
    if (isKept)
      buffer = {header, bytes};
    for (uint32_t i = next; i < end && !isKept; ++i)
      if (marks[i] == ToSave) { // all are by this thread now: it has the lock
        put(early, i);
        marks[i] = Changed;
      }
  }
  std::shared_ptr<Blocks> last = std::move(self); // destroyed behind the lock of the numbers
  os::Held held(numbers.lock);
  known[number] = nullptr;
  numbers.free.push_back(number);
  return isKept;
}

} // namespace sluice
