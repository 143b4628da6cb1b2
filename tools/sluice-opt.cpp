//===- sluice-opt.cpp - runs any pass alone -------------------------------===//
#include "codegen/Passes.h"
#include "codegen/Phases.h"
#include "ir/Stream.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<sluice::spl::SplDialect, sluice::stream::StreamDialect, mlir::arith::ArithDialect,
                  mlir::cf::ControlFlowDialect, mlir::func::FuncDialect, mlir::scf::SCFDialect,
                  mlir::LLVM::LLVMDialect>();
  mlir::registerTransformsPasses();
  sluice::registerSluicePasses();
  sluice::registerSluiceCodegenPasses();
  sluice::registerPhases();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "Sluice pass driver\n", registry));
}
