//===- Uses.cpp - what `use` directives name, and files with errors --------===//
#include "frontend/diagnostics/Spelling.h"
#include "frontend/modules/ModuleTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

//===--- use directives -----------------------------------------------------===//

/// Adds the namespaces below `dir`, where those called `prefix`... are, that are spelt nearly like
/// `ns`, from its part at `begin` on.
static void addNear(StringRef dir, StringRef ns, size_t begin, const std::string &prefix,
                    std::vector<std::string> &result) {
  for (size_t dot = ns.find('.', begin);; dot = ns.find('.', dot + 1)) {
    std::error_code error;
    for (fs::directory_iterator it(dir, error), end; it != end && !error; it.increment(error)) {
      std::string name = prefix + path::filename(it->path()).str();
      if (!isNear(ns.substr(0, dot), name) || !fs::is_directory(it->path()))
        continue;
      if (dot == StringRef::npos)
        result.push_back(name);
      else
        addNear(it->path(), ns, dot + 1, name + ".", result);
    }
    if (dot == StringRef::npos)
      return;
  }
}

std::vector<std::string> ModuleTable::similarNamespaces(StringRef ns) {
  std::vector<std::string> result;
  for (auto &[other, files] : byNamespace)
    if (!files.empty() && !other.empty() && isNear(ns, other))
      result.push_back(other);
  for (const Toolkit &root : roots)
    addNear(root.dir, ns, 0, "", result);
  llvm::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  llvm::erase_if(result, [&](const std::string &other) { return !namespaceExists(other); });
  if (result.size() > 3)
    result.resize(3);
  return result;
}

void ModuleTable::searchBelow(StringRef dir, const std::string &prefix, unsigned depth) {
  constexpr unsigned deepest = 4;
  std::error_code error;
  for (fs::directory_iterator it(dir, error), end; it != end && !error; it.increment(error)) {
    std::string name = path::filename(it->path()).str();
    bool isNamespace =
        !name.empty() && (llvm::isAlpha(name[0]) || name[0] == '_') && fs::is_directory(it->path());
    if (!isNamespace)
      continue;
    files(prefix + name);
    if (depth < deepest)
      searchBelow(it->path(), prefix + name + ".", depth + 1);
  }
}

void ModuleTable::searchAll() {
  if (std::exchange(hasSearchedAll, true))
    return;
  for (const Toolkit &root : std::vector<Toolkit>(roots))
    if (root.dir != appDir)
      searchBelow(root.dir, "", 0);
}

/// The standard toolkit has it, and it is not declared yet.
static constexpr StringRef undeclaredNamespace = "spl.compat";

void ModuleTable::checkUse(const ast::Unit *unit, const ast::UseDecl &use) {
  std::string ns = use.path.str();
  StringRef name = use.name.text;
  Range all = {use.range.file, use.path.range.begin, use.name.range.end};
  takeMisfiled(ns, name);
  bool found = name.empty() && namespaceExists(ns);
  for (SourceFile *file : files(ns)) {
    if (name.empty() || !file->summary.defines(name))
      continue;
    found = true;
    if (!parsed(*file))
      reportProblems(*file, all, name); // whether the name is needed or not
  }
  if (found)
    return checkPublic(*unit, all, ns, name);
  if (allowMissing && !namespaceExists(ns))
    return;
  if (ns == undeclaredNamespace) {
    diags.report(use.path.range, Diag::err_not_supported, "namespace `" + ns + "`");
  } else if (name.empty()) {
    auto warning = diags.report(use.path.range, Diag::warn_unknown_namespace, ns);
    std::vector<std::string> similar = toolkitsBeside(ns);
    if (similar.empty())
      similar = similarNamespaces(ns);
    for (const std::string &near : similar)
      diags.note(warning, use.path.range, Diag::note_did_you_mean, near);
    if (similar.empty())
      noteLookedIn(warning, use.path.range);
  } else {
    auto error = diags.report(all, Diag::err_unknown_use, name, ns);
    for (const std::string &near : nearestUse(unit, ns, name))
      if (near != ns + "::" + name.str())
        diags.note(error, all, Diag::note_did_you_mean, near);
    noteMisplaced(error, all, ns, name);
    noteUnreadable(error, unit, ns, name);
    if (!namespaceExists(ns) && similarNamespaces(ns).empty())
      noteLookedIn(error, all);
  }
}

