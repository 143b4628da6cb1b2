//===- Unreadable.cpp - files with errors, and names of several files -------===//
//
// Nothing is known of what a file with a syntax error declares. Where something is unknown that
// may stand there, that error is reported, and not what follows from it.
//
//===----------------------------------------------------------------------===//
#include "frontend/modules/ModuleTable.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

std::vector<std::string> SourceFiles::visible(const ast::Unit *from, StringRef ns) {
  if (!ns.empty())
    return {ns.str()};
  std::vector<std::string> result = {from->ns.str()};
  for (const ast::UseDecl &use : from->uses)
    if (std::string used = use.path.str(); !llvm::is_contained(result, used))
      result.push_back(std::move(used));
  return result;
}

void SourceFiles::reportProblems(SourceFile &file, Range use, StringRef name) {
  bool isFirst = true;
  for (const Problem &problem : std::exchange(file.problems, {})) {
    auto error = diags.report(problem);
    markCause(error, file.number);
    if (std::exchange(isFirst, false))
      diags.note(error, use, Diag::note_read_for, name);
  }
}

bool SourceFiles::hasWord(SourceFile &file, StringRef name) {
  if (file.isOpaque)
    return true;
  if (file.toolkitFile || file.native || file.cppOperator)
    return false;
  if (!file.words) {
    auto buffer = file.file ? nullptr : llvm::MemoryBuffer::getFile(file.path);
    file.words = wordsOf(file.file ? diags.text(file.file) : buffer ? (*buffer)->getBuffer() : "");
  }
  return file.words->contains(name);
}

bool SourceFiles::isNeighbour(const SourceFile &file, const ast::Unit *from, StringRef ns) {
  return file.isOwn && ns.empty() && file.summary.ns == from->ns.str();
}

bool ModuleTable::reportUnreadable(Range use, const ast::Unit *from, StringRef ns, StringRef name) {
  bool any = false;
  auto report = [&](SourceFile &file) {
    any = true;
    if (file.problems.empty())
      diags.withhold(); // they were reported
    reportProblems(file, use, name);
  };
  auto lookIn = [&](const std::string &in) {
    for (SourceFile *file : files(in)) {
      bool mayDefine = isNeighbour(*file, from, ns)
                           ? file->parsed && (file->isOpaque ? file->problems.empty()
                                                             : file->summary.mentions(name))
                           : hasWord(*file, name);
      if (mayDefine && !parsed(*file))
        report(*file);
    }
  };
  if (!ns.empty()) {
    lookIn(ns.str());
    return any;
  }
  lookIn(from->ns.str());
  for (const ast::UseDecl &directive : from->uses)
    if (directive.name.text.empty() || directive.name.text == name)
      lookIn(directive.path.str());
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
  auto error = suspicions.report({{Doubt::SeveralFiles, Subject::called((ns + "::" + name).str())}},
                                 use, Diag::err_several_files, name);
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
      if (in == from->ns.str() || file->isOwn || file->unit == chosen ||
          !namesOf(file->summary, kind).contains(name))
        continue;
      hiding.insert(name);
      auto warning = diags.report(use, Diag::warn_hiding, name, in + "::" + name.str());
      return diags.note(warning, definition, Diag::note_defined_here, name);
    }
}

bool ModuleTable::noteUnreadable(mlir::InFlightDiagnostic &error, const ast::Unit *from,
                                 StringRef ns, StringRef name, bool isDeclared) {
  static constexpr unsigned most = 2;
  unsigned notes = 0;
  llvm::SmallVector<unsigned> mayDefine;
  for (const std::string &in : visible(from, ns))
    for (SourceFile *file : files(in)) {
      bool isOfLibrary = !file->toolkitFile && !isNeighbour(*file, from, ns);
      if (!file->unit && ((isDeclared && isOfLibrary) || hasWord(*file, name)))
        mayDefine.push_back(file->number);
      if (notes == most || (!file->isOpaque && !file->summary.mentions(name)) || parsed(*file) ||
          file->problems.empty())
        continue;
      ++notes;
      const Problem &first = file->problems.front();
      diags.note(error, first.range, Diag::note_unreadable, Diagnostics::message(first));
    }
  markDoubtful(error, mayDefine);
  return notes > 0;
}
