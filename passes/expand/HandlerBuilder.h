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
  /// Adds to a handler that is written already, from before `at` on.
  explicit HandlerBuilder(mlir::Operation *at);

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
                   mlir::Type result = {}, spl::Effect effects = spl::Effect::none);
  void submit(unsigned port, mlir::Value tuple, bool inRoom = false);
  /// Submits window punctuation; final punctuation.
  void submitWindow(unsigned port);
  void submitFinal(unsigned port);
  /// Submits a watermark of that time (si64).
  void submitWatermark(unsigned port, mlir::Value time);
  /// Says whether the operator wants no more tuples at an input port for now.
  void hold(unsigned port, mlir::Value held);
  /// Counts what the operator leaves out: so many (ui64), or one.
  void leftOut(stream::LeftOut what, mlir::Value count);
  void leftOut(stream::LeftOut what);

  //===--- arithmetic and places ------------------------------------------------===//
  mlir::Value add(mlir::Value lhs, mlir::Value rhs) {
    return binary(spl::BinaryKind::add, lhs, rhs);
  }
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs) {
    return binary(spl::BinaryKind::sub, lhs, rhs);
  }
  /// A local variable, which starts as the default value.
  mlir::Value variable(llvm::StringRef name, mlir::Type type);
  /// An independent copy, which survives changes of the place it was loaded from.
  mlir::Value copy(mlir::Value value);
  /// How many elements the collection in a place has (ui64), and the place of one of them.
  mlir::Value sizeIn(mlir::Value place);
  mlir::Value nthRef(mlir::Value place, mlir::Value position);
  /// The key of an entry of the map in a place.
  mlir::Value nthKey(mlir::Value place, mlir::Value position);
  /// Empties the collection in a place, which keeps its buffer.
  void clear(mlir::Value place);
  /// Appends to the list in a place.
  void push(mlir::Value place, mlir::Value element);
  /// The default value of a type.
  mlir::Value zero(mlir::Type type);
  mlir::Value fieldRef(mlir::Value place, unsigned index);
  /// place += n, of an integer; returns the sum.
  mlir::Value increment(mlir::Value place, int64_t n = 1);

  //===--- control --------------------------------------------------------------===//
  using Code = llvm::function_ref<void()>;
  void when(mlir::Value condition, Code then, Code otherwise = nullptr);
  /// Temporaries of a round are not freed behind it.
  void loop(llvm::function_ref<mlir::Value()> condition, Code body);
  /// For each ui64 from 0 to `count`. Temporaries of a round are freed behind it.
  void forEach(mlir::Value count, llvm::function_ref<void(mlir::Value)> body);

  /// For each link of a chain that begins with `first`; 0 ends it. `body` returns the next one.
  /// Temporaries of a round are freed behind it.
  void follow(mlir::Value first, llvm::function_ref<mlir::Value(mlir::Value)> body);

private:
  mlir::Block &entry() { return region.front(); }

  mlir::Location location;
  mlir::Region &region;
  mlir::OpBuilder builder;
};

} // namespace sluice
