//===- ConvertSplToLLVM.cpp - the pass convert-spl-to-llvm ----------------===//
#include "codegen/Passes.h"
#include "codegen/convert/ConvertSpl.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"

using namespace mlir;
using namespace sluice;

namespace sluice {
#define GEN_PASS_DEF_CONVERTSPLTOLLVM
#include "codegen/Passes.h.inc"
} // namespace sluice

namespace {
/// prepare() left addresses cast to places.
struct DropPlaceCast : OpConversionPattern<UnrealizedConversionCastOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(UnrealizedConversionCastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getInputs());
    return success();
  }
};

struct ConvertSplToLLVM : sluice::impl::ConvertSplToLLVMBase<ConvertSplToLLVM> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    ConstantPool constants(module);
    if (failed(prepareForLLVM(module, constants)) || failed(convert(module, constants)))
      return signalPassFailure();
    for (auto f : module.getOps<LLVM::LLVMFuncOp>())
      if (!f.isExternal())
        finish(f);
    if (auto check = module.lookupSymbol<LLVM::LLVMFuncOp>("sl_check_stack"))
      keepCalls(check);
  }

  LogicalResult convert(ModuleOp module, ConstantPool &constants) {
    LowerToLLVMOptions options(&getContext());
    LLVMTypeConverter types(&getContext(), options);
    types.addConversion([](mlir::Type type) -> std::optional<mlir::Type> {
      mlir::Type lowered = layout::loweredType(type);
      return lowered ? std::optional(lowered) : std::nullopt;
    });
    RewritePatternSet patterns(&getContext());
    SplPatterns spl{types, patterns, module, constants};
    addScalarPatterns(spl);
    addCastPatterns(spl);
    addAggregatePatterns(spl);
    addPlacePatterns(spl);
    addCallPatterns(spl);
    patterns.add<DropPlaceCast>(types, &getContext());
    arith::populateArithToLLVMConversionPatterns(types, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
    SymbolTableCollection symbols; // without it every call searches the module
    populateFuncToLLVMConversionPatterns(types, patterns, &symbols);

    LLVMConversionTarget target(getContext());
    target.addIllegalDialect<sluice::spl::SplDialect, arith::ArithDialect, cf::ControlFlowDialect,
                             func::FuncDialect>();
    target.addDynamicallyLegalOp<UnrealizedConversionCastOp>([](UnrealizedConversionCastOp op) {
      return !isa<sluice::spl::RefType>(op->getResultTypes()[0]);
    });
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    return applyPartialConversion(module, target, std::move(patterns), config);
  }

  /// A recursive call stays a call: as a loop it would never fill the stack.
  static void keepCalls(LLVM::LLVMFuncOp check) {
    Builder b(check.getContext());
    Attribute attribute = b.getStrArrayAttr({"disable-tail-calls", "true"});
    auto uses = SymbolTable::getSymbolUses(check, check->getParentOp());
    llvm::SmallPtrSet<Operation *, 8> seen;
    for (SymbolTable::SymbolUse use : *uses) {
      auto f = use.getUser()->getParentOfType<LLVM::LLVMFuncOp>();
      if (f && seen.insert(f).second)
        f.setPassthroughAttr(b.getArrayAttr(attribute));
    }
  }

  static void finish(LLVM::LLVMFuncOp f) {
    f.setNoUnwind(true);
    if (SymbolTable::getSymbolVisibility(f) == SymbolTable::Visibility::Private)
      f.setLinkage(LLVM::Linkage::Internal);
  }
};
} // namespace
