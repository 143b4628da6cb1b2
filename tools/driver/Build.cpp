//===- Build.cpp - `sluice build` -----------------------------------------===//
#include "codegen/target/Target.h"
#include "codegen/target/Variants.h"
#include "tools/driver/Compile.h"
#include "tools/driver/Output.h"
#include "tools/driver/Progress.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace sluice;
using namespace sluice::driver;

/// Writes object code to a new temporary file, whose name is added to `files`.
static llvm::Error writeObject(const ObjectCode &code, std::vector<std::string> &files) {
  llvm::SmallString<128> path;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("sluice", "o", path))
    return llvm::createStringError("cannot make a temporary file: " + error.message());
  files.push_back(std::string(path));
  return writeFile(path, llvm::StringRef(code.data(), code.size()));
}

static llvm::Error link(llvm::ArrayRef<ObjectCode> objects, llvm::StringRef output,
                        const llvm::Triple &triple) {
  std::vector<std::string> files;
  auto clean = llvm::scope_exit([&] {
    for (const std::string &file : files)
      llvm::sys::fs::remove(file);
  });
  for (const ObjectCode &object : objects)
    if (llvm::Error error = writeObject(object, files))
      return error;
  return linkProgram(files, output, triple, libraryDir());
}

int driver::buildCommand(const DriverOptions &options) {
  auto targets = createTargets(options.target, options.cpu.empty() ? "levels" : options.cpu);
  if (!targets)
    return fail(targets.takeError());
  Compilation c(options);
  llvm::LLVMContext context;
  auto code = c.translate(context, *targets->front());
  if (!code)
    return c.failure();
  c.begin("making machine code");
  auto objects = emitVariants(*code, *targets, options.optLevel);
  if (!objects)
    return fail(objects.takeError());
  c.note("machine code");
  std::string output =
      options.output.empty() ? llvm::sys::path::stem(options.input).str() : options.output;
  c.begin("linking");
  llvm::Error error = link(*objects, output, code->getTargetTriple());
  c.note("link");
  if (error)
    return fail(std::move(error));
  endProgress();
  if (options.output.empty())
    llvm::errs() << "sluice: " << output << " is written\n";
  return 0;
}
