//===- BlockFile.cpp - blocks of large tables as a file -----------------------===//
#include "runtime/exec/files/BlockFile.h"
#include "runtime/base/files.h"
#include "runtime/base/hash/Digest.h"
#include "runtime/base/os.h"
#include "runtime/exec/files/CrashPoint.h"
#include "runtime/exec/saved/Entries.h"
#include "runtime/exec/saved/TypeImage.h"
#include "value/blocks/Blocks.h"
#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

namespace sluice::checkpoint {

namespace {
struct FileHeader {
  char magic[4] = {'S', 'L', 'C', 'B'};
  uint32_t version = 1;
};
struct ChunkHeader {
  uint64_t table = 0, nameBytes = 0, bytes = 0;
  uint64_t check = 0; // of the table, the name and the bytes
};
static_assert(sizeof(FileHeader) == 8 && sizeof(ChunkHeader) == 32);
} // namespace

static constexpr std::string_view kBlocks = "blocks.", kOfPe = "pe";

std::string blockFileOf(int32_t pe, uint64_t number) {
  return std::string(kBlocks) + (pe < 0 ? "" : std::string(kOfPe) + std::to_string(pe) + ".") +
         std::to_string(number);
}

bool isBlocks(std::string_view name) {
  auto isNumber = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  };
  if (!name.starts_with(kBlocks))
    return false;
  name.remove_prefix(kBlocks.size());
  if (!name.starts_with(kOfPe))
    return isNumber(name);
  size_t dot = name.find('.');
  return dot != name.npos && isNumber(name.substr(kOfPe.size(), dot - kOfPe.size())) &&
         isNumber(name.substr(dot + 1));
}

uint64_t numberOfBlocks(std::string_view name) {
  uint64_t number = 0;
  std::from_chars(name.data() + name.rfind('.') + 1, name.data() + name.size(), number);
  return number;
}

static uint64_t checkOf(uint64_t table, std::string_view name, std::string_view bytes) {
  Digest digest;
  digest.add(table);
  digest.add(name);
  digest.add(digestOf(bytes.data(), bytes.size()));
  return digest.value();
}

template <typename T> static bool take(std::string_view &from, T &number) {
  if (from.size() < sizeof number)
    return false;
  memcpy(&number, from.data(), sizeof number);
  from.remove_prefix(sizeof number);
  return true;
}

template <typename T> static void put(std::vector<char> &to, const T &number) {
  const char *bytes = reinterpret_cast<const char *>(&number);
  to.insert(to.end(), bytes, bytes + sizeof number);
}

//===--- what the state has -------------------------------------------------------===//

void append(std::vector<char> &to, const SavedTable &table) {
  put(to, table.table);
  put(to, table.length);
  put(to, uint32_t(table.chain.size()));
  for (uint64_t number : table.chain)
    put(to, number);
  put(to, uint64_t(table.entries.size()));
  to.insert(to.end(), table.entries.begin(), table.entries.end());
}

bool take(std::string_view &from, SavedTable &table) {
  uint32_t count;
  uint64_t bytes;
  table = {};
  if (!take(from, table.table) || !take(from, table.length) || !take(from, count) ||
      count > from.size() / sizeof(uint64_t))
    return false;
  for (table.chain.resize(count); uint64_t &number : table.chain)
    take(from, number);
  if (!take(from, bytes) || bytes > from.size())
    return false;
  table.entries = from.substr(0, bytes);
  from.remove_prefix(bytes);
  return true;
}

//===--- writing --------------------------------------------------------------------===//

BlockFile::~BlockFile() {
  if (fd >= 0)
    os::closeFile(fd);
}

static std::string problem(const char *what, const std::string &path, int error) {
  return std::string("cannot ") + what + " " + path + ": " + os::errorText(error);
}

std::string BlockFile::open() {
  fd = os::openFile(path.c_str(), os::Open::Truncate);
  if (fd < 0)
    return problem("open", path, -fd);
  crashPoint();
  FileHeader header;
  return write(&header, sizeof header);
}

std::string BlockFile::write(const void *bytes, size_t count) {
  size += count;
  int failed = os::writeFile(fd, bytes, count);
  return failed ? problem("write", path, -failed) : "";
}

std::string BlockFile::add(uint64_t table, std::string_view name, std::string_view blocks) {
  ChunkHeader header{table, name.size(), blocks.size(), checkOf(table, name, blocks)};
  checks.append(reinterpret_cast<const char *>(&header.check), sizeof header.check);
  std::string wrong = write(&header, sizeof header);
  wrong = wrong.empty() ? write(name.data(), name.size()) : wrong;
  wrong = wrong.empty() ? write(blocks.data(), blocks.size()) : wrong;
  crashPoint();
  return wrong;
}

std::string BlockFile::finish(Manifest::File &file) {
  int failed = os::syncFile(fd);
  int closed = os::closeFile(std::exchange(fd, -1));
  failed = failed ? failed : closed;
  crashPoint();
  file.bytes = size;
  file.digest = digestOf(checks.data(), checks.size());
  return failed ? problem("write", path, -failed) : "";
}

//===--- reading --------------------------------------------------------------------===//

