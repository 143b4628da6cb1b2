//===- Check.cpp - sluice check -------------------------------------------===//
#include "tools/driver/Compile.h"
#include "tools/driver/Output.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace sluice;
using namespace sluice::driver;
using llvm::StringRef;

/// Adds the programs in `folder` and in the folders inside, by name. Hidden ones are left out, and
/// links to folders are not followed: they may lead back.
static llvm::Error addPrograms(StringRef folder, std::vector<std::string> &files) {
  namespace fs = llvm::sys::fs;
  std::error_code error;
  size_t before = files.size();
  for (fs::recursive_directory_iterator it(folder, error, /*follow_symlinks=*/false), end;
       it != end && !error; it.increment(error)) {
    StringRef name = llvm::sys::path::filename(it->path());
    if (name.starts_with("."))
      it.no_push();
    else if ((name.ends_with(".spl") || name.ends_with(".splmm")) && !fs::is_directory(it->path()))
      files.push_back(it->path());
  }
  if (error)
    return llvm::createStringError("cannot read the folder `" + folder + "`: " + error.message());
  if (files.size() == before)
    return llvm::createStringError("there is no file *.spl in the folder `" + folder + "`");
  std::sort(files.begin() + long(before), files.end());
  return llvm::Error::success();
}

/// The files that the command line names, and those of the folders.
static llvm::Expected<std::vector<std::string>> programsOf(const DriverOptions &options) {
  std::vector<std::string> files;
  for (const std::string &word : options.words()) {
    if (word == "-" && !options.more.empty())
      return llvm::createStringError("`-` is checked alone: give no other files");
    if (!llvm::sys::fs::is_directory(word))
      files.push_back(word);
    else if (llvm::Error error = addPrograms(word, files))
      return error;
  }
  return files;
}

static int checkOne(const DriverOptions &options, Said *said) {
  Compilation c(options, said);
  bool ok = c.analyse();
  return c.finish(ok) ? 0 : c.failure();
}

int driver::checkCommand(const DriverOptions &options) {
  auto files = programsOf(options);
  if (!files)
    return refuse(files.takeError());
  if (files->size() == 1 && files->front() == options.input)
    return checkOne(options, nullptr);
  DriverOptions each = options;
  // What several programs use is told once.
  Said said{{}, std::make_shared<ErrorLimit>(llvm::errs(), options.errorLimit)};
  size_t wrong = 0;
  int worst = 0;
  for (const std::string &file : *files) {
    each.input = file;
    int code = checkOne(each, &said);
    wrong += code != 0;
    worst = std::max(worst, code);
  }
  said.limit.reset();
  if (!options.json)
    llvm::errs() << "sluice: " << files->size() << (files->size() == 1 ? " file" : " files")
                 << " checked, " << wrong << " with errors\n";
  return worst;
}
