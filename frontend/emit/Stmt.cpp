//===- Stmt.cpp - statements and whole bodies --------------------------===//
#include "frontend/emit/EmitterParts.h"
#include "ir/Kinds.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace sluice;
using namespace sluice::emission;
using llvm::cast;
using mlir::Block;
using mlir::Location;
using mlir::Value;
using typed::Expr;
using typed::Stmt;
using typed::StmtKind;

BodyEmitter::BodyEmitter(Shared &shared, mlir::Region &region, bool tupleIsPlace)
    : shared(shared), region(region), builder(shared.context), analysis(tupleIsPlace),
      tupleIsPlace(tupleIsPlace) {
  if (region.empty())
    region.emplaceBlock();
  builder.setInsertionPointToEnd(&region.front());
}

//===--- arguments ----------------------------------------------------------===//

void BodyEmitter::addFormal(const typed::Variable &formal) {
  mlir::Type type = formal.isMutable ? shared.refType(formal.type) : shared.type(formal.type);
  Value argument = region.front().addArgument(type, shared.location(formal.range));
  (formal.isMutable ? places : values)[&formal] = argument;
}

void BodyEmitter::addTuple(unsigned port, Type type, Location loc) {
  Value argument = region.front().addArgument(shared.type(type), loc);
  tuples[port] = argument;
  if (!tupleIsPlace)
    return;
  Value place = PlaceEmitter(*this).addVariable("tuple", argument.getType(), loc);
  spl::StoreOp::create(builder, loc, argument, place);
  tuplePlaces[port] = place;
}

void BodyEmitter::addMarker(Location loc) {
  marker = region.front().addArgument(spl::markerType(shared.context), loc);
}

//===--- bodies -------------------------------------------------------------===//

void BodyEmitter::end(Location loc) {
  if (isFunction)
    spl::ReturnOp::create(builder, loc, Value());
  else
    stream::EndOp::create(builder, loc);
  builder.clearInsertionPoint();
}

void BodyEmitter::emitHandler(const Stmt &body) {
  emit(body);
  if (isLive())
    end(shared.location(body.range));
}

void BodyEmitter::emitFunction(const typed::Function &function) {
  isFunction = true;
  for (const typed::Variable *formal : function.params)
    addFormal(*formal);
  emitHandler(*function.body);
}

void BodyEmitter::emitEffect(const Expr &e) {
  emit(e);
  end(loc(e));
}

void BodyEmitter::emitYield(llvm::ArrayRef<const Expr *> exprs, Location loc) {
  llvm::SmallVector<Value> results;
  for (const Expr *e : exprs)
    results.push_back(emit(*e));
  stream::YieldOp::create(builder, loc, results);
}

//===--- statements ---------------------------------------------------------===//

void BodyEmitter::emit(const Stmt &s) {
  if (!isLive()) // behind a return, break or continue
    return;
  Location loc = shared.location(s.range);
  switch (s.kind) {
  case StmtKind::Decl:
    return emitDecl(cast<typed::DeclStmt>(s));
  case StmtKind::Expr:
    emit(*cast<typed::ExprStmt>(s).expr);
    return;
  case StmtKind::Block:
    for (const typed::StmtPtr &part : cast<typed::BlockStmt>(s).body)
      emit(*part);
    return;
  case StmtKind::If:
    return emitIf(cast<typed::IfStmt>(s));
  case StmtKind::While:
    return LoopEmitter(*this).emitWhile(cast<typed::WhileStmt>(s));
  case StmtKind::For:
    return LoopEmitter(*this).emitFor(cast<typed::ForStmt>(s));
  case StmtKind::Break:
    return branch(loc, loops.back().exit);
  case StmtKind::Continue:
    return branch(loc, loops.back().next);
  case StmtKind::Return:
    return emitReturn(cast<typed::ReturnStmt>(s));
  }
}

/// A mutable variable is stored each time its declaration runs. An immutable variable is an SSA
/// value. It is copied if a later write to a place could change it.
void BodyEmitter::emitDecl(const typed::DeclStmt &s) {
  Location loc = shared.location(s.range);
  mlir::Type type = shared.type(s.var->type);
  Value value = s.init ? emit(*s.init)
                       : spl::ConstOp::create(builder, loc, type, mlir::Attribute()).getResult();
  if (!isPlace(*s.var)) {
    values[s.var] = s.init && analysis.borrows(*s.init) ? copy(loc, value) : value;
    return;
  }
  Value &place = places[s.var];
  if (!place)
    place = PlaceEmitter(*this).addVariable(s.var->name, type, loc);
  spl::StoreOp::create(builder, loc, value, place);
}

void BodyEmitter::emitIf(const typed::IfStmt &s) {
  Location loc = shared.location(s.range);
  Value condition = emit(*s.condition);
  Block *yes = newBlock({}, loc), *no = s.otherwise ? newBlock({}, loc) : nullptr,
        *done = newBlock({}, loc);
  branchIf(loc, condition, yes, no ? no : done);
  for (auto [block, arm] : {std::pair(yes, s.then.get()), std::pair(no, s.otherwise.get())}) {
    if (!block)
      continue;
    enter(block);
    emit(*arm);
    if (isLive())
      branch(loc, done);
  }
  enter(done);
}

/// The value of a return must not point into places of this activation.
void BodyEmitter::emitReturn(const typed::ReturnStmt &s) {
  Location loc = shared.location(s.range);
  if (!s.value)
    return end(loc);
  Value value = emit(*s.value);
  if (analysis.borrows(*s.value))
    value = copy(loc, value);
  spl::ReturnOp::create(builder, loc, value);
  builder.clearInsertionPoint();
}
