//===- KeyedParts.cpp - keyed state of the channels of a region ---------------===//
#include "runtime/exec/checkpoint/KeyedParts.h"
#include "runtime/base/HashKey.h"
#include "runtime/exec/saved/SavedValue.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/table/Facts.h"
#include "sluice/saved.h"
#include "value/Place.h"
#include "value/Table.h"
#include <deque>

namespace sluice::checkpoint {

/// Calls f(output port) for each stream that comes to an input port. One of another PE comes over a
/// link: it is the port in front of the sender.
template <typename F> static void forEachStreamTo(const Program &p, uint32_t port, F f) {
  forEachEdge(p.desc, [&](uint32_t out, uint32_t, uint32_t in) {
    if (in != port)
      return;
    const uint32_t receiver = p.desc.outPorts[out].op;
    if (p.desc.operators[receiver].link < 0)
      return f(p.desc.outPorts[out]);
    for (uint32_t op = 0; op < p.desc.operatorCount; ++op)
      if (p.desc.operators[op].link >= 0 && p.desc.operators[op].inputs &&
          p.table.pes.receiver(op) == receiver)
        forEachStreamTo(p, p.desc.operators[op].firstIn, f);
  });
}

/// Whether the stream enters the region, and is partitioned by the key alone.
static bool isSplitBy(const OutPortDesc &from, uint32_t region, const KeyedDesc &keyed) {
  uint32_t splits = 0;
  bool isByKey = true;
  for (uint32_t i = 0; i < from.splitCount; ++i)
    if (const SplitDesc &split = from.splits[i]; split.region == region) {
      ++splits;
      isByKey &= split.kind == SplitKind::ByKey && split.keyCount == 1 &&
                 from.columns[split.keys[0]].offset == keyed.key.offset;
    }
  return splits > 0 && isByKey;
}

const KeyedDesc *keyOf(const Program &p, uint32_t region, uint32_t op) {
  const uint32_t port = p.desc.operators[op].firstIn;
  const KeyedDesc *keyed = p.desc.operators[op].inputs ? p.desc.inPorts[port].keyed : nullptr;
  bool isSplit = keyed;
  if (keyed)
    forEachStreamTo(p, port,
                    [&](const OutPortDesc &from) { isSplit &= isSplitBy(from, region, *keyed); });
  return isSplit ? keyed : nullptr;
}

bool isKeyed(const KeyedDesc *keyed, const StateDesc &variable) {
  for (uint32_t i = 0; keyed && i < keyed->stateCount; ++i)
    if (keyed->state[i].offset == variable.offset)
      return true;
  return false;
}

namespace {
/// A set or map of one channel, in a heap of its own.
class Table {
public:
  Table(Heap *heap, const TypeDesc *type) : heap(heap), type(type) {}
  ~Table() { disown(heap, type, &entries); }
  Table(const Table &) = delete;

  bool read(std::string_view bytes) {
    SavedBytes from{bytes.data(), bytes.data() + bytes.size()};
    return restoreValue(heap, from, type, &entries) && !from.size();
  }
  /// Calls f(the entry, as a table).
  template <typename F> void forEach(F f) const {
    for (uint32_t i = 0; i < entries.len; ++i) {
      Seq one = {};
      one.len = 1;
      one.data = static_cast<char *>(entries.data) + uint64_t(i) * type->stride;
      f(one);
    }
  }
  /// False: it is there already.
  bool addKey(const void *key) {
    bool added;
    (void)tableSlot(heap, type, &entries, key, &added);
    return added;
  }

private:
  Heap *heap;
  const TypeDesc *type;
  Seq entries = {};
};

struct OwnHeap {
  Heap *heap = heapCreate();
  ~OwnHeap() { heapDestroy(heap); }
};
} // namespace

std::string dealOut(const StateDesc &variable, const std::string &name, const TypeDesc *key,
                    const std::vector<std::string> &parts, std::vector<std::string> &to) {
  OwnHeap own;
  Table keys(own.heap, variable.type);
  std::deque<Table> tables;
  std::vector<std::vector<Seq>> entries(to.size());
  bool isTwice = false;
  for (const std::string &part : parts) {
    if (!tables.emplace_back(own.heap, variable.type).read(part))
      return "cannot be read";
    tables.back().forEach([&](const Seq &entry) {
      isTwice |= !keys.addKey(entry.data);
      entries[hashKey(/*before=*/0, key, entry.data) % to.size()].push_back(entry);
    });
  }
  if (isTwice)
    return "had the same key in several channels, so their streams were partitioned by something "
           "else";
  for (size_t channel = 0; channel < to.size(); ++channel) {
    std::vector<const Seq *> pointers;
    for (const Seq &entry : entries[channel])
      pointers.push_back(&entry);
    std::vector<char> bytes;
    Saver(bytes).tables(name, variable.type, pointers);
    to[channel].append(bytes.data(), bytes.size());
  }
  return "";
}

} // namespace sluice::checkpoint
