//===- sema.cpp - fuzzing the checks of programs ----------------*- C++ -*-===//
//
// Whatever the bytes: a program, or at least one problem that prints. The file is checked with the
// standard toolkit, as `sluice check` does it. Its size chooses whether it must have a main
// composite.
//
//===----------------------------------------------------------------------===//
#include "frontend/Frontend.h"
#include "frontend/diagnostics/DiagnosticPrinter.h"
#include "llvm/Support/FileSystem.h"
#include <cstdlib>

using namespace sluice;

/// An empty folder: nothing but the toolkit lies beside the file.
static std::string emptyFolder() {
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("fuzz-sema", folder))
    abort();
  return std::string(folder);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const std::string folder = emptyFolder();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  Diagnostics diagnostics(&context);
  DiagnosticPrinter printer(diagnostics, llvm::nulls(), /*limit=*/20);
  ASTContext ast;
  TypeContext types;
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  uint32_t file = diagnostics.add(llvm::MemoryBuffer::getMemBufferCopy(text, folder + "/Main.spl"));
  ast::Unit *unit = parse(ast, diagnostics, file);
  if (unit && diagnostics.isClean()) {
    FrontendOptions options;
    options.appDir = folder;
    options.stdlibDir = SLUICE_TOOLKIT_DIR;
    options.anyFile = size & 1;
    if (analyze(ast, types, diagnostics, unit, options))
      return 0;
  }
  if (diagnostics.isClean())
    abort();
  return 0;
}
