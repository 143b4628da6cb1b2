//===- Target.cpp - LLVM modules to machine code --------------------------===//
#include "codegen/target/Target.h"
#include "codegen/target/ProgramTable.h"
#include "codegen/vectorise/MemoryName.h"
#include "codegen/vectorise/PlainLoops.h"
#include "codegen/vectorise/RowPipeline.h"
#include "codegen/vectorise/StraightCode.h"
#include "codegen/vectorise/VectoriseRows.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"

using namespace sluice;

llvm::Error sluice::linkRuntimeBitcode(llvm::Module &module, llvm::StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return llvm::createStringError("cannot read `" + file + "`: " + buffer.getError().message());
  auto hot = llvm::getOwningLazyBitcodeModule(std::move(*buffer), module.getContext());
  if (!hot)
    return hot.takeError();
  (*hot)->setTargetTriple(module.getTargetTriple());
  (*hot)->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(*hot), llvm::Linker::LinkOnlyNeeded))
    return llvm::createStringError("`" + file + "` does not fit the program");
  return llvm::Error::success();
}

void sluice::hideSymbols(llvm::Module &module) {
  llvm::internalizeModule(module,
                          [](const llvm::GlobalValue &v) { return v.getName() == kProgramSymbol; });
}

/// Does a program for this target run with a runtime that has ThreadSanitizer?
static bool sanitizesThreads(const llvm::TargetMachine &target) {
  return target.getTargetTriple().isX86() && llvm::StringRef(SLUICE_SANITIZE).contains("thread");
}

/// Is it one of the fields that the timer looks at and writes meanwhile (Aliasing.h)?
static bool isBatchHeader(const llvm::Instruction &access) {
  return memoryName(access).starts_with("header");
}

/// All code of the module tells ThreadSanitizer what it reads and writes, as clang
/// would have it. It says nothing of wide vectors: there are none then.
static void sanitizeThreads(llvm::Module &module, llvm::PassBuilder &builder) {
  for (llvm::Function &f : module) {
    f.addFnAttr(llvm::Attribute::SanitizeThread);
    for (llvm::Instruction &i : llvm::instructions(f))
      if (!isBatchHeader(i))
        continue;
      else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&i))
        load->setAtomic(llvm::AtomicOrdering::Monotonic);
      else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&i))
        store->setAtomic(llvm::AtomicOrdering::Monotonic);
  }
  builder.registerOptimizerLastEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
        passes.addPass(llvm::ModuleThreadSanitizerPass());
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::ThreadSanitizerPass()));
      });
}

/// Whether StraightCode makes code faster. With AVX2 the sums over payload of the benchmark's W2 to
/// W4 became a tenth slower, as LLVM puts vectors together from single numbers; with AVX-512 they
/// became up to twice as fast. Other processors were not measured.
static bool hasFastStraightCode(const llvm::TargetMachine &target) {
  return target.getTargetTriple().isX86() &&
         target.getMCSubtargetInfo()->checkFeatures("+avx512vl");
}

/// Whether the processor does 64 bytes at once as fast as 32. LLVM takes none of Intel's to: the
/// first ones with AVX-512 lowered their frequency for it. Those with VBMI2 (Ice Lake) hardly do: a
/// chain of 100 operators took half the time on a Sapphire Rapids.
static bool hasFastWideVectors(const llvm::TargetMachine &target) {
  return target.getTargetTriple().isX86() &&
         target.getMCSubtargetInfo()->checkFeatures("+avx512vl,+avx512vbmi2");
}

/// Our own vectorisers, before and behind those of LLVM.
static void makeVectors(llvm::PassBuilder &builder, const llvm::TargetMachine &target) {
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(VectoriseRows());
        passes.addPass(PlainLoops());
      });
  if (hasFastStraightCode(target))
    builder.registerVectorizerEndEPCallback(
        [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
          passes.addPass(StraightCode());
        });
}

/// Runs the passes that `build` makes over all functions of the module, as code for `target`.
static void
runPasses(llvm::Module &module, llvm::TargetMachine &target,
          llvm::function_ref<void(llvm::PassBuilder &, llvm::ModulePassManager &)> build) {
  bool wide = hasFastWideVectors(target);
  // Functions of the bitcode were compiled for a plain CPU; all run on this one.
  for (llvm::Function &f : module) {
    f.addFnAttr("target-cpu", target.getTargetCPU());
    f.addFnAttr("target-features", target.getTargetFeatureString());
    if (wide)
      f.addFnAttr("prefer-vector-width", "512");
  }
  bool threads = sanitizesThreads(target);
  llvm::PipelineTuningOptions tuning;
  if (threads)
    tuning.LoopVectorization = tuning.SLPVectorization = false;
  llvm::PassBuilder builder(&target, tuning);
  if (threads)
    sanitizeThreads(module, builder);
  else
    makeVectors(builder, target);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::ModulePassManager passes;
  build(builder, passes);
  passes.run(module, modules);
}

static llvm::OptimizationLevel levelOf(unsigned level) {
  llvm::OptimizationLevel levels[] = {llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
                                      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  return levels[std::min(level, 3u)];
}

void sluice::simplify(llvm::Module &module, llvm::TargetMachine &target, unsigned level) {
  chooseInlining(module);
  runPasses(module, target, [&](llvm::PassBuilder &builder, llvm::ModulePassManager &passes) {
    passes.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
    if (level)
      passes.addPass(builder.buildModuleSimplificationPipeline(levelOf(level),
                                                               llvm::ThinOrFullLTOPhase::None));
    if (level && !sanitizesThreads(target))
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(RowPipeline()));
  });
}

void sluice::specialise(llvm::Module &module, llvm::TargetMachine &target, unsigned level) {
  if (level == 0)
    target.setOptLevel(llvm::CodeGenOptLevel::None);
  runPasses(module, target, [&](llvm::PassBuilder &builder, llvm::ModulePassManager &passes) {
    passes.addPass(level ? builder.buildModuleOptimizationPipeline(levelOf(level),
                                                                   llvm::ThinOrFullLTOPhase::None)
                         : builder.buildO0DefaultPipeline(levelOf(0)));
  });
  tellRowsAtOnce(module);
  mergeRows(module);
}

llvm::Error sluice::emitCode(llvm::Module &module, llvm::TargetMachine &target,
                             llvm::raw_pwrite_stream &os, bool assembly) {
  llvm::legacy::PassManager passes;
  auto kind = assembly ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  if (target.addPassesToEmitFile(passes, os, nullptr, kind))
    return llvm::createStringError("the target cannot emit this kind of file");
  passes.run(module);
  return llvm::Error::success();
}
