//===- Packed.h - a checkpoint of one process as one text ---------*- C++ -*-===//
//
//   u64 bytes of the manifest, u64 bytes of the state, the manifest, the state (files/StateFile.h)
//
// For a host, which keeps it and gives it back. Both parts have checksums of their own. A PE gets
// those of all PEs, one behind the other, if operators are in other PEs than they were.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/files/Manifest.h"
#include "runtime/exec/files/StateFile.h"

namespace sluice {
struct Program;
}

namespace sluice::member {

std::string pack(const Program &, const std::vector<checkpoint::Section> &);
/// Adds the sections of all of them; the manifest is that of the last one. What is wrong, as a
/// sentence; empty: nothing.
std::string unpack(std::string_view packed, checkpoint::Manifest &,
                   std::vector<checkpoint::Section> &);

} // namespace sluice::member
