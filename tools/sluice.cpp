//===- sluice.cpp - the driver --------------------------------------------===//
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "runtime/base/os.h"
#include "tools/driver/Compile.h"
#include "tools/driver/CrashReport.h"
#include "tools/driver/Output.h"
#include "tools/driver/Progress.h"
#include "tools/driver/trace/Trace.h"
#include "llvm/Support/CommandLine.h"
#include <csignal>

using namespace sluice::driver;

static int runCommandOf(const DriverOptions &options) {
  switch (options.command) {
  case Command::Run:
    return runCommand(options);
  case Command::Build:
    return buildCommand(options);
  case Command::Check:
    return checkCommand(options);
  case Command::Ir:
    return irCommand(options);
  case Command::Graph:
    return graphCommand(options);
  case Command::Explain:
    return explainCommand(options);
  case Command::Job:
    return jobCommand(options);
  case Command::Jobs:
    return jobsCommand();
  case Command::Doc:
    return docCommand(options);
  case Command::ExplainError:
    return explainErrorCommand(options);
  case Command::New:
    return newCommand(options);
  case Command::TraceShow:
    return traceShowCommand(options);
  case Command::TracePlot:
    return tracePlotCommand(options);
  case Command::TraceReplay:
    return traceReplayCommand(options);
  case Command::TraceDiff:
    return traceDiffCommand(options);
  case Command::TracePerfetto:
    return tracePerfettoCommand(options);
  case Command::Test:
    return scriptCommand(options, "test/run.py");
  case Command::Bench:
    return scriptCommand(options, "bench/run.py");
  case Command::Install:
    return scriptCommand(options, "tools/package/install.py");
  case Command::Uninstall:
    return scriptCommand(options, "tools/package/uninstall.py");
  case Command::Package:
    return scriptCommand(options, "tools/package/package.py");
  case Command::Help:
  case Command::Version:
    break;
  }
  return 0;
}

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
  if (options.command <= Command::Job) // those that compile
    catchCrashes(options, executablePath(), toolkitDir());
  int code = runCommandOf(options);
  endProgress();
  return finishOutput(code);
}
