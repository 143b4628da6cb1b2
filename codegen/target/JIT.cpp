//===- JIT.cpp - runs a program in this process ---------------------------===//
#include "codegen/target/ProgramTable.h"
#include "codegen/target/Target.h"
#include "runtime/include/sluice/abi.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"

using namespace sluice;

llvm::Expected<int> sluice::runInProcess(std::unique_ptr<llvm::LLVMContext> context,
                                         std::unique_ptr<llvm::Module> module,
                                         std::unique_ptr<llvm::TargetMachine> target,
                                         llvm::ArrayRef<std::string> arguments,
                                         llvm::function_ref<void()> compiled) {
  auto builder = llvm::orc::LLJITBuilder();
  builder.setCompileFunctionCreator(
      [&](llvm::orc::JITTargetMachineBuilder)
          -> llvm::Expected<std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>> {
        return std::make_unique<llvm::orc::TMOwningSimpleCompiler>(std::move(target));
      });
  auto jit = builder.create();
  if (!jit)
    return jit.takeError();
  // The runtime is part of this process.
  auto self = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!self)
    return self.takeError();
  (*jit)->getMainJITDylib().addGenerator(std::move(*self));
  if (auto error =
          (*jit)->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))))
    return error;
  auto program = (*jit)->lookup(kProgramSymbol);
  if (!program)
    return program.takeError();
  compiled();
  std::vector<char *> argv;
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  return sl_main(program->toPtr<const ProgramDesc *>(), int(argv.size()) - 1, argv.data());
}
