//===- Sorter.cpp - sorts rows in memory of a fixed size ------------------===//
#include "stdlib/operators/ExternalSort/Sorter.h"
#include "runtime/external/SplitPlan.h"
#include <algorithm>
#include <utility>

namespace sluice::external {

static constexpr size_t kStackBytes = 1 << 20;
/// Of the memory: blocks are this part of it, within limits, so that a merge of many runs has
/// several blocks of each.
static constexpr uint64_t kBlocks = 4096, kLeastBlock = 4 << 10, kMostBlock = 1 << 20;
static constexpr uint64_t kLeastWrite = 64 << 10, kMostWrite = 4 << 20;
/// What scratch files lie on, as long as nobody measures it: a disk without moving parts.
static constexpr Device kDevice = {500e6, 500e6, 1e-4};

Sorter::Sorter(const RowOrder &order, uint64_t memory, std::string directory)
    : order(order), memory(memory),
      blockBytes(std::clamp(memory / kBlocks, kLeastBlock, kMostBlock)),
      writeBytes(std::clamp(memory / 16, kLeastWrite, kMostWrite)),
      directory(std::move(directory)) {
  reset();
}

Sorter::~Sorter() { spiller.join(); }

void Sorter::reset() {
  uint64_t chunkBytes = (memory - writeBytes - blockBytes) / 2;
  merge.reset();
  runs.clear();
  file.reset();
  if (!filling)
    filling = std::make_unique<Chunk>(order, chunkBytes);
  filling->clear();
  gives = false;
  given = 0;
}

Failure Sorter::write(Chunk &chunk) {
  chunk.sort();
  if (!file) {
    file = std::make_unique<Scratch>(directory);
    if (Failure problem = file->open(); !problem.empty())
      return problem;
  }
  RunWriter writer(order, *file, blockBytes, writeBytes);
  for (uint64_t i = 0; i < chunk.size(); ++i) {
    const char *row = chunk.row(i);
    if (Failure problem = writer.add(row, chunk.word(i)); !problem.empty())
      return problem;
  }
  if (Failure problem = writer.end(); !problem.empty())
    return problem;
  runs.push_back(std::move(writer.run));
  chunk.clear();
  return "";
}

bool Sorter::awaitSpill() {
  spiller.join();
  failed = spillProblem;
  return failed.empty();
}

/// The chunk is full: the other one is filled.
bool Sorter::makeRoom(const void *row) {
  if (!awaitSpill())
    return false;
  if (!other)
    other = std::make_unique<Chunk>(order, (memory - writeBytes - blockBytes) / 2);
  std::swap(filling, other);
  spiller = os::Thread([this] { spillProblem = write(*other); }, kStackBytes);
  return filling->add(row);
}

/// How many runs a pass merges into one.
size_t Sorter::widthOfPass() const {
  uint64_t most = std::max<uint64_t>(memory / (2 * blockBytes), 2);
  Plan plan = planSplit({kDevice, double(memory), {runs.size(), 1, true, false}});
  return std::min(plan.passes.front().stage.inputs, most);
}

/// Merges neighbours, so that equal rows stay in the order they came in.
bool Sorter::mergeSome(size_t width) {
  auto to = std::make_unique<Scratch>(directory);
  failed = to->open();
  std::vector<Run> merged;
  for (size_t first = 0; failed.empty() && first < runs.size(); first += width) {
    auto some = std::span(runs).subspan(first, std::min(width, runs.size() - first));
    Merge from(order, *file, some, memory - writeBytes - some.size() * blockBytes, blockBytes);
    RunWriter writer(order, *to, blockBytes, writeBytes);
    while (const char *row = failed.empty() ? from.next() : nullptr)
      failed = writer.add(row, from.word());
    if (failed.empty())
      failed = from.problem();
    if (failed.empty())
      failed = writer.end();
    merged.push_back(std::move(writer.run));
  }
  runs = std::move(merged);
  file = std::move(to);
  return failed.empty();
}

/// After the last row was added.
bool Sorter::begin() {
  gives = true;
  if (!awaitSpill())
    return false;
  written = runs.size();
  if (runs.empty()) {
    filling->sort();
    return true;
  }
  if (filling->size())
    failed = write(*filling);
  if (!failed.empty())
    return false;
  written = runs.size();
  filling.reset();
  other.reset();
  for (size_t width; (width = widthOfPass()) < runs.size();)
    if (!mergeSome(width))
      return false;
  merge =
      std::make_unique<Merge>(order, *file, runs, memory - runs.size() * blockBytes, blockBytes);
  return true;
}

const char *Sorter::next() {
  if (!gives && !begin())
    return nullptr;
  const char *row = nullptr;
  if (merge) {
    row = merge->next();
    failed = row ? "" : merge->problem();
  } else if (given < filling->size()) {
    row = filling->row(given++);
  }
  if (!row && failed.empty())
    reset();
  return row;
}

} // namespace sluice::external
