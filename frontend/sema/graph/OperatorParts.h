//===- OperatorParts.h - the clauses of an invocation ---------------*- C++ -*-===//
//
// Private to this folder.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/sema/graph/OperatorCheck.h"

namespace sluice::sema {

/// The check of one clause, within that of its operator.
struct OperatorPart {
  using Model = typed::OperatorModel;
  explicit OperatorPart(OperatorCheck &check)
      : check(check), graph(check.graph), sema(check.sema), diags(check.diags), types(check.types),
        inst(check.inst), invocation(check.invocation), model(check.model), ports(check.ports),
        op(check.op), scope(check.scope) {}

  OperatorCheck &check;
  GraphSema &graph;
  Sema &sema;
  Diagnostics &diags;
  TypeContext &types;
  Instance &inst;
  const ast::Invocation &invocation;
  const Model &model;
  std::vector<PortView> &ports;
  typed::Operator &op;
  Scope *&scope;
};

/// The logic clause.
class LogicCheck : OperatorPart {
public:
  using OperatorPart::OperatorPart;

  void warnNothingSubmitted();
  void warnWithoutLogic();
  void logic();

private:
  void state(const ast::LogicItem &);
  void stateConflicts();
  Place &logicPlace();
  void handler(const ast::LogicItem &);
  void onProcess(const ast::LogicItem &);
};

/// The param clause.
class ParamCheck : OperatorPart {
public:
  using OperatorPart::OperatorPart;

  void params();

private:
  std::vector<std::string> paramNames() const;
  void noteParams(mlir::InFlightDiagnostic &, Range);
  void applicationScope(const Model::Param &);
  void texts(const Model::Param &);
  void param(const ast::ParamItem &, const Model::Param &);
  bool isBareText(const ast::Expr *, Scope &);
  typed::ExprPtr paramValue(const ast::Expr *, Scope &, const Model::Param &);
  typed::ExprPtr typedValue(const ast::Expr *, Scope &, const Model::Param &);
  typed::ExprPtr inRange(typed::ExprPtr number, Range, const Model::Param &);
  void unknownLiteral(Range, const Model::Param &);
  typed::ExprPtr literal(const ast::Expr *, const Model::Param &);
  typed::ExprPtr text(llvm::StringRef, Range);
  /// The pieces of the text of a condition and values in turn; none after an error (Condition.cpp).
  std::vector<typed::ExprPtr> condition(const ast::Expr *, Scope &, const Model::Param &);
};

/// The output clause, and the attributes that it leaves out.
class OutputCheck : OperatorPart {
public:
  explicit OutputCheck(OperatorCheck &check) : OperatorPart(check), assigned(op.outputs.size()) {}

  void outputs();

private:
  void checkPaneFunctions(const typed::Expr &);
  bool areAttributes(const ast::OutputItem &, unsigned port);
  /// False after an assignment to what is no attribute: which one lacks a value is not known.
  bool assign(const ast::OutputItem &, unsigned port, Scope &);
  void complete(unsigned port);
  bool isConsequence(llvm::StringRef attribute) const;
  void outputMissing(unsigned port, llvm::ArrayRef<llvm::StringRef> missing);
  typed::ExprPtr autoAssigned(llvm::StringRef name, Type type);
  typed::ExprPtr supplied(Type type);
  typed::ExprPtr defaultValue(Type type);
  void leaveTypeOpen(unsigned port);
  void sameTypes();

  std::vector<llvm::StringMap<Range>> assigned; // per output port
};

} // namespace sluice::sema
