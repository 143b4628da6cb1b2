//===- BodyAnalysis.cpp - what emission asks of the typed tree ------------===//
#include "frontend/emit/BodyAnalysis.h"

using namespace sluice;
using namespace sluice::emission;
using typed::Expr;
using typed::ExprKind;
using typed::Stmt;
using typed::StmtKind;
using typed::Variable;

bool emission::anyExpr(const Expr &e, llvm::function_ref<bool(const Expr &)> visit) {
  return visit(e) || llvm::any_of(e.args, [&](const typed::ExprPtr &arg) {
           return arg && anyExpr(*arg, visit);
         });
}

bool emission::anyExpr(const Stmt &s, llvm::function_ref<bool(const Expr &)> visit) {
  return (s.expr && anyExpr(*s.expr, visit)) ||
         llvm::any_of(s.body,
                      [&](const typed::StmtPtr &part) { return part && anyExpr(*part, visit); });
}

bool emission::isScalar(Type type) { return type->info().storage == Storage::Scalar; }

bool emission::isPlace(const Variable &var) { return var.isMutable || var.kind == Variable::State; }

const Expr &emission::rootOf(const Expr &place) {
  bool isPart = place.kind == ExprKind::Field || place.kind == ExprKind::Index;
  return isPart ? rootOf(*place.args[0]) : place;
}

bool emission::mentionsRoot(const Expr &e, const Expr &place) {
  const Expr &root = rootOf(place);
  return anyExpr(e,
                 [&](const Expr &part) { return part.kind == root.kind && part.var == root.var; });
}

bool emission::writesTuple(const Stmt &body) {
  auto isTuple = [](const Expr &e) { return rootOf(e).kind == ExprKind::Tuple; };
  return anyExpr(body, [&](const Expr &e) {
    if (e.kind == ExprKind::Assign || e.kind == ExprKind::IncDec)
      return isTuple(*e.args[0]);
    for (size_t i = 0; i < e.args.size(); ++i) {
      bool isMutable = e.kind == ExprKind::Call     ? e.callee->params[i]->isMutable
                       : e.kind == ExprKind::Native ? bool(e.proto->isMutable[i])
                                                    : false;
      if (isMutable && isTuple(*e.args[i]))
        return true;
    }
    return false;
  });
}

/// range(list), range(n), range(lo, hi), and with a step that is known not to be
/// zero. Any other call makes the list.
bool emission::isCountedRange(const Expr &e) {
  if (e.kind != ExprKind::Native || e.proto->facts.intrinsic != spl::Intrinsic::range ||
      e.type->kind != SplType::List || !e.type->args[0]->isInteger())
    return false;
  if (e.args.size() == 1 && e.args[0]->type->kind == SplType::List)
    return true;
  bool integers =
      llvm::all_of(e.args, [&](const typed::ExprPtr &arg) { return arg->type == e.type->args[0]; });
  if (!integers || e.args.empty() || e.args.size() > 3)
    return false;
  return e.args.size() < 3 || (e.args[2]->kind == ExprKind::Const && e.args[2]->integer != 0);
}

//===--- borrowing ----------------------------------------------------------===//

bool BodyAnalysis::borrows(const Expr &e) const {
  if (isScalar(e.type) || e.type->kind == SplType::Void)
    return false;
  switch (e.kind) {
  case ExprKind::Const:
  case ExprKind::Punct:
  case ExprKind::Submission:
    return false;
  case ExprKind::Var:
    return isPlace(*e.var);
  case ExprKind::Tuple:
    return tupleIsPlace;
  default:
    // A library function may return a view of an argument, `+ ""` its operand.
    return llvm::any_of(e.args, [&](const typed::ExprPtr &arg) { return arg && borrows(*arg); });
  }
}

bool BodyAnalysis::assignCopies(const Expr &assign) const {
  const Expr &target = *assign.args[0], &value = *assign.args[1];
  bool slot = !assign.compound && target.kind == ExprKind::Index &&
              target.args[0]->type->kind == SplType::Map;
  bool append = assign.compound && target.type->kind == SplType::RString;
  return (slot || append) && borrows(value) && mentionsRoot(value, target);
}

//===--- temporaries --------------------------------------------------------===//

/// What spl::NativeOp::mayUseScratch says of the call.
static bool mayUseScratch(const Expr &call) {
  const typed::Prototype &proto = *call.proto;
  return !proto.facts.is(spl::CallTrait::scratchFree) &&
         !((call.type->kind == SplType::Void || isScalar(call.type)) &&
           llvm::none_of(proto.isMutable, [](bool isMutable) { return isMutable; }) &&
           llvm::all_of(call.args, [](const typed::ExprPtr &arg) { return isScalar(arg->type); }));
}

bool BodyAnalysis::allocatesItself(const Expr &e) {
  switch (e.kind) {
  case ExprKind::Const: // constant data
  case ExprKind::Var:
  case ExprKind::Tuple:
  case ExprKind::Punct:
  case ExprKind::Field: // views
  case ExprKind::Index:
  case ExprKind::Conditional:
    return false;
  case ExprKind::Native:
    return mayUseScratch(e);
  case ExprKind::Call:
    return !(isScalar(e.type) || e.type->kind == SplType::Void) || allocates(*e.callee);
  case ExprKind::Submit: // the consumers run here
  case ExprKind::SubmitPunct:
    return true;
  case ExprKind::Assign:
    return assignCopies(e) || e.lift != Expr::NoLift || (e.compound && !isScalar(e.args[0]->type));
  case ExprKind::Cast: // parsing may need room
    return !isScalar(e.type) || !isScalar(e.args[0]->type);
  default:
    return !isScalar(e.type) && e.type->kind != SplType::Void;
  }
}

bool BodyAnalysis::allocates(const Expr &e) {
  return anyExpr(e, [&](const Expr &part) { return allocatesItself(part); });
}

bool BodyAnalysis::allocates(const Stmt &s) {
  if (s.kind == StmtKind::For && isCountedRange(*s.expr)) {
    if (llvm::any_of(s.expr->args, [&](const typed::ExprPtr &arg) { return allocates(*arg); }))
      return true;
  } else if (s.expr && allocates(*s.expr)) {
    return true;
  }
  // The copy that keeps an immutable variable's value.
  if (s.kind == StmtKind::Decl && s.expr && !isPlace(*s.var) && borrows(*s.expr))
    return true;
  return llvm::any_of(s.body, [&](const typed::StmtPtr &part) { return part && allocates(*part); });
}

/// A recursive call adds nothing to what the rest of the body does. What is found
/// inside a recursion may be partial, so only the outermost answer is kept.
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
