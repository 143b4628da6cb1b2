//===- Blocks.h - which parts of a large set or map have changed ---*- C++ -*-===//
//
// A table of which changes are to be known is seen as blocks of kBlockEntries entries, in their
// order, and each has a mark:
//
//   Clean     as it was when it was saved last
//   Changed   it has changed since
//   ToSave    it is to be saved as it is
//   Saving    a thread reads it to save it
//
// A cut, while nobody is inside the table, makes all that is Changed ToSave and moves no entry.
// From then on the owner, who is inside the table, saves a block before its first change, and the
// saver, a thread of its own, saves all others. Nothing is read while it changes: who makes a mark
// Saving is the only one to read the block until it makes it another mark.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "base/os.h"
#include "value/blocks/TableIndex.h"
#include <atomic>
#include <memory>
#include <vector>

namespace sluice {

constexpr uint32_t kBlockEntries = 64;

/// What precedes the bytes of a block that was saved.
struct SavedBlock {
  uint32_t block;   // its number
  uint32_t entries; // in it
  uint64_t bytes;   // behind this
};

class Blocks : public std::enable_shared_from_this<Blocks> {
public:
  /// Appends the bytes of entries that lie together.
  using Save = void (*)(std::vector<char> &to, const TypeDesc *, const char *entries,
                        uint32_t count);

  /// From now on the changes of a table are known, which has an index. Null: there are too many of
  /// such tables. While nobody is inside.
  static std::shared_ptr<Blocks> begin(const TypeDesc *, Seq *, Save);
  /// Those of a table that isTracked().
  static Blocks *of(const SeqHeader *header) { return known[header->mask & ~kTracked]; }
  ~Blocks();
  Blocks(const Blocks &) = delete;

  //===--- while nobody is inside, by the saver -----------------------------------===//

  /// What has changed is to be saved, or `all`. Returns how many blocks that are.
  uint32_t cut(Seq *, bool all);
  /// Of the same: how many have changed.
  uint32_t countChanged() const;

  //===--- by the owner -----------------------------------------------------------===//

  IndexView index() const { return ownIndex; }
  void setIndex(IndexView of) { ownIndex = of; }
  /// relaxed: only the owner makes a block Changed, or the saver for it while nobody is inside or
  /// without reading it (letGo).
  bool hasChanged(uint32_t slot) const {
    return markOf(slot / kBlockEntries).load(std::memory_order_relaxed) == Changed;
  }
  /// Before the entry at that slot changes, or is added.
  void change(uint32_t slot) {
    if (!hasChanged(slot))
      changeFirst(slot / kBlockEntries);
  }
  /// `reserve` moves the entries to a larger buffer. A key that lies in the old one is found there.
  template <class F> void grow(Seq *seq, F reserve, const void *&key) {
    const uintptr_t at = uintptr_t(key) - uintptr_t(seq->data);
    const bool isInside = at < uint64_t(seq->len) * type->stride;
    os::Held held(lock);
    reserve();
    if (isInside)
      key = static_cast<const char *>(seq->data) + at;
    entries = static_cast<const char *>(seq->data);
    makeMarks(seq->cap);
  }
  /// Nothing is known of the table any more. What is to be saved of it is kept; true: by keeping
  /// its buffer of so many bytes, which is the owner's no more. This may be gone then.
  bool release(SeqHeader *, uint64_t bytes);

  //===--- by the saver, at any time ----------------------------------------------===//

  /// Appends blocks, which were not saved before, to `to`, until it has that many bytes more.
  /// False: there are no more.
  bool saveSome(std::vector<char> &to, size_t bytes);
  /// What the owner has saved, in parts. When saveSome() has returned false, all of it.
  std::vector<std::vector<char>> takeEarly();
  /// Nothing more is saved: what was to be is Changed again.
  void letGo();

  const uint64_t serial; // no two have the same in a process
  const TypeDesc *const type;

private:
  enum Mark : uint8_t { Clean, Changed, ToSave, Saving };

  Blocks(uint64_t serial, const TypeDesc *type, Save save)
      : serial(serial), type(type), save(save) {}
  std::atomic_ref<uint8_t> markOf(uint32_t block) const { return std::atomic_ref(marks[block]); }
  void makeMarks(uint32_t capacity);
  void put(std::vector<char> &to, uint32_t block) const;
  void changeFirst(uint32_t block);
  void handOver();

  static Blocks *known[]; // by number: of a slot that no other thread uses
  const Save save;
  std::shared_ptr<Blocks> self; // until release()
  IndexView ownIndex = {};

  /// Held by the saver while it reads entries, and by the owner while it moves them.
  os::Lock lock;
  const char *entries = nullptr; // by both, changed with the lock
  /// The same. While nobody is inside, or with the lock, they are read and set without more ado.
  std::unique_ptr<uint8_t[]> marks;
  uint32_t markCount = 0;
  uint32_t atCut = 0;                  // entries at the last cut
  uint32_t next = 0;                   // the block at which the saver is; by it, or with the lock
  uint32_t end = 0;                    // blocks at the last cut
  std::vector<char> early;             // by the owner; by the saver when all blocks are saved
  std::vector<std::vector<char>> full; // more of it, by both with the lock
  struct {
    void *data = nullptr;
    uint64_t bytes = 0;
  } buffer; // that was the owner's
};

} // namespace sluice
