//===- Build.cpp - `sluice build` -----------------------------------------===//
#include "codegen/target/Target.h"
#include "codegen/target/Variants.h"
#include "tools/driver/Compile.h"
#include "tools/driver/Output.h"
#include "tools/driver/Progress.h"
#include "tools/driver/native/NativeCode.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace sluice;
using namespace sluice::driver;

static llvm::Error noTemporaryFile(std::error_code error) {
  llvm::SmallString<128> folder;
  llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, folder);
  return llvm::createStringError("cannot make a temporary file in " + folder.str() + ": " +
                                 error.message());
}

/// Writes object code to a new temporary file, whose name is added to `files`.
static llvm::Error writeObject(const ObjectCode &code, std::vector<std::string> &files) {
  llvm::SmallString<128> path;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("sluice", "o", path))
    return noTemporaryFile(error);
  files.push_back(std::string(path));
  return writeFile(path, llvm::StringRef(code.data(), code.size()));
}

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

static llvm::Error link(llvm::ArrayRef<ObjectCode> objects, const LinkerInputs &native,
                        llvm::StringRef output, const llvm::Triple &triple) {
  std::vector<std::string> files;
  auto clean = llvm::scope_exit([&] {
    for (const std::string &file : files)
      llvm::sys::fs::remove(file);
  });
  for (const ObjectCode &object : objects)
    if (llvm::Error error = writeObject(object, files))
      return error;
  // Not by the linker: its messages would be about itself.
  llvm::SmallString<128> program;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile("sluice", "program", program))
    return noTemporaryFile(error);
  std::vector<std::string> inputs = files;
  inputs.insert(inputs.end(), native.begin(), native.end());
  llvm::Error error = linkProgram(inputs, program, triple, libraryDir());
  files.push_back(std::string(program));
  if (error)
    return error;
  std::error_code placed = place(program, output);
  return placed ? cannotWrite(output, placed) : llvm::Error::success();
}

int driver::buildCommand(const DriverOptions &options) {
  auto targets = createTargets(options.target, options.cpu.empty() ? "levels" : options.cpu);
  if (!targets)
    return refuse(targets.takeError());
  std::string output =
      options.output.empty() ? llvm::sys::path::stem(options.input).str() : options.output;
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
  llvm::Error error = link(*objects, *native, output, code->getTargetTriple());
  c.clock.note("link");
  if (error)
    return fail(std::move(error));
  endProgress();
  if (options.output.empty())
    llvm::errs() << "sluice: " << output << " is written\n";
  return 0;
}
