//===- Expr.cpp - expressions to the spl dialect ------------------------===//
#include "frontend/emit/BodyEmitter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace sluice;
using namespace sluice::emission;
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
  mlir::Attribute attr = mlir::isa<mlir::FloatType>(type)
                             ? mlir::Attribute(builder.getF64FloatAttr(double(value)))
                             : mlir::Attribute(builder.getI64IntegerAttr(value));
  return spl::ConstOp::create(builder, loc, type, attr);
}

Value BodyEmitter::copy(Location loc, Value value) {
  return spl::CopyOp::create(builder, loc, value);
}

Value BodyEmitter::emit(const Expr &e) {
  switch (e.kind) {
  case ExprKind::Const:
    return emitConst(e);
  case ExprKind::Var:
  case ExprKind::Tuple:
  case ExprKind::Field:
    return emitRead(e);
  case ExprKind::Punct:
    return marker;
  case ExprKind::Index: {
    Value base = emit(*e.args[0]), index = emit(*e.args[1]);
    return spl::IndexOp::create(builder, loc(e), shared.type(e.type), base, index, source(e));
  }
  case ExprKind::Slice:
    return emitSlice(e);
  case ExprKind::ListLit:
  case ExprKind::SetLit:
  case ExprKind::MapLit:
  case ExprKind::TupleLit:
    return emitAggregate(e);
  case ExprKind::Neg:
    return spl::UnaryOp::create(builder, loc(e), spl::UnaryKind::neg, emit(*e.args[0]));
  case ExprKind::Not:
    return spl::UnaryOp::create(builder, loc(e), spl::UnaryKind::not_, emit(*e.args[0]));
  case ExprKind::BitNot:
    return spl::UnaryOp::create(builder, loc(e), spl::UnaryKind::bitnot, emit(*e.args[0]));
  case ExprKind::Binary: {
    Value lhs = emit(*e.args[0]), rhs = emit(*e.args[1]);
    return emitBinary(e, lhs, rhs, shared.type(e.type));
  }
  case ExprKind::And:
  case ExprKind::Or:
    return emitShortCircuit(e);
  case ExprKind::In: {
    Value element = emit(*e.args[0]), collection = emit(*e.args[1]);
    return spl::ContainsOp::create(builder, loc(e), builder.getI1Type(), element, collection);
  }
  case ExprKind::Conditional:
    return emitConditional(e);
  case ExprKind::Cast:
    return emitCast(e);
  case ExprKind::Call:
    return emitCall(e);
  case ExprKind::Native:
    return emitNative(e);
  case ExprKind::Assign:
    emitAssign(e);
    return nullptr;
  case ExprKind::IncDec:
    return emitIncDec(e);
  case ExprKind::Submit:
  case ExprKind::SubmitPunct:
    emitSubmit(e);
    return nullptr;
  case ExprKind::Submission:
    return spl::SubmissionOp::create(builder, loc(e), shared.type(e.type), e.index);
  case ExprKind::Supplied:
    return spl::SuppliedOp::create(builder, loc(e), shared.type(e.type));
  case ExprKind::OutputFn: {
    if (e.proto->facts.isIdentity)
      return emit(*e.args[0]);
    llvm::SmallVector<Value> args;
    for (const typed::ExprPtr &arg : e.args)
      args.push_back(emit(*arg));
    return spl::OutputFnOp::create(builder, loc(e), shared.type(e.type), e.name, args);
  }
  }
  llvm_unreachable("unknown kind of expression");
}

Value BodyEmitter::emitConst(const Expr &e) {
  mlir::Type type = shared.type(e.type);
  if (e.isDefault || !(isScalar(e.type) || e.type->kind == SplType::RString))
    return spl::ConstOp::create(builder, loc(e), type, mlir::Attribute());
  if (e.type->kind == SplType::RString)
    return spl::ConstOp::create(builder, loc(e), type, builder.getStringAttr(e.text));
  if (e.type->isFloat())
    return spl::ConstOp::create(builder, loc(e), type, builder.getF64FloatAttr(e.real));
  return constant(loc(e), type, e.integer);
}

/// Variables, tuples and their attributes. An attribute of a place is loaded
/// alone, not with the whole tuple.
Value BodyEmitter::emitRead(const Expr &e) {
  if (Value place = fieldPlace(e))
    return spl::LoadOp::create(builder, loc(e), place);
  if (e.kind == ExprKind::Var)
    return values.lookup(e.var);
  if (e.kind == ExprKind::Tuple)
    return tuples.lookup(e.port);
  return spl::FieldOp::create(builder, loc(e), emit(*e.args[0]), e.index);
}

