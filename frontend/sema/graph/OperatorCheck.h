//===- OperatorCheck.h - one invocation of a primitive operator --*- C++ -*-===//
//
// Private to this folder. The order of the steps is the order of the text, so that
// errors come out from top to bottom.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/sema/graph/GraphSema.h"
#include "frontend/sema/graph/OperatorRules.h"

namespace sluice::sema {

class OperatorCheck {
public:
  OperatorCheck(GraphSema &graph, Instance &inst, const ast::Invocation &invocation,
                const typed::OperatorModel &model, std::vector<PortView> ports,
                const Annotations &annotations, typed::Operator &op);

  /// Everything, in order.
  void run();

  using Model = typed::OperatorModel;

  /// Whether it was reported that another operator is meant (wrong/WrongOperator.cpp).
  bool isWrongOperator();

  //===--- ports (OperatorCheck.cpp) ------------------------------------------------===//
  bool portCounts();
  void declareOutputs();
  void enterOutputs(Scope &);
  std::vector<unsigned> allPorts() const;
  /// The input or output port of a clause label, or -1 after an error.
  int inputPort(const ast::Ident &label);
  int outputPort(const ast::Ident &label);
  /// Whether the label is that of a stream which the operator does not read, reported once
  /// (wrong/AbsentStreams.cpp).
  bool isAbsent(const ast::Ident &label);
  /// Whether it was reported that a stream which the text reads is no input.
  bool missesStream() const;

  //===--- clauses: also OperatorParts.h ---------------------------------------------===//

  void windows();
  /// Reads one item of the window clause; nothing after an error.
  std::optional<typed::Window> window(const ast::Setting &, unsigned port);

  void followFile();

  void noteUnread();

  //===--- what the model cannot say ---------------------------------------------------===//
  /// The rules of the operator itself (OperatorRules.h).
  void rules();
  /// What a native operator cannot do: its parameters are evaluated at the start.
  void nativeLimits();
  /// Where an operator evaluates an expression later than when the tuple comes: the history of
  /// then is not kept.
  void historyLimits();
  void historyLimit(const typed::Expr &, bool onArrival, const std::string &where);
  void notYet(Range range, std::string what) { planned.push_back({range, std::move(what)}); }

  std::string name() const { return model.qualified(); }

  GraphSema &graph;
  Sema &sema;
  Diagnostics &diags;
  TypeContext &types;
  Instance &inst;
  const ast::Invocation &invocation;
  const Model &model;
  std::vector<PortView> ports;
  const Annotations &annotations;
  typed::Operator &op;
  Scope *scope = nullptr; // of the operator: state
  bool logicFailed = false;
  NotYet planned;
};

} // namespace sluice::sema
