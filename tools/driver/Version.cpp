//===- Version.cpp - sluice --version -------------------------------------===//
#include "tools/driver/Version.h"
#include "codegen/target/Target.h"
#include "tools/driver/Compile.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace sluice;

void driver::printVersion() {
  llvm::outs() << "sluice " SLUICE_VERSION "\nLLVM " LLVM_VERSION_STRING "\ntargets:\n";
  for (const char *name : {"x86_64-linux-gnu", "powerpc64le-linux-gnu"}) {
    llvm::Triple triple(name);
    if (llvm::sys::fs::exists(runtimeDir(libraryDir(), triple) + "/libsluicert.a"))
      llvm::outs() << "  " << llvm::left_justify(name, 22) << " workers: " << teamOf(triple)
                   << "\n";
  }
}
