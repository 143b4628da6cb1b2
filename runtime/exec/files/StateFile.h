//===- StateFile.h - the state of a program as a file -------------*- C++ -*-===//
//
// A header, and a section for each operator: its name and what it has saved (sluice/saved.h), with
// a checksum. Little-endian, without pointers: the same on all processors.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::checkpoint {

/// `text`: a label of an operator (table/Label.h), or kProgram.
struct Section {
  std::string text;
  std::vector<char> bytes;
};
/// The section of what belongs to no operator. That of a process of several says its number behind.
inline constexpr const char *kProgram = "%program";

/// The name of the file of a process of several; below 0: of the only one.
std::string stateFileOf(int32_t pe);
/// Of which process a file of such a name is; -1: of the only one.
int32_t peOfState(std::string_view name);
/// Whether a file of that name is one of these.
bool isState(std::string_view name);

/// The file of these sections.
std::string writeState(const std::vector<Section> &);
/// Reads such a file. Returns what is wrong with it; empty: nothing is. Then all checksums were
/// right.
std::string readState(std::string_view file, std::vector<Section> &);

} // namespace sluice::checkpoint
