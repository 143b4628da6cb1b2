//===- BlockReader.cpp - reads the blocks of runs ahead -------------------===//
#include "stdlib/operators/ExternalSort/BlockReader.h"
#include <algorithm>

namespace sluice::external {

static constexpr size_t kStackBytes = 256 << 10;
static constexpr size_t kReads = 4; // on their way at once

BlockReader::BlockReader(const RowOrder &order, const Scratch &file, std::span<const Run> runs,
                         uint64_t memory, uint64_t stretchBytes)
    : file(file), runs(runs), io(os::AsyncIo::make()), room(memory), pool(stretchBytes) {
  // A stretch that is being used is in memory still: planReads() does not count it.
  uint64_t used = 0, largest = stretchBytes;
  for (const Run &run : runs) {
    uint64_t most = 0; // of a stretch of the run
    for (const Stretch &stretch : run.stretches)
      most = std::max(most, stretch.bytes);
    sources.push_back({.ready = {}, .left = uint32_t(run.stretches.size())});
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
    pool.give(source.used.bytes, source.used.size);
    for (Loaded &loaded : source.ready)
      pool.give(loaded.bytes, loaded.size);
  }
}

/// All stretches in the order in which the merge comes to them: one is used when the last row of
/// the one before has gone.
std::vector<Use> BlockReader::uses(const RowOrder &order) const {
  struct Place {
    uint32_t run, stretch;
  };
  std::vector<Place> places;
  for (uint32_t run = 0; run < runs.size(); ++run)
    for (uint32_t stretch = 1; stretch < runs[run].stretches.size(); ++stretch)
      places.push_back({run, stretch});
  std::sort(places.begin(), places.end(), [&](Place a, Place b) {
    const Stretch &x = runs[a.run].stretches[a.stretch - 1],
                  &y = runs[b.run].stretches[b.stretch - 1];
    if (x.lastWord != y.lastWord)
      return x.lastWord < y.lastWord;
    int rest = order.goesOn()
                   ? order.compareRest(runs[a.run].lastRow(order, x), runs[b.run].lastRow(order, y))
                   : 0;
    if (rest)
      return rest < 0;
    return a.run != b.run ? a.run < b.run : a.stretch < b.stretch;
  });
  std::vector<Use> result;
  for (uint32_t run = 0; run < runs.size(); ++run)
    result.push_back({run, runs[run].stretches[0].bytes});
  for (Place place : places)
    result.push_back({place.run, runs[place.run].stretches[place.stretch].bytes});
  return result;
}

/// Waits until so many bytes may be read. False: nobody wants them.
bool BlockReader::awaitRoom(uint64_t bytes) {
  os::Held held(lock);
  // What is on its way is wanted sooner than more room.
  while (!stopped && room < bytes && underWay.empty())
    changed.wait(lock);
  if (stopped || room < bytes)
    return false;
  room -= bytes;
  return true;
}

/// Begins to read some stretches of a run at once.
void BlockReader::begin(const Read &read) {
  Source &source = sources[read.run];
  const Stretch *first = &runs[read.run].stretches[source.read];
  os::AsyncIo::Request request = {false, file.descriptor(), first->offset, {}};
  {
    os::Held held(lock);
    for (uint32_t i = 0; i < read.blocks; ++i)
      request.parts.push_back({pool.take(first[i].bytes), first[i].bytes});
  }
  source.read += read.blocks;
  underWay.push_back(read.run);
  io->begin(std::move(request));
}

Failure BlockReader::check(const os::AsyncIo::Result &result) const {
  uint64_t at = result.request.offset;
  if (result.error)
    return file.cannotRead(at + result.bytes, os::errorText(-result.error));
  for (os::Part part : result.request.parts) {
    if (!areBlocks(static_cast<const char *>(part.at), part.bytes))
      return file.cannotRead(at, "this is not what was written there");
    at += part.bytes;
  }
  return "";
}

/// Waits for the oldest read. False: nothing is to be read any more.
bool BlockReader::finish() {
  os::AsyncIo::Result result = io->finish();
  Failure problem = check(result);
  Source &source = sources[underWay.front()];
  underWay.pop_front();
  os::Held held(lock);
  for (os::Part part : result.request.parts)
    if (problem.empty())
      source.ready.push_back({static_cast<char *>(part.at), part.bytes});
    else
      pool.give(static_cast<char *>(part.at), part.bytes);
  if (!problem.empty()) {
    failed = problem;
    stopped = true;
  }
  changed.wakeAll();
  return !stopped;
}

void BlockReader::run() {
  bool goesOn = true;
  for (size_t next = 0; goesOn && (next < reads.size() || !underWay.empty());) {
    if (next < reads.size() && underWay.size() < kReads && awaitRoom(reads[next].bytes))
      begin(reads[next++]);
    else
      goesOn = !underWay.empty() && finish();
  }
  while (!underWay.empty())
    finish();
}

std::optional<BlockReader::Loaded> BlockReader::next(uint32_t run) {
  Source &source = sources[run];
  os::Held held(lock);
  if (source.used.bytes) {
    room += source.used.size;
    pool.give(source.used.bytes, source.used.size);
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
