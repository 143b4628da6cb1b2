//===- Build.cpp - `sluice build` -----------------------------------------===//
#include "codegen/target/Target.h"
#include "codegen/target/Variants.h"
#include "support/TemporaryFile.h"
#include "tools/driver/Compile.h"
#include "tools/driver/Output.h"
#include "tools/driver/Progress.h"
#include "tools/driver/cluster/Cluster.h"
#include "tools/driver/native/NativeCode.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace sluice;
using namespace sluice::driver;

/// Why a program cannot be written to `output`, before time is spent on making one.
static std::error_code refusal(llvm::StringRef output) {
  if (llvm::sys::fs::is_directory(output))
    return std::make_error_code(std::errc::is_a_directory);
  llvm::StringRef folder = llvm::sys::path::parent_path(output);
  llvm::StringRef target = llvm::sys::fs::exists(output) ? output : folder.empty() ? "." : folder;
  return llvm::sys::fs::access(target, llvm::sys::fs::AccessMode::Write);
}

/// Whether a program of SPL stands where the executable is to be.
static bool isSource(llvm::StringRef output) {
  return llvm::sys::path::extension(output) == ".spl" && llvm::sys::fs::exists(output);
}

/// Moves a program to where it belongs. A program that runs there goes on with its own file.
static std::error_code place(llvm::StringRef program, llvm::StringRef output) {
  namespace fs = llvm::sys::fs;
  bool isFile = !fs::exists(output) || fs::is_regular_file(output);
  if (isFile) {
    fs::remove(output);
    if (!fs::rename(program, output))
      return {};
  }
  auto permissions = fs::getPermissions(program);
  std::error_code error = fs::copy_file(program, output); // another file system, or a device
  if (error && isFile)
    fs::remove(output); // half of it
  if (error || !isFile || !permissions)
    return error;
  return fs::setPermissions(output, *permissions);
}

/// Adds the namespaces of the operators in a composite.
static void findNamespaces(const typed::Composite &composite, llvm::StringSet<> &found) {
  for (const typed::Operator &op : composite.operators)
    found.insert(llvm::StringRef(op.kind).split("::").first);
  for (const typed::Composite &inner : composite.composites)
    findNamespaces(inner, found);
}

static llvm::Error link(llvm::ArrayRef<ObjectCode> objects, const LinkerInputs &native,
                        llvm::StringRef output, const llvm::Triple &triple,
                        const typed::Program &typed) {
  std::vector<TemporaryFile> files;
  std::vector<std::string> inputs;
  for (const ObjectCode &object : objects) {
    auto file = TemporaryFile::make("o");
    if (!file)
      return file.takeError();
    inputs.push_back(file->path());
    files.push_back(std::move(*file));
    llvm::StringRef code(object.data(), object.size());
    if (llvm::Error error = writeFile(inputs.back(), code))
      return error;
  }
  inputs.insert(inputs.end(), native.begin(), native.end());
  // Not by the linker: its messages would be about itself.
  auto program = TemporaryFile::make("program");
  if (!program)
    return program.takeError();
  llvm::StringSet<> namespaces;
  findNamespaces(typed.main, namespaces);
  if (llvm::Error error = linkProgram(inputs, program->path(), triple, libraryDir(), namespaces))
    return error;
  std::error_code placed = place(program->path(), output);
  return placed ? cannotWrite(output, placed) : llvm::Error::success();
}

int driver::buildCommand(const DriverOptions &options) {
  if (isForCluster(options.target))
    return buildForCluster(options);
  auto targets = createTargets(options.target, options.cpu.empty() ? "levels" : options.cpu);
  if (!targets)
    return refuse(targets.takeError());
  std::string output = options.written();
  if (isSource(output))
    return fail(llvm::createStringError("cannot write " + output + ": it is a program of SPL"));
  if (std::error_code error = refusal(output))
    return fail(options.output.empty()
                    ? llvm::joinErrors(cannotWrite(output, error),
                                       llvm::createStringError("Give another name with `-o`"))
                    : cannotWrite(output, error));
  Compilation c(options);
  llvm::LLVMContext context;
  auto code = c.translate(context, *targets->front());
  if (!code)
    return c.failure();
  auto native = compileNative(c, code->getTargetTriple());
  if (!native)
    return c.failure();
  c.begin("making machine code");
  auto objects = emitVariants(*code, *targets, options.optLevel);
  if (!objects)
    return fail(objects.takeError());
  c.clock.note("machine code");
  c.begin("linking");
  llvm::Error error = link(*objects, *native, output, code->getTargetTriple(), *c.program);
  c.clock.note("link");
  if (error)
    return fail(std::move(error));
  endProgress();
  if (options.output.empty())
    llvm::errs() << "sluice: " << output << " is written\n";
  return 0;
}
