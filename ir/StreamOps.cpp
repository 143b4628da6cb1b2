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

LogicalResult OperatorOp::verify() {
  int32_t total = 0;
  for (int32_t n : getPorts())
    total += n;
  if (size_t(total) != getInputs().size())
    return emitOpError("ports add up to ") << total << " streams, but there are " << getInputs().size();
  for (unsigned port = 0; port < getPorts().size(); ++port)
    for (Value stream : streamsOf(port))
      if (cast<StreamType>(stream.getType()).getTuple() != inputTuple(port))
        return emitOpError("streams of input port ") << port << " differ in type";
  return success();
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

LogicalResult OnTupleOp::verify() {
  auto op = cast<OperatorOp>((*this)->getParentOp());
  if (getPort() >= op.inputPorts())
    return emitOpError("no such input port");
  Block &entry = getBody().front();
  if (entry.getNumArguments() != 1 || entry.getArgument(0).getType() != op.inputTuple(getPort()))
    return emitOpError("takes the tuple of its port");
  return success();
}

//===--- merge: %0 = stream.merge %a, %b : type ---------------------------===//

ParseResult MergeOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  mlir::Type type;
  if (parser.parseOperandList(operands) || parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(type))
    return failure();
  result.addTypes(type);
  return parser.resolveOperands(operands, type, result.operands);
}

void MergeOp::print(OpAsmPrinter &printer) {
  printer << " " << getStreams();
  printer.printOptionalAttrDict((*this)->getAttrs());
  printer << " : " << getType();
}
