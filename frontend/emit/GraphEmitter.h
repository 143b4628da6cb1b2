//===- GraphEmitter.h - composites, operators, streams to MLIR -----*- C++ -*-===//
#pragma once
#include "frontend/emit/BodyEmitter.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace sluice::emission {

/// The window of input port `port`.
void emitWindow(Shared &, mlir::OpBuilder &, unsigned port, const typed::InputPort &);
/// Emits one operator into the builder's block. `inputs` are its streams, port
/// by port.
stream::OperatorOp emitOperator(Shared &, mlir::OpBuilder &, const typed::Operator &,
                                mlir::ValueRange inputs);

class GraphEmitter {
public:
  explicit GraphEmitter(Shared &shared) : shared(shared) {}
  /// Fills `block` with the operators and composites of an instance.
  void emitBody(const typed::Composite &, mlir::Block &block);

private:
  using StreamSet = llvm::SmallSetVector<const typed::Stream *, 4>;
  /// The streams that cross an instance's border, in order of use and production.
  struct Border {
    StreamSet inputs, outputs;
  };
  /// A stream's value in one block. Until its producer is emitted, a
  /// placeholder stands for it (streams may be used above their definition).
  struct Frame {
    mlir::Block &block;
    llvm::MapVector<const typed::Stream *, mlir::Value> values, placeholders;
    explicit Frame(mlir::Block &block) : block(block) {}
  };

  const Border &borderOf(const typed::Composite &);
  void collect(const typed::Composite &, StreamSet &used, StreamSet &produced);
  void emitComposite(const typed::Composite &, Frame &);
  void emitItems(const typed::Composite &, Frame &);
  mlir::Value lookUp(const typed::Stream *, Frame &);
  void define(const typed::Stream *, mlir::Value, Frame &);

  Shared &shared;
  const typed::Composite *root = nullptr;
  llvm::DenseMap<const typed::Composite *, Border> borders;
};

} // namespace sluice::emission
