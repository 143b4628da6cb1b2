//===- Place.cpp - places: variables, parts of them, writes ------------===//
#include "frontend/emit/EmitterParts.h"

using namespace sluice;
using namespace sluice::emission;
using mlir::Location;
using mlir::Value;
using typed::Expr;
using typed::Variable;

Value PlaceEmitter::addVariable(llvm::StringRef name, mlir::Type type, Location loc) {
  mlir::OpBuilder::InsertionGuard guard(builder);
  if (emitter.lastVariable)
    builder.setInsertionPointAfter(emitter.lastVariable);
  else
    builder.setInsertionPointToStart(&emitter.region.front());
  auto var = spl::VarOp::create(builder, loc, spl::RefType::get(shared.context, type), name);
  emitter.lastVariable = var;
  return var;
}

/// Null for immutable variables, which are values.
Value PlaceEmitter::variablePlace(const Variable &var) {
  if (var.kind == Variable::State)
    return spl::StateOp::create(builder, shared.location(var.range), shared.refType(var.type),
                                var.name, var.index);
  return emitter.places.lookup(&var);
}

Value PlaceEmitter::fieldPlace(const Expr &e) {
  if (auto *var = llvm::dyn_cast<typed::VarExpr>(&e))
    return variablePlace(*var->var);
  if (auto *tuple = llvm::dyn_cast<typed::TupleExpr>(&e))
    return emitter.tuplePlaces.lookup(tuple->port);
  auto *field = llvm::dyn_cast<typed::FieldExpr>(&e);
  Value base = field ? fieldPlace(*field->base) : Value();
  return base ? spl::FieldRefOp::create(builder, emitter.loc(e), base, field->index) : Value();
}

Value PlaceEmitter::emitPlace(const Expr &e) {
  if (auto *element = llvm::dyn_cast<typed::IndexExpr>(&e))
    return emitElementPlace(*element);
  if (auto *field = llvm::dyn_cast<typed::FieldExpr>(&e)) {
    Value base = emitPlace(*field->base);
    return spl::FieldRefOp::create(builder, emitter.loc(e), base, field->index);
  }
  if (auto *unwrap = llvm::dyn_cast<typed::UnwrapExpr>(&e))
    return emitUnwrapPlace(*unwrap);
  Value place = fieldPlace(e);
  assert(place && "written, but not a place");
  return place;
}

/// The place of an element that must exist. The index comes first: its evaluation may write.
Value PlaceEmitter::emitElementPlace(const typed::IndexExpr &e) {
  Value index = emitter.emit(*e.index);
  Value base = emitPlace(*e.base);
  return spl::IndexRefOp::create(builder, emitter.loc(e), shared.refType(e.type), base, index,
                                 emitter.source(e));
}

/// The value comes before the place: evaluating it may grow a collection, which moves what the
/// collection holds.
void PlaceEmitter::emitAssign(const typed::AssignExpr &e) {
  const Expr &target = *e.target;
  Value value = emitter.emit(*e.value);
  if (emitter.analysis.assignCopies(e))
    value = emitter.copy(emitter.loc(e), value);
  auto *element = llvm::dyn_cast<typed::IndexExpr>(&target);
  if (!e.compound && element && element->base->type->kind == SplType::Map)
    return emitAssignToKey(e, *element, value);
  Value place = emitPlace(target);
  if (!e.compound) {
    spl::StoreOp::create(builder, emitter.loc(e), value, place);
    return;
  }
  if (e.compound->op == ast::BinaryOp::Add && target.type->isString() && !target.type->bound) {
    spl::AppendOp::create(builder, emitter.loc(e), value, place);
    return;
  }
  Value before = spl::LoadOp::create(builder, emitter.loc(target), place);
  Value after = emitter.emitBinary(e, *e.compound, before, value, before.getType());
  spl::StoreOp::create(builder, emitter.loc(e), after, place);
}

/// `map[key] = value`, which adds the key if the map lacks it.
void PlaceEmitter::emitAssignToKey(const typed::AssignExpr &e, const typed::IndexExpr &target,
                                   Value value) {
  Value key = emitter.emit(*target.index);
  if (emitter.analysis.borrows(*target.index) && mentionsRoot(*target.index, target))
    key = emitter.copy(emitter.loc(*target.index), key);
  Value map = emitPlace(*target.base);
  Value slot =
      spl::MapSlotOp::create(builder, emitter.loc(target), shared.refType(target.type), map, key);
  spl::StoreOp::create(builder, emitter.loc(e), value, slot);
  if (target.base->type->bound)
    spl::CutOp::create(builder, emitter.loc(e), map);
}

Value PlaceEmitter::emitIncDec(const typed::IncDecExpr &e) {
  Value place = emitPlace(*e.place);
  Value before = spl::LoadOp::create(builder, emitter.loc(*e.place), place);
  Value one = emitter.constant(emitter.loc(e), before.getType(), 1);
  auto op = e.isDecrement ? ast::BinaryOp::Sub : ast::BinaryOp::Add;
  Value after = buildBinary(builder, emitter.loc(e), emitter.source(e), op, before, one);
  spl::StoreOp::create(builder, emitter.loc(e), after, place);
  return e.isPrefix ? after : before;
}
