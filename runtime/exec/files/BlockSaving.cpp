//===- BlockSaving.cpp - large tables are saved while the program runs --------===//
#include "runtime/exec/files/BlockSaving.h"
#include "runtime/base/os.h"
#include "runtime/exec/saved/Entries.h"
#include "runtime/exec/saved/SavedValue.h"
#include "runtime/exec/saved/TypeImage.h"
#include <algorithm>
#include <set>

namespace sluice::checkpoint {

static constexpr size_t kSlice = 64 << 10; // bytes that are saved before others may move entries
static constexpr size_t kChunk = 1 << 20;  // bytes that are written at once, about
static constexpr size_t kLongestChain = 8; // files before all of a table is written again
static constexpr double kNanosPerByte = 1; // of saving, before it was measured

static uint64_t bytesOf(const TypeDesc *type, const Seq &table) {
  return uint64_t(table.len) * type->stride;
}

void BlockSaving::begin(uint64_t checkpoint) {
  number = checkpoint;
  taken.clear();
}

/// Whether all of the table is to be written, and not only what has changed.
bool BlockSaving::isWhole(const Blocks &blocks, const History &history) const {
  if (history.chain.empty() || !canLink)
    return true;
  const uint64_t more = blocks.countChanged() * uint64_t(kBlockEntries) * blocks.type->stride;
  return more &&
         (history.chain.size() >= kLongestChain || history.since + more > history.whole / 2);
}

bool BlockSaving::take(std::vector<char> &section, const std::string &op, const std::string &name,
                       const TypeDesc *type, const std::vector<const Seq *> &tables) {
  uint64_t bytes = 0;
  for (const Seq *table : tables)
    bytes += bytesOf(type, *table);
  auto isKnown = [](const Seq *table) { return table->len && isTracked(tableHeader(table)); };
  if (bytes < least && std::ranges::none_of(tables, isKnown))
    return false;
  const size_t at = beginEntry(section, EntryKind::Blocks, name);
  saveType(section, type);
  const auto count = uint32_t(tables.size());
  section.insert(section.end(), reinterpret_cast<const char *>(&count),
                 reinterpret_cast<const char *>(&count + 1));
  for (const Seq *table : tables) {
    Seq *place = const_cast<Seq *>(table); // nobody is inside
    SavedTable saved;
    saved.length = table->len;
    std::shared_ptr<Blocks> blocks;
    if (isKnown(table))
      blocks = Blocks::of(tableHeader(table))->shared_from_this();
    else if (table->len && tableHeader(table)->index)
      blocks = Blocks::begin(type, place, saveEntries);
    std::vector<char> entries;
    if (blocks) {
      Taken &one = taken.emplace_back();
      one.history = histories[blocks->serial];
      one.isAll = isWhole(*blocks, one.history);
      one.isAny = blocks->cut(place, one.isAll) != 0;
      if (one.isAll)
        one.history = {};
      if (one.isAny)
        one.history.chain.push_back(number);
      one.name = op + "." + name;
      saved.table = blocks->serial;
      saved.chain = one.history.chain;
      one.blocks = std::move(blocks);
    } else {
      saveEntries(entries, type, static_cast<const char *>(table->data), table->len);
      saved.entries = {entries.data(), entries.size()};
    }
    append(section, saved);
  }
  endEntry(section, at, name);
  return true;
}

//===--- writing --------------------------------------------------------------------===//

std::string BlockSaving::add(BlockFile &file, Taken &one, std::vector<char> &blocks) {
  if (blocks.empty())
    return "";
  (one.isAll ? one.history.whole : one.history.since) += blocks.size();
  std::string wrong =
      file.add(one.blocks->serial, one.name, std::string_view(blocks.data(), blocks.size()));
  blocks.clear();
  return wrong;
}

std::string BlockSaving::save(BlockFile &file, Taken &one) {
  std::vector<char> blocks;
  std::string wrong;
  for (bool isMore = true; isMore && wrong.empty();) {
    const double began = os::threadCpuTime();
    while (isMore && blocks.size() < kChunk)
      isMore = one.blocks->saveSome(blocks, kSlice);
    saverSeconds += os::threadCpuTime() - began;
    saverBytes += blocks.size();
    wrong = add(file, one, blocks);
    for (std::vector<char> &early : one.blocks->takeEarly()) {
      const double perByte =
          saverBytes > kChunk ? saverSeconds * 1e9 / double(saverBytes) : kNanosPerByte;
      earlyNanos += int64_t(double(early.size()) * perByte);
      if (wrong.empty())
        wrong = add(file, one, early);
    }
  }
  return wrong;
}

/// Files of earlier checkpoints that this one needs. All are in the folder of the last one.
std::string BlockSaving::link() {
  std::set<uint64_t> needed;
  for (const Taken &one : taken)
    needed.insert(one.history.chain.begin(), one.history.chain.end());
  needed.erase(number);
  for (uint64_t earlier : needed) {
    Manifest::File file = known.at(earlier);
    bool lasts = false;
    if (std::string wrong = directory.link(last, number, file.name, lasts); !wrong.empty()) {
      canLink &= !lasts; // those that follow write all
      return wrong;
    }
    file.isLinked = true;
    written.push_back(std::move(file));
  }
  return "";
}

std::string BlockSaving::write(std::vector<Manifest::File> &files) {
  earlyNanos = 0;
  written.clear();
  std::string wrong = link();
  if (wrong.empty() && std::ranges::any_of(taken, [](const Taken &one) { return one.isAny; }))
    wrong = saveAll();
  files.insert(files.end(), written.begin(), written.end());
  return wrong;
}

std::string BlockSaving::saveAll() {
  Manifest::File own{.name = blockFileOf(pe, number)};
  BlockFile file(directory.folder(number) + "/" + own.name);
  std::string wrong = file.open();
  for (Taken &one : taken)
    if (wrong.empty())
      wrong = save(file, one);
  if (wrong.empty())
    wrong = file.finish(own);
  written.push_back(std::move(own));
  return wrong;
}

void BlockSaving::commit() {
  histories.clear();
  for (Taken &one : taken)
    histories[one.blocks->serial] = std::move(one.history);
  taken.clear();
  known.clear();
  for (Manifest::File &file : written)
    known[numberOfBlocks(file.name)] = std::move(file);
  written.clear();
  last = number;
}

void BlockSaving::letGo() {
  for (Taken &one : taken)
    one.blocks->letGo();
  taken.clear();
  histories.clear();
}

} // namespace sluice::checkpoint
