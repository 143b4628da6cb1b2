//===- OperatorRules.h - rules that a model cannot say ----------*- C++ -*-===//
//
// An operator whose rules its declaration cannot express (which parameters go
// together, what their values say about types) has them in
// stdlib/operators/NAME/Rules.cpp, as a function that stdlib/operators/Operators.def
// lists. It runs when ports, parameters and outputs are checked and without errors.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/sema/TypeDifference.h"
#include "frontend/sema/graph/GraphSema.h"

namespace sluice::sema {

/// What this release cannot run, by place; reported when nothing else is wrong.
using NotYet = std::vector<std::pair<Range, std::string>>;

/// One invocation, as the rules of its operator see it.
class OperatorRules {
public:
  OperatorRules(GraphSema &graph, const ast::Invocation &invocation, const typed::Operator &op,
                llvm::ArrayRef<PortView> inputs, NotYet &planned)
      : op(op), inputs(inputs), types(graph.types), diags(graph.diags), graph(graph),
        invocation(invocation), planned(planned) {}

  const typed::Operator &op;
  const llvm::ArrayRef<PortView> inputs;
  TypeContext &types;
  Diagnostics &diags;

  bool has(llvm::StringRef param) const { return op.param(param); }
  /// The literal that a parameter has, or `otherwise`.
  llvm::StringRef literalOf(llvm::StringRef param, llvm::StringRef otherwise) const;
  /// The place of some bytes of a text: of the whole literal, if it has escapes.
  Range partOf(const typed::ConstExpr &text, size_t at, size_t size) const;
  Type outputType(unsigned port) const { return op.outputs[port].stream->type; }
  /// The place of an output port.
  Range outputRange(unsigned port) const { return invocation.outputs[port].stream.range; }

  /// The output clause of a port, if there is one.
  std::optional<Range> outputClause(unsigned port) const;

  template <typename... Args> void report(Range range, Diag id, const Args &...args) {
    diags.report(range, id, args...);
  }
  /// The same of a type that is not `want`.
  template <typename... Args>
  void reportType(Range range, Type have, Type want, Diag id, const Args &...args) {
    auto error = diags.report(range, id, args...);
    noteDifference(diags, error, range, have, want);
  }
  /// The same with a hint, which has no arguments.
  template <typename... Args>
  void reportWith(Diag hint, Range range, Diag id, const Args &...args) {
    auto error = diags.report(range, id, args...);
    diags.note(error, range, hint);
  }
  /// Reports the invocation; the first argument of the message is the operator's name.
  template <typename... Args> void error(Diag id, const Args &...args) {
    diags.report(invocation.op.range, id, op.kind, args...);
  }
  /// Reports a parameter, if it is there; the first argument is its name.
  template <typename... Args> void paramError(llvm::StringRef param, Diag id, const Args &...args) {
    if (const typed::Parameter *p = op.param(param))
      diags.report(p->range, id, param, args...);
  }
  /// Reports that the value of a parameter has another type than `expected` says, with a hint how
  /// to get one of type `wanted`.
  void typeError(llvm::StringRef param, Type wanted, llvm::StringRef expected);
  /// `partitioned` in the window of input port `port` and parameter `param` go together.
  void checkPartitioning(unsigned port, llvm::StringRef param);
  /// Warns of a parameter that is a constant, if it is there; `meaning`: what follows from it.
  void checkKey(llvm::StringRef param, llvm::StringRef meaning);
  /// Both parameters, if they are there, have as many values, of the same types.
  void sameTypes(llvm::StringRef param, llvm::StringRef other);
  /// Of parameters that there may be for each input port (`each`), there are all or none, and they
  /// have the same types.
  void checkEach(llvm::StringRef name);
  void notYet(Range range, std::string what) { planned.push_back({range, std::move(what)}); }

private:
  GraphSema &graph;
  const ast::Invocation &invocation;
  NotYet &planned;
};

/// Whether a value depends on the current tuple.
bool readsTuple(const typed::Expr &);

#define RULES(kind, function) void function(OperatorRules &);
#include "stdlib/operators/Operators.def"

} // namespace sluice::sema
