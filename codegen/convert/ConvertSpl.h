//===- ConvertSpl.h - inside the pass convert-spl-to-llvm -------*- C++ -*-===//
//
// The pass works in two steps. prepare() gives every function its final shape:
// sites are numbered, spl.func becomes func.func, variables become stack slots
// and state becomes addresses; the last block of a function that can fail or
// owns variables is its exit, which takes the status to return. Then a dialect
// conversion replaces all operations, each by one function of ConvertSpl*.cpp.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "codegen/Layout.h"
#include "codegen/RuntimeABI.h"
#include "codegen/TypeDescs.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace sluice {

/// By what instructions the values of a type are computed and compared.
enum class Form { Unsigned, Signed, Float, Decimal, Complex, Timestamp, Text, Aggregate };
Form formOf(mlir::Type type);

/// Whether the operation may leave its function.
bool canFail(mlir::Operation *op);
/// Inlines the calls of small functions that change a variable of their caller and cannot fail, so
/// that it can be seen what memory they change.
void inlineUpdates(mlir::ModuleOp module);
/// Marks the calls that may come back to the function that they stand in.
void markRecursion(mlir::ModuleOp module);
/// Gives every operation that can fail a site and collects them on the module.
void numberSites(mlir::ModuleOp module);
/// The first step of the pass; reports what does not fit the phase.
mlir::LogicalResult prepareForLLVM(mlir::ModuleOp module, ConstantPool &constants);

/// Emits code at a place: what it needs of the function and module around it.
class Emitter {
public:
  using Value = mlir::Value;
  using Type = mlir::Type;

  Emitter(mlir::OpBuilder &b, mlir::Location loc, mlir::Region *function, mlir::ModuleOp module,
          ConstantPool &constants)
      : b(b), loc(loc), module(module), constants(constants), function(function) {}

  //===--- constants -----------------------------------------------------------===//
  Type ptrType() { return mlir::LLVM::LLVMPointerType::get(b.getContext()); }
  Value integer(unsigned width, int64_t value);
  Value i32(int64_t value) { return integer(32, value); }
  Value i64(int64_t value) { return integer(64, value); }
  Value zero(Type lowered) { return mlir::LLVM::ZeroOp::create(b, loc, lowered); }
  Value typeDesc(Type type) { return addressOf(b, loc, constants.typeDesc(type)); }
  Value cString(llvm::StringRef text) { return addressOf(b, loc, constants.cString(text)); }

  //===--- memory --------------------------------------------------------------===//
  /// The function's Ctx.
  Value ctx() { return function->front().getArgument(0); }
  /// A slot in the function's frame for `count` values of an SPL type.
  Value slot(Type type, uint64_t count = 1);
  Value slotBytes(uint64_t bytes, uint64_t align);
  /// A slot that holds the value.
  Value spill(Type type, Value value);
  /// A value of an SPL type at an address, leaf by leaf.
  Value load(Type type, Value address);
  void store(Type type, Value value, Value address);
  Value offset(Value address, uint64_t bytes);
  /// base + index * stride; index is an i64.
  Value element(Value base, Value index, uint64_t stride);

  //===--- values --------------------------------------------------------------===//
  Value extract(Value aggregate, int64_t index);
  Value insert(Value aggregate, Value part, int64_t index);
  /// A tuple's attribute or an optional's part, and the value with it.
  Value field(Type record, Value value, unsigned index);
  Value withField(Type record, Value value, Value part, unsigned index);
  /// An integer of any SPL type as i64, extended by its signedness.
  Value toI64(Type type, Value value);
  Value isNonZero(Value integer);

  //===--- calls ---------------------------------------------------------------===//
  /// Calls a function of abi.h.
  Value runtime(llvm::StringRef name, mlir::ValueRange args);

  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::ModuleOp module;
  ConstantPool &constants;

  /// The tag of the loads and stores that follow, or null.
  mlir::LLVM::TBAATagAttr tag;

private:
  Value loadRaw(Type type, Value address);
  void storeRaw(Type type, Value value, Value address);

  mlir::Region *function;
};

/// A literal's value; all it takes are constants.
mlir::Value emitLiteral(Emitter &e, spl::ConstOp op);

/// An emitter in place of an operation under conversion.
class OpEmitter : public Emitter {
public:
  OpEmitter(mlir::ConversionPatternRewriter &rewriter, mlir::Operation *op, mlir::ModuleOp module,
            ConstantPool &constants)
      : Emitter(rewriter, op->getLoc(), op->getParentRegion(), module, constants),
        rewriter(rewriter), op(op) {}

  /// Leaves the function if `failed`, after `report` in a cold block has said
  /// why. The value returned is the operation's site.
  void failIf(Value failed, llvm::function_ref<void()> report);
  /// Leaves the function with the operation's site unless `status` is 0.
  void check(Value status);
  /// Leaves with `status` itself unless it is 0.
  void checkCall(Value status);
  /// Reports an operation that is not in order; the conversion fails.
  Value error(const llvm::Twine &message);

  mlir::ConversionPatternRewriter &rewriter;
  mlir::Operation *op;
  bool broken = false;

private:
  void leave(Value failed, llvm::function_ref<Value()> status);
  Value site();
};

/// Adds the patterns of one file.
struct SplPatterns {
  mlir::TypeConverter &types;
  mlir::RewritePatternSet &set;
  mlir::ModuleOp module;
  ConstantPool &constants;

  /// `emit` gives the operation's result, null if it has none.
  template <typename Op> void add(mlir::Value (*emit)(Op, typename Op::Adaptor, OpEmitter &));
};
void addScalarPatterns(SplPatterns &);
void addCastPatterns(SplPatterns &);
void addAggregatePatterns(SplPatterns &);
void addPlacePatterns(SplPatterns &);
void addCallPatterns(SplPatterns &);

template <typename Op> struct EmitPattern : mlir::OpConversionPattern<Op> {
  using Emit = mlir::Value (*)(Op, typename Op::Adaptor, OpEmitter &);
  EmitPattern(SplPatterns &p, Emit emit)
      : mlir::OpConversionPattern<Op>(p.types, p.set.getContext()), module(p.module),
        constants(p.constants), emit(emit) {
    this->setHasBoundedRewriteRecursion();
  }

  mlir::LogicalResult matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                                      mlir::ConversionPatternRewriter &rewriter) const override {
    OpEmitter emitter(rewriter, op, module, constants);
    mlir::Value result = emit(op, adaptor, emitter);
    if (emitter.broken)
      return mlir::failure();
    if (result)
      rewriter.replaceOp(op, result);
    else
      rewriter.eraseOp(op);
    return mlir::success();
  }

  mlir::ModuleOp module;
  ConstantPool &constants;
  Emit emit;
};

template <typename Op>
void SplPatterns::add(mlir::Value (*emit)(Op, typename Op::Adaptor, OpEmitter &)) {
  set.add(std::make_unique<EmitPattern<Op>>(*this, emit));
}

} // namespace sluice
