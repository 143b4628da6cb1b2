//===- Sections.cpp - whether a program has a place for a section ------------===//
#include "runtime/exec/checkpoint/Snapshot.h"
#include "runtime/exec/saved/Entries.h"
#include "runtime/exec/saved/SavedState.h"
#include "runtime/exec/saved/TypeImage.h"
#include "runtime/exec/state/Program.h"
#include "sluice/recovery.h"
#include <algorithm>

namespace sluice::checkpoint {

bool isDropped(const Program &p, const std::string &name) {
  return std::ranges::find(p.options.checkpoints.drops, name) != p.options.checkpoints.drops.end();
}

std::string adviceFor(const std::string &name) { return "; --resume-drop=" + name + " lets it go"; }

/// A variable that the program does not know holds where a source was.
static bool isOfCode(std::string_view name) { return name.starts_with('$'); }

std::string checkSection(const Program &p, uint32_t index, const std::string &label,
                         std::string_view section) {
  const OperatorDesc &op = p.desc.operators[index];
  std::string wrong;
  if (isDropped(p, label))
    return "";
  std::string kind(Loader(section).text(own(std::string("kind"))).value_or(op.kind));
  if (kind != op.kind)
    return "the operator " + label + " was a " + kind + " and is a " + op.kind + adviceFor(label);
  if (op.native >= 0)
    return "";
  std::vector<std::string> names = namesOfStates(op);
  for (Entry entry; wrong.empty() && nextEntry(section, entry);) {
    if (entry.kind != EntryKind::Value)
      continue;
    std::string name(entry.name), path = label + "." + name;
    if (isDropped(p, path))
      continue;
    auto it = std::ranges::find(names, name);
    SavedType type;
    std::string_view image = entry.bytes;
    std::string saved = type.read(image) ? typeText(type.desc()) : "a type that cannot be read";
    if (it == names.end())
      wrong = isOfCode(name)
                  ? "the code of the source " + label + " has changed" + adviceFor(label)
                  : "the variable " + path + " is gone, which is a " + saved + adviceFor(path);
    else if (const TypeDesc *now = op.states[it - names.begin()].type;
             !entry.bytes.starts_with(typeImage(now)))
      wrong = "the variable " + path + " was a " + saved + " and is a " + typeText(now) +
              adviceFor(path);
  }
  return wrong;
}

} // namespace sluice::checkpoint