std::string BlockFiles::add(const Manifest::File &file, std::string bytes) {
  File &added = files[file.name];
  added.bytes = std::move(bytes);
  std::string_view from = added.bytes;
  FileHeader header, mine;
  if (!take(from, header) || memcmp(&header, &mine, sizeof mine) != 0)
    return "it does not hold blocks that this version reads";
  std::string checks;
  for (size_t i = 1; !from.empty(); ++i) {
    ChunkHeader chunk;
    if (!take(from, chunk) || chunk.nameBytes > from.size() ||
        chunk.bytes > from.size() - chunk.nameBytes)
      return "it is cut off";
    std::string_view name = from.substr(0, chunk.nameBytes),
                     blocks = from.substr(chunk.nameBytes, chunk.bytes);
    if (checkOf(chunk.table, name, blocks) != chunk.check) {
      bool isText = std::ranges::none_of(name, [](unsigned char c) { return c < ' '; });
      return "the bytes of chunk " + std::to_string(i) +
             (isText && !name.empty() ? " of " + std::string(name) : "") + " have changed";
    }
    checks.append(reinterpret_cast<const char *>(&chunk.check), sizeof chunk.check);
    added.chunks.push_back({chunk.table, blocks});
    from.remove_prefix(chunk.nameBytes + chunk.bytes);
  }
  return digestOf(checks.data(), checks.size()) == file.digest ? "" : "its bytes have changed";
}

/// The entries of each block of a table.
std::string BlockFiles::gather(int32_t pe, const SavedTable &table,
                               std::vector<std::string_view> &blocks) const {
  const uint32_t length = table.length,
                 count = length / kBlockEntries + (length % kBlockEntries != 0);
  uint64_t chunks = 0; // no memory is taken for a length that is wrong
  for (uint64_t number : table.chain) {
    auto found = files.find(blockFileOf(pe, number));
    if (found == files.end())
      return blockFileOf(pe, number) + " is missing";
    for (const Chunk &chunk : found->second.chunks)
      chunks += chunk.table == table.table ? chunk.blocks.size() : 0;
  }
  if (count > chunks / sizeof(SavedBlock))
    return "blocks are missing";
  blocks.assign(count, {});
  std::vector<bool> isThere(count);
  for (uint64_t number : table.chain)
    for (const Chunk &chunk : files.find(blockFileOf(pe, number))->second.chunks) {
      std::string_view from = chunk.table == table.table ? chunk.blocks : std::string_view();
      for (SavedBlock block; !from.empty(); from.remove_prefix(block.bytes)) {
        if (!take(from, block) || block.bytes > from.size())
          return "blocks cannot be read";
        if (block.block >= count) // the table has become shorter
          continue;
        isThere[block.block] =
            block.entries == std::min(kBlockEntries, length - block.block * kBlockEntries);
        blocks[block.block] = from.substr(0, block.bytes);
      }
    }
  return std::ranges::all_of(isThere, [](bool is) { return is; }) ? "" : "blocks are missing";
}

/// A value of a variable, in place of what stands for it.
std::string BlockFiles::put(int32_t pe, std::string_view saved, std::vector<char> &to) const {
  SavedType type;
  std::string_view from = saved;
  uint32_t count;
  if (!type.read(from))
    return "a type cannot be read";
  const size_t typeBytes = saved.size() - from.size();
  if (!take(from, count))
    return "a table cannot be read";
  std::vector<std::string_view> parts;
  uint64_t length = 0, bytes = 0;
  for (; count; --count) {
    SavedTable table;
    std::vector<std::string_view> blocks;
    if (!take(from, table))
      return "a table cannot be read";
    length += table.length;
    if (!table.table)
      parts.push_back(table.entries);
    else if (std::string wrong = gather(pe, table, blocks); !wrong.empty())
      return wrong;
    parts.insert(parts.end(), blocks.begin(), blocks.end());
  }
  if (length > UINT32_MAX || !from.empty())
    return "a table cannot be read";
  for (std::string_view part : parts)
    bytes += part.size();
  to.reserve(to.size() + typeBytes + sizeof(uint32_t) + bytes);
  to.insert(to.end(), saved.begin(), saved.begin() + ptrdiff_t(typeBytes));
  checkpoint::put(to, uint32_t(length));
  for (std::string_view part : parts)
    to.insert(to.end(), part.begin(), part.end());
  return "";
}

std::string BlockFiles::resolve(int32_t pe, std::vector<char> &section) const {
  std::vector<char> resolved;
  std::string_view from(section.data(), section.size()), before = from;
  bool isAny = false;
  for (Entry entry; nextEntry(from, entry); before = from) {
    if (entry.kind != EntryKind::Blocks) {
      resolved.insert(resolved.end(), before.begin(), before.end() - ptrdiff_t(from.size()));
      continue;
    }
    isAny = true;
    const size_t at = beginEntry(resolved, EntryKind::Value, entry.name);
    if (std::string wrong = put(pe, entry.bytes, resolved); !wrong.empty())
      return std::string(entry.name) + ": " + wrong;
    endEntry(resolved, at, entry.name);
  }
  if (isAny)
    section = std::move(resolved);
  return "";
}

} // namespace sluice::checkpoint
