//===- BlockReader.cpp - reads the blocks of runs ahead -------------------===//
#include "stdlib/operators/ExternalSort/BlockReader.h"
#include "runtime/base/scratch.h"
#include "runtime/memory/Memory.h"
#include <algorithm>

namespace sluice::external {

static constexpr size_t kStackBytes = 256 << 10;

BlockReader::BlockReader(const RowOrder &order, const Scratch &file, std::span<const Run> runs,
                         uint64_t memory, uint64_t blockBytes)
    : file(file), runs(runs), blockBytes(blockBytes), room(memory) {
  // A block that is being used is in memory still: planReads() does not count it.
  uint64_t used = 0, largest = blockBytes;
  for (const Run &run : runs) {
    uint64_t most = 0; // of a block of the run
    for (const RunBlock &block : run.blocks)
      most = std::max(most, block.bytes);
    sources.push_back({.ready = {}, .left = uint32_t(run.blocks.size())});
    used += most;
    largest = std::max(largest, most);
  }
  reads = planReads(uses(order), uint32_t(runs.size()), memory);
  room = std::max(memory, largest) + used;
  thread = os::Thread([this] { this->run(); }, kStackBytes);
}

BlockReader::~BlockReader() {
  {
    os::Held held(lock);
    stopped = true;
    changed.wakeAll();
  }
  thread.join();
  for (Source &source : sources) {
    give(source.used);
    for (Loaded &loaded : source.ready)
      give(loaded);
  }
  for (char *spare : spares)
    giveMemory(spare);
}

/// All blocks in the order in which the merge comes to them: a block is used when the last row of
/// the one before has gone.
std::vector<Use> BlockReader::uses(const RowOrder &order) const {
  struct Place {
    uint32_t run, block;
  };
  std::vector<Place> places;
  for (uint32_t run = 0; run < runs.size(); ++run)
    for (uint32_t block = 1; block < runs[run].blocks.size(); ++block)
      places.push_back({run, block});
  std::sort(places.begin(), places.end(), [&](Place a, Place b) {
    const RunBlock &x = runs[a.run].blocks[a.block - 1], &y = runs[b.run].blocks[b.block - 1];
    if (x.lastWord != y.lastWord)
      return x.lastWord < y.lastWord;
    int rest =
        order.goesOn() ? order.compareRest(runs[a.run].lastRow(x), runs[b.run].lastRow(y)) : 0;
    if (rest)
      return rest < 0;
    return a.run != b.run ? a.run < b.run : a.block < b.block;
  });
  std::vector<Use> result;
  for (uint32_t run = 0; run < runs.size(); ++run)
    result.push_back({run, runs[run].blocks[0].bytes});
  for (Place place : places)
    result.push_back({place.run, runs[place.run].blocks[place.block].bytes});
  return result;
}

BlockReader::Loaded BlockReader::take(uint64_t bytes) {
  if (bytes > blockBytes)
    return {static_cast<char *>(takeMemory(bytes, 64)), bytes};
  os::Held held(lock);
  if (spares.empty())
    return {static_cast<char *>(takeMemory(blockBytes, 64)), bytes};
  char *spare = spares.back();
  spares.pop_back();
  return {spare, bytes};
}

void BlockReader::give(Loaded loaded) {
  if (!loaded.bytes)
    return;
  if (loaded.size > blockBytes)
    return giveMemory(loaded.bytes);
  spares.push_back(loaded.bytes);
}

/// Reads some blocks of a run at once.
Failure BlockReader::fetch(const Read &read) {
  Source &source = sources[read.run];
  const RunBlock *first = &runs[read.run].blocks[source.read];
  std::vector<Loaded> loaded;
  std::vector<os::Part> parts;
  for (uint32_t i = 0; i < read.blocks; ++i) {
    loaded.push_back(take(first[i].bytes));
    parts.push_back({loaded.back().bytes, loaded.back().size});
  }
  size_t bytes = 0;
  int error = os::readAt(file.descriptor(), parts, first->offset, bytes);
  Failure wrong;
  if (error)
    wrong = file.cannotRead(first->offset + bytes, os::errorText(-error));
  for (uint32_t i = 0; i < read.blocks && wrong.empty(); ++i)
    if (checksumOf(loaded[i].bytes, loaded[i].size) != first[i].checksum)
      wrong = file.cannotRead(first[i].offset, "this is not what was written there");
  source.read += read.blocks;
  os::Held held(lock);
  for (Loaded block : loaded)
    if (wrong.empty())
      source.ready.push_back(block);
    else
      give(block);
  return wrong;
}

void BlockReader::run() {
  Failure problem;
  for (const Read &read : reads) {
    {
      os::Held held(lock);
      while (!stopped && room < read.bytes)
        changed.wait(lock);
      if (stopped)
        return;
      room -= read.bytes;
    }
    problem = fetch(read);
    os::Held held(lock);
    if (!problem.empty()) {
      failed = problem;
      stopped = true;
    }
    changed.wakeAll();
    if (stopped)
      return;
  }
}

std::optional<BlockReader::Loaded> BlockReader::next(uint32_t run) {
  Source &source = sources[run];
  os::Held held(lock);
  if (source.used.bytes) {
    room += source.used.size;
    give(source.used);
    source.used = {};
    changed.wakeAll();
  }
  if (!source.left)
    return std::nullopt;
  while (source.ready.empty() && !stopped)
    changed.wait(lock);
  if (source.ready.empty())
    return std::nullopt;
  --source.left;
  source.used = source.ready.front();
  source.ready.pop_front();
  return source.used;
}

} // namespace sluice::external
