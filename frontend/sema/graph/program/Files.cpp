//===- Files.cpp - operators that meet in one file --------------------------===//
//
// Two operators that write one file spoil it, and one that reads what another writes sees a part
// of it. Where the names are constants, that is a warning. To write a source file of the program is
// an error.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/GraphSema.h"
#include "frontend/sema/typed/TextOrder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

namespace {
struct User {
  const typed::Parameter *param;
  bool writes;
  Range range() const { return param->values.front()->range; }
};
using FileUsers = std::map<std::string, llvm::SmallVector<User, 2>>;
} // namespace

/// The file that the parameter names, if that is known and a file: no device holds what it gets.
static std::string fileOf(const typed::Parameter &param) {
  auto *value = llvm::dyn_cast<typed::ConstExpr>(param.values.front().get());
  if (!value || value->type->kind != SplType::RString)
    return "";
  llvm::SmallString<128> path(value->text());
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return StringRef(path).starts_with("/dev/") ? "" : path.str().str();
}

static void collect(const typed::Composite &composite, FileUsers &files) {
  for (const typed::Item &item : typed::inTextOrder(composite)) {
    if (item.inner) {
      collect(*item.inner, files);
      continue;
    }
    for (bool writes : {false, true}) {
      StringRef name = writes ? item.op->facts.writesFile : item.op->facts.readsFile;
      const typed::Parameter *param = name.empty() ? nullptr : item.op->param(name);
      if (std::string file = param ? fileOf(*param) : ""; !file.empty())
        files[file].push_back({param, writes});
    }
  }
}

/// Whether the program was read from that file. Relative names begin in the folder `data`.
static bool isSource(const Diagnostics &diags, StringRef file, StringRef appDir) {
  llvm::SmallString<128> path(file);
  if (!llvm::sys::path::is_absolute(file)) {
    path = appDir;
    llvm::sys::path::append(path, "data", file);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true); // `data` need not be there
  }
  for (uint32_t source = 1; source <= diags.files(); ++source)
    if (llvm::sys::fs::equivalent(path, diags.path(source)))
      return true;
  return false;
}

void sema::checkFiles(GraphSema &graph) {
  if (graph.diags.errors())
    return;
  FileUsers files;
  collect(graph.sema.program->main, files);
  for (auto &[file, users] : files) {
    auto writer = llvm::find_if(users, [](const User &user) { return user.writes; });
    if (writer == users.end())
      continue;
    if (isSource(graph.diags, file, graph.modules.applicationDir())) {
      for (const User &user : users)
        if (user.writes)
          graph.diags.report(user.range(), Diag::err_file_of_program, file);
      continue;
    }
    for (const User &user : users) {
      if (&user == writer)
        continue;
      auto warning = graph.diags.report(
          user.range(),
          user.writes ? Diag::warn_file_written_twice : Diag::warn_file_read_and_written, file);
      graph.diags.note(warning, writer->range(), Diag::note_written_here);
    }
  }
}
