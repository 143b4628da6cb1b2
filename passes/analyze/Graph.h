//===- Graph.h - the flat graph as operators and edges ----------*- C++ -*-===//
//
// A snapshot: stale as soon as operators come or go.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "ir/Stream.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace sluice {

/// One stream into one input port of one operator (an edge).
struct Connection {
  unsigned producer, output;         // operator (index in graph order), its output port
  unsigned consumer, operand, input; // operator, its operand and input port
  stream::OperatorOp sender = {};    // of the link that it is (Graph::Links::Streams)

  std::optional<uint32_t> link() const {
    return sender ? stream::OperatorOp(sender).getLink() : std::nullopt;
  }
};

class Graph {
public:
  /// The ends of links are operators; or they are left out, and each link is a stream from its
  /// producer to its consumers, as people see it.
  enum class Links { Operators, Streams };
  explicit Graph(stream::GraphOp graph, Links = Links::Operators);

  llvm::ArrayRef<stream::OperatorOp> operators() const { return ops; }
  unsigned size() const { return ops.size(); }
  stream::OperatorOp operator[](unsigned index) const { return ops[index]; }
  unsigned indexOf(stream::OperatorOp op) const { return indices.lookup(op); }
  /// Edges out of an operator: by output port, then in graph order of consumers.
  llvm::ArrayRef<Connection> out(unsigned op) const { return outEdges[op]; }
  /// Edges into an operator, by operand.
  llvm::ArrayRef<Connection> in(unsigned op) const { return inEdges[op]; }
  llvm::SmallVector<Connection> consumers(unsigned op, unsigned output) const;
  /// How the stream enters regions, the outermost first.
  llvm::SmallVector<stream::SplitAttr> splitsOf(const Connection &edge) const;
  /// Whether the stream enters or leaves @parallel regions on its way.
  bool crossesRegion(const Connection &) const;
  /// All operators, producers first but for back edges (stream-find-loops has run).
  llvm::SmallVector<unsigned> producersFirst() const;
  /// What edges lead to from an operator, itself included.
  llvm::BitVector reachable(unsigned from) const;

private:
  llvm::SmallVector<stream::OperatorOp> ops;
  llvm::DenseMap<mlir::Operation *, unsigned> indices;
  llvm::SmallVector<llvm::SmallVector<Connection>> outEdges, inEdges;
};

/// Whether control may come from behind `from` to `to`, two operations of one handler or the same.
bool mayFollow(mlir::Operation *from, mlir::Operation *to);
/// Whether one tuple may become several on output port `port`.
bool submitsSeveral(stream::OperatorOp op, unsigned port);
/// Whether one tuple may become any number of tuples or of punctuation.
bool submitsInLoop(stream::OperatorOp op);

} // namespace sluice
