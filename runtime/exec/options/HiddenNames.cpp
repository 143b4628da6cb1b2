//===- HiddenNames.cpp - names of attributes that --console-hides has -----===//
#include "runtime/exec/options/HiddenNames.h"
#include "runtime/exec/options/NearOption.h"
#include <algorithm>
#include <string_view>

namespace sluice {

/// Adds the names of attributes inside a value of the type.
static void addNames(const TypeDesc *type, std::vector<std::string_view> &names) {
  for (const TypeDesc *inner : {type->elem, type->value})
    if (inner)
      addNames(inner, names);
  for (uint32_t i = 0; type->fields && i < type->count; ++i) {
    if (type->kind == Kind::Tuple)
      names.push_back(type->fields[i].name);
    addNames(type->fields[i].type, names);
  }
}

std::string wrongHiddenName(const ProgramDesc &desc, const std::vector<std::string> &names) {
  if (names.empty())
    return "";
  std::vector<std::string_view> known;
  for (uint32_t op = 0; op < desc.operatorCount; ++op)
    for (uint32_t in = 0; in < desc.operators[op].inputs; ++in)
      addNames(desc.operators[op].inTypes[in], known);
  for (const std::string &name : names) {
    if (std::ranges::find(known, name) != known.end())
      continue;
    const std::string_view *near = nearName(name, known);
    return "--console-hides: no stream into an operator has an attribute '" + name + "'" +
           (near ? " (did you mean '" + std::string(*near) + "'?)" : "");
  }
  return "";
}

} // namespace sluice
