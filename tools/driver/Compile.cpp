//===- Compile.cpp - from a source file to the phase asked for ------------===//
#include "tools/driver/Compile.h"
#include "codegen/Phases.h"
#include "codegen/target/ProgramTable.h"
#include "codegen/target/Target.h"
#include "ir/Stream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "tools/driver/CrashReport.h"
#include "tools/driver/Progress.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <sys/auxv.h>

using namespace sluice;
using namespace sluice::driver;

/// Where there is no /proc: what the kernel was told to start, from the current directory.
static std::string startedFile() {
  auto *name = reinterpret_cast<const char *>(getauxval(AT_EXECFN));
  llvm::SmallString<128> path;
  return name && !llvm::sys::fs::real_path(name, path) ? path.str().str() : "";
}

std::string driver::executablePath() {
  static int anchor;
  static const std::string path = llvm::sys::fs::exists("/proc/self/exe")
                                      ? llvm::sys::fs::getMainExecutable("sluice", &anchor)
                                      : startedFile();
  return path;
}
static std::string executableDir() { return llvm::sys::path::parent_path(executablePath()).str(); }

// BUILD/bin/sluice, BUILD/lib/sluice/TRIPLE, BUILD/share/sluice/spl.
std::string driver::libraryDir() { return executableDir() + "/../lib"; }
std::string driver::toolkitDir() { return executableDir() + "/../share/sluice/spl"; }
std::string driver::errorPagesDir() { return executableDir() + "/../share/sluice/errors"; }

/// The text of a diagnostic with its place, however the path of the file was written.
static std::string identityOf(mlir::Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out << diagnostic;
  if (auto place = diagnostic.getLocation()->findInstanceOf<mlir::FileLineColRange>()) {
    llvm::SmallString<128> path;
    if (llvm::sys::fs::real_path(place.getFilename().getValue(), path))
      path = place.getFilename().getValue();
    out << path << place.getStartLine() << ":" << place.getStartColumn();
  }
  return text;
}

Compilation::Compilation(const DriverOptions &options, Said *said)
    : options(options), diagnostics(&context), clock{.on = options.timing} {
  context.disableMultithreading();
  context.printOpOnDiagnostic(false); // users look at their source, not at our IR
  context.loadDialect<spl::SplDialect, stream::StreamDialect, mlir::func::FuncDialect,
                      mlir::LLVM::LLVMDialect, mlir::arith::ArithDialect,
                      mlir::cf::ControlFlowDialect>();
  if (options.verifyDiagnostics)
    verifier = std::make_unique<mlir::SourceMgrDiagnosticVerifierHandler>(diagnostics.sourceMgr(),
                                                                          &context);
  else if (options.json)
    json = std::make_unique<JsonDiagnostics>(diagnostics, llvm::outs());
  else
    printer = std::make_unique<DiagnosticPrinter>(
        diagnostics, llvm::errs(),
        said ? said->limit : std::make_shared<ErrorLimit>(llvm::errs(), options.errorLimit));
  diagnostics.setWarnings(options.warnings);
  diagnostics.setTemplateArguments(options.templateArgs);
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) { // before the one that prints
    hideProgress();
    return mlir::failure();
  });
  if (said)
    context.getDiagEngine().registerHandler([said](mlir::Diagnostic &diagnostic) {
      return mlir::success(!said->reported.insert(identityOf(diagnostic)).second);
    });
  setCrashSources(&diagnostics);
  bool typed = options.fromStdin() && llvm::sys::Process::StandardInIsUserInput();
  if (!options.timing && options.mlirFlags.empty() && !typed)
    startProgress(llvm::sys::path::filename(options.sourceName()));
}

Compilation::~Compilation() { setCrashSources(nullptr); }

bool Compilation::fail(llvm::StringRef what) {
  hideProgress();
  exitCode = internalError(what);
  return false;
}

void Compilation::begin(const char *step) {
  setCrashStep(step);
  showStep(step);
}

void StepClock::note(const char *step) {
  auto now = std::chrono::steady_clock::now();
  if (on)
    llvm::errs() << llvm::formatv("{0,-12} {1,8:f1} ms\n", step,
                                  std::chrono::duration<double, std::milli>(now - last).count());
  last = now;
}

/// The number of the source file, or 0.
uint32_t Compilation::open() {
  if (!options.fromStdin()) {
    // A name without an ending may be a descriptor, as in `<(...)`.
    llvm::StringRef ending = llvm::sys::path::extension(options.input);
    if (ending.empty() || ending == ".spl" || ending == ".splmm")
      return diagnostics.open(options.input);
    diagnostics.report(Range(), Diag::err_no_program_file, options.input);
    return 0;
  }
  auto text = llvm::MemoryBuffer::getSTDIN();
  if (text)
    return diagnostics.add(
        llvm::MemoryBuffer::getMemBufferCopy((*text)->getBuffer(), options.sourceName()));
  diagnostics.report(Range(), Diag::err_cannot_open, options.sourceName(),
                     text.getError().message());
  return 0;
}

bool Compilation::parse() {
  begin("reading");
  uint32_t file = open();
  begin("parsing");
  if (!file)
    return false;
  unit = sluice::parse(ast, diagnostics, file, /*toolkitFile=*/false, roleNames(toolkitDir()));
  clock.note("parse");
  return unit && diagnostics.isClean();
}

