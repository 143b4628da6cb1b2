//===- StreamOps.cpp - verification of stream operations ------------------===//
#include "ir/Stream.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace sluice::stream;

#define GET_OP_CLASSES
#include "ir/StreamOps.cpp.inc"

RegionKind GraphOp::getRegionKind(unsigned) { return RegionKind::Graph; }
RegionKind CompositeOp::getRegionKind(unsigned) { return RegionKind::Graph; }

LogicalResult CompositeOp::verify() {
  Block &body = getBody().front();
  if (!llvm::equal(body.getArgumentTypes(), getInputs().getTypes()))
    return emitOpError("block arguments do not match the input streams");
  auto exported = cast<ExportOp>(body.getTerminator());
  if (!llvm::equal(exported.getStreams().getTypes(), getOutputs().getTypes()))
    return emitOpError("exported streams do not match the results");
  return success();
}

/// An array attribute that the placed phase adds has one element per `what`.
template <typename Array>
static LogicalResult checkLength(OperatorOp op, std::optional<Array> array, StringRef name,
                                 size_t count, StringRef what) {
  if (array && size_t(array->size()) != count)
    return op.emitOpError() << "'" << name << "' has " << array->size() << " elements, one per "
                            << what << " is " << count;
  return success();
}

LogicalResult OperatorOp::verify() {
  int32_t total = 0;
  for (int32_t n : getPorts()) {
    if (n < 1)
      return emitOpError("has an input port without a stream");
    total += n;
  }
  if (size_t(total) != getInputs().size())
    return emitOpError("ports add up to ")
           << total << " streams, but there are " << getInputs().size();
  for (unsigned port = 0; port < getPorts().size(); ++port)
    for (Value stream : streamsOf(port))
      if (cast<StreamType>(stream.getType()).getTuple() != inputTuple(port))
        return emitOpError("streams of input port ") << port << " differ in type";
  if (failed(checkLength(*this, getBoundaries(), "boundaries", getPorts().size(), "input port")) ||
      failed(checkLength(*this, getSegment(), "segment", getPorts().size(), "input port")) ||
      failed(checkLength(*this, getOrdered(), "ordered", getNumResults(), "output port")) ||
      failed(checkLength(*this, getOrderedPuncts(), "ordered_puncts", getNumResults(),
                         "output port")) ||
      failed(checkLength(*this, getEdges(), "edges", getInputs().size(), "stream")))
    return failure();
  if (ArrayAttr splits = getSplitsAttr(); splits && splits.size() != getInputs().size())
    return emitOpError("has ") << splits.size() << " splits, but " << getInputs().size()
                               << " streams";
  if (getSourceSegment() && !isSource())
    return emitOpError("has input ports, so its process heads no segment");
  for (Operation &item : getBody().front())
    if (!isa<StateOp, ParamOp, OutputOp, OnTupleOp, OnPunctOp, OnProcessOp>(item))
      return item.emitOpError("does not belong into the body of an operator");
  return success();
}

/// As phase graph has it: nothing placed. The body has no block yet.
void OperatorOp::build(OpBuilder &builder, OperationState &state, TypeRange outputs, StringRef name,
                       StringRef kind, ValueRange inputs, ArrayRef<int32_t> ports, bool isCatch) {
  state.addOperands(inputs);
  state.addTypes(outputs);
  state.addRegion();
  auto &properties = state.getOrAddProperties<Properties>();
  properties.name = builder.getStringAttr(name);
  properties.kind = builder.getStringAttr(kind);
  properties.ports = builder.getDenseI32ArrayAttr(ports);
  if (isCatch)
    properties.isCatch = builder.getUnitAttr();
}

sluice::spl::TupleType OperatorOp::inputTuple(unsigned port) {
  return cast<StreamType>(streamsOf(port).front().getType()).getTuple();
}
sluice::spl::TupleType OperatorOp::outputTuple(unsigned port) {
  return cast<StreamType>(getOutputs()[port].getType()).getTuple();
}

unsigned OperatorOp::portOf(unsigned operand) {
  unsigned port = 0, end = getPorts()[0];
  while (operand >= end)
    end += getPorts()[++port];
  return port;
}

OperandRange OperatorOp::streamsOf(unsigned port) {
  unsigned begin = 0;
  for (unsigned i = 0; i < port; ++i)
    begin += getPorts()[i];
  return getInputs().slice(begin, getPorts()[port]);
}

Region *OperatorOp::onTuple(unsigned port) {
  for (auto item : getBody().getOps<OnTupleOp>())
    if (item.getPort() == port)
      return &item.getBody();
  return nullptr;
}
Region *OperatorOp::onPunct(unsigned port) {
  for (auto item : getBody().getOps<OnPunctOp>())
    if (item.getPort() == port)
      return &item.getBody();
  return nullptr;
}
Region *OperatorOp::onProcess() {
  for (auto item : getBody().getOps<OnProcessOp>())
    return &item.getBody();
  return nullptr;
}

