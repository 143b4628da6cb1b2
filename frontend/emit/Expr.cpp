//===- Expr.cpp - expressions to the spl dialect ------------------------===//
#include "frontend/emit/EmitterParts.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace sluice;
using namespace sluice::emission;
using llvm::cast;
using mlir::Block;
using mlir::Location;
using mlir::StringAttr;
using mlir::Value;
using typed::Expr;
using typed::ExprKind;

StringAttr BodyEmitter::source(const Expr &e) {
  return e.source.empty() ? StringAttr() : builder.getStringAttr(e.source);
}

Value BodyEmitter::constant(Location loc, mlir::Type type, int64_t value) {
  mlir::Attribute attr = builder.getI64IntegerAttr(value);
  if (mlir::isa<mlir::FloatType, mlir::ComplexType>(type))
    attr = builder.getF64FloatAttr(double(value));
  else if (mlir::isa<spl::DecimalType>(type))
    attr = builder.getStringAttr(std::to_string(value));
  return spl::ConstOp::create(builder, loc, type, attr);
}

Value BodyEmitter::copy(Location loc, Value value) {
  return spl::CopyOp::create(builder, loc, value);
}

Value BodyEmitter::emit(const Expr &e) {
  switch (e.kind) {
  case ExprKind::Const:
    return emitConst(cast<typed::ConstExpr>(e));
  case ExprKind::Var:
  case ExprKind::Tuple:
  case ExprKind::Field:
    return emitRead(e);
  case ExprKind::History:
    return emitHistory(cast<typed::HistoryExpr>(e));
  case ExprKind::Punct:
    return marker;
  case ExprKind::Index: {
    auto &part = cast<typed::IndexExpr>(e);
    Value base = emit(*part.base), index = emit(*part.index);
    return spl::IndexOp::create(builder, loc(e), shared.type(e.type), base, index, source(e));
  }
  case ExprKind::Slice:
    return emitSlice(cast<typed::SliceExpr>(e));
  case ExprKind::ListLit:
  case ExprKind::SetLit:
  case ExprKind::MapLit:
  case ExprKind::TupleLit:
    return emitAggregate(cast<typed::AggregateExpr>(e));
  case ExprKind::Unary:
    return emitUnary(cast<typed::UnaryExpr>(e));
  case ExprKind::Binary: {
    auto &binary = cast<typed::BinaryExpr>(e);
    Value lhs = emit(*binary.lhs), rhs = emit(*binary.rhs);
    return emitBinary(e, binary.op, lhs, rhs, shared.type(e.type));
  }
  case ExprKind::Logical:
    return emitShortCircuit(cast<typed::LogicalExpr>(e));
  case ExprKind::In: {
    auto &in = cast<typed::InExpr>(e);
    Value element = emit(*in.item), collection = emit(*in.collection);
    return spl::ContainsOp::create(builder, loc(e), builder.getI1Type(), element, collection);
  }
  case ExprKind::Conditional:
    return emitConditional(cast<typed::ConditionalExpr>(e));
  case ExprKind::Cast:
    return emitCast(cast<typed::CastExpr>(e));
  case ExprKind::InRange: {
    auto &number = cast<typed::InRangeExpr>(e);
    Value value = emit(*number.operand);
    spl::CheckSizeOp::create(builder, loc(e), number.word, value, number.positive,
                             mlir::FloatAttr());
    return value;
  }
  case ExprKind::Present:
    return OptionalEmitter(*this).emitPresent(cast<typed::PresentExpr>(e));
  case ExprKind::Unwrap:
    return OptionalEmitter(*this).emitUnwrap(cast<typed::UnwrapExpr>(e));
  case ExprKind::OrElse:
    return OptionalEmitter(*this).emitOrElse(cast<typed::OrElseExpr>(e));
  case ExprKind::Call:
    return emitCall(cast<typed::CallExpr>(e));
  case ExprKind::NativeCall:
    return emitNative(cast<typed::NativeCallExpr>(e));
  case ExprKind::OutputFn:
    return emitOutputFn(cast<typed::OutputFnExpr>(e));
  case ExprKind::Supplied:
    return spl::SuppliedOp::create(builder, loc(e), shared.type(e.type));
  case ExprKind::Assign:
    PlaceEmitter(*this).emitAssign(cast<typed::AssignExpr>(e));
    return nullptr;
  case ExprKind::IncDec:
    return PlaceEmitter(*this).emitIncDec(cast<typed::IncDecExpr>(e));
  case ExprKind::Submit:
    emitSubmit(cast<typed::SubmitExpr>(e));
    return nullptr;
  case ExprKind::SubmissionValue:
    return spl::SubmissionOp::create(builder, loc(e), shared.type(e.type),
                                     cast<typed::SubmissionValueExpr>(e).index);
  }
  llvm_unreachable("all kinds of expressions are covered");
}