/// A file of the namespace that is in another folder than it belongs to.
void ModuleTable::noteMisplaced(mlir::InFlightDiagnostic &error, Range use, StringRef ns,
                                StringRef name) {
  for (SourceFile *file : byNamespace[ns.str()])
    if (file->summary.defines(name))
      return diags.note(error, use, Diag::note_misplaced, file->path, ns);
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

/// What a directive for `ns::name`, which is not there, could have meant.
std::vector<std::string> ModuleTable::nearestUse(const ast::Unit *unit, StringRef ns,
                                                 StringRef name) {
  std::vector<std::string> result;
  if (!namespaceExists(ns))
    for (const std::string &other : similarNamespaces(ns))
      if (llvm::any_of(files(other), [&](auto *file) { return file->summary.defines(name); }))
        result.push_back(other + "::" + name.str());
  NearNames near(name);
  for (Kind kind : {Kind::Function, Kind::Operator, Kind::Type})
    offer(near, unit, ns, kind);
  if (result.empty())
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

bool ModuleTable::isMissing(const ast::Unit *from, StringRef ns, StringRef name) {
  auto mayMean = [&](const ast::UseDecl &use) {
    std::string of = use.path.str();
    if (use.name.text.empty())
      return allowMissing && !namespaceExists(of);
    return use.name.text == name &&
           llvm::none_of(files(of), [&](auto *file) { return file->summary.defines(name); });
  };
  bool missing =
      ns.empty() ? llvm::any_of(from->uses, mayMean) : allowMissing && !namespaceExists(ns);
  if (missing && allowMissing)
    diags.withhold(); // nothing was reported
  return missing || (ns.empty() && isOneOfMany(from, name));
}

bool ModuleTable::isOneOfMany(const ast::Unit *from, StringRef name) {
  bool mayBeThere = llvm::any_of(from->uses, [&](const ast::UseDecl &use) {
    return use.name.text.empty() && !namespaceExists(use.path.str());
  });
  if (!mayBeThere || firstUnknown.try_emplace(from, name.str()).first->second == name)
    return false;
  diags.withhold();
  return true;
}

/// The folders of the application's directory that hold namespace `ns`, as toolkits do.
std::vector<std::string> ModuleTable::toolkitsBeside(StringRef ns) {
  std::vector<std::string> result;
  std::error_code error;
  for (fs::directory_iterator it(appDir, error), end; it != end && !error; it.increment(error)) {
    llvm::SmallString<128> flat(it->path()), deep(it->path());
    path::append(flat, ns);
    for (StringRef part : llvm::split(ns, '.'))
      path::append(deep, part);
    if (fs::is_directory(flat) || fs::is_directory(deep))
      result.push_back("-t " + it->path());
  }
  llvm::sort(result);
  return result;
}

//===--- files with errors --------------------------------------------------===//

std::vector<std::string> ModuleTable::visible(const ast::Unit *from, StringRef ns) {
  if (!ns.empty())
    return {ns.str()};
  std::vector<std::string> result = {from->ns.str()};
  for (const ast::UseDecl &use : from->uses)
    if (std::string used = use.path.str(); !llvm::is_contained(result, used))
      result.push_back(std::move(used));
  return result;
}

void ModuleTable::reportProblems(SourceFile &file, Range use, StringRef name) {
  bool isFirst = true;
  for (const Problem &problem : std::exchange(file.problems, {})) {
    auto error = diags.report(problem);
    if (std::exchange(isFirst, false))
      diags.note(error, use, Diag::note_read_for, name);
  }
}

bool ModuleTable::reportUnreadable(Range use, const ast::Unit *from, StringRef ns, StringRef name) {
  bool any = false;
  for (const std::string &in : visible(from, ns))
    for (SourceFile *file : files(in))
      if (file->parsed && !file->unit &&
          (file->summary.mentions(name) || (file->isOpaque && file->problems.empty()))) {
        any = true;
        reportProblems(*file, use, name);
      }
  return any;
}

bool ModuleTable::reportSeveral(Range use, const ast::Unit *from, const ast::Unit *chosen,
                                StringRef ns, StringRef name, llvm::ArrayRef<Range> definitions) {
  if (chosen == from || chosen == all.front()->unit)
    return false;
  // Where the program defines the name, a file with errors is a copy of it.
  const FileSummary &program = all.front()->summary;
  bool isCopy = program.ns == ns && program.defines(name);
  std::vector<SourceFile *> unreadable;
  for (SourceFile *file : files(ns))
    if (!isCopy && file->parsed && !file->unit && !file->toolkitFile && file->summary.defines(name))
      unreadable.push_back(file);
  if (definitions.size() + unreadable.size() < 2)
    return false;
  if (!several.insert((ns + "::" + name).str()).second)
    return true;
  auto error = diags.report(use, Diag::err_several_files, name);
  for (Range range : definitions)
    diags.note(error, range, Diag::note_defined_here, name);
  for (SourceFile *file : unreadable)
    if (!file->problems.empty())
      diags.note(error, file->problems.front().range, Diag::note_unreadable,
                 Diagnostics::message(file->problems.front()));
  return true;
}

void ModuleTable::warnHiding(Range use, const ast::Unit *from, const ast::Unit *chosen, Kind kind,
                             StringRef name, Range definition) {
  if (chosen == from || chosen->ns.str() != from->ns.str() || hiding.contains(name))
    return;
  for (const std::string &in : wildcards(from))
    for (SourceFile *file : files(in)) {
      if (in == from->ns.str() || file->isOwn || !namesOf(file->summary, kind).contains(name))
        continue;
      hiding.insert(name);
      auto warning = diags.report(use, Diag::warn_hiding, name, in + "::" + name.str());
      return diags.note(warning, definition, Diag::note_defined_here, name);
    }
}

bool ModuleTable::noteUnreadable(mlir::InFlightDiagnostic &error, const ast::Unit *from,
                                 StringRef ns, StringRef name) {
  static constexpr unsigned most = 2;
  unsigned notes = 0;
  for (const std::string &in : visible(from, ns))
    for (SourceFile *file : files(in)) {
      if (notes == most || (!file->isOpaque && !file->summary.mentions(name)) || parsed(*file) ||
          file->problems.empty())
        continue;
      ++notes;
      const Problem &first = file->problems.front();
      diags.note(error, first.range, Diag::note_unreadable, Diagnostics::message(first));
    }
  return notes > 0;
}

//===--- what is not public -------------------------------------------------===//

const ast::Function *ModuleTable::hiddenFunction(const ast::Unit *from, StringRef ns,
                                                 StringRef name) {
  for (const std::string &in : visible(from, ns))
    for (const ast::Unit *unit : units(in, Kind::Function, name))
      for (const ast::Function *function : unit->functions)
        if (function->name.text == name && !function->isPublic)
          return function;
  return nullptr;
}
