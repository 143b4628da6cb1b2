//===- Run.cpp - sorted rows in a scratch file ----------------------------===//
#include "stdlib/operators/ExternalSort/Run.h"
#include "runtime/exec/saved/SavedValue.h"
#include <algorithm>
#include <cstring>
#include <utility>

namespace sluice::external {

/// What a BlockReader needs for each stretch while it plans, beside the index.
static constexpr uint64_t kPlanBytes = 48;

void Run::add(const RowOrder &order, Arena *keys, Stretch stretch, const char *row, uint64_t word) {
  stretch.lastWord = word;
  if (order.goesOn()) {
    uint64_t bytes = order.rowBytes(), at = lastRows.size();
    stretch.lastRow = uint32_t(at / bytes);
    lastRows.resize(at + bytes);
    order.copyKeys(keys, &lastRows[at], row);
  }
  stretches.push_back(stretch);
}

uint64_t RunSet::bytes() const {
  uint64_t sum = 0;
  for (const Run &run : runs)
    sum += sizeof run + run.stretches.capacity() * (sizeof(Stretch) + kPlanBytes) +
           run.lastRows.capacity();
  for (const Block *block = keys.block ? keys.block->first : nullptr; block; block = block->next)
    sum += uint64_t(block->end - reinterpret_cast<const char *>(block));
  return sum;
}

Run RunSet::halfOf(const Run &run, Arena *to) const {
  Run half;
  size_t count = run.stretches.size();
  half.stretches.reserve((count + 1) / 2);
  half.lastRows.reserve(run.lastRows.size() / 2 + order.rowBytes());
  for (size_t i = 0; i < count; i += 2) {
    Stretch both = run.stretches[i];
    const Stretch &last = run.stretches[std::min(i + 1, count - 1)];
    both.bytes = last.offset + last.bytes - both.offset;
    if (i + 2 < count)
      half.add(order, to, both, run.lastRow(order, last), last.lastWord);
    else
      half.stretches.push_back(both);
  }
  return half;
}

void RunSet::halve() {
  Arena kept = {};
  for (Run &run : runs)
    run = halfOf(run, &kept);
  arenaFree(&keys);
  keys = kept;
}

/// Rows of different sizes: blocks end early, so that few are larger than `sizes.block`.
static uint64_t fullBytesOf(const RowOrder &order, uint64_t block) {
  uint64_t room = block - sizeof(BlockHead);
  return order.isPlain() ? room - std::min<uint64_t>(room, order.rowBytes()) + 1 : room / 4 * 3;
}

RunWriter::RunWriter(const RowOrder &order, Scratch &file, os::AsyncIo &io, RunSet &set,
                     const RunSizes &sizes)
    : order(order), file(file), io(io), set(set), sizes(sizes),
      fullBytes(fullBytesOf(order, sizes.block)), pool(sizes.block) {}

RunWriter::~RunWriter() {
  finish(0);
  for (os::Part part : blocks)
    pool.give(static_cast<char *>(part.at), part.bytes);
  pool.give(block, held);
}

/// Memory for so many bytes at the end of the block.
char *RunWriter::room(uint64_t bytes) {
  uint64_t needed = blockBytesFor(used + bytes);
  if (!block || needed > held) {
    char *larger = pool.take(needed);
    if (block)
      memcpy(larger, block, sizeof(BlockHead) + used);
    pool.give(block, held);
    block = larger;
    held = pool.sizeFor(needed);
  }
  used += bytes;
  return block + sizeof(BlockHead) + used - bytes;
}

void RunWriter::append(const char *row) {
  if (order.isPlain()) {
    memcpy(room(order.rowBytes()), row, order.rowBytes());
    return;
  }
  saved.clear();
  saveValue(saved, order.type, row);
  auto size = uint32_t(saved.size());
  char *to = room(sizeof size + size);
  memcpy(to, &size, sizeof size);
  memcpy(to + sizeof size, saved.data(), size);
}

/// The block is whole.
void RunWriter::endBlock() {
  sealBlock(block, used);
  uint64_t bytes = blockBytesFor(used);
  if (!blocksOfIt)
    stretch.offset = file.size() + blocksBytes;
  blocks.push_back({std::exchange(block, nullptr), bytes});
  blocksBytes += bytes;
  stretch.bytes += bytes;
  ++blocksOfIt;
  used = held = 0;
}

Failure RunWriter::add(const char *row, uint64_t word) {
  append(row);
  if (used < fullBytes)
    return "";
  endBlock();
  Failure problem = blocksBytes + sizes.block > sizes.piece ? write() : "";
  if (blocksOfIt == sizes.blocksOfStretch) {
    run.add(order, &set.keys, stretch, row, word);
    stretch = {};
    blocksOfIt = 0;
  }
  return problem;
}

/// Begins to write the blocks.
Failure RunWriter::write() {
  if (Failure problem = finish(RunSizes::kWrites - 1); !problem.empty())
    return problem;
  io.begin({true, file.descriptor(), file.grow(blocksBytes), std::exchange(blocks, {})});
  blocksBytes = 0;
  return "";
}

/// Waits until no more than so many writes are on their way.
Failure RunWriter::finish(size_t mayStay) {
  Failure problem;
  while (io.pending() > mayStay) {
    os::AsyncIo::Result result = io.finish();
    if (result.error && problem.empty())
      problem = file.cannotWrite(result);
    for (os::Part part : result.request.parts)
      pool.give(static_cast<char *>(part.at), part.bytes);
  }
  return problem;
}

Failure RunWriter::end() {
  if (used)
    endBlock();
  if (stretch.bytes)
    run.stretches.push_back(stretch);
  Failure problem = blocks.empty() ? "" : write();
  if (Failure late = finish(0); problem.empty())
    problem = late;
  run.stretches.shrink_to_fit();
  run.lastRows.shrink_to_fit();
  set.runs.push_back(std::move(run));
  return problem;
}

} // namespace sluice::external
