//===- Target.cpp - LLVM modules to machine code --------------------------===//
#include "codegen/target/Target.h"
#include "codegen/vectorise/PlainLoops.h"
#include "codegen/vectorise/VectoriseRows.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Instrumentation/ThreadSanitizer.h"

using namespace sluice;

/// Batches of large rows are short: what is left of a loop in vectors of 8, four at a time, is to
/// be done in vectors as well. LLVM leaves that to scalars below 16 unless it is told, and there is
/// no other way to tell it.
static void vectorizeRests() {
  llvm::StringRef name = "epilogue-vectorization-minimum-VF";
  auto &options = llvm::cl::getRegisteredOptions();
  if (auto it = options.find(name); it != options.end() && !it->second->getNumOccurrences())
    it->second->addOccurrence(0, name, "2");
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> sluice::createTarget(llvm::StringRef name) {
  static bool once = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    LLVMInitializePowerPCTargetInfo();
    LLVMInitializePowerPCTarget();
    LLVMInitializePowerPCTargetMC();
    LLVMInitializePowerPCAsmPrinter();
    vectorizeRests();
    return true;
  }();
  (void)once;
  llvm::Triple host(llvm::sys::getDefaultTargetTriple());
  llvm::Triple triple(name.empty() ? host : llvm::Triple(llvm::Triple::normalize(name)));
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError("no such target: `" + name +
                                   "` (known: x86_64-linux-gnu, powerpc64le-linux-gnu)");
  std::string cpu, features;
  if (triple.getArch() == host.getArch()) {
    cpu = llvm::sys::getHostCPUName();
    llvm::SubtargetFeatures set;
    for (auto &feature : llvm::sys::getHostCPUFeatures())
      set.AddFeature(feature.first(), feature.second);
    features = set.getString();
  } else if (triple.isPPC64()) {
    cpu = "pwr8"; // what every little-endian system has
  }
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict; // checksums do not depend on the target
  if (triple.isX86()) // a short loop across two lines of code can take half as long again
    options.LoopAlignment = 64;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, cpu, features, options, llvm::Reloc::PIC_, std::nullopt,
                                  llvm::CodeGenOptLevel::Default));
  return machine;
}

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
  llvm::internalizeModule(module, [](const llvm::GlobalValue &v) {
    return v.getName() == "sl_program" || v.getName() == "main";
  });
  return llvm::Error::success();
}

/// Does a program for this target run with a runtime that has ThreadSanitizer?
static bool sanitizesThreads(const llvm::TargetMachine &target) {
  return target.getTargetTriple().isX86() && llvm::StringRef(SLUICE_SANITIZE).contains("thread");
}

/// Is it one of the fields that the timer looks at and writes meanwhile (Aliasing.h)?
static bool isBatchHeader(const llvm::Instruction &access) {
  const llvm::MDNode *tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  auto *type =
      tag && tag->getNumOperands() > 1 ? llvm::dyn_cast<llvm::MDNode>(tag->getOperand(1)) : nullptr;
  auto *name = type && type->getNumOperands() ? llvm::dyn_cast<llvm::MDString>(type->getOperand(0))
                                              : nullptr;
  return name && name->getString().starts_with("header");
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

void sluice::optimise(llvm::Module &module, llvm::TargetMachine &target, unsigned level) {
  // Functions of the bitcode were compiled for a plain CPU; all run on this one.
  for (llvm::Function &f : module) {
    f.addFnAttr("target-cpu", target.getTargetCPU());
    f.addFnAttr("target-features", target.getTargetFeatureString());
  }
  bool threads = sanitizesThreads(target);
  llvm::PipelineTuningOptions tuning;
  if (threads)
    tuning.LoopVectorization = tuning.SLPVectorization = false;
  llvm::PassBuilder builder(&target, tuning);
  if (threads)
    sanitizeThreads(module, builder);
  else
    builder.registerVectorizerStartEPCallback(
        [](llvm::FunctionPassManager &passes, llvm::OptimizationLevel) {
          passes.addPass(VectoriseRows());
          passes.addPass(PlainLoops());
        });
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::ModulePassManager first;
  first.addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/false));
  first.run(module, modules);
  llvm::OptimizationLevel levels[] = {llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
                                      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::ModulePassManager passes =
      level == 0 ? builder.buildO0DefaultPipeline(levels[0])
                 : builder.buildPerModuleDefaultPipeline(levels[std::min(level, 3u)]);
  passes.run(module, modules);
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
