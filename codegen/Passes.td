//===- Passes.td - passes from placed graphs to LLVM --------------------===//

#ifndef SLUICE_CODEGEN_PASSES
#define SLUICE_CODEGEN_PASSES
include "mlir/Pass/PassBase.td"

def LowerSegments : Pass<"stream-lower-segments", "::mlir::ModuleOp"> {
  let summary = "the placed graph becomes functions: handlers, ports, segments";
  let description = [{
    Phase placed to phase lowered. LowerSegments.h lists the functions made; the
    graph's tables go to the module attribute `stream.table`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect",
                           "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect"];
}

def StreamVerifyLowered : Pass<"stream-verify-lowered", "::mlir::ModuleOp"> {
  let summary = "checks what holds from phase lowered on";
  let description = [{
    Nothing of the graph is left, and no operation of a dialect that
    convert-spl-to-llvm does not know. Each func.func takes the Ctx first, passes it on
    to what it calls, returns a status, and says where the state lies that it uses.
  }];
}

def BuildListsInScratch : Pass<"spl-build-lists-in-scratch", "::mlir::ModuleOp"> {
  let summary = "lists that functions build and return are built where they are returned";
  let description = [{
    Within the phase lowered. Variables of `spl.func`s that hold lists of plain
    elements and are returned get the attribute `spl.in_scratch`: their buffer lies
    in scratch and is neither copied nor freed at the return. Counted loops that
    append once each time reserve first. Drops arena checkpoints that the functions do not need.
  }];
}

def ConvertSplToLLVM : Pass<"convert-spl-to-llvm", "::mlir::ModuleOp"> {
  let summary = "values, functions and control flow become the llvm dialect";
  let description = [{
    Takes functions whose first argument is the Ctx: `spl.func` and `func.func`
    with operations of spl, cf, arith and llvm. Makes the TypeDescs that they
    need and those of the types in `stream.table`, and collects the places that
    can fail in the module attribute `spl.sites`.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::func::FuncDialect",
                           "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::sluice::spl::SplDialect"];
}
#endif