llvm::SmallVector<Value> BodyEmitter::emitAll(llvm::ArrayRef<typed::ExprPtr> exprs) {
  return llvm::map_to_vector(exprs, [&](const typed::ExprPtr &e) { return emit(*e); });
}

Value BodyEmitter::emitConst(const typed::ConstExpr &e) {
  mlir::Type type = shared.type(e.type);
  if (e.isDefault())
    return spl::ConstOp::create(builder, loc(e), type, mlir::Attribute());
  if (e.type->isIn(type_class::String | type_class::Xml) || e.type->isDecimal())
    return spl::ConstOp::create(builder, loc(e), type, builder.getStringAttr(e.text()));
  if (e.type->isFloat())
    return spl::ConstOp::create(builder, loc(e), type, builder.getF64FloatAttr(e.real()));
  return constant(loc(e), type, e.integer());
}

/// Variables, tuples and their attributes. An attribute of a place is loaded
/// alone, not with the whole tuple.
Value BodyEmitter::emitRead(const Expr &e) {
  if (Value place = PlaceEmitter(*this).fieldPlace(e))
    return spl::LoadOp::create(builder, loc(e), place);
  if (auto *var = llvm::dyn_cast<typed::VarExpr>(&e))
    return values.lookup(var->var);
  if (auto *tuple = llvm::dyn_cast<typed::TupleExpr>(&e))
    return tuples.lookup(tuple->port);
  auto &field = cast<typed::FieldExpr>(e);
  return spl::FieldOp::create(builder, loc(e), emit(*field.base), field.index);
}

Value BodyEmitter::emitHistory(const typed::HistoryExpr &e) {
  if (e.back)
    return stream::HistoryOp::create(builder, loc(e), shared.type(e.type), e.port, e.back);
  if (Value place = tuplePlaces.lookup(e.port))
    return spl::LoadOp::create(builder, loc(e), place);
  return tuples.lookup(e.port);
}

Value BodyEmitter::emitAggregate(const typed::AggregateExpr &e) {
  llvm::SmallVector<Value> elements = emitAll(e.elements);
  mlir::Type type = shared.type(e.type);
  if (e.kind == ExprKind::ListLit)
    return spl::MakeListOp::create(builder, loc(e), type, elements);
  if (e.kind == ExprKind::SetLit)
    return spl::MakeSetOp::create(builder, loc(e), type, elements);
  if (e.kind == ExprKind::MapLit)
    return spl::MakeMapOp::create(builder, loc(e), type, elements);
  return spl::MakeTupleOp::create(builder, loc(e), type, elements);
}

Value BodyEmitter::emitSlice(const typed::SliceExpr &e) {
  Value base = emit(*e.base);
  Value low = e.low ? emit(*e.low) : Value();
  Value high = e.high ? emit(*e.high) : Value();
  return spl::SliceOp::create(builder, loc(e), base, low, high, source(e));
}

//===--- control flow -------------------------------------------------------===//

Block *BodyEmitter::newBlock(llvm::ArrayRef<mlir::Type> args, Location loc) {
  auto *block = new Block;
  region.push_back(block);
  for (mlir::Type type : args)
    block->addArgument(type, loc);
  return block;
}

void BodyEmitter::branch(Location loc, Block *to, mlir::ValueRange args) {
  mlir::cf::BranchOp::create(builder, loc, to, args);
  builder.clearInsertionPoint();
}

void BodyEmitter::branchIf(Location loc, Value condition, Block *yes, Block *no) {
  mlir::cf::CondBranchOp::create(builder, loc, condition, yes, mlir::ValueRange(), no,
                                 mlir::ValueRange());
  builder.clearInsertionPoint();
}

void BodyEmitter::enter(Block *block) {
  if (block->hasNoPredecessors()) {
    block->erase();
    builder.clearInsertionPoint();
    return;
  }
  region.getBlocks().splice(region.end(), region.getBlocks(), block->getIterator());
  builder.setInsertionPointToEnd(block);
}

Value BodyEmitter::emitShortCircuit(const typed::LogicalExpr &e) {
  Value lhs = emit(*e.lhs);
  Block *more = newBlock({}, loc(e)), *done = newBlock(builder.getI1Type(), loc(e));
  mlir::cf::CondBranchOp::create(builder, loc(e), lhs, e.isAnd ? more : done,
                                 e.isAnd ? mlir::ValueRange() : lhs, e.isAnd ? done : more,
                                 e.isAnd ? lhs : mlir::ValueRange());
  enter(more);
  Value rhs = emit(*e.rhs);
  branch(loc(e), done, rhs);
  enter(done);
  return done->getArgument(0);
}

