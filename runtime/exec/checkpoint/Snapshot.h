//===- Snapshot.h - what a program remembers, in sections ----------*- C++ -*-===//
#pragma once
#include "runtime/exec/files/StateFile.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sluice {
struct Program;
}

namespace sluice::checkpoint {

class BlockSaving;

/// While all sources stay and nothing is under way: a section for each operator of this process,
/// and one for what belongs to none.
/// Large sets and maps are but noted.
std::vector<Section> takeSnapshot(Program &, BlockSaving &);

/// The name of the section of what belongs to none.
std::string programSection(const Program &);

/// The name of the section of an operator. Those at the ends of links are in several processes.
std::string sectionOf(const Program &, uint32_t op, int64_t pe);

/// The name of an entry of the runtime, which no variable has; of one for each port of an operator.
inline std::string own(const std::string &name) { return "%" + name; }
inline std::string own(const char *name, uint32_t port) { return own(name + std::to_string(port)); }

/// Whether final punctuation had been submitted to the operator of a section, or by it.
bool hasEnded(std::string_view section);

/// Whether --resume-drop lets go of an operator, or of `Operator.variable`.
bool isDropped(const Program &, const std::string &name);
/// How it does that, as the end of a sentence for people.
std::string adviceFor(const std::string &name);
/// What is wrong, as a sentence for people, where the operator has no place for all that its
/// section holds: it is of another kind, or a variable is gone or has another type. Empty: nothing
/// is. `name`: what --resume-drop calls the operator.
std::string checkSection(const Program &, uint32_t op, const std::string &name,
                         std::string_view section);

/// By region of @parallel: its path and its width.
std::vector<std::pair<std::string, std::string>> widthsOf(const Program &);

} // namespace sluice::checkpoint
