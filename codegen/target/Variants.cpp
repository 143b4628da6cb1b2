//===- Variants.cpp - an executable's code for several processors ---------===//
#include "codegen/target/Variants.h"
#include "codegen/target/Descriptors.h"
#include "codegen/target/ProgramTable.h"
#include "codegen/target/Target.h"
#include "support/Threads.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/IRBuilder.h"

using namespace sluice;

/// The program table of a variant.
static std::string symbolOf(const llvm::TargetMachine &target) {
  return (kProgramSymbol + "." + target.getTargetCPU()).str();
}

static llvm::Error emitObject(llvm::Module &module, llvm::TargetMachine &target,
                              ObjectCode &object) {
  llvm::raw_svector_ostream os(object);
  return emitCode(module, target, os, /*assembly=*/false);
}

/// In a context of its own, as several are made at once.
static llvm::Error emitVariant(llvm::StringRef bitcode, llvm::TargetMachine &target, unsigned level,
                               ObjectCode &object) {
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "spl"), context);
  if (!module)
    return module.takeError();
  specialise(**module, target, level);
  (*module)->getGlobalVariable(kProgramSymbol)->setName(symbolOf(target));
  return emitObject(**module, target, object);
}

/// A module with the table of variants, and `int main(int, char **)` that hands it to the runtime.
static std::unique_ptr<llvm::Module>
makeEntry(llvm::LLVMContext &c, const llvm::TargetMachine &entry, const Targets &targets) {
  auto module = std::make_unique<llvm::Module>("main", c);
  module->setTargetTriple(entry.getTargetTriple());
  module->setDataLayout(entry.createDataLayout());
  auto *i32 = llvm::Type::getInt32Ty(c);
  auto *ptr = llvm::PointerType::get(c, 0);
  DescriptorBuilder make(*module);
  llvm::SmallVector<table::CpuVariant> variants;
  for (const auto &target : targets) {
    llvm::Constant *program = module->getOrInsertGlobal(symbolOf(*target), ptr);
    variants.push_back({.cpu = make.string(target->getTargetCPU()),
                        .features = extensionsOf(*target),
                        .program = table::FieldValue<const table::ProgramDesc *>(program)});
  }
  auto list = make.array<table::CpuVariant>(variants, "sl.variants");
  auto *run = llvm::FunctionType::get(i32, {ptr, i32, i32, ptr}, false);
  auto *main = llvm::Function::Create(llvm::FunctionType::get(i32, {i32, ptr}, false),
                                      llvm::Function::ExternalLinkage, "main", *module);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(c, "entry", main));
  b.CreateRet(
      b.CreateCall(module->getOrInsertFunction("sl_main_by_cpu", run),
                   {list.value, b.getInt32(variants.size()), main->getArg(0), main->getArg(1)}));
  return module;
}

llvm::Expected<std::vector<ObjectCode>>
sluice::emitVariants(llvm::Module &module, const Targets &targets, unsigned level) {
  ObjectCode bitcode;
  llvm::raw_svector_ostream os(bitcode);
  llvm::WriteBitcodeToFile(module, os);
  std::vector<ObjectCode> objects(targets.size() + 1);
  llvm::SmallVector<std::string> problems(targets.size());
  forEachAtOnce(targets.size(), [&](size_t i) {
    if (llvm::Error error = emitVariant(os.str(), *targets[i], level, objects[i]))
      problems[i] = llvm::toString(std::move(error));
  });
  for (const std::string &problem : problems)
    if (!problem.empty())
      return llvm::createStringError(problem);
  auto entry = createTarget(module.getTargetTriple().str(), "baseline");
  if (!entry)
    return entry.takeError();
  llvm::LLVMContext context;
  if (llvm::Error error =
          emitObject(*makeEntry(context, **entry, targets), **entry, objects.back()))
    return error;
  return objects;
}
