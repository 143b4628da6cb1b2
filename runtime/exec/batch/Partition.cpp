//===- Partition.cpp - the rows of a stream go to channels ----------------===//
//
// A batch becomes one batch for each channel that gets part of it. Columns are copied one by one,
// payload into the arena of the part. Punctuation goes to every channel.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/batch/Partition.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/state/Receipt.h"
#include <algorithm>
#include <cstring>

namespace sluice {

/// The hash of the keys of a row. The level keeps apart nested regions that partition by the same
/// attribute.
static uint64_t hashKeys(const OutPortDesc &port, const Split &split, uint64_t level,
                         const Batch *b, uint32_t row) {
  uint64_t hash = level;
  for (uint32_t k = 0; k < split.keyCount; ++k) {
    const ColumnDesc &column = port.columns[split.keys[k]];
    hash = hashKey(hash, column.type, element(b, column, row));
  }
  return hash;
}

namespace {
struct Partitioning {
  const OutPortDesc &port;
  Partitioner &partitioner;
  const Batch *b;

  /// Gives the row to the channels at `level` below channel `node` of the level above.
  void row(uint32_t row, uint32_t level, uint32_t node) {
    if (level == partitioner.levels.size())
      return partitioner.rows[node].push_back(row);
    Split &split = partitioner.levels[level];
    uint32_t first = node * split.width;
    switch (split.kind) {
    case SplitKind::RoundRobin: {
      uint32_t &next = split.next[node];
      this->row(row, level + 1, first + next);
      next = next + 1 == split.width ? 0 : next + 1;
      return;
    }
    case SplitKind::ByKey:
      return this->row(row, level + 1,
                       first + uint32_t(hashKeys(port, split, level, b, row) % split.width));
    case SplitKind::ToAll:
      for (uint32_t k = 0; k < split.width; ++k)
        this->row(row, level + 1, first + k);
    }
  }
};
} // namespace

/// One region, round robin: the same as row by row, but faster.
static void partitionInTurn(Partitioner &partitioner, Split &split, uint32_t rows) {
  for (uint32_t k = 0; k < split.width; ++k) {
    auto &to = partitioner.rows[(split.next[0] + k) % split.width];
    for (uint32_t row = k; row < rows; row += split.width)
      to.push_back(row);
  }
  split.next[0] = (split.next[0] + rows) % split.width;
}

/// Whether the channels get a punctuation of their region's input.
static bool isPassedOn(const Partitioner &partitioner, PunctuationKind kind) {
  switch (kind) {
  case PunctuationKind::Window:
    return !partitioner.dropsWindows;
  case PunctuationKind::Final:
  case PunctuationKind::Watermark:
    return true;
  }
  sl_unknown_punct(uint32_t(kind));
}

/// True if each of its consumers may get the batch as it is: it holds nothing but punctuation.
static bool isForAll(const Partitioner &partitioner, const Batch *b) {
  return !b->rows && std::all_of(b->puncts, b->puncts + b->punctCount, [&](const Punctuation &m) {
    return isPassedOn(partitioner, m.kind);
  });
}

/// Finds out which rows of a batch each consumer of the partitioner gets. Returns the consumer that
/// gets all of them, if there is one and the batch has no punctuation; else -1.
static int32_t partition(const OutPortDesc &port, Partitioner &partitioner, const Batch *b) {
  for (auto &rows : partitioner.rows)
    rows.clear();
  bool inTurn =
      partitioner.levels.size() == 1 && partitioner.levels[0].kind == SplitKind::RoundRobin;
  if (inTurn)
    partitionInTurn(partitioner, partitioner.levels[0], b->rows);
  for (uint32_t row = 0; row < b->rows && !inTurn; ++row)
    Partitioning{port, partitioner, b}.row(row, 0, 0);
  if (b->punctCount)
    return -1;
  int32_t only = -1;
  for (uint32_t i = 0; i < partitioner.count; ++i) {
    if (partitioner.rows[i].empty())
      continue;
    if (only >= 0)
      return -1;
    only = int32_t(i);
  }
  return only;
}

template <typename T>
static void gather(char *to, const char *from, const std::vector<uint32_t> &rows) {
  for (size_t i = 0; i < rows.size(); ++i)
    memcpy(to + i * sizeof(T), from + size_t(rows[i]) * sizeof(T), sizeof(T));
}

static void copyColumn(const ColumnDesc &column, const Batch *from, Batch *part,
                       const std::vector<uint32_t> &rows) {
  const char *source = element(from, column, 0);
  char *to = const_cast<char *>(element(part, column, 0));
  switch (column.size) {
  case 1:
    gather<uint8_t>(to, source, rows);
    break;
  case 2:
    gather<uint16_t>(to, source, rows);
    break;
  case 4:
    gather<uint32_t>(to, source, rows);
    break;
  case 8:
    gather<uint64_t>(to, source, rows);
    break;
  default:
    for (size_t i = 0; i < rows.size(); ++i)
      memcpy(to + i * column.size, source + size_t(rows[i]) * column.size, column.size);
  }
  if (column.type->plain)
    return;
  for (size_t i = 0; i < rows.size(); ++i)
    sl_batch_keep(part, column.type, to + i * column.size);
}

/// Fills the empty batch `part` with what a consumer of the partitioner gets. False: nothing.
static bool fillPart(const OutPortDesc &port, const Partitioner &partitioner, uint32_t consumer,
                     const Batch *from, Batch *part) {
  const std::vector<uint32_t> &rows = partitioner.rows[consumer];
  for (uint32_t i = 0; i < from->punctCount; ++i) {
    const Punctuation &punct = from->puncts[i];
    if (!isPassedOn(partitioner, punct.kind))
      continue;
    auto at = std::lower_bound(rows.begin(), rows.end(), punct.row);
    addPunct(part, {uint32_t(at - rows.begin()), punct.kind, punct.time});
  }
  // relaxed: the timer (Timer.cpp) may still look at what was the batch of a port.
  __atomic_store_n(&part->rows, uint32_t(rows.size()), __ATOMIC_RELAXED);
  for (uint32_t c = 0; c < port.columnCount; ++c)
    copyColumn(port.columns[c], from, part, rows);
  return part->rows || part->punctCount;
}

/// Consumer `i` has failed at row `row` of its part: the consumers behind it get only what comes
/// before that row in the whole batch.
static void cutBehind(Partitioner &partitioner, uint32_t i, uint32_t row, Batch *whole) {
  const std::vector<uint32_t> &rows = partitioner.rows[i];
  if (rows.empty())
    return;
  uint32_t cut = row < rows.size() ? rows[row] : rows.back();
  for (uint32_t behind = i + 1; behind < partitioner.count; ++behind) {
    auto &left = partitioner.rows[behind];
    left.erase(std::lower_bound(left.begin(), left.end(), cut), left.end());
  }
  cutBatch(whole, std::min(whole->rows, cut));
}

//===--- parcels ----------------------------------------------------------------===//

bool Parcels::nextOfPartitioners() {
  while (parted && part < parted->count)
    if (nextPart())
      return true;
  parted = nullptr;
  if (at >= desc.segmentCount || !partitioners || at != partitioner->first)
    return nextWhole();
  Partitioner &next = *partitioner++;
  --partitioners;
  if (isForAll(next, whole) && !t.program.desc.inPorts[desc.consumers[at]].inPlaceOutput)
    return nextWhole();
  const uint32_t first = at;
  at += next.count;
  if (int32_t only = partition(desc, next, whole); only >= 0) {
    to = first + uint32_t(only);
    given = whole;
    rows = whole->rows;
    return true;
  }
  parted = &next;
  part = 0;
  return nextOfPartitioners();
}

/// False: the consumer gets nothing.
bool Parcels::nextPart() {
  const uint32_t i = part++;
  to = parted->first + i;
  given = takeBatch(t, port);
  __atomic_store_n(&given->refs, 1, __ATOMIC_RELAXED); // nobody else has it
  if (t.stamps)
    inheritStamps(given, whole);
  if (fillPart(desc, *parted, i, whole, given))
    return true;
  giveBack(t, given);
  return false;
}

void Parcels::notePart(Sent sent) {
  sum.status = std::min(sum.status, sent.status);
  if (sent.status < 0 && sent.fate != BatchFate::Queued)
    cutBehind(*parted, to - parted->first, t.rowsRun, whole);
  if (sent.isMine())
    giveBack(t, given);
}

/// If the only row of the batch has failed, the consumers behind get nothing of it.
void Parcels::cutAtFailure() {
  sum.status = -1;
  if (t.rowsRun == rows && rows <= 1) {
    at = desc.segmentCount;
    partitioners = 0;
  } else {
    cutBatch(whole, t.rowsRun);
  }
}

} // namespace sluice
