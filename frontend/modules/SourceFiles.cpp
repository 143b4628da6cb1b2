//===- SourceFiles.cpp - files, namespaces and directories ----------------------===//
//
// Namespace a.b lies in directory a/b or a.b of each root (language.md 8.6).
// The standard toolkit is flat: a file says its namespace itself.
//
//===----------------------------------------------------------------------===//
#include "frontend/modules/SourceFiles.h"
#include "frontend/syntax/antlr/SyntaxTree.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string absolutePath(StringRef p) {
  llvm::SmallString<256> result(p.empty() ? StringRef(".") : p);
  fs::make_absolute(result);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

static std::vector<std::string> splFiles(StringRef dir) {
  std::vector<std::string> result = entriesOf(dir);
  llvm::erase_if(result, [](StringRef name) {
    return path::extension(name) != ".spl" && path::extension(name) != ".splmm";
  });
  // What other compilers leave beside a file in mixed mode.
  llvm::erase_if(result, [all = result](const std::string &name) {
    return llvm::is_contained(all, name + "mm");
  });
  return result;
}

SourceFiles::SourceFiles(ASTContext &ast, Diagnostics &diags, const FrontendOptions &options,
                         ast::Unit *main)
    : ast(ast), diags(diags), roles(roleNames(options.stdlibDir)), appDir(options.appDir) {
  auto file = std::make_unique<SourceFile>();
  file->path = absolutePath(diags.path(main->file));
  file->file = main->file;
  file->summary = scanFile(diags.text(main->file));
  file->summary.ns = main->ns.str();
  file->unit = main;
  file->isOwn = file->parsed = true;
  pendingUses.push_back(main);
  byNamespace[file->summary.ns].push_back(file.get());
  file->number = 1;
  all.push_back(std::move(file));

  findApplicationDir(main);
  if (!options.stdlibDir.empty())
    for (const std::string &name : splFiles(options.stdlibDir))
      addFile(name, /*toolkitFile=*/true, /*isOwn=*/false);
  findToolkits(options.toolkits);
}

std::string SourceFiles::canonical(StringRef ns) const {
  if (!ns.consume_front("com.teracloud.streams."))
    return ns.str();
  std::string ours = ("com.ibm.streamsx." + ns).str();
  return isBuiltIn(ours) ? ours : ("com.teracloud.streams." + ns).str();
}

bool SourceFiles::isBuiltIn(StringRef ns) const {
  auto found = byNamespace.find(ns.str());
  return found != byNamespace.end() &&
         llvm::any_of(found->second, [](const SourceFile *file) { return file->toolkitFile; });
}

RoleNames sluice::roleNames(std::string dir) {
  return [dir = std::move(dir), hints = std::optional<Hints>()](StringRef role) mutable {
    if (!hints) {
      hints.emplace();
      for (const std::string &name : dir.empty() ? std::vector<std::string>() : splFiles(dir))
        if (auto buffer = llvm::MemoryBuffer::getFile(name))
          hints->read((*buffer)->getBuffer());
    }
    return hints->role(role).str();
  };
}

void SourceFiles::findToolkits(llvm::ArrayRef<std::string> paths) {
  std::vector<std::string> absolute;
  for (const std::string &toolkit : paths)
    absolute.push_back(absolutePath(toolkit));
  roots = {readToolkit(appDir)};
  for (Toolkit &toolkit : sema::findToolkits(absolute))
    if (toolkit.dir != appDir && !isBuiltIn(canonical(toolkit.name)))
      roots.push_back(std::move(toolkit));
  use(roots.front());
}

void SourceFiles::noteLookedIn(mlir::InFlightDiagnostic &error, Range range) {
  std::vector<std::string> dirs;
  for (const Toolkit &toolkit : roots)
    dirs.push_back("`" + toolkit.dir + "`");
  diags.note(error, range, Diag::note_looked_in, llvm::join(dirs, ", "));
}

void SourceFiles::findApplicationDir(ast::Unit *main) {
  if (!appDir.empty()) {
    appDir = absolutePath(appDir);
    return;
  }
  // Walk up from the file as long as directories spell the namespace backwards.
  std::string own = path::parent_path(all.front()->path).str();
  StringRef dir = own;
  std::string rest = main->ns.str();
  while (!rest.empty()) {
    StringRef last = path::filename(dir);
    bool whole = rest == last;
    if (last.empty() || (!whole && !StringRef(rest).ends_with("." + last.str())))
      break;
    rest.resize(whole ? 0 : rest.size() - last.size() - 1);
    dir = path::parent_path(dir);
  }
  if (!rest.empty())
    diags.report(main->ns.range, Diag::warn_namespace_path, main->ns.str());
  appDir = rest.empty() ? dir.str() : own;
}

/// Whether it is what an editor has saved of a program from the standard input: a file of the
/// same namespace in the working directory that defines a composite which the program does.
bool SourceFiles::isSavedProgram(const SourceFile &file) const {
  const SourceFile &main = *all.front();
  return path::filename(main.path) == "<stdin>" && file.summary.ns == main.summary.ns &&
         path::parent_path(file.path) == path::parent_path(main.path) &&
         llvm::any_of(main.summary.operators.keys(),
                      [&](StringRef name) { return file.summary.operators.contains(name); });
}

