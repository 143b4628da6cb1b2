//===- sluice.cpp - the driver --------------------------------------------===//
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "runtime/base/os.h"
#include "tools/driver/Compile.h"
#include "tools/driver/CrashReport.h"
#include "tools/driver/OptionTable.h"
#include "tools/driver/Output.h"
#include "tools/driver/Progress.h"
#include "llvm/Support/CommandLine.h"
#include <csignal>

using namespace sluice::driver;

int main(int argc, char **argv) {
  sluice::os::openStandardFiles();
  signal(SIGXFSZ, SIG_IGN); // a file that is too large is an error like others
  if (const char *wish = getenv("NO_COLOR"); wish && *wish) { // https://no-color.org
    llvm::outs().enable_colors(false);
    llvm::errs().enable_colors(false);
  }
  DriverOptions options;
  if (int code = parseCommandLine(argc, argv, options); code >= 0)
    return finishOutput(code);
  if (!options.mlirFlags.empty()) {
    mlir::registerPassManagerCLOptions();
    mlir::registerMLIRContextCLOptions();
    mlir::registerDefaultTimingManagerCLOptions();
    std::vector<const char *> flags = {"sluice"};
    for (const std::string &flag : options.mlirFlags)
      flags.push_back(flag.c_str());
    llvm::cl::ParseCommandLineOptions(flags.size(), flags.data());
  }
  const CommandInfo *command = findCommand(options.command);
  if (command->readsProgram())
    catchCrashes(options, executablePath(), toolkitDir());
  int code = command->run(options);
  endProgress();
  return finishOutput(code);
}
