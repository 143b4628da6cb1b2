//===- Snapshot.h - what a program remembers, in sections ----------*- C++ -*-===//
#pragma once
#include "runtime/exec/checkpoint/StateFile.h"
#include <string>
#include <utility>
#include <vector>

namespace sluice {
struct Program;
}

namespace sluice::checkpoint {

/// While all sources stay and nothing is under way: a section for each operator of this process,
/// and one for what belongs to none.
std::vector<Section> takeSnapshot(Program &);

/// Names of entries of the runtime begin with this; no variable's does.
inline constexpr char kOwn = '%';

/// By region of @parallel: its path and its width.
std::vector<std::pair<std::string, std::string>> widthsOf(const Program &);

} // namespace sluice::checkpoint
