//===- Expand.cpp - spl.utility::Split as handlers ----------------------------===//
#include "passes/expand/OperatorExpansion.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

/// Submits to port `index` modulo the number of ports; to none if negative.
static void submitByIndex(OperatorOp op, HandlerBuilder &code, Value index) {
  mlir::Type type = index.getType();
  unsigned ports = op.getNumResults();
  Block *done = code.newBlock();
  if (type.isSignedInteger()) {
    Block *natural = code.newBlock();
    code.branch(code.compare(spl::CompareKind::ge, index, code.constant(type, 0)), natural, done);
    code.enter(natural);
  }
  // A narrow type may not even hold the number of ports; then it needs no modulo.
  if (ports > 1 && llvm::isUIntN(type.getIntOrFloatBitWidth() - type.isSignedInteger(), ports))
    index = spl::RemOp::create(code.ops(), code.loc(), type, index, code.constant(type, ports),
                               StringAttr());
  for (unsigned port = 0; port < ports; ++port) {
    Block *here = port + 1 < ports ? code.newBlock() : nullptr,
          *next = here ? code.newBlock() : nullptr;
    if (here) {
      code.branch(code.compare(spl::CompareKind::eq, index, code.constant(type, port)), here, next);
      code.enter(here);
    }
    code.submit(port, outputTuple(op, code, port));
    code.branch(done);
    if (next)
      code.enter(next);
  }
  code.enter(done);
}

/// For each element of a list of indices.
static void submitByList(OperatorOp op, HandlerBuilder &code, Value list) {
  mlir::Type count = IntegerType::get(op.getContext(), 32, IntegerType::Unsigned);
  Value size = spl::SizeOp::create(code.ops(), code.loc(), count, list);
  Block *head = code.newBlock(count), *body = code.newBlock(), *done = code.newBlock();
  code.branch(head, code.constant(count, 0));
  code.enter(head);
  Value position = head->getArgument(0);
  code.branch(code.compare(spl::CompareKind::lt, position, size), body, done);
  code.enter(body);
  mlir::Type element = cast<spl::ListType>(list.getType()).getElement();
  submitByIndex(op, code, spl::NthOp::create(code.ops(), code.loc(), element, list, position));
  Value next = spl::BinaryOp::create(code.ops(), code.loc(), count, spl::BinaryKind::add, position,
                                     code.constant(count, 1));
  code.branch(head, next);
  code.enter(done);
}

/// A call of a function that may fail.
static Value callLibrary(HandlerBuilder &code, StringRef symbol, ArrayRef<mlir::Type> typeArgs,
                         ValueRange arguments, ArrayRef<int32_t> generic, mlir::Type result = {}) {
  return spl::NativeOp::create(code.ops(), code.loc(), result, symbol, arguments,
                               code.ops().getTypeArrayAttr(typeArgs), generic, StringAttr(),
                               spl::CallFactsAttr())
      .getResult();
}

/// What the mapping file says (PortMap.cpp): the ports of each key, those of other keys, its name.
static AddedState readPortMap(OperatorOp op, mlir::Type key, spl::ListType list) {
  MLIRContext *context = op.getContext();
  Builder names(context);
  auto type = spl::TupleType::get(
      context,
      {names.getStringAttr("ports"), names.getStringAttr("rest"), names.getStringAttr("file")},
      {spl::MapType::get(context, key, list), list, spl::RStringType::get(context)});
  AddedState state(op, "portMap", "the mapping of the file", type);
  Region &file = *op.param("file");
  HandlerBuilder code(file.getLoc(), state.init(), {});
  Value map = code.variable("map", type);
  Value name = code.cast(code.inlineBody(file, {}).front(), type.getTypes()[2]);
  code.store(name, code.fieldRef(map, 2));
  callLibrary(code, "sl_splitMap_MgLlLlr", {key, list},
              {code.fieldRef(map, 0), code.fieldRef(map, 1), name}, {});
  YieldOp::create(code.ops(), code.loc(), code.load(map));
  return state;
}

static LogicalResult expandByFile(OperatorOp op) {
  auto list = spl::ListType::get(op.getContext(),
                                 IntegerType::get(op.getContext(), 64, IntegerType::Signed));
  mlir::Type key = keyType(*op.param("key"));
  AddedState map = readPortMap(op, key, list);
  HandlerBuilder code = beginOnTuple(op, 0);
  SmallVector<Value> arguments{paramValue(op, code, "key")};
  for (unsigned field = 0; field < 3; ++field)
    arguments.push_back(code.load(code.fieldRef(map.place(code), field)));
  submitByList(op, code,
               callLibrary(code, "sl_splitPorts_gMgLlLlr", {key, list}, arguments, {0}, list));
  code.end();
  addOnPunct(op, 0);
  return success();
}

LogicalResult sluice::expandSplit(OperatorOp op) {
  if (op.param("file"))
    return expandByFile(op);
  Region *param = op.param("index");
  if (!param)
    return op.emitError("operator `") << op.getKind() << "` needs parameter `index`";
  HandlerBuilder code = beginOnTuple(op, 0);
  for (Value index : code.inlineBody(*param, code.argument(0)))
    if (isa<spl::ListType>(index.getType()))
      submitByList(op, code, index);
    else
      submitByIndex(op, code, index);
  code.end();
  addOnPunct(op, 0);
  return success();
}
