//===- BlockSaving.h - large tables are saved while the program runs -*- C++ -*-===//
//
// While all stands, tables are noted and their changed blocks are marked (value/blocks/Blocks.h).
// When sources go on again blocks are written to a file, as far as they were not before. What a
// checkpoint does not write again it takes from files of earlier ones.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/files/BlockFile.h"
#include "runtime/exec/files/Directory.h"
#include "sluice/value.h"
#include "value/blocks/Blocks.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sluice::checkpoint {

/// By the thread that makes checkpoints.
class BlockSaving {
public:
  /// `least`: bytes of the entries of a variable from which on its changes are known.
  BlockSaving(const Directory &directory, int32_t pe, uint64_t least)
      : directory(directory), pe(pe), least(least) {}

  /// While all stands: begins checkpoint `number`.
  void begin(uint64_t number);
  /// Notes a variable, if it is a large set or map. `tables`: where its entries are.
  bool take(std::vector<char> &section, const std::string &op, const std::string &name,
            const TypeDesc *, const std::vector<const Seq *> &tables);
  /// Writes what was noted, and links files of earlier checkpoints. `files`: the files of this one
  /// that are not the state. What went wrong, as a sentence for people; empty: nothing.
  std::string write(std::vector<Manifest::File> &files);
  /// The checkpoint for which that was is complete: the next one may use what it has.
  void commit();
  /// It is not made: the next one writes all.
  void letGo();
  /// ns that threads of the program have spent on blocks which they were about to change.
  int64_t early() const { return earlyNanos; }

private:
  /// Where the blocks of a table are, and how much they are.
  struct History {
    std::vector<uint64_t> chain; // numbers of checkpoints
    uint64_t whole = 0;          // bytes, when all of it was written
    uint64_t since = 0;          // bytes of later files
  };
  struct Taken {
    std::shared_ptr<Blocks> blocks;
    std::string name;
    bool isAll;
    bool isAny; // blocks are to be saved
    History history;
  };
  bool isWhole(const Blocks &, const History &) const;
  std::string save(BlockFile &, Taken &);
  std::string add(BlockFile &, Taken &, std::vector<char> &);
  std::string link();
  std::string saveAll();

  const Directory &directory;
  const int32_t pe;
  const uint64_t least;
  uint64_t number = 0, last = 0; // of this checkpoint, and of the last one that is complete
  bool canLink = true;
  std::vector<Taken> taken;
  std::map<uint64_t, History> histories;    // by table, of the last one that is complete
  std::map<uint64_t, Manifest::File> known; // by number, files that it has
  std::vector<Manifest::File> written;      // files of this one
  int64_t earlyNanos = 0;
  uint64_t saverBytes = 0;
  double saverSeconds = 0;
};

} // namespace sluice::checkpoint
