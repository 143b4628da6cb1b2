//===- Sorter.cpp - sorts rows in memory of a fixed size ------------------===//
#include "stdlib/operators/ExternalSort/Sorter.h"
#include "runtime/base/DeviceProbe.h"
#include "runtime/external/SplitPlan.h"
#include "runtime/memory/Memory.h"
#include <algorithm>
#include <utility>

namespace sluice::external {

static constexpr size_t kStackBytes = 1 << 20;
/// Of the memory: blocks are this part of it, within limits, so that a merge of many runs has
/// several blocks of each.
static constexpr uint64_t kBlocks = 4096, kLeastBlock = os::kDirect, kMostBlock = 1 << 20;
static constexpr uint64_t kPieces = 32, kLeastPiece = 32 << 10, kMostPiece = 8 << 20;
/// The index may take this part of it.
static constexpr uint64_t kIndexPart = 8;
/// No stretch is a larger part of it, unless a row is.
static constexpr uint64_t kStretchPart = 16;
/// What a merge takes for each run beside its blocks.
static constexpr uint64_t kBytesOfRun = 1 << 10;
/// How much of what was written is written again to measure the device.
static constexpr uint64_t kProbePart = 16;
/// If the device cannot be measured: a disk without moving parts.
static constexpr Device kUsual = {500e6, 500e6, 1e-4};

static uint64_t partOf(uint64_t memory, uint64_t parts, uint64_t least, uint64_t most) {
  return std::clamp(memory / parts, least, most) / os::kDirect * os::kDirect;
}

Sorter::Sorter(const RowOrder &order, SorterOptions given)
    : order(order), options(std::move(given)),
      sizes({partOf(options.memory, kBlocks, kLeastBlock, kMostBlock),
             partOf(options.memory, kPieces, kLeastPiece, kMostPiece)}) {
  reset();
}

Sorter::~Sorter() { spiller.join(); }

uint64_t Sorter::chunkBytes() const {
  return (options.memory - options.memory / kIndexPart - sizes.writing()) / 2;
}

void Sorter::reset() {
  merge.reset();
  set.reset();
  file.reset();
  sizes.blocksOfStretch = 1;
  if (!filling)
    filling = std::make_unique<Chunk>(order, chunkBytes());
  filling->clear();
  gives = false;
  given = 0;
}

Failure Sorter::write(Chunk &chunk) {
  chunk.sort();
  if (!file) {
    file = std::make_unique<Scratch>(options.place);
    if (Failure problem = file->open(); !problem.empty())
      return problem;
    set = std::make_unique<RunSet>(order);
  }
  if (!io)
    io = os::AsyncIo::make();
  RunWriter writer(order, *file, *io, *set, sizes);
  for (uint64_t i = 0; i < chunk.size(); ++i) {
    const char *row = chunk.row(i);
    if (Failure problem = writer.add(row, chunk.word(i)); !problem.empty())
      return problem;
  }
  if (Failure problem = writer.end(); !problem.empty())
    return problem;
  thinIndex();
  chunk.clear();
  return "";
}

/// Reads more at once, if otherwise the index would not fit.
void Sorter::thinIndex() {
  while (set->bytes() > options.memory / kIndexPart &&
         sizes.stretch() * 2 * kStretchPart <= options.memory) {
    set->halve();
    sizes.blocksOfStretch *= 2;
  }
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
    other = std::make_unique<Chunk>(order, chunkBytes());
  std::swap(filling, other);
  spiller = os::Thread([this] { spillProblem = write(*other); }, kStackBytes);
  return filling->add(row);
}

/// What is not known of the device.
void Sorter::measure() {
  Device &device = options.device, known = kUsual;
  if (device.readRate > 0 && device.writeRate > 0 && device.seek > 0)
    return;
  // A small part of what is read and written anyway.
  uint64_t bytes = file->size() / kProbePart;
  if (auto found = os::probeDevice(options.place.directory, bytes, options.memory / 4)) {
    told.probeSeconds = found->seconds;
    known = {found->readRate, found->writeRate, found->seek};
  }
  for (double Device::*number : {&Device::readRate, &Device::writeRate, &Device::seek})
    if (!(device.*number > 0))
      device.*number = known.*number;
}

/// What a merge of so many runs has for what it reads ahead, if other things take so much.
uint64_t Sorter::mergeMemory(uint64_t runs, uint64_t others) const {
  uint64_t taken = set->bytes() + others + runs * (sizes.stretch() + kBytesOfRun);
  return std::max(options.memory - std::min(options.memory, taken), sizes.stretch());
}

/// How many runs a pass merges into one, in so much memory.
uint64_t Sorter::widthOfPass(uint64_t memory) const {
  uint64_t most = std::max<uint64_t>(memory / (2 * sizes.stretch() + kBytesOfRun), 2);
  Plan plan = planSplit({options.device, double(memory), {set->runs.size(), 1, true, false}});
  return std::min(plan.passes.front().stage.inputs, most);
}

/// Merges neighbours, so that equal rows stay in the order they came in.
bool Sorter::mergeSome(uint64_t width) {
  auto to = std::make_unique<Scratch>(options.place);
  failed = to->open();
  auto merged = std::make_unique<RunSet>(order);
  // The index of what is written becomes as large as that of what is read.
  uint64_t memory = mergeMemory(width, set->bytes() + sizes.writing());
  std::span<const Run> all = set->runs;
  for (size_t first = 0; failed.empty() && first < all.size(); first += width) {
    auto some = all.subspan(first, std::min<size_t>(width, all.size() - first));
    Merge from(order, *file, some, memory, sizes.stretch());
    RunWriter writer(order, *to, *io, *merged, sizes);
    while (const char *row = failed.empty() ? from.next() : nullptr)
      failed = writer.add(row, from.word());
    if (failed.empty())
      failed = from.problem();
    if (failed.empty())
      failed = writer.end();
  }
  set = std::move(merged);
  file = std::move(to);
  return failed.empty();
}

/// Leaves so few runs that one merge gives the rows out.
bool Sorter::mergeAll() {
  if (set->runs.size() > 1)
    measure();
  for (;;) {
    uint64_t width = widthOfPass(mergeMemory(0, set->bytes() + sizes.writing()));
    if (width >= set->runs.size())
      break;
    told.widths.push_back(width);
    if (!mergeSome(width))
      return false;
  }
  uint64_t runs = set->runs.size();
  told.widths.push_back(runs);
  merge = std::make_unique<Merge>(order, *file, set->runs, mergeMemory(runs, 0), sizes.stretch());
  return true;
}

/// After the last row was added.
bool Sorter::begin() {
  gives = true;
  told = {};
  if (!awaitSpill())
    return false;
  if (!set) {
    filling->sort();
    return true;
  }
  if (filling->size())
    failed = write(*filling);
  if (!failed.empty())
    return false;
  told.runs = set->runs.size();
  told.stretch = sizes.stretch();
  filling.reset();
  other.reset();
  if (!order.isPlain())
    dropSpareMemory(); // many small pieces, of which the heap keeps what lies between others
  return mergeAll();
}

const char *Sorter::next() {
  if (!gives && !begin())
    return nullptr;
  const char *row = nullptr;
  if (merge) {
    row = merge->next();
    if (!row)
      failed = merge->problem();
  } else if (given < filling->size()) {
    row = filling->row(given++);
  }
  if (!row && failed.empty())
    reset();
  return row;
}

} // namespace sluice::external