Value BodyEmitter::emitConditional(const typed::ConditionalExpr &e) {
  Value condition = emit(*e.condition);
  Block *yes = newBlock({}, loc(e)), *no = newBlock({}, loc(e)),
        *done = newBlock(shared.type(e.type), loc(e));
  branchIf(loc(e), condition, yes, no);
  for (auto [block, arm] : {std::pair(yes, e.then.get()), std::pair(no, e.otherwise.get())}) {
    enter(block);
    Value value = emit(*arm);
    branch(loc(*arm), done, value);
  }
  enter(done);
  return done->getArgument(0);
}

//===--- operators ----------------------------------------------------------===//

Value BodyEmitter::emitUnary(const typed::UnaryExpr &e) {
  auto kind = [&] {
    switch (e.op) {
    case typed::UnaryOp::Neg:
      return spl::UnaryKind::neg;
    case typed::UnaryOp::Not:
      return spl::UnaryKind::not_;
    case typed::UnaryOp::BitNot:
      return spl::UnaryKind::bitnot;
    }
    llvm_unreachable("all unary operators are covered");
  }();
  return spl::UnaryOp::create(builder, loc(e), kind, emit(*e.operand));
}

static std::optional<spl::CompareKind> comparison(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Eq:
    return spl::CompareKind::eq;
  case ast::BinaryOp::Ne:
    return spl::CompareKind::ne;
  case ast::BinaryOp::Lt:
    return spl::CompareKind::lt;
  case ast::BinaryOp::Le:
    return spl::CompareKind::le;
  case ast::BinaryOp::Gt:
    return spl::CompareKind::gt;
  case ast::BinaryOp::Ge:
    return spl::CompareKind::ge;
  case ast::BinaryOp::Mul:
  case ast::BinaryOp::Div:
  case ast::BinaryOp::Rem:
  case ast::BinaryOp::Add:
  case ast::BinaryOp::Sub:
  case ast::BinaryOp::Shl:
  case ast::BinaryOp::Shr:
  case ast::BinaryOp::BitAnd:
  case ast::BinaryOp::BitXor:
  case ast::BinaryOp::BitOr:
  case ast::BinaryOp::In:
  case ast::BinaryOp::And:
  case ast::BinaryOp::Or:
    break;
  }
  return std::nullopt;
}

static spl::BinaryKind arithmetic(ast::BinaryOp op) {
  switch (op) {
  case ast::BinaryOp::Add:
    return spl::BinaryKind::add;
  case ast::BinaryOp::Sub:
    return spl::BinaryKind::sub;
  case ast::BinaryOp::Mul:
    return spl::BinaryKind::mul;
  case ast::BinaryOp::And: // of lifted booleans: both sides are there anyway
  case ast::BinaryOp::BitAnd:
    return spl::BinaryKind::bit_and;
  case ast::BinaryOp::Or:
  case ast::BinaryOp::BitOr:
    return spl::BinaryKind::bit_or;
  case ast::BinaryOp::BitXor:
    return spl::BinaryKind::bit_xor;
  case ast::BinaryOp::Shl:
    return spl::BinaryKind::shl;
  case ast::BinaryOp::Shr:
    return spl::BinaryKind::shr;
  case ast::BinaryOp::Div:
  case ast::BinaryOp::Rem:
  case ast::BinaryOp::Lt:
  case ast::BinaryOp::Le:
  case ast::BinaryOp::Gt:
  case ast::BinaryOp::Ge:
  case ast::BinaryOp::Eq:
  case ast::BinaryOp::Ne:
  case ast::BinaryOp::In:
    break;
  }
  llvm_unreachable("not an arithmetic operator");
}

Value emission::buildBinary(mlir::OpBuilder &builder, Location loc, StringAttr source,
                            ast::BinaryOp op, Value lhs, Value rhs) {
  if (op == ast::BinaryOp::Div)
    return spl::DivOp::create(builder, loc, lhs, rhs, source);
  if (op == ast::BinaryOp::Rem)
    return spl::RemOp::create(builder, loc, lhs, rhs, source);
  if (auto kind = comparison(op))
    return spl::CompareOp::create(builder, loc, builder.getI1Type(), *kind, lhs, rhs);
  return spl::BinaryOp::create(builder, loc, lhs.getType(), arithmetic(op), lhs, rhs);
}