SourceFiles::SourceFile *SourceFiles::addFile(StringRef name, bool toolkitFile, bool isOwn) {
  auto file = std::make_unique<SourceFile>();
  file->path = absolutePath(name);
  for (auto &other : all)
    if (other->path == file->path)
      return nullptr;
  auto buffer = llvm::MemoryBuffer::getFile(name, /*IsText=*/false);
  if (!buffer) {
    bool isFolder = llvm::sys::fs::is_directory(name);
    diags.report(Range(), Diag::warn_unreadable_file, file->path,
                 isFolder ? "it is a folder" : buffer.getError().message());
    return nullptr;
  }
  llvm::StringRef text = (*buffer)->getBuffer();
  if (name.ends_with(".splmm")) { // Perl says what it defines
    file->file = diags.open(file->path, &file->problems);
    file->parsed = file->isOpaque = !file->file;
    if (file->file)
      text = diags.text(file->file);
  }
  file->summary = scanFile(text);
  file->toolkitFile = toolkitFile;
  file->isOwn = isOwn;
  if (isSavedProgram(*file))
    return nullptr;
  byNamespace[file->summary.ns].push_back(file.get());
  file->number = all.size() + 1;
  return all.emplace_back(std::move(file)).get();
}

void SourceFiles::addDirectory(StringRef dir, StringRef rest, StringRef ns,
                               const Toolkit &toolkit) {
  auto below = [&](StringRef name) {
    llvm::SmallString<256> sub(dir);
    path::append(sub, name);
    return sub;
  };
  if (rest.empty()) {
    for (const std::string &name : splFiles(dir))
      if (SourceFile *file = addFile(name, /*toolkitFile=*/false, toolkit.dir == appDir))
        if (file->summary.ns != ns)
          misfiled[ns.str()].push_back(file);
    addNative(below("native.function"), ns, toolkit);
    addCppOperators(dir, ns, toolkit);
    return;
  }
  for (size_t dot = rest.find('.');; dot = rest.find('.', dot + 1)) {
    llvm::SmallString<256> sub = below(rest.substr(0, dot));
    if (fs::is_directory(sub))
      addDirectory(sub, dot == StringRef::npos ? StringRef() : rest.substr(dot + 1), ns, toolkit);
    if (dot == StringRef::npos)
      return;
  }
}

SourceFiles::Files &SourceFiles::files(StringRef name) {
  std::string ns = canonical(name);
  if (searched.insert(ns).second)
    for (const Toolkit &root : roots) {
      size_t before = all.size();
      addDirectory(root.dir, ns, ns, root);
      if (all.size() != before && !hasSearchedAll) // for a hint nothing is needed
        use(root);
    }
  return byNamespace[ns];
}

static ast::Path namespaceOf(ASTContext &context, StringRef ns) {
  ast::Path path;
  for (; !ns.empty(); ns = ns.split('.').second)
    path.parts.push_back({context.intern(ns.split('.').first), {}});
  return path;
}

void SourceFiles::takeMisfiled(StringRef ns, StringRef name) {
  auto isMeant = [&](SourceFile *file) { return name.empty() || file->summary.defines(name); };
  if (llvm::any_of(files(ns), isMeant))
    return;
  bool isReported = false;
  for (SourceFile *file : std::exchange(misfiled[ns.str()], {})) {
    byNamespace[ns.str()].push_back(file);
    if (file->summary.ns.empty()) // it is no neighbour of the program
      llvm::erase(byNamespace[""], file);
    ast::Unit *unit = isMeant(file) ? parsed(*file) : nullptr;
    if (!unit || std::exchange(isReported, true))
      continue;
    std::string said = file->summary.ns;
    Range place = said.empty() ? Range{file->file, 0, 0} : unit->ns.range;
    auto error = diags.report(place, Diag::err_namespace_folder, ns,
                              said.empty() ? "lacks that line" : "says `namespace " + said + ";`");
    markCause(error);
  }
}

ast::Unit *SourceFiles::parsed(SourceFile &file) {
  if (file.parsed)
    return file.unit;
  file.parsed = true;
  if (!file.file && !(file.file = diags.open(file.path)))
    return nullptr;
  if (!file.isOwn)
    diags.hideWarnings(file.file);
  file.unit = file.native ? readUnit(ast, ast.intern(file.native->text), file.file,
                                     file.toolkitFile, file.problems)
                          : parse(ast, diags, file.file, file.toolkitFile, file.problems, roles);
  if (file.unit && (file.native || file.cppOperator))
    file.unit->ns = namespaceOf(ast, file.summary.ns);
  if (file.unit) // what is left are warnings of Perl
    for (const Problem &problem : std::exchange(file.problems, {}))
      diags.report(problem);
  if (file.toolkitFile)
    for (const Problem &problem : std::exchange(file.problems, {}))
      diags.report(problem);
  if (file.unit && !file.toolkitFile)
    pendingUses.push_back(file.unit);
  return file.unit;
}

std::vector<const ast::Unit *> SourceFiles::units(StringRef ns, Kind kind, StringRef name) {
  std::vector<const ast::Unit *> result;
  for (SourceFile *file : files(ns)) {
    const FileSummary &s = file->summary;
    bool defines = kind == Kind::Function   ? s.functions.contains(name)
                   : kind == Kind::Operator ? s.operators.contains(name)
                                            : s.types.contains(name);
    if (defines)
      if (ast::Unit *unit = parsed(*file))
        result.push_back(unit);
  }
  return result;
}
