//===- HandlerBuilder.h - writes the body of a handler ----------*- C++ -*-===//
#pragma once
#include "ir/Stream.h"
#include "mlir/IR/Builders.h"

namespace sluice {

/// Fills the empty region of a handler, from its entry block on. Bodies of
/// parameters, outputs and other handlers are copied in where control stands.
class HandlerBuilder {
public:
  HandlerBuilder(mlir::Location loc, mlir::Region &region, mlir::TypeRange arguments);

  mlir::OpBuilder &ops() { return builder; }
  mlir::Location loc() const { return location; }
  mlir::Value argument(unsigned index) { return entry().getArgument(index); }

  /// Copies `source`; its entry arguments become `arguments`. Where it yields
  /// or ends, control goes on behind it. Returns what it yields.
  llvm::SmallVector<mlir::Value> inlineBody(mlir::Region &source, mlir::ValueRange arguments);

  mlir::Block *newBlock(mlir::TypeRange arguments = {});
  /// Control goes on at the start of `block`, which comes last in the text.
  void enter(mlir::Block *block);
  void branch(mlir::Block *to, mlir::ValueRange arguments = {});
  void branch(mlir::Value condition, mlir::Block *yes, mlir::Block *no);
  /// Ends the handler.
  void end();

  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value compare(spl::CompareKind kind, mlir::Value lhs, mlir::Value rhs);
  mlir::Value binary(spl::BinaryKind kind, mlir::Value lhs, mlir::Value rhs);
  /// `value` as another type; nothing if it has it already.
  mlir::Value cast(mlir::Value value, mlir::Type type);
  mlir::Value field(mlir::Value tuple, unsigned index);
  mlir::Value tuple(spl::TupleType type, mlir::ValueRange values);
  mlir::Value load(mlir::Value place);
  void store(mlir::Value value, mlir::Value place);
  /// The number of elements of a collection, as uint32.
  mlir::Value size(mlir::Value collection);
  /// Calls a library function that cannot fail and leaves nothing in scratch. `generic`: the
  /// arguments whose formal type is a bare type variable. Null without a `result`.
  mlir::Value call(llvm::StringRef symbol, llvm::ArrayRef<mlir::Type> typeArgs,
                   mlir::ValueRange arguments, llvm::ArrayRef<int32_t> generic,
                   mlir::Type result = {});
  void submit(unsigned port, mlir::Value tuple, bool inRoom = false);
  /// Submits window punctuation.
  void submitWindow(unsigned port);

private:
  mlir::Block &entry() { return region.front(); }

  mlir::Location location;
  mlir::Region &region;
  mlir::OpBuilder builder;
};

} // namespace sluice
