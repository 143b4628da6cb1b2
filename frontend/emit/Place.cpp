//===- Place.cpp - places: variables, parts of them, writes ------------===//
#include "frontend/emit/BodyEmitter.h"

using namespace sluice;
using namespace sluice::emission;
using mlir::Location;
using mlir::Value;
using typed::Expr;
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
  if (auto *var = llvm::dyn_cast<typed::VarExpr>(&e))
    return variablePlace(*var->var);
  if (auto *tuple = llvm::dyn_cast<typed::TupleExpr>(&e))
    return tuplePlaces.lookup(tuple->port);
  auto *field = llvm::dyn_cast<typed::FieldExpr>(&e);
  Value base = field ? fieldPlace(*field->base) : Value();
  return base ? spl::FieldRefOp::create(builder, loc(e), base, field->index) : Value();
}

Value BodyEmitter::emitPlace(const Expr &e) {
  if (auto *element = llvm::dyn_cast<typed::IndexExpr>(&e))
    return emitElementPlace(*element);
  if (auto *field = llvm::dyn_cast<typed::FieldExpr>(&e)) {
    Value base = emitPlace(*field->base);
    return spl::FieldRefOp::create(builder, loc(e), base, field->index);
  }
  if (auto *unwrap = llvm::dyn_cast<typed::UnwrapExpr>(&e))
    return emitUnwrapPlace(*unwrap);
  Value place = fieldPlace(e);
  assert(place && "written, but not a place");
  return place;
}

/// The place of an element that must exist. The index comes first: its evaluation may write.
Value BodyEmitter::emitElementPlace(const typed::IndexExpr &e) {
  Value index = emit(*e.index);
  Value base = emitPlace(*e.base);
  return spl::IndexRefOp::create(builder, loc(e), shared.refType(e.type), base, index, source(e));
}

/// The value comes before the place: evaluating it may grow a collection, which moves what the
/// collection holds.
void BodyEmitter::emitAssign(const typed::AssignExpr &e) {
  const Expr &target = *e.target;
  Value value = emit(*e.value);
  if (analysis.assignCopies(e))
    value = copy(loc(e), value);
  auto *element = llvm::dyn_cast<typed::IndexExpr>(&target);
  if (!e.compound && element && element->base->type->kind == SplType::Map)
    return emitAssignToKey(e, *element, value);
  Value place = emitPlace(target);
  if (!e.compound) {
    spl::StoreOp::create(builder, loc(e), value, place);
    return;
  }
  if (e.compound->op == ast::BinaryOp::Add && target.type->isString() && !target.type->bound) {
    spl::AppendOp::create(builder, loc(e), value, place);
    return;
  }
  Value before = spl::LoadOp::create(builder, loc(target), place);
  Value after = emitBinary(e, *e.compound, before, value, before.getType());
  spl::StoreOp::create(builder, loc(e), after, place);
}

/// `map[key] = value`, which adds the key if the map lacks it.
void BodyEmitter::emitAssignToKey(const typed::AssignExpr &e, const typed::IndexExpr &target,
                                  Value value) {
  Value key = emit(*target.index);
  if (analysis.borrows(*target.index) && mentionsRoot(*target.index, target))
    key = copy(loc(*target.index), key);
  Value map = emitPlace(*target.base);
  Value slot = spl::MapSlotOp::create(builder, loc(target), shared.refType(target.type), map, key);
  spl::StoreOp::create(builder, loc(e), value, slot);
  if (target.base->type->bound)
    spl::CutOp::create(builder, loc(e), map);
}

Value BodyEmitter::emitIncDec(const typed::IncDecExpr &e) {
  Value place = emitPlace(*e.place);
  Value before = spl::LoadOp::create(builder, loc(*e.place), place);
  Value one = constant(loc(e), before.getType(), 1);
  auto op = e.isDecrement ? ast::BinaryOp::Sub : ast::BinaryOp::Add;
  Value after = buildBinary(builder, loc(e), source(e), op, before, one);
  spl::StoreOp::create(builder, loc(e), after, place);
  return e.isPrefix ? after : before;
}
