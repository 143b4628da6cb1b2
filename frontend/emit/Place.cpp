//===- Place.cpp - places: variables, parts of them, writes ------------===//
#include "frontend/emit/BodyEmitter.h"

using namespace sluice;
using namespace sluice::emission;
using mlir::Location;
using mlir::Value;
using typed::Expr;
using typed::ExprKind;
using typed::Variable;

Value BodyEmitter::addVariable(llvm::StringRef name, mlir::Type type, Location loc) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  if (lastVariable)
    builder.setInsertionPointAfter(lastVariable);
  else
    builder.setInsertionPointToStart(&region.front());
  auto var = spl::VarOp::create(builder, loc, spl::RefType::get(shared.context, type), name);
  lastVariable = var;
  return var;
}

/// Null for immutable variables, which are values.
Value BodyEmitter::variablePlace(const Variable &var) {
  if (var.kind == Variable::State)
    return spl::StateOp::create(builder, shared.location(var.range), shared.refType(var.type),
                                var.name, var.index);
  return places.lookup(&var);
}

Value BodyEmitter::fieldPlace(const Expr &e) {
  if (e.kind == ExprKind::Var)
    return variablePlace(*e.var);
  if (e.kind == ExprKind::Tuple)
    return tuplePlaces.lookup(e.port);
  if (e.kind != ExprKind::Field)
    return nullptr;
  Value base = fieldPlace(*e.args[0]);
  return base ? spl::FieldRefOp::create(builder, loc(e), base, e.index) : Value();
}

Value BodyEmitter::emitPlace(const Expr &e) {
  if (e.kind == ExprKind::Index)
    return emitElementPlace(e);
  if (e.kind == ExprKind::Field) {
    Value base = emitPlace(*e.args[0]);
    return spl::FieldRefOp::create(builder, loc(e), base, e.index);
  }
  Value place = fieldPlace(e);
  assert(place && "written, but not a place");
  return place;
}

/// An element that must exist. The index first: its evaluation might write.
Value BodyEmitter::emitElementPlace(const Expr &e) {
  Value index = emit(*e.args[1]);
  Value base = emitPlace(*e.args[0]);
  return spl::IndexRefOp::create(builder, loc(e), shared.refType(e.type), base, index, source(e));
}

/// The value first, then the place: an address inside a collection does not
/// survive its growth.
void BodyEmitter::emitAssign(const Expr &e) {
  const Expr &target = *e.args[0];
  Value value = emit(*e.args[1]);
  if (analysis.assignCopies(e))
    value = copy(loc(e), value);
  if (!e.compound && target.kind == ExprKind::Index && target.args[0]->type->kind == SplType::Map) {
    const Expr &keyExpr = *target.args[1];
    Value key = emit(keyExpr);
    if (analysis.borrows(keyExpr) && mentionsRoot(keyExpr, target))
      key = copy(loc(keyExpr), key);
    Value map = emitPlace(*target.args[0]);
    Value slot =
        spl::MapSlotOp::create(builder, loc(target), shared.refType(target.type), map, key);
    spl::StoreOp::create(builder, loc(e), value, slot);
    return;
  }
  Value place = emitPlace(target);
  if (!e.compound) {
    spl::StoreOp::create(builder, loc(e), value, place);
    return;
  }
  if (e.op == ast::BinaryOp::Add && target.type->kind == SplType::RString) {
    spl::AppendOp::create(builder, loc(e), value, place);
    return;
  }
  Value before = spl::LoadOp::create(builder, loc(target), place);
  Value after = emitBinary(e, before, value, before.getType());
  spl::StoreOp::create(builder, loc(e), after, place);
}

Value BodyEmitter::emitIncDec(const Expr &e) {
  Value place = emitPlace(*e.args[0]);
  Value before = spl::LoadOp::create(builder, loc(*e.args[0]), place);
  Value one = constant(loc(e), before.getType(), 1);
  auto op = e.decrement ? ast::BinaryOp::Sub : ast::BinaryOp::Add;
  Value after = buildBinary(builder, loc(e), source(e), op, before, one);
  spl::StoreOp::create(builder, loc(e), after, place);
  return e.prefix ? after : before;
}