Value BodyEmitter::emitBinary(const Expr &at, typed::BinaryOperator op, Value lhs, Value rhs,
                              mlir::Type result) {
  if (op.lift == typed::Lift::None)
    return buildBinary(builder, loc(at), source(at), op.op, lhs, rhs);
  auto type = builder.getFunctionType({lhs.getType(), rhs.getType()}, result);
  spl::FuncOp function = buildLiftedFunction(shared, at, op, type);
  return spl::CallOp::create(builder, loc(at), result, function.getSymName(),
                             mlir::ValueRange{lhs, rhs}, source(at))
      .getResult();
}

Value BodyEmitter::emitCast(const typed::CastExpr &e) {
  Value operand = emit(*e.operand);
  mlir::Type type = shared.type(e.type);
  if (operand.getType() == type)
    return operand;
  // Text may say `null`, so it is the text of an optional.
  bool isText = mlir::isa<spl::RStringType>(operand.getType());
  auto optional = mlir::dyn_cast<spl::OptionalType>(type);
  if (optional && !mlir::isa<spl::OptionalType>(operand.getType()) &&
      (!isText || optional.getElement() == operand.getType()))
    return OptionalEmitter(*this).emitLifted(e, operand, optional);
  return spl::CastOp::create(builder, loc(e), type, operand, source(e));
}

//===--- calls --------------------------------------------------------------===//

Value BodyEmitter::emitCall(const typed::CallExpr &e) {
  llvm::SmallVector<Value> args;
  for (auto [arg, formal] : llvm::zip(e.args, e.callee->params))
    args.push_back(formal->isMutable ? PlaceEmitter(*this).emitPlace(*arg) : emit(*arg));
  mlir::Type result = e.type->kind == SplType::Void ? mlir::Type() : shared.type(e.type);
  return spl::CallOp::create(builder, loc(e), result, e.callee->symbol, args, source(e))
      .getResult();
}

/// What later phases read; null where there is nothing to say.
static spl::CallFactsAttr emitFacts(mlir::MLIRContext *context, const typed::FunctionFacts &facts) {
  if (facts.effects == spl::Effect::none && facts.traits == spl::CallTrait::none &&
      facts.intrinsic == spl::Intrinsic::none)
    return {};
  return spl::CallFactsAttr::get(context, facts.effects, facts.traits, facts.intrinsic);
}

Value BodyEmitter::emitNative(const typed::NativeCallExpr &e) {
  const typed::Prototype &proto = *e.proto;
  if (!proto.facts.eventTime.empty()) {
    auto &tuple = cast<typed::TupleExpr>(*e.args[0]);
    return emitEventTime(*shared.op->inputs[tuple.port].eventTime, tuple, proto.facts.eventTime,
                         shared.type(e.type));
  }
  llvm::SmallVector<Value> args;
  llvm::SmallVector<int32_t> generic;
  for (size_t i = 0; i < e.args.size(); ++i) {
    if (e.isMutable(i)) {
      args.push_back(PlaceEmitter(*this).emitPlace(*e.args[i]));
      continue;
    }
    args.push_back(emit(*e.args[i]));
    bool isFormal = i < proto.params.size(); // not the place of the call
    if (isFormal && proto.params[i]->kind == SplType::Var)
      generic.push_back(i);
  }
  llvm::SmallVector<mlir::Type> typeArgs;
  for (Type type : e.typeArgs)
    typeArgs.push_back(shared.type(type));
  mlir::Type result = e.type->kind == SplType::Void ? mlir::Type() : shared.type(e.type);
  return spl::NativeOp::create(builder, loc(e), result, proto.symbol, args,
                               builder.getTypeArrayAttr(typeArgs), generic, source(e),
                               emitFacts(shared.context, proto.facts))
      .getResult();
}

/// The arguments of a function that says something about several tuples stand elsewhere: the
/// operator's emission has numbered those.
Value BodyEmitter::emitOutputFn(const typed::OutputFnExpr &e) {
  if (e.proto->facts.isIdentity)
    return emit(*e.args[0]);
  bool summarises = e.algebra || e.proto->facts.isFold;
  auto op = spl::OutputFnOp::create(builder, loc(e), shared.type(e.type), e.proto->name,
                                    summarises ? llvm::SmallVector<Value>() : emitAll(e.args));
  if (e.algebra)
    op.setSummary(shared.summaries.at(&e));
  if (e.proto->facts.counts)
    op.setCounts(*e.proto->facts.counts);
  if (e.proto->facts.isFold)
    op.setFold(shared.summaries.at(&e));
  if (e.proto->facts.pane)
    op.setPane(*e.proto->facts.pane);
  return op;
}

void BodyEmitter::emitSubmit(const typed::SubmitExpr &e) {
  Value value = emit(*e.value);
  if (e.isPunct())
    stream::SubmitPunctOp::create(builder, loc(e), e.port, value);
  else
    stream::SubmitOp::create(builder, loc(e), e.port, value);
}
