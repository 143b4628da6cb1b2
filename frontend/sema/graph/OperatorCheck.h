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

private:
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

  //===--- clauses -------------------------------------------------------------------===//
  void logic();
  void state(const ast::LogicItem &);
  void handler(const ast::LogicItem &);
  void onProcess(const ast::LogicItem &);
  void stateConflicts();
  Place &logicPlace();

  void windows();
  /// Reads one item of the window clause; nothing after an error.
  std::optional<typed::Window> window(const ast::Setting &, unsigned port);

  void params();
  void followFile();
  void param(const ast::ParamItem &, const Model::Param &);
  void applicationScope(const Model::Param &);
  void texts(const Model::Param &);
  /// The pieces of the text of a condition and values in turn; none after an error (Condition.cpp).
  std::vector<typed::ExprPtr> condition(const ast::Expr *, Scope &, const Model::Param &);
  typed::ExprPtr paramValue(const ast::Expr *, Scope &, const Model::Param &);
  std::vector<std::string> paramNames() const;
  void noteParams(mlir::InFlightDiagnostic &, Range);
  bool isBareText(const ast::Expr *, Scope &);
  void unknownLiteral(Range, const Model::Param &);
  typed::ExprPtr literal(const ast::Expr *, const Model::Param &);
  typed::ExprPtr text(llvm::StringRef, Range);
  typed::ExprPtr inRange(typed::ExprPtr number, Range, const Model::Param &);
  typed::ExprPtr typedValue(const ast::Expr *, Scope &, const Model::Param &);

  void outputs();
  bool areAttributes(const ast::OutputItem &, unsigned port);
  void leaveTypeOpen(unsigned port);
  /// False after an assignment to what is no attribute: which one lacks a value is not known.
  bool assign(const ast::OutputItem &, unsigned port, Scope &);
  void checkPaneFunctions(const typed::Expr &);
  void complete(unsigned port);
  bool isConsequence(llvm::StringRef attribute) const;
  void outputMissing(unsigned port, llvm::ArrayRef<llvm::StringRef> missing);
  typed::ExprPtr autoAssigned(llvm::StringRef name, Type type);
  typed::ExprPtr supplied(Type type);
  typed::ExprPtr defaultValue(Type type);
  void sameTypes();
  void noteUnread();
  void warnNothingSubmitted();
  void warnWithoutLogic();

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
  Scope *scope = nullptr;                       // of the operator: state
  std::vector<llvm::StringMap<Range>> assigned; // per output port
  bool logicFailed = false;
  NotYet planned;
};

} // namespace sluice::sema
