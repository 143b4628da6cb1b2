//===- Link.cpp - object files to executables -----------------------------===//
//
// SLUICE_LIBOMP, SLUICE_CROSS_LIBGOMP: the OpenMP libraries that the runtime's team was built for,
// on x86-64 and on ppc64le; empty where it is made of plain threads (runtime/queue/Team.h).
//
//===----------------------------------------------------------------------===//
#include "codegen/target/Target.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace sluice;

std::string sluice::runtimeDir(llvm::StringRef libDir, const llvm::Triple &triple) {
  llvm::SmallString<128> path(libDir);
  llvm::sys::path::append(path, "sluice",
                          triple.isPPC64() ? "powerpc64le-linux-gnu" : "x86_64-linux-gnu");
  return std::string(path);
}

llvm::StringRef sluice::teamOf(const llvm::Triple &triple) {
  if (triple.isX86())
    return *SLUICE_LIBOMP ? "OpenMP (libomp)" : "threads";
  return *SLUICE_CROSS_LIBGOMP ? "OpenMP (libgomp)" : "threads";
}

/// What the linker needs for the team. libomp is found where it is installed here; libgomp becomes
/// part of the program.
static std::vector<std::string> teamLibraries(const llvm::Triple &triple) {
  if (!triple.isX86())
    return *SLUICE_CROSS_LIBGOMP ? std::vector<std::string>{"-l:" SLUICE_CROSS_LIBGOMP}
                                 : std::vector<std::string>{};
  if (!*SLUICE_LIBOMP)
    return {};
  llvm::StringRef folder = llvm::sys::path::parent_path(SLUICE_LIBOMP);
  return {SLUICE_LIBOMP, "-Wl,-rpath," + folder.str()};
}

llvm::Error sluice::linkProgram(llvm::StringRef object, llvm::StringRef output,
                                const llvm::Triple &triple, llvm::StringRef libDir) {
  auto clang = llvm::sys::findProgramByName("clang++-22");
  if (!clang)
    return llvm::createStringError(
        "clang++-22 is needed to link a program: install the package clang-22");
  std::string dir = runtimeDir(libDir, triple), rt = dir + "/libsluicert.a",
              std = dir + "/libsluicestd.a";
  for (const std::string &file : {rt, std})
    if (!llvm::sys::fs::exists(file))
      return llvm::createStringError("the runtime for this target was not built: `" + file +
                                     "` is missing");
  // Native operators register themselves at load time: keep all of the toolkit.
  std::vector<std::string> args = {*clang,
                                   "--target=" + triple.str(),
                                   "-fuse-ld=lld",
                                   object.str(),
                                   "-o",
                                   output.str(),
                                   "-Wl,--whole-archive",
                                   std,
                                   "-Wl,--no-whole-archive",
                                   rt};
  for (std::string &library : teamLibraries(triple))
    args.push_back(std::move(library));
  for (const char *library : {"-lpthread", "-ldl", "-lm"})
    args.push_back(library);
  // The runtime of this machine was built with it, too.
  if (*SLUICE_SANITIZE && triple.isX86())
    args.push_back("-fsanitize=" SLUICE_SANITIZE);
  std::vector<llvm::StringRef> words(args.begin(), args.end());
  std::string message;
  int status = llvm::sys::ExecuteAndWait(*clang, words, std::nullopt, {}, 0, 0, &message);
  if (status)
    return llvm::createStringError("linking failed" + (message.empty() ? "" : ": " + message));
  return llvm::Error::success();
}
