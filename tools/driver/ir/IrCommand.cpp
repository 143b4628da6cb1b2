//===- IrCommand.cpp - sluice ir ------------------------------------------===//
#include "codegen/target/Cpu.h"
#include "codegen/target/Target.h"
#include "frontend/syntax/ASTPrinter.h"
#include "tools/driver/Compile.h"
#include "tools/driver/Output.h"
#include "tools/driver/ir/Aliases.h"
#include "tools/driver/ir/Listing.h"
#include "tools/driver/ir/OnlyCode.h"
#include "tools/driver/ir/TextDiff.h"
#include "llvm/Support/Process.h"

using namespace sluice;
using namespace sluice::driver;

static int printSyntax(const DriverOptions &options) {
  Compilation c(options);
  bool ok = c.parse();
  if (!c.finish(ok))
    return c.failure();
  return writeOutput(options.output, [&](llvm::raw_pwrite_stream &os) {
    printAST(*c.unit, os);
    return llvm::Error::success();
  });
}

static int printPhase(const DriverOptions &options) {
  Compilation c(options);
  nameTupleTypes(c.context);
  bool ok = c.lowerTo(options.stopAfter.value_or(Phase::LLVM));
  if (!c.finish(ok) || !c.module)
    return c.failure();
  auto text = listModule(*c.module, c.diagnostics, {options.only, options.source});
  if (!text)
    return refuse(text.takeError());
  return writeOutput(options.output, [&](llvm::raw_pwrite_stream &os) {
    os << *text;
    return llvm::Error::success();
  });
}

static int printDifference(const DriverOptions &options) {
  DiffSide sides[2];
  DriverOptions each = options;
  for (auto [side, phase] : llvm::zip_equal(sides, *options.diff)) {
    Compilation c(each);
    if (!c.lowerTo(phase))
      return c.failure();
    auto text = listModule(*c.module, c.diagnostics, {options.only, options.source, true});
    if (!text)
      return refuse(text.takeError());
    side = {phases()[unsigned(phase)].name.str(), std::move(*text)};
    each.warnings = Diagnostics::Warnings::Hidden; // the second time they are the same
  }
  bool colours = options.output.empty() && llvm::sys::Process::StandardOutHasColors() &&
                 llvm::outs().colors_enabled();
  return writeOutput(options.output, [&](llvm::raw_pwrite_stream &os) {
    printDiff(sides[0], sides[1], colours, os);
    return llvm::Error::success();
  });
}

static int printCode(const DriverOptions &options) {
  Compilation c(options);
  llvm::LLVMContext context;
  auto target = createTarget(options.target, options.cpu);
  if (!target)
    return refuse(target.takeError());
  auto code = c.optimise(context, **target);
  if (!code)
    return c.failure();
  if (!options.only.empty())
    if (llvm::Error error = keepOnly(*code, *c.module, options.only))
      return refuse(std::move(error));
  return writeOutput(options.output, [&](llvm::raw_pwrite_stream &os) -> llvm::Error {
    if (options.emit != "llvm")
      return emitCode(*code, **target, os, options.emit == "asm");
    code->print(os, nullptr);
    return llvm::Error::success();
  });
}

int driver::irCommand(const DriverOptions &options) {
  if (options.diff)
    return printDifference(options);
  if (options.emit == "ast")
    return printSyntax(options);
  return options.emit.empty() || options.emit == "mlir" ? printPhase(options) : printCode(options);
}
