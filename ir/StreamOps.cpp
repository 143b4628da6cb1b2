//===- StreamOps.cpp - the stream dialect; its operations -----------------===//
#include "ir/Stream.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sluice::stream;

#include "ir/StreamDialect.cpp.inc"
#include "ir/StreamEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/StreamTypes.cpp.inc"
#define GET_OP_CLASSES
#include "ir/StreamOps.cpp.inc"

void StreamDialect::initialize() {
  registerAttributes();
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/StreamTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/StreamOps.cpp.inc"
      >();
}

RegionKind GraphOp::getRegionKind(unsigned) { return RegionKind::Graph; }
RegionKind CompositeOp::getRegionKind(unsigned) { return RegionKind::Graph; }

//===--- graphs -----------------------------------------------------------===//

SubmissionAttr GraphOp::submission(unsigned index) {
  return cast<SubmissionAttr>(getSubmissions()[index]);
}
RegionAttr GraphOp::parallelRegion(unsigned index) {
  return cast<RegionAttr>(getParallelRegions()[index]);
}

PeAttr GraphOp::pe(unsigned index) { return cast<PeAttr>(getPes()[index]); }

//===--- operators --------------------------------------------------------===//

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

std::string OperatorOp::label() {
  return (getName() + (getPart() ? " (part " + *getPart() + ")" : "")).str();
}

sluice::spl::TupleType OperatorOp::inputTuple(unsigned port) {
  return cast<StreamType>(streamsOf(port).front().getType()).getTuple();
}
sluice::spl::TupleType OperatorOp::outputTuple(unsigned port) {
  return cast<StreamType>(getOutputs()[port].getType()).getTuple();
}

StringRef OperatorOp::streamName(unsigned port) {
  return getStreams() ? cast<StringAttr>((*getStreams())[port]).getValue() : getName();
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

SmallVector<SplitAttr> OperatorOp::splitsOf(unsigned operand) {
  if (getSplits().empty())
    return {};
  return llvm::to_vector(cast<ArrayAttr>(getSplits()[operand]).getAsRange<SplitAttr>());
}

ThreadedPortAttr OperatorOp::threadedPort(unsigned port) {
  for (auto threaded : getThreadedPorts().getAsRange<ThreadedPortAttr>())
    if (unsigned(threaded.getPort()) == port)
      return threaded;
  return {};
}

ThreadingModel OperatorOp::threadingModel() {
  return getThreading() ? getThreading()->getModel() : ThreadingModel::Automatic;
}

bool OperatorOp::isHead(unsigned port) {
  for (unsigned operand = 0; operand < getInputs().size(); ++operand)
    if (portOf(operand) == port && edge(operand) != Edge::Call)
      return true;
  return false;
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
Region *OperatorOp::onWatermark(unsigned port) {
  for (auto item : getBody().getOps<OnWatermarkOp>())
    if (item.getPort() == port)
      return &item.getBody();
  return nullptr;
}
SmallVector<Region *, 2> OperatorOp::onMarks(unsigned port) {
  SmallVector<Region *, 2> handlers;
  for (Region *handler : {onPunct(port), onWatermark(port)})
    if (handler)
      handlers.push_back(handler);
  return handlers;
}
Region *OperatorOp::onEnd() {
  for (auto item : getBody().getOps<OnEndOp>())
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
WindowOp OperatorOp::window(unsigned port) {
  for (auto item : getBody().getOps<WindowOp>())
    if (item.getPort() == port)
      return item;
  return {};
}

FoldOp OperatorOp::fold(unsigned index) {
  for (auto item : getBody().getOps<FoldOp>())
    if (item.getIndex() == index)
      return item;
  return {};
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
