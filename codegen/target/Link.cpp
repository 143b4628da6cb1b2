//===- Link.cpp - object files to executables -----------------------------===//
//
// Executables are to run where nothing of ours is installed: but for the C library, all libraries
// become part of them. SLUICE_LIBGOMP, SLUICE_CROSS_LIBGOMP: the OpenMP library for the workers, on
// x86-64 and on ppc64le; empty where they are plain threads (runtime/queue/Team.h).
// SLUICE_TOOLKITS: the folders of toolkits/, with commas.
//
//===----------------------------------------------------------------------===//
#include "codegen/target/Target.h"
#include "support/Processes.h"
#include "support/TemporaryFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace sluice;

/// What users call a target.
static llvm::StringRef nameOf(const llvm::Triple &triple) {
  return triple.isPPC64() ? "powerpc64le-linux-gnu" : "x86_64-linux-gnu";
}

std::string sluice::runtimeDir(llvm::StringRef libDir, const llvm::Triple &triple) {
  llvm::SmallString<128> path(libDir);
  llvm::sys::path::append(path, "sluice", nameOf(triple));
  return std::string(path);
}

static llvm::StringRef openMPLibrary(const llvm::Triple &triple) {
  return triple.isX86() ? SLUICE_LIBGOMP : SLUICE_CROSS_LIBGOMP;
}

llvm::StringRef sluice::teamOf(const llvm::Triple &triple) {
  return openMPLibrary(triple).empty() ? "threads" : "OpenMP (libgomp)";
}

/// Whether the program has an operator of the toolkit: its namespaces begin with the name of that.
static bool isNeeded(llvm::StringRef toolkit, const llvm::StringSet<> &namespaces) {
  std::string name = ("com.ibm.streamsx." + toolkit).str();
  return llvm::any_of(namespaces.keys(), [&](llvm::StringRef ns) {
    return ns.consume_front(name) && (ns.empty() || ns.starts_with("."));
  });
}

/// The archives of the runtime, behind each other as the linker is to see them; or which is
/// missing. `whole`: how many of them are linked as a whole: native operators register themselves
/// at load time. Of the others the linker takes what the program calls.
static llvm::Expected<std::vector<std::string>>
runtimeLibraries(const llvm::Triple &triple, llvm::StringRef libDir,
                 const llvm::StringSet<> &namespaces, size_t &whole) {
  std::vector<std::string> names = {"libsluicestd.a"}, called;
  for (llvm::StringRef toolkit : llvm::split(SLUICE_TOOLKITS, ','))
    (isNeeded(toolkit, namespaces) ? names : called)
        .push_back(("libsluice-" + toolkit + ".a").str());
  whole = names.size();
  names.insert(names.end(), called.begin(), called.end());
  names.push_back("libsluicert.a");
  if (!openMPLibrary(triple).empty())
    names.push_back("libsluiceteam.a");
  names.push_back("libbid.a");
  for (std::string &name : names) {
    name = runtimeDir(libDir, triple) + "/" + name;
    if (!llvm::sys::fs::exists(name))
      return llvm::createStringError("the runtime for this target was not built: `" + name +
                                     "` is missing");
  }
  // Where there is none, threads do its work (runtime/base/AsyncIo.h).
  if (std::string io = runtimeDir(libDir, triple) + "/liburing.a"; llvm::sys::fs::exists(io))
    names.push_back(io);
  return names;
}

/// Whether the linker finds a library of the target, as the compiler says.
static bool hasLibrary(llvm::StringRef clang, const std::string &target, llvm::StringRef name) {
  auto output = TemporaryFile::make("txt");
  if (!output) {
    llvm::consumeError(output.takeError());
    return true; // the linker will tell
  }
  std::string question = ("-print-file-name=" + name).str();
  std::optional<llvm::StringRef> files[] = {std::nullopt, llvm::StringRef(output->path()),
                                            std::nullopt};
  if (llvm::sys::ExecuteAndWait(clang, {clang, target, question}, std::nullopt, files))
    return true;
  auto text = llvm::MemoryBuffer::getFile(output->path());
  return !text || llvm::sys::path::is_absolute((*text)->getBuffer().trim());
}

