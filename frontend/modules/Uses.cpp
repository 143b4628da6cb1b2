//===- Uses.cpp - what `use` directives name -------------------------------===//
#include "frontend/modules/ModuleTable.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

void ModuleTable::checkUse(const ast::Unit *unit, const ast::UseDecl &use) {
  std::string ns = use.path.str();
  StringRef name = use.name.text;
  Range all = {use.range.file, use.path.range.begin, use.name.range.end};
  takeMisfiled(ns, name);
  if (!namespaceExists(ns)) {
    MissingNamespace &gap = missing(ns, use.path.range);
    // What is of a toolkit that is not there matters where it is used.
    if (!name.empty() && !unmetNeed(ns) && !std::exchange(gap.isNeeded, true))
      gap.name = name.str();
    return;
  }
  bool found = name.empty();
  for (SourceFile *file : files(ns)) {
    if (name.empty() || !file->summary.defines(name))
      continue;
    found = true;
    if (!parsed(*file))
      reportProblems(*file, all, name); // whether the name is needed or not
  }
  if (found)
    return checkPublic(*unit, all, ns, name);
  if (reportUnreadable(all, unit, ns, name))
    return;
  auto error = diags.report(all, Diag::err_unknown_use, name, ns);
  for (const std::string &near : nearestUse(unit, ns, name))
    diags.note(error, all, Diag::note_did_you_mean, near);
  noteUnreadable(error, unit, ns, name, /*isDeclared=*/true);
}

/// Reports that all that is called `name` lacks the word `public`.
void ModuleTable::checkPublic(const ast::Unit &from, Range use, StringRef ns, StringRef name) {
  if (ns == from.ns.str() || findType(&from, ns, "", name))
    return;
  std::vector<OperatorDef> operators = findOperators(&from, ns, name);
  if (!findFunctions(&from, ns, name).empty() ||
      llvm::any_of(operators, [](const OperatorDef &def) { return def.isPublic(); }))
    return;
  const ast::Function *function = hiddenFunction(&from, ns, name);
  if (!function && operators.empty())
    return; // it could not be read
  std::string qualified = (ns + "::" + name).str();
  auto error = diags.report(use, Diag::err_not_public, qualified);
  diags.note(error, function ? function->name.range : operators.front().range(),
             Diag::note_defined_here, qualified);
}

/// What a directive for `name`, which is not in `ns`, could have meant.
std::vector<std::string> ModuleTable::nearestUse(const ast::Unit *unit, StringRef ns,
                                                 StringRef name) {
  NearNames near(name);
  for (Kind kind : {Kind::Function, Kind::Operator, Kind::Type})
    offer(near, unit, ns, kind);
  std::vector<std::string> result;
  for (const std::string &other : near.best())
    result.push_back(ns.str() + "::" + other);
  if (result.empty())
    result = elsewhere(name);
  return result;
}

void ModuleTable::checkUses() {
  while (!pendingUses.empty()) {
    std::vector<const ast::Unit *> batch = std::move(pendingUses);
    pendingUses.clear();
    for (const ast::Unit *unit : batch)
      for (const ast::UseDecl &use : unit->uses)
        checkUse(unit, use);
  }
}

const ast::Function *ModuleTable::hiddenFunction(const ast::Unit *from, StringRef ns,
                                                 StringRef name) {
  for (const std::string &in : visible(from, ns))
    for (const ast::Unit *unit : units(in, Kind::Function, name))
      for (const ast::Function *function : unit->functions)
        if (function->name.text == name && !function->isPublic)
          return function;
  return nullptr;
}
