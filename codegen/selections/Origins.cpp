//===- Origins.cpp - what an operator hands on as it is -------------------===//
#include "codegen/selections/Origins.h"
#include "codegen/segments/Parts.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

unsigned sluice::leafCount(mlir::Type type) {
  SmallVector<mlir::Type> parts = spl::partsOf(type);
  unsigned count = parts.empty() && !isa<spl::TupleType>(type);
  for (mlir::Type part : parts)
    count += leafCount(part);
  return count;
}

/// By leaf of a value: the leaf of `input` that it is a copy of, or -1.
static SmallVector<int> originsIn(Value value, Value input) {
  SmallVector<int> origins;
  if (value == input) {
    for (unsigned i = 0; i < leafCount(value.getType()); ++i)
      origins.push_back(i);
  } else if (auto make = value.getDefiningOp<spl::MakeTupleOp>()) {
    for (Value part : make->getOperands())
      llvm::append_range(origins, originsIn(part, input));
  } else if (auto field = value.getDefiningOp<spl::FieldOp>()) {
    unsigned first = 0;
    SmallVector<mlir::Type> types = spl::partsOf(field.getTuple().getType());
    for (unsigned i = 0; i < unsigned(field.getIndex()); ++i)
      first += leafCount(types[i]);
    SmallVector<int> all = originsIn(field.getTuple(), input);
    origins.assign(all.begin() + first, all.begin() + first + leafCount(value.getType()));
  } else if (auto copy = value.getDefiningOp<spl::CopyOp>()) {
    return originsIn(copy->getOperand(0), input);
  } else {
    origins.assign(leafCount(value.getType()), -1);
  }
  return origins;
}

SmallVector<int> sluice::originsOf(OpInfo &op, unsigned inPort, unsigned outPort) {
  SmallVector<int> origins;
  bool any = false;
  Region &body = *op.op.onTuple(inPort);
  body.walk([&](SubmitOp submit) {
    if (submit.getPort() != outPort)
      return;
    SmallVector<int> here = originsIn(submit.getTuple(), body.getArgument(0));
    if (!any)
      origins = here;
    for (auto [origin, other] : llvm::zip_equal(origins, here))
      origin = origin == other ? origin : -1;
    any = true;
  });
  return origins;
}

bool sluice::submitsAlways(OpInfo &op, unsigned outPort) {
  Region &body = *op.op.onTuple(0);
  auto submits = body.front().getOps<SubmitOp>();
  return !op.op.getIsCatch() && !Handlers::mayClose(op, outPort) &&
         llvm::any_of(submits, [&](SubmitOp submit) { return submit.getPort() == outPort; });
}
