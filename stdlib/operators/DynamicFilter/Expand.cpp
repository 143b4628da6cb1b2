//===- Expand.cpp - spl.utility::DynamicFilter as handlers ----------------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// Adds the key of each tuple to the set, or removes it: `symbol` says which.
static void changeSet(OperatorOp op, const AddedState &keys, unsigned port, StringRef param,
                      StringRef symbol) {
  HandlerBuilder code = beginOnTuple(op, port);
  Value key = paramValue(op, code, param);
  code.call(symbol, key.getType(), {keys.place(code), key}, 1);
  code.end();
  addOnPunct(op, op, port, /*forward=*/false);
}

LogicalResult sluice::expandDynamicFilter(OperatorOp op) {
  mlir::Type type = keyType(*op.param("key"));
  AddedState keys(op, "keys", "the set of keys", spl::SetType::get(op.getContext(), type));
  HandlerBuilder code = beginOnTuple(op, 0);
  Value key = paramValue(op, code, "key");
  Block *matching = code.newBlock(), *rest = code.newBlock();
  Value set = code.load(keys.place(code));
  code.branch(spl::ContainsOp::create(code.ops(), code.loc(), key, set), matching, rest);
  code.enter(matching);
  code.submit(0, outputTuple(op, code, 0));
  code.end();
  code.enter(rest);
  if (op.getNumResults() > 1)
    code.submit(1, outputTuple(op, code, 1));
  code.end();
  addOnPunct(op, 0);
  changeSet(op, keys, 1, "addKey", "sl_insertM_Sgg");
  if (op.inputPorts() > 2)
    changeSet(op, keys, 2, "removeKey", "sl_removeM_Sgg");
  return success();
}