Region *OperatorOp::param(StringRef name) {
  for (auto item : getBody().getOps<ParamOp>())
    if (item.getName() == name)
      return &item.getBody();
  return nullptr;
}
Region *OperatorOp::output(unsigned port) {
  for (auto item : getBody().getOps<OutputOp>())
    if (item.getPort() == port)
      return &item.getBody();
  return nullptr;
}

//===--- items of an operator's body --------------------------------------===//

static OperatorOp operatorOf(Operation *item) { return item->getParentOfType<OperatorOp>(); }

/// Every block that leaves `region` does so by a `Terminator`.
template <typename Terminator> static LogicalResult checkExits(Operation *item, Region &region) {
  for (Block &block : region) {
    Operation *last = block.empty() ? nullptr : &block.back();
    if (last && last->getNumSuccessors() == 0 && !isa<Terminator>(last))
      return item->emitOpError("must end in '")
             << Terminator::getOperationName() << "', not in '" << last->getName() << "'";
  }
  return success();
}

/// No other item of this kind speaks of the same port.
template <typename Item> static LogicalResult checkUnique(Item item) {
  for (auto other : operatorOf(item).getBody().template getOps<Item>())
    if (other != item && other.getPort() == item.getPort())
      return item.emitOpError("is there twice for port ") << item.getPort();
  return success();
}

/// Block arguments are the tuples of all input ports, or there are none.
static LogicalResult checkTuples(Operation *item, Region &body) {
  OperatorOp op = operatorOf(item);
  Block &entry = body.front();
  if (entry.getNumArguments() == 0)
    return success();
  bool ok = entry.getNumArguments() == op.inputPorts();
  for (unsigned port = 0; ok && port < op.inputPorts(); ++port)
    ok = entry.getArgument(port).getType() == op.inputTuple(port);
  return ok ? success() : item->emitOpError("takes the tuples of all input ports, or nothing");
}

LogicalResult OnTupleOp::verify() {
  OperatorOp op = operatorOf(*this);
  if (getPort() >= op.inputPorts())
    return emitOpError("no such input port");
  Block &entry = getBody().front();
  if (entry.getNumArguments() != 1 || entry.getArgument(0).getType() != op.inputTuple(getPort()))
    return emitOpError("takes the tuple of its port");
  if (failed(checkExits<EndOp>(*this, getBody())))
    return failure();
  return checkUnique(*this);
}

LogicalResult OnPunctOp::verify() {
  if (getPort() >= operatorOf(*this).inputPorts())
    return emitOpError("no such input port");
  Block &entry = getBody().front();
  auto marker = entry.getNumArguments() == 1
                    ? dyn_cast<sluice::spl::EnumType>(entry.getArgument(0).getType())
                    : sluice::spl::EnumType();
  if (!marker || marker.getMembers().size() != 2)
    return emitOpError("takes the marker");
  if (failed(checkExits<EndOp>(*this, getBody())))
    return failure();
  return checkUnique(*this);
}

LogicalResult OnProcessOp::verify() {
  if (!operatorOf(*this).isSource())
    return emitOpError("belongs to operators without input ports");
  if (getBody().front().getNumArguments())
    return emitOpError("takes nothing");
  return checkExits<EndOp>(*this, getBody());
}

LogicalResult StateOp::verify() {
  for (Block &block : getInit()) {
    auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
    if (yield && (yield.getValues().size() != 1 || yield.getValues()[0].getType() != getType()))
      return emitOpError("initialiser does not yield a value of ") << getType();
  }
  return checkExits<YieldOp>(*this, getInit());
}

LogicalResult ParamOp::verify() {
  if (failed(checkTuples(*this, getBody())))
    return failure();
  return checkExits<YieldOp>(*this, getBody());
}

LogicalResult OutputOp::verify() {
  OperatorOp op = operatorOf(*this);
  if (getPort() >= op.getNumResults())
    return emitOpError("no such output port");
  if (failed(checkTuples(*this, getBody())) || failed(checkExits<YieldOp>(*this, getBody())))
    return failure();
  for (Block &block : getBody())
    if (auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back()))
      if (!llvm::equal(yield.getValues().getTypes(), op.outputTuple(getPort()).getTypes()))
        return emitOpError("does not yield the attributes of its port");
  return checkUnique(*this);
}

LogicalResult SubmitOp::verify() {
  OperatorOp op = operatorOf(*this);
  if (!op || getPort() >= op.getNumResults())
    return emitOpError("no such output port");
  if (getTuple().getType() != op.outputTuple(getPort()))
    return emitOpError("submits ")
           << getTuple().getType() << " on a port of " << op.outputTuple(getPort());
  return success();
}

LogicalResult SubmitPunctOp::verify() {
  OperatorOp op = operatorOf(*this);
  if (!op || getPort() >= op.getNumResults())
    return emitOpError("no such output port");
  return success();
}

LogicalResult MergeOp::verify() {
  if (getStreams().empty())
    return emitOpError("merges nothing");
  return success();
}

//===--- merge: %0 = stream.merge %a, %b : type ---------------------------===//

ParseResult MergeOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  mlir::Type type;
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  result.addTypes(type);
  return parser.resolveOperands(operands, type, result.operands);
}

void MergeOp::print(OpAsmPrinter &printer) {
  printer << " " << getStreams();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getType();
}