bool Compilation::analyse() {
  if (!parse())
    return false;
  if (!llvm::sys::fs::is_directory(toolkitDir())) {
    hideProgress();
    llvm::errs() << "sluice: the standard toolkit is not where it belongs, in " << toolkitDir()
                 << ": the installation is not complete\n";
    return false;
  }
  begin("checking the program");
  FrontendOptions frontend;
  frontend.main = options.main;
  frontend.appDir = options.appDir;
  frontend.toolkits = options.toolkits;
  for (const char *variable : {"SLUICE_TOOLKITS", "STREAMS_SPLPATH"})
    if (const char *value = getenv(variable))
      for (llvm::StringRef path : llvm::split(llvm::StringRef(value), ':'))
        if (llvm::sys::fs::is_directory(path)) // as a shell reads PATH
          frontend.toolkits.push_back(path.str());
  frontend.stdlibDir = toolkitDir();
  frontend.compileTimeValues = options.compileTimeValues;
  frontend.anyFile = options.command == Command::Check;
  frontend.allowMissing = options.allowMissing;
  program = analyze(ast, types, diagnostics, unit, frontend);
  clock.note("analyse");
  return program && diagnostics.isClean();
}

bool Compilation::lowerTo(Phase phase) {
  if (!analyse())
    return false;
  begin("making the graph");
  module = emit(&context, diagnostics, *program);
  clock.note("emit");
  if (!module || mlir::failed(mlir::verify(*module)))
    return fail("the graph is not valid");
  // Before it becomes code that nobody wants.
  bool ok = runPasses(Phase::Graph, std::min(phase, Phase::Placed)) &&
            (phase < Phase::Placed || checkPes()) &&
            (phase <= Phase::Placed || runPasses(Phase::Placed, phase));
  clock.note("passes");
  return ok;
}

namespace {
struct PassProgress : mlir::PassInstrumentation {
  void runBeforePass(mlir::Pass *pass, mlir::Operation *) override {
    if (!pass->getArgument().empty()) // pipelines inside have none
      showStep("pass " + pass->getArgument());
  }
};
} // namespace

bool Compilation::runPasses(Phase first, Phase last) {
  begin("running the passes");
  mlir::PassManager passes(&context);
  if (!options.mlirFlags.empty()) {
    if (mlir::failed(mlir::applyPassManagerCLOptions(passes)))
      return false;
    mlir::applyDefaultTimingPassManagerCLOptions(passes);
  }
  passes.addInstrumentation(std::make_unique<PassProgress>());
  buildPhases(passes, first, last,
              {options.boundaries, options.mergeOrder, options.pes, options.closeWindows});
  // Passes say what is not there yet; anything else that stops them is a bug.
  bool notYet = false;
  mlir::ScopedDiagnosticHandler watch(&context, [&](mlir::Diagnostic &diagnostic) {
    notYet |= llvm::StringRef(diagnostic.str()).starts_with("not supported yet: ");
    return mlir::failure(); // others print it
  });
  bool ok = mlir::succeeded(passes.run(*module));
  return ok || (notYet ? false : fail("a pass failed"));
}

bool Compilation::checkPes() {
  constexpr size_t most = 512;
  for (auto graph : module->getOps<stream::GraphOp>()) {
    size_t count = std::max<size_t>(graph.getPes().size(), 1);
    size_t wanted = parsePeCount(options.pes)->number; // 0: no number
    bool perReplica = llvm::any_of(graph.getPes().getAsRange<stream::PeAttr>(),
                                   [](stream::PeAttr pe) { return pe.getRegion() >= 0; });
    if (count > most) {
      diagnostics.report(Range(), Diag::err_many_pes, options.pes, count, most);
      return false;
    }
    if (count < wanted && !perReplica)
      diagnostics.report(Range(), Diag::warn_fewer_pes, wanted,
                         count == 1 ? "one process" : std::to_string(count) + " processes");
  }
  return diagnostics.isClean();
}

std::unique_ptr<llvm::Module> Compilation::translate(llvm::LLVMContext &llvmContext,
                                                     llvm::TargetMachine &target) {
  if (!lowerTo(Phase::LLVM))
    return nullptr;
  begin("translating to LLVM");
  mlir::registerBuiltinDialectTranslation(context);
  mlir::registerLLVMDialectTranslation(context);
  auto result = mlir::translateModuleToLLVMIR(*module, llvmContext, "spl");
  if (!result) {
    fail("the translation failed");
    return nullptr;
  }
  result->setTargetTriple(target.getTargetTriple());
  result->setDataLayout(target.createDataLayout());
  llvm::SmallString<128> source(options.sourceName());
  if (!options.fromStdin())
    llvm::sys::fs::make_absolute(source);
  bool isExecutable = options.command == Command::Build;
  addProgramTable(*module, *result,
                  {std::string(source), program->applicationDir, toolkitDir(), isExecutable});
  clock.note("translate");
  // Without optimisation nothing would be inlined: the library's functions serve.
  std::string bitcode = runtimeDir(libraryDir(), target.getTargetTriple()) + "/hot.bc";
  if (options.optLevel)
    if (llvm::Error error = linkRuntimeBitcode(*result, bitcode)) {
      hideProgress();
      llvm::errs() << "sluice: " << llvm::toString(std::move(error)) << "\n";
      return nullptr;
    }
  hideSymbols(*result);
  begin("optimising");
  clock.note("link bitcode");
  simplify(*result, target, options.optLevel);
  clock.note("simplify");
  return result;
}

std::unique_ptr<llvm::Module> Compilation::optimise(llvm::LLVMContext &llvmContext,
                                                    llvm::TargetMachine &target) {
  auto result = translate(llvmContext, target);
  if (result)
    specialise(*result, target, options.optLevel);
  clock.note("optimise");
  begin("making machine code");
  return result;
}

bool Compilation::finish(bool ok) {
  if (!verifier)
    return ok;
  bool verified = mlir::succeeded(verifier->verify());
  verifier.reset();
  return verified;
}
