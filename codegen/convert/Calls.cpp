//===- Calls.cpp - functions, library calls, submission values --===//
#include "codegen/convert/ConvertSpl.h"
#include "ir/Kinds.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::spl;
using mlir::Type;

/// `i32 @f(ctx, [result,] args...)`, see prepare().
static Value emitCall(CallOp op, CallOp::Adaptor in, OpEmitter &e) {
  if (op.getRecursive())
    e.check(e.runtime("sl_check_stack", {e.ctx()}));
  Type type = op.getResult() ? op.getResult().getType() : Type();
  Value result = type ? e.slot(type) : Value();
  SmallVector<Value> args{e.ctx()};
  if (result)
    args.push_back(result);
  llvm::append_range(args, in.getArgs());
  auto call = LLVM::CallOp::create(e.b, e.loc, e.b.getI32Type(), op.getCalleeAttr(), args);
  call.setNoUnwind(true);
  e.checkCall(call.getResult());
  return result ? e.load(type, result) : Value();
}

/// Scalars by value, unless their formal is a type variable; all else by address.
static bool byAddress(spl::NativeOp op, unsigned index) {
  Type type = op.getArgs()[index].getType();
  return !isa<RefType>(type) &&
         (!isScalar(type) || llvm::is_contained(op.getGeneric(), int32_t(index)));
}

/// A field of the Ctx, which stays the same as long as an operator runs.
static Value emitCtxField(uint64_t field, OpEmitter &e) {
  auto number = LLVM::LoadOp::create(e.b, e.loc, e.b.getI64Type(), e.offset(e.ctx(), field));
  number.setInvariant(true); // as state (lowerStates): loops over rows need not look again
  return LLVM::TruncOp::create(e.b, e.loc, e.b.getI32Type(), number);
}

/// Drops what a function has put into places beyond their bounds, also if it has failed then.
static void cutPlaces(spl::NativeOp op, spl::NativeOp::Adaptor in, OpEmitter &e) {
  for (auto [arg, place] : llvm::zip(op.getArgs(), in.getArgs()))
    if (auto ref = dyn_cast<RefType>(arg.getType()); ref && boundOf(ref.getElement()))
      e.runtime("sl_cut", {e.ctx(), e.typeDesc(ref.getElement()), place});
}

static Value emitNative(spl::NativeOp op, spl::NativeOp::Adaptor in, OpEmitter &e) {
  if (op.is(Intrinsic::channel))
    return emitCtxField(layout::ctxChannel, e);
  if (op.is(Intrinsic::maxChannels))
    return emitCtxField(layout::ctxMaxChannels, e);
  Type ptr = e.ptrType(), type = op.getResult() ? op.getResult().getType() : Type();
  SmallVector<Value> args{e.ctx()};
  for (Attribute attr : op.getTypeArgs())
    args.push_back(e.typeDesc(cast<TypeAttr>(attr).getValue()));
  Value result = type ? e.slot(type) : Value();
  if (result)
    args.push_back(result);
  SmallVector<Type> formals(args.size(), ptr);
  for (auto [i, arg] : llvm::enumerate(in.getArgs())) {
    Type given = op.getArgs()[i].getType();
    bool address = byAddress(op, i);
    if (address)
      arg = e.spill(given, arg);
    else if (given.isInteger(1))
      arg = LLVM::ZExtOp::create(e.b, e.loc, e.b.getI8Type(), arg);
    args.push_back(arg);
    formals.push_back(address || isa<RefType>(given) ? ptr : given);
  }
  Type status = IntegerType::get(e.b.getContext(), 32, IntegerType::Signed);
  LLVM::LLVMFuncOp callee = declareFunction(e.module, op.getSymbol(), status, formals);
  if (!callee)
    return e.error("library function " + op.getSymbol() +
                   " is called with arguments of different types");
  Value failed = callNoUnwind(e.b, e.loc, callee, args);
  cutPlaces(op, in, e);
  e.check(failed);
  return result ? e.load(type, result) : Value();
}

static Value emitSubmission(SubmissionOp op, SubmissionOp::Adaptor, OpEmitter &e) {
  Value result = e.slot(op.getType());
  e.runtime("sl_submission", {e.ctx(), e.i32(op.getIndex()), result});
  return e.load(op.getType(), result);
}

void sluice::addCallPatterns(SplPatterns &p) {
  p.add<CallOp>(emitCall);
  p.add<spl::NativeOp>(emitNative);
  p.add<SubmissionOp>(emitSubmission);
}
