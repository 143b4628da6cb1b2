//===- Commands.cpp - what the commands do with a compilation -------------===//
#include "codegen/segments/InPlace.h"
#include "codegen/segments/WholeBatches.h"
#include "codegen/selections/Selections.h"
#include "codegen/target/Cpu.h"
#include "codegen/target/Target.h"
#include "passes/print/Explain.h"
#include "passes/print/PrintGraph.h"
#include "tools/driver/Compile.h"
#include "tools/driver/Output.h"
#include "tools/driver/Progress.h"
#include "tools/driver/checkpoint/Unsaved.h"
#include "tools/driver/native/NativeCode.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace sluice;
using namespace sluice::driver;

int driver::runCommand(const DriverOptions &options) {
  auto context = std::make_unique<llvm::LLVMContext>();
  auto target = createTarget("", "native");
  if (!target)
    return fail(target.takeError());
  std::unique_ptr<llvm::Module> code;
  StepClock clock;
  {
    Compilation c(options);
    code = c.optimise(*context, **target);
    if (!c.finish(code != nullptr) || !code)
      return c.failure();
    if (!loadNative(c, (*target)->getTargetTriple()))
      return c.failure();
    clock = c.clock;
  }
  auto compiled = [&] {
    endProgress();
    clock.note("machine code");
  };
  std::vector<std::string> arguments = options.programArgs;
  arguments.insert(arguments.begin(), "sluice run " + options.input); // in hints and help
  auto code_ =
      runInProcess(std::move(context), std::move(code), std::move(*target), arguments, compiled);
  return code_ ? *code_ : fail(code_.takeError());
}

int driver::jobCommand(DriverOptions options) {
  options.programArgs.push_back("--new-job=" + options.hosts);
  if (!options.output.empty() && options.output != "-")
    options.programArgs.push_back("--job=" + options.output);
  if (options.fromStdin() || llvm::StringRef(options.input).ends_with(".spl"))
    return runCommand(options); // the program knows what its processes are
  llvm::SmallString<128> program(options.input);
  if (std::error_code error = llvm::sys::fs::make_absolute(program))
    return fail(llvm::errorCodeToError(error));
  if (!llvm::sys::fs::can_execute(program))
    return fail(llvm::createStringError("`" + options.input +
                                        "` is neither a program, FILE.spl, nor an executable"));
  auto code = llvm::MemoryBuffer::getFile(program, /*IsText=*/false, false);
  if (code && !(*code)->getBuffer().contains("--new-job")) // an option of all that are built
    return fail(llvm::createStringError("`" + options.input +
                                        "` is no program that `sluice build` has made"));
  if (options.pes != DriverOptions().pes)
    options.programArgs.push_back("--pes=" + options.pes);
  std::vector<llvm::StringRef> args = {options.input};
  args.insert(args.end(), options.programArgs.begin(), options.programArgs.end());
  return llvm::sys::ExecuteAndWait(program, args);
}

/// What --format says, else the ending of -o.
static GraphFormat graphFormatOf(const DriverOptions &options) {
  std::string ending = llvm::sys::path::extension(options.output).lower();
  auto known =
      symbolizeGraphFormat(llvm::StringRef(ending).drop_while([](char c) { return c == '.'; }));
  return options.format ? *options.format : known.value_or(GraphFormat::Dot);
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
  auto unsaved = findUnsaved(c);
  if (!unsaved)
    return c.failure();
  return writeOutput(options.output, [&](llvm::raw_ostream &os) {
    explainPlacement(*c.module, inPlaceHeads(*c.module), explainSteps(*c.module),
                     runningWholeBatches(*c.module), os);
    explainCheckpoints(*c.module, *unsaved, os);
    return llvm::Error::success();
  });
}

/// BUILD of TREE/build/PRESET, where this driver was built.
static std::string buildDir() {
  llvm::SmallString<128> build(executablePath());
  llvm::sys::path::append(build, "../..");
  llvm::sys::path::remove_dots(build, /*remove_dot_dot=*/true);
  return std::string(build);
}

std::string driver::sourceTree() {
  llvm::SmallString<128> tree(buildDir()), script;
  llvm::sys::path::append(tree, "../..");
  llvm::sys::path::remove_dots(tree, /*remove_dot_dot=*/true);
  llvm::sys::path::append(script, tree, "test/run.py");
  return llvm::sys::fs::exists(script) ? std::string(tree) : "";
}

int driver::scriptCommand(const DriverOptions &options, llvm::StringRef script) {
  llvm::SmallString<128> path(sourceTree());
  if (path.empty())
    return fail(llvm::createStringError(
        "this command needs the source tree, and this driver is installed without it: call "
        "the script `sluice` at the top of the tree"));
  llvm::sys::path::append(path, script);
  auto python = llvm::sys::findProgramByName("python3");
  if (!python)
    return fail(llvm::createStringError("python3 is needed for this command"));
  std::string build = buildDir();
  std::vector<llvm::StringRef> args = {*python, path, "--build", build};
  args.insert(args.end(), options.rest.begin(), options.rest.end());
  return llvm::sys::ExecuteAndWait(*python, args);
}
