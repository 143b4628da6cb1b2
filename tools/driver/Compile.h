//===- Compile.h - from a source file to the phase asked for ----*- C++ -*-===//
#pragma once
#include "frontend/Frontend.h"
#include "frontend/diagnostics/DiagnosticPrinter.h"
#include "frontend/diagnostics/JsonDiagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "tools/driver/DriverOptions.h"
#include "tools/driver/Output.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <chrono>

namespace sluice::driver {

/// With --time: prints how long each step took.
struct StepClock {
  bool on = false;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
  /// A step has ended that began when the one before ended.
  void note(const char *step);
};

/// What the compilations of one command share.
struct Said {
  llvm::StringSet<> reported; // is not said again
  std::shared_ptr<ErrorLimit> limit;
};

/// One run of the compiler. Each step reports its own problems and returns
/// false; nothing is left to print.
class Compilation {
public:
  /// `said`: by other compilations; or null.
  explicit Compilation(const DriverOptions &options, Said *said = nullptr);
  ~Compilation();

  bool parse();   // fills unit
  bool analyse(); // fills program
  /// Makes the module and runs the passes up to a phase.
  bool lowerTo(Phase phase);
  /// LLVM IR with the program table, linked with the runtime's bitcode and simplified: half-way to
  /// code for `target` and for greater processors of its kind.
  std::unique_ptr<llvm::Module> translate(llvm::LLVMContext &context, llvm::TargetMachine &target);
  /// The same as code for `target`.
  std::unique_ptr<llvm::Module> optimise(llvm::LLVMContext &context, llvm::TargetMachine &target);
  /// With --verify-diagnostics: whether all expected messages came; else `ok`.
  bool finish(bool ok);
  /// The exit code after a step has failed: 1, 2 if the command line asks for what the program has
  /// not, or 70 if the fault is ours.
  int failure() const { return diagnostics.isUsage() ? kUsage : exitCode; }

  /// What is done from now on, for the report of a crash and for the line of progress.
  void begin(const char *step);
  const DriverOptions &options;
  mlir::MLIRContext context;
  Diagnostics diagnostics;
  ASTContext ast;
  TypeContext types;
  ast::Unit *unit = nullptr;
  std::unique_ptr<typed::Program> program;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  StepClock clock;

private:
  uint32_t open();
  bool runPasses(Phase first, Phase last);
  /// Whether there are not too many PEs; warns if there are fewer than --pes says.
  bool checkPes();
  bool fail(llvm::StringRef what);
  int exitCode = 1;
  std::unique_ptr<DiagnosticPrinter> printer;
  std::unique_ptr<JsonDiagnostics> json;
  std::unique_ptr<mlir::SourceMgrDiagnosticVerifierHandler> verifier;
};

/// Where the toolkit and the runtime's libraries lie: beside the executable.
std::string libraryDir();
std::string toolkitDir();
/// Where `sluice explain-error` finds its pages.
std::string errorPagesDir();
std::string executablePath();
/// The tree in which this driver was built, or empty: it is installed elsewhere.
std::string sourceTree();

int runCommand(const DriverOptions &);
int jobCommand(DriverOptions);
int buildCommand(const DriverOptions &);
int checkCommand(const DriverOptions &);
int irCommand(const DriverOptions &);
int graphCommand(const DriverOptions &);
int explainCommand(const DriverOptions &);
int docCommand(const DriverOptions &);
int explainErrorCommand(const DriverOptions &);
int newCommand(const DriverOptions &);
int scriptCommand(const DriverOptions &, llvm::StringRef script);

} // namespace sluice::driver
