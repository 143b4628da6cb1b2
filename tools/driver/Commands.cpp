//===- Commands.cpp - what the commands do with a compilation -------------===//
#include "codegen/target/Target.h"
#include "passes/print/Explain.h"
#include "passes/print/PrintGraph.h"
#include "tools/driver/Compile.h"
#include "tools/driver/Output.h"
#include "tools/driver/Progress.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace sluice;
using namespace sluice::driver;

int driver::checkCommand(const DriverOptions &options) {
  Compilation c(options);
  bool ok = c.analyse();
  return c.finish(ok) ? 0 : c.failure();
}

int driver::runCommand(const DriverOptions &options) {
  auto context = std::make_unique<llvm::LLVMContext>();
  auto target = createTarget("");
  if (!target)
    return fail(target.takeError());
  std::unique_ptr<llvm::Module> code;
  {
    Compilation c(options);
    code = c.translate(*context, **target, /*withMain=*/false);
    if (!c.finish(code != nullptr) || !code)
      return c.failure();
  }
  std::vector<std::string> arguments = options.programArgs;
  arguments.insert(arguments.begin(), "sluice run " + options.input); // in hints and help
  auto code_ =
      runInProcess(std::move(context), std::move(code), std::move(*target), arguments, endProgress);
  return code_ ? *code_ : fail(code_.takeError());
}

int driver::buildCommand(const DriverOptions &options) {
  llvm::LLVMContext context;
  auto target = createTarget(options.target);
  if (!target)
    return fail(target.takeError());
  Compilation c(options);
  auto code = c.translate(context, **target, /*withMain=*/true);
  if (!code)
    return c.failure();
  llvm::SmallString<128> object;
  int fd;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("sluice", "o", fd, object))
    return fail(llvm::createStringError("cannot make a temporary file: " + error.message()));
  {
    llvm::raw_fd_ostream os(fd, /*shouldClose=*/true);
    if (llvm::Error error = emitCode(*code, **target, os, /*assembly=*/false))
      return fail(std::move(error));
  }
  std::string output =
      options.output.empty() ? llvm::sys::path::stem(options.input).str() : options.output;
  showStep("linking");
  llvm::Error error = linkProgram(object, output, (*target)->getTargetTriple(), libraryDir());
  llvm::sys::fs::remove(object);
  if (error)
    return fail(std::move(error));
  endProgress();
  if (options.output.empty())
    llvm::errs() << "sluice: " << output << " is written\n";
  return 0;
}

/// What --format says, else the ending of -o.
static GraphFormat graphFormatOf(const DriverOptions &options) {
  llvm::StringRef ending =
      llvm::sys::path::extension(options.output).drop_while([](char c) { return c == '.'; });
  return options.format ? *options.format : parseGraphFormat(ending).value_or(GraphFormat::Dot);
}

int driver::graphCommand(const DriverOptions &options) {
  Compilation c(options);
  if (!c.lowerTo(Phase::Placed))
    return c.failure();
  return writeOutput(options.output, [&](llvm::raw_ostream &os) {
    printGraph(*c.module, graphFormatOf(options), os);
    return llvm::Error::success();
  });
}

int driver::explainCommand(const DriverOptions &options) {
  Compilation c(options);
  if (!c.lowerTo(Phase::Placed))
    return c.failure();
  return writeOutput(options.output, [&](llvm::raw_ostream &os) {
    explainPlacement(*c.module, os);
    return llvm::Error::success();
  });
}

int driver::scriptCommand(const DriverOptions &options, llvm::StringRef script) {
  std::string path = std::string(SLUICE_SOURCE_DIR) + "/" + script.str();
  if (!llvm::sys::fs::exists(path))
    return fail(llvm::createStringError(
        "`" + path +
        "` is missing: this command needs the source tree that sluice was built from"));
  auto python = llvm::sys::findProgramByName("python3");
  if (!python)
    return fail(llvm::createStringError("python3 is needed for this command"));
  std::vector<llvm::StringRef> args = {*python, path, "--build", SLUICE_BUILD_DIR};
  args.insert(args.end(), options.rest.begin(), options.rest.end());
  return llvm::sys::ExecuteAndWait(*python, args);
}
