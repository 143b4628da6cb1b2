//===- BlockFile.h - blocks of large tables as a file ---------------*- C++ -*-===//
//
//   DIR/000017/blocks.17   blocks that had changed when checkpoint 17 was made
//   DIR/000017/blocks.15   the file of checkpoint 15, linked: what 17 needs of it
//
// A header, and chunks: each is of one table, with a checksum. So each checkpoint has all that it
// needs in its own folder. Little-endian, without pointers.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/files/Manifest.h"
#include "runtime/exec/files/StateFile.h"
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::checkpoint {

/// The file that was written for that checkpoint by a process of several; below 0: by the only one.
std::string blockFileOf(int32_t pe, uint64_t number);
/// Whether a file of that name is one of these.
bool isBlocks(std::string_view name);

/// Of which checkpoint, whose name is such a name.
uint64_t numberOfBlocks(std::string_view name);

/// What the state has of a variable of which blocks are saved (EntryKind::Blocks): its type, the
/// number of its tables (uint32), and these in their order.
struct SavedTable {
  uint64_t table = 0;          // its number in the process that has saved it; 0: entries follow
  std::vector<uint64_t> chain; // checkpoints whose files have its blocks, later ones over earlier
  uint32_t length = 0;         // how many entries it had
  std::string_view entries;    // of a small one
};
void append(std::vector<char> &to, const SavedTable &);
bool take(std::string_view &from, SavedTable &);

/// Writes such a file. Functions return what went wrong, as a sentence for people; empty: nothing.
class BlockFile {
public:
  explicit BlockFile(std::string path) : path(std::move(path)) {}
  ~BlockFile();
  BlockFile(const BlockFile &) = delete;

  std::string open();
  /// Appends a chunk. `name`: of the table, for people.
  std::string add(uint64_t table, std::string_view name, std::string_view blocks);
  /// The file outlives a loss of power once its directory was written. Fills in all but the name.
  std::string finish(Manifest::File &);

private:
  std::string write(const void *bytes, size_t size);

  const std::string path;
  int fd = -1;
  uint64_t size = 0;
  std::string checks; // of all chunks
};

/// Such files, whose bytes stay.
class BlockFiles {
public:
  /// Returns what is wrong with it; empty: all checksums are right.
  std::string add(const Manifest::File &, std::string bytes);
  /// Puts values in place of what stands for variables of which blocks were saved, in sections of
  /// the process `pe`. What is wrong with them.
  std::string resolve(int32_t pe, std::vector<char> &section) const;

private:
  struct Chunk {
    uint64_t table;
    std::string_view blocks;
  };
  std::string gather(int32_t pe, const SavedTable &, std::vector<std::string_view> &blocks) const;
  std::string put(int32_t pe, std::string_view saved, std::vector<char> &to) const;

  struct File {
    std::string bytes;
    std::vector<Chunk> chunks;
  };
  std::map<std::string, File, std::less<>> files;
};

} // namespace sluice::checkpoint
