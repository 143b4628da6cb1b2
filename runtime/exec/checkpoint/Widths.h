//===- Widths.h - regions that have another width than before ------*- C++ -*-===//
//
// State that is keyed by the attribute by which the streams of a region are partitioned is dealt
// out anew, by the hash by which rows are (KeyedParts.h). All other state of channels must be what
// it began with.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/files/Manifest.h"
#include "runtime/exec/saved/Entries.h"
#include <map>
#include <string>
#include <vector>

namespace sluice {
struct Program;
}

namespace sluice::checkpoint {

/// Sections by their names.
using Sections = std::map<std::string, std::string, std::less<>>;

/// Functions return what is wrong, as a sentence for people; empty: nothing.
class Widths {
public:
  /// Replaces the sections of all channels of regions that had another width.
  std::string deal(const Program &, const Manifest &, Sections &);
  /// When states have their first values, and before others are restored.
  std::string verify(const Program &) const;

private:
  struct Region {
    uint32_t number;
    uint32_t before, now; // widths
    std::string said;     // both, as the begin of a sentence
  };
  std::string dealRegion(const Program &, const Region &, Sections &);
  std::string dealOperator(const Program &, const Region &, uint32_t op, Sections &);
  std::string checkEnds(const Program &, const Region &, const Sections &) const;
  std::string keepRest(const Program &, const Region &, uint32_t op, std::string_view section,
                       const std::vector<std::string> &dealt, std::string *to);

  struct First {
    uint32_t op;      // in one of the channels
    std::string name; // of a variable
    std::string value;
    std::string wrong; // if it began with another value
  };
  std::vector<First> firsts;
};

} // namespace sluice::checkpoint