llvm::Error sluice::checkLibrary(llvm::StringRef clang, const llvm::Triple &triple) {
  if (hasLibrary(clang, "--target=" + triple.str(), "libstdc++.a"))
    return llvm::Error::success();
  return llvm::createStringError(
      "the C++ library of " + nameOf(triple) + " is missing: install " +
      (triple.isPPC64() ? "libstdc++-12-dev-ppc64el-cross" : "libstdc++-12-dev"));
}

/// What the linker could not write, if that is why it failed: its own message asks for a report.
static llvm::StringRef writeFailure(llvm::StringRef errors) {
  if (errors.contains("File size limit exceeded")) // by a signal
    return "File too large";
  llvm::StringRef behind = errors.split("IO failure on output stream: ").second;
  return behind.split('\n').first;
}

static llvm::Error runLinker(llvm::StringRef clang, llvm::ArrayRef<llvm::StringRef> words,
                             llvm::StringRef output) {
  auto said = TemporaryFile::make("link");
  if (!said)
    return said.takeError();
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      clang, words, std::nullopt, {std::nullopt, std::nullopt, llvm::StringRef(said->path())}, 0, 0,
      &message);
  auto errors = llvm::MemoryBuffer::getFile(said->path());
  llvm::StringRef text = errors ? (*errors)->getBuffer() : "";
  if (llvm::StringRef reason = writeFailure(text); status && !reason.empty())
    return llvm::createStringError("cannot write in " + llvm::sys::path::parent_path(output) +
                                   ": " + reason);
  if (status && saysTooMany(text)) // by clang, which starts the linker
    message = text;
  else
    llvm::errs() << text;
  if (status)
    return llvm::createStringError("linking failed" +
                                   (message.empty() ? "" : ": " + whyNotStarted(message)));
  return llvm::Error::success();
}

llvm::Error sluice::linkProgram(llvm::ArrayRef<std::string> objects, llvm::StringRef output,
                                const llvm::Triple &triple, llvm::StringRef libDir,
                                const llvm::StringSet<> &namespaces) {
  auto clang = llvm::sys::findProgramByName("clang++-22");
  if (!clang)
    return llvm::createStringError(
        "clang++-22 is needed to link a program: install the packages clang-22 and lld-22");
  size_t whole;
  auto runtime = runtimeLibraries(triple, libDir, namespaces, whole);
  if (!runtime)
    return runtime.takeError();
  std::string target = "--target=" + triple.str();
  if (llvm::Error missing = checkLibrary(*clang, triple))
    return missing;
  // One thread: more are not faster for so little, and may be refused, which the linker aborts on.
  std::vector<std::string> args = {*clang, target,      "-fuse-ld=lld", "-Wl,--threads=1",
                                   "-o",   output.str()};
  args.insert(args.end(), objects.begin(), objects.end());
  args.push_back("-Wl,--whole-archive");
  args.insert(args.end(), runtime->begin(), runtime->begin() + whole);
  args.push_back("-Wl,--no-whole-archive");
  args.insert(args.end(), runtime->begin() + whole, runtime->end());
  if (!openMPLibrary(triple).empty())
    args.push_back(("-l:" + openMPLibrary(triple)).str());
  args.insert(args.end(), {"-lpthread", "-ldl", "-lm"});
  // The runtime of this machine was built with it, too; its libraries are those of this machine.
  if (*SLUICE_SANITIZE && triple.isX86())
    args.push_back("-fsanitize=" SLUICE_SANITIZE);
  else
    args.insert(args.end(), {"-static-libstdc++", "-static-libgcc", "-Wl,--gc-sections"});
  std::vector<llvm::StringRef> words(args.begin(), args.end());
  return runLinker(*clang, words, output);
}
