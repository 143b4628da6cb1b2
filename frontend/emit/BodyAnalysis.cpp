//===- BodyAnalysis.cpp - what emission asks of the typed tree ------------===//
#include "frontend/emit/BodyAnalysis.h"

using namespace sluice;
using namespace sluice::emission;
using llvm::cast;
using llvm::dyn_cast;
using typed::Expr;
using typed::ExprKind;
using typed::Stmt;
using typed::Variable;

bool emission::isScalar(Type type) { return type->info().storage == Storage::Scalar; }

bool emission::isPlace(const Variable &var) { return var.isMutable || var.kind == Variable::State; }

bool emission::mentionsRoot(const Expr &e, const Expr &place) {
  const Expr &root = rootOf(place);
  return anyExpr(e, [&](const Expr &part) {
    if (auto *history = dyn_cast<typed::HistoryExpr>(&part))
      return history->back == 0 && root.kind == ExprKind::Tuple;
    auto *var = dyn_cast<typed::VarExpr>(&part);
    return part.kind == root.kind && (!var || var->var == cast<typed::VarExpr>(root).var);
  });
}

bool emission::writesTuple(const Stmt &body) {
  auto isTuple = [](const Expr &e) { return llvm::isa<typed::TupleExpr>(rootOf(e)); };
  return anyExpr(body, [&](const Expr &e) {
    if (auto *assign = dyn_cast<typed::AssignExpr>(&e))
      return isTuple(*assign->target);
    if (auto *incDec = dyn_cast<typed::IncDecExpr>(&e))
      return isTuple(*incDec->place);
    if (auto *call = dyn_cast<typed::AnyCallExpr>(&e))
      for (size_t i = 0; i < call->args.size(); ++i)
        if (call->isMutable(i) && isTuple(*call->args[i]))
          return true;
    return false;
  });
}

/// range(list), range(n), range(lo, hi), and with a step that is known not to be
/// zero. Any other call makes the list.
bool emission::isCountedRange(const Expr &e) {
  auto *call = dyn_cast<typed::NativeCallExpr>(&e);
  if (!call || call->proto->facts.intrinsic != spl::Intrinsic::range ||
      e.type->kind != SplType::List || !e.type->args[0]->isInteger())
    return false;
  llvm::ArrayRef<typed::ExprPtr> args = call->args;
  if (args.size() == 1 && args[0]->type->kind == SplType::List)
    return true;
  bool integers =
      llvm::all_of(args, [&](const typed::ExprPtr &arg) { return arg->type == e.type->args[0]; });
  if (!integers || args.empty() || args.size() > 3)
    return false;
  auto *step = args.size() == 3 ? dyn_cast<typed::ConstExpr>(args[2].get()) : nullptr;
  return args.size() < 3 || (step && step->integer() != 0);
}

//===--- borrowing ----------------------------------------------------------===//

bool BodyAnalysis::borrows(const Expr &e) const {
  if (isScalar(e.type) || e.type->kind == SplType::Void)
    return false;
  if (auto *var = dyn_cast<typed::VarExpr>(&e))
    return isPlace(*var->var);
  if (llvm::isa<typed::TupleExpr>(e))
    return tupleIsPlace;
  if (auto *history = dyn_cast<typed::HistoryExpr>(&e)) // what came before does not change
    return history->back == 0 && tupleIsPlace;
  // A library function may return a view of an argument, `+ ""` its operand.
  return anyOperand(e, [&](const Expr &operand) { return borrows(operand); });
}

bool BodyAnalysis::assignCopies(const typed::AssignExpr &assign) const {
  auto *element = dyn_cast<typed::IndexExpr>(assign.target.get());
  bool slot = !assign.compound && element && element->base->type->kind == SplType::Map;
  bool append = assign.compound && assign.target->type->isString();
  return (slot || append) && borrows(*assign.value) && mentionsRoot(*assign.value, *assign.target);
}

//===--- temporaries --------------------------------------------------------===//

/// What spl::NativeOp::mayUseScratch says of the call.
static bool mayUseScratch(const typed::NativeCallExpr &call) {
  const typed::Prototype &proto = *call.proto;
  return !proto.facts.is(spl::CallTrait::scratchFree) &&
         !((call.type->kind == SplType::Void || isScalar(call.type)) &&
           llvm::none_of(proto.isMutable, [](bool isMutable) { return isMutable; }) &&
           llvm::all_of(call.args, [](const typed::ExprPtr &arg) { return isScalar(arg->type); }));
}

bool BodyAnalysis::allocatesItself(const Expr &e) {
  bool hasPayload = !isScalar(e.type) && e.type->kind != SplType::Void;
  switch (e.kind) {
  case ExprKind::Const: // constant data
  case ExprKind::Var:
  case ExprKind::Tuple:
  case ExprKind::History:
  case ExprKind::Punct:
  case ExprKind::Field: // views
  case ExprKind::Index:
  case ExprKind::Conditional:
  case ExprKind::Present:
  case ExprKind::Unwrap:
  case ExprKind::OrElse:
    return false;
  case ExprKind::NativeCall:
    return mayUseScratch(cast<typed::NativeCallExpr>(e));
  case ExprKind::Call:
    return hasPayload || allocates(*cast<typed::CallExpr>(e).callee);
  case ExprKind::Submit: // the consumers run here
    return true;
  case ExprKind::Assign: {
    auto &assign = cast<typed::AssignExpr>(e);
    bool isLifted = assign.compound && assign.compound->lift != typed::Lift::None;
    return assignCopies(assign) || isLifted || (assign.compound && !isScalar(assign.target->type));
  }
  case ExprKind::Cast: // parsing may need room
    return hasPayload || !isScalar(cast<typed::CastExpr>(e).operand->type);
  case ExprKind::InRange:
  case ExprKind::Slice:
  case ExprKind::ListLit:
  case ExprKind::SetLit:
  case ExprKind::MapLit:
  case ExprKind::TupleLit:
  case ExprKind::Unary:
  case ExprKind::Binary:
  case ExprKind::Logical:
  case ExprKind::In:
  case ExprKind::OutputFn:
  case ExprKind::Supplied:
  case ExprKind::IncDec:
  case ExprKind::SubmissionValue:
    return hasPayload;
  }
  llvm_unreachable("all kinds of expressions are covered");
}

bool BodyAnalysis::allocates(const Expr &e) {
  return anyExpr(e, [&](const Expr &part) { return allocatesItself(part); });
}

bool BodyAnalysis::allocates(const Stmt &s) {
  // The copy that keeps an immutable variable's value.
  if (auto *decl = dyn_cast<typed::DeclStmt>(&s);
      decl && decl->init && !isPlace(*decl->var) && borrows(*decl->init))
    return true;
  auto *loop = dyn_cast<typed::ForStmt>(&s);
  bool isCounted = loop && isCountedRange(*loop->expr); // the call itself is not made
  return anyPart(
      s,
      [&](const Expr &e) {
        return isCounted ? anyOperand(e, [&](const Expr &arg) { return allocates(arg); })
                         : allocates(e);
      },
      [&](const Stmt &part) { return allocates(part); });
}

/// A recursive call allocates if the rest of the body does. The answer for a function inside a
/// recursion may be incomplete, so only that of the outermost function is kept.
bool BodyAnalysis::allocates(const typed::Function &function) {
  if (auto known = functions.find(&function); known != functions.end())
    return known->second;
  bool outermost = visiting.empty();
  if (!visiting.insert(&function).second)
    return false;
  bool result = function.body && allocates(*function.body);
  if (outermost) {
    visiting.clear();
    functions[&function] = result;
  }
  return result;
}