Value BodyEmitter::emitAggregate(const Expr &e) {
  llvm::SmallVector<Value> args;
  for (const typed::ExprPtr &arg : e.args)
    args.push_back(emit(*arg));
  mlir::Type type = shared.type(e.type);
  switch (e.kind) {
  case ExprKind::ListLit:
    return spl::MakeListOp::create(builder, loc(e), type, args);
  case ExprKind::SetLit:
    return spl::MakeSetOp::create(builder, loc(e), type, args);
  case ExprKind::MapLit:
    return spl::MakeMapOp::create(builder, loc(e), type, args);
  default:
    return spl::MakeTupleOp::create(builder, loc(e), type, args);
  }
}

Value BodyEmitter::emitSlice(const Expr &e) {
  Value base = emit(*e.args[0]);
  Value lo = e.args[1] ? emit(*e.args[1]) : Value();
  Value hi = e.args.size() > 2 && e.args[2] ? emit(*e.args[2]) : Value();
  return spl::SliceOp::create(builder, loc(e), base, lo, hi, source(e));
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

Value BodyEmitter::emitShortCircuit(const Expr &e) {
  Value lhs = emit(*e.args[0]);
  Block *more = newBlock({}, loc(e)), *done = newBlock(builder.getI1Type(), loc(e));
  bool isAnd = e.kind == ExprKind::And;
  mlir::cf::CondBranchOp::create(builder, loc(e), lhs, isAnd ? more : done,
                                 isAnd ? mlir::ValueRange() : lhs, isAnd ? done : more,
                                 isAnd ? lhs : mlir::ValueRange());
  enter(more);
  Value rhs = emit(*e.args[1]);
  branch(loc(e), done, rhs);
  enter(done);
  return done->getArgument(0);
}

Value BodyEmitter::emitConditional(const Expr &e) {
  Value condition = emit(*e.args[0]);
  Block *yes = newBlock({}, loc(e)), *no = newBlock({}, loc(e)),
        *done = newBlock(shared.type(e.type), loc(e));
  branchIf(loc(e), condition, yes, no);
  for (auto [block, arm] : {std::pair(yes, e.args[1].get()), std::pair(no, e.args[2].get())}) {
    enter(block);
    Value value = emit(*arm);
    branch(loc(*arm), done, value);
  }
  enter(done);
  return done->getArgument(0);
}

//===--- operators ----------------------------------------------------------===//

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
  default:
    return std::nullopt;
  }
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
  default:
    llvm_unreachable("not an arithmetic operator");
  }
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

Value BodyEmitter::emitBinary(const Expr &at, Value lhs, Value rhs, mlir::Type result) {
  if (at.lift == Expr::NoLift)
    return buildBinary(builder, loc(at), source(at), at.op, lhs, rhs);
  spl::FuncOp function = buildLiftedFunction(shared, at, lhs.getType(), rhs.getType(), result);
  return spl::CallOp::create(builder, loc(at), result, function.getSymName(),
                             mlir::ValueRange{lhs, rhs}, source(at))
      .getResult();
}

Value BodyEmitter::emitCast(const Expr &e) {
  Value operand = emit(*e.args[0]);
  mlir::Type type = shared.type(e.type);
  if (operand.getType() == type)
    return operand;
  return spl::CastOp::create(builder, loc(e), type, operand, source(e));
}

//===--- calls --------------------------------------------------------------===//

Value BodyEmitter::emitCall(const Expr &e) {
  llvm::SmallVector<Value> args;
  for (auto [arg, formal] : llvm::zip(e.args, e.callee->params))
    args.push_back(formal->isMutable ? emitPlace(*arg) : emit(*arg));
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

Value BodyEmitter::emitNative(const Expr &e) {
  const typed::Prototype &proto = *e.proto;
  llvm::SmallVector<Value> args;
  llvm::SmallVector<int32_t> generic;
  for (size_t i = 0; i < e.args.size(); ++i) {
    bool isFormal = i < proto.params.size(); // not the position that functions that report get
    if (isFormal && proto.isMutable[i]) {
      args.push_back(emitPlace(*e.args[i]));
      continue;
    }
    args.push_back(emit(*e.args[i]));
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

void BodyEmitter::emitSubmit(const Expr &e) {
  Value value = emit(*e.args[0]);
  if (e.kind == ExprKind::Submit)
    stream::SubmitOp::create(builder, loc(e), e.port, value);
  else
    stream::SubmitPunctOp::create(builder, loc(e), e.port, value);
}
