//===- Missing.cpp - namespaces that are not there, or that no `use` names ----===//
#include "frontend/diagnostics/Spelling.h"
#include "frontend/modules/ModuleTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

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

void SourceFiles::searchBelow(StringRef dir, const std::string &prefix, unsigned depth) {
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

void SourceFiles::searchAll() {
  if (std::exchange(hasSearchedAll, true))
    return;
  for (const Toolkit &root : std::vector<Toolkit>(roots))
    if (root.dir != appDir)
      searchBelow(root.dir, "", 0);
}

/// The folders of the application's directory that hold namespace `ns`, as toolkits do.
static std::vector<std::string> toolkitsBeside(StringRef appDir, StringRef ns) {
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

/// The standard toolkit has it, and it is not declared yet.
static constexpr StringRef undeclaredNamespace = "spl.compat";

ModuleTable::MissingNamespace &ModuleTable::missing(StringRef ns, Range use) {
  auto found = llvm::find_if(missingNamespaces, [&](auto &gap) { return gap.ns == ns; });
  if (found != missingNamespaces.end())
    return *found;
  return missingNamespaces.emplace_back(MissingNamespace{ns.str(), use, "", false, {}});
}

bool ModuleTable::isMissing(Range use, const ast::Unit *from, StringRef ns, StringRef name) {
  auto isGone = [&](const std::string &in) {
    return !namespaceExists(in) ||
           llvm::any_of(missingNamespaces, [&](auto &gap) { return gap.ns == in; });
  };
  if (!ns.empty()) {
    if (!isGone(ns.str()))
      return false;
    MissingNamespace &gap = missing(ns, use);
    if (!std::exchange(gap.isNeeded, true))
      gap.name = name.str();
    diags.withhold();
    return true;
  }
  for (const ast::UseDecl &directive : from->uses) {
    std::string in = directive.path.str();
    bool isWild = directive.name.text.empty();
    auto defines = [&](SourceFile *file) { return file->summary.defines(name); };
    if (isWild ? !isGone(in) : directive.name.text != name || llvm::any_of(files(in), defines))
      continue;
    diags.withhold();
    if (!isGone(in)) // the directive has its error
      return true;
    MissingNamespace &gap = missing(in, directive.path.range);
    if (!std::exchange(gap.isNeeded, true)) {
      gap.name = directive.name.text.str();
      gap.needed = use;
    }
    return true;
  }
  return false;
}

bool ModuleTable::isExplained(Range use, const ast::Unit *from, StringRef ns, StringRef name) {
  return reportUnreadable(use, from, ns, name) || isMissing(use, from, ns, name);
}

void ModuleTable::reportMissing() {
  for (const MissingNamespace &gap : missingNamespaces)
    if (!allowMissing)
      reportMissing(gap);
  reportNeeds();
}

void ModuleTable::reportMissing(const MissingNamespace &gap) {
  const std::string &ns = gap.ns;
  bool isUndeclared = ns == undeclaredNamespace;
  UnmetNeed *unmet = unmetNeed(ns);
  if (unmet && !gap.isNeeded) // the warning of unmet needs covers it
    return;
  auto report = [&] {
    if (isUndeclared)
      return diags.report(gap.use, Diag::err_not_supported, "namespace `" + ns + "`");
    return diags.report(
        gap.use, gap.isNeeded ? Diag::err_unknown_namespace : Diag::warn_unknown_namespace, ns);
  };
  auto error = report();
  markCause(error);
  if (unmet) {
    suspicions.doubt(Doubt::ToolkitMissing, Subject::of(unmet));
    diags.note(error, gap.use, Diag::note_toolkit_missing, unmet->info, unmet->need->name);
    noteLookedIn(error, gap.use);
  } else if (!isUndeclared) {
    noteInstead(error, gap);
  }
  if (gap.needed)
    diags.note(error, gap.needed, Diag::note_may_be_there, diags.text(gap.needed));
}

/// Definitions of `name` in namespaces that are spelt nearly like `ns`.
std::vector<std::string> ModuleTable::inSimilarNamespaces(StringRef ns, StringRef name) {
  std::vector<std::string> result = similarNamespaces(ns);
  if (name.empty())
    return result;
  auto lacks = [&](const std::string &other) {
    return llvm::none_of(files(other), [&](auto *file) { return file->summary.defines(name); });
  };
  if (!llvm::all_of(result, lacks))
    llvm::erase_if(result, lacks);
  for (std::string &other : result)
    other += "::" + name.str();
  return result;
}

/// What `ns` could have meant, and where it was looked for.
void ModuleTable::noteInstead(mlir::InFlightDiagnostic &error, const MissingNamespace &gap) {
  StringRef ns = gap.ns;
  auto [outer, last] = ns.rsplit('.'); // `use a.Thing::*` for `use a::Thing`
  auto defines = [&](StringRef name) {
    return [=](SourceFile *file) { return name.empty() || file->summary.defines(name); };
  };
  std::vector<std::string> instead;
  if (!last.empty() && llvm::any_of(files(outer), defines(last)))
    instead = {(outer + "::" + last).str()};
  if (instead.empty())
    instead = toolkitsBeside(appDir, ns);
  if (instead.empty())
    instead = inSimilarNamespaces(ns, gap.name);
  bool isNear = !instead.empty();
  if (!isNear && !gap.name.empty())
    instead = elsewhere(gap.name);
  for (const std::string &other : instead)
    diags.note(error, gap.use, Diag::note_did_you_mean, other);
  // A file of the namespace may be in another folder than it belongs to.
  Files &misplaced = byNamespace[ns.str()];
  if (auto file = llvm::find_if(misplaced, defines(gap.name)); file != misplaced.end())
    diags.note(error, gap.use, Diag::note_misplaced, (*file)->path, ns);
  else if (!isNear)
    noteLookedIn(error, gap.use);
}

//===--- what no directive names --------------------------------------------===//

void ModuleTable::noteElsewhere(mlir::InFlightDiagnostic &error, Range use, const ast::Unit *from,
                                llvm::ArrayRef<std::string> others) {
  if (others.size() != 1) {
    for (const std::string &other : others)
      diags.note(error, use, Diag::note_did_you_mean, other);
    return;
  }
  auto [ns, name] = StringRef(others.front()).split("::");
  if (suspicions.withdraws(error,
                           {Doubt::UseMissing, Subject::of(from, ns), Subject::startOf(use)}))
    return;
  diags.note(error, use, Diag::note_use_missing, name, ns);
}

const Hints &ModuleTable::hints() {
  if (readHints)
    return *readHints;
  readHints.emplace();
  for (const std::unique_ptr<SourceFile> &file : all) {
    if (!file->toolkitFile)
      continue;
    if (auto buffer = llvm::MemoryBuffer::getFile(file->path))
      readHints->read((*buffer)->getBuffer());
  }
  return *readHints;
}
