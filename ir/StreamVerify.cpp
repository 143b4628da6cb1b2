//===- StreamVerify.cpp - verification of stream operations ---------------===//
#include "ir/Kinds.h"
#include "ir/Stream.h"

using namespace mlir;
using namespace sluice::stream;

//===--- graphs and composites ----------------------------------------------===//

LogicalResult GraphOp::verify() {
  for (unsigned index = 0; index < parallelRegionCount(); ++index) {
    RegionAttr region = parallelRegion(index);
    if (region.getParent() >= int32_t(index))
      return emitOpError("region ") << index << " comes before the one around it";
    if (auto value = region.getSubmission(); value && size_t(*value) >= getSubmissions().size())
      return emitOpError("region ") << index << " has submission-time value " << *value
                                    << " as its width, but there are " << getSubmissions().size();
  }
  for (unsigned index = 0; index < getPes().size(); ++index)
    if (pe(index).getRegion() >= int32_t(parallelRegionCount()))
      return emitOpError("PE ") << index << " is one of each channel of region "
                                << pe(index).getRegion() << ", but there are "
                                << parallelRegionCount();
  return success();
}

LogicalResult CompositeOp::verify() {
  Block &body = getBody().front();
  if (!llvm::equal(body.getArgumentTypes(), getInputs().getTypes()))
    return emitOpError("block arguments do not match the input streams");
  auto exported = cast<ExportOp>(body.getTerminator());
  if (!llvm::equal(exported.getStreams().getTypes(), getOutputs().getTypes()))
    return emitOpError("exported streams do not match the results");
  return success();
}

//===--- operators ----------------------------------------------------------===//

/// A list that has one element per `what` has `count` of them.
static LogicalResult checkLength(OperatorOp op, std::optional<size_t> length, StringRef name,
                                 size_t count, StringRef what) {
  if (length && *length != count)
    return op.emitOpError() << "'" << name << "' has " << *length << " elements, one per " << what
                            << " is " << count;
  return success();
}

template <typename List> static std::optional<size_t> lengthOf(const std::optional<List> &list) {
  return list ? std::optional<size_t>(list->size()) : std::nullopt;
}

static LogicalResult checkLengths(OperatorOp op) {
  size_t ins = op.inputPorts(), outs = op.getNumResults(), streams = op.getInputs().size();
  std::optional<size_t> splits;
  if (!op.getSplits().empty())
    splits = op.getSplits().size();
  return success(
      succeeded(checkLength(op, lengthOf(op.getStreams()), "streams", outs, "output port")) &&
      succeeded(checkLength(op, splits, "splits", streams, "stream")) &&
      succeeded(checkLength(op, lengthOf(op.getEdges()), "edges", streams, "stream")) &&
      succeeded(checkLength(op, lengthOf(op.getBoundaries()), "boundaries", ins, "input port")) &&
      succeeded(checkLength(op, lengthOf(op.getReasons()), "reasons", ins, "input port")) &&
      succeeded(checkLength(op, lengthOf(op.getSegment()), "segment", ins, "input port")) &&
      succeeded(checkLength(op, lengthOf(op.getOrders()), "orders", outs, "output port")));
}

/// Keys are attributes of the stream that is split.
static LogicalResult checkSplits(OperatorOp op) {
  for (unsigned operand = 0; operand < op.getInputs().size(); ++operand)
    for (SplitAttr split : op.splitsOf(operand))
      for (int32_t key : split.getKeys() ? split.getKeys().asArrayRef() : ArrayRef<int32_t>())
        if (key < 0 || size_t(key) >= op.inputTuple(op.portOf(operand)).getTypes().size())
          return op.emitOpError("is split by attribute ") << key << ", which its tuples lack";
  return success();
}

static LogicalResult checkThreadedPorts(OperatorOp op) {
  int32_t last = -1;
  for (auto threaded : op.getThreadedPorts().getAsRange<ThreadedPortAttr>()) {
    if (threaded.getPort() <= last || size_t(threaded.getPort()) >= op.inputPorts())
      return op.emitOpError("'threaded_ports' are different input ports in ascending order");
    last = threaded.getPort();
  }
  return success();
}

/// What stream-analyze-state says fits together.
static LogicalResult checkState(OperatorOp op) {
  StateAttr state = op.getStateAttr();
  if (bool(state) != bool(op.getSharingAttr()))
    return op.emitOpError("has one of 'state' and 'sharing' without the other");
  for (StringAttr variable : state ? state.getVariables() : ArrayRef<StringAttr>())
    if (llvm::none_of(op.getBody().getOps<StateOp>(),
                      [&](StateOp item) { return item.getNameAttr() == variable; }))
      return op.emitOpError("has no state variable ") << variable;
  if (op.sharing() == Sharing::ByKey &&
      (!state.getKey() || op.inputPorts() != 1 || !op.inputTuple(0).indexOf(state.getKey())))
    return op.emitOpError("is shared by key, but its key is no attribute of its only input port");
  if (op.getBounded() && (op.getNative() || op.isSource()))
    return op.emitOpError("is native or a source: what it submits belongs to no tuple");
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
  if (failed(checkLengths(*this)) || failed(checkSplits(*this)) ||
      failed(checkThreadedPorts(*this)) || failed(checkState(*this)))
    return failure();
  if (getSourceSegment() && !isSource())
    return emitOpError("has input ports, so its process heads no segment");
  for (Operation &item : getBody().front())
    if (!isa<StateOp, ParamOp, WindowOp, AggregateOp, FoldOp, OutputOp, OnTupleOp, OnPunctOp,
             OnWatermarkOp, EventTimeOp, OnProcessOp, OnEndOp>(item))
      return item.emitOpError("does not belong into the body of an operator");
  return success();
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

static SmallVector<YieldOp> yieldsOf(Region &region) {
  SmallVector<YieldOp> yields;
  for (Block &block : region)
    if (auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back()))
      yields.push_back(yield);
  return yields;
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
  if (entry.getNumArguments() != 1 ||
      entry.getArgument(0).getType() != sluice::spl::markerType(getContext()))
    return emitOpError("takes the marker");
  if (failed(checkExits<EndOp>(*this, getBody())))
    return failure();
  return checkUnique(*this);
}

/// Nanoseconds since 1970.
static bool isTime(mlir::Type type) { return type.isSignedInteger(64); }

LogicalResult OnWatermarkOp::verify() {
  if (getPort() >= operatorOf(*this).inputPorts())
    return emitOpError("no such input port");
  Block &entry = getBody().front();
  if (entry.getNumArguments() != 1 || !isTime(entry.getArgument(0).getType()))
    return emitOpError("takes the time");
  if (failed(checkExits<EndOp>(*this, getBody())))
    return failure();
  return checkUnique(*this);
}

/// A region that yields the event time of a tuple.
static LogicalResult checkTime(Operation *item, Region &region, mlir::Type tuple) {
  Block &entry = region.front();
  if (entry.getNumArguments() != 1 || entry.getArgument(0).getType() != tuple)
    return item->emitOpError("tells the time of something else than a tuple of its port");
  for (YieldOp yield : yieldsOf(region))
    if (yield.getValues().size() != 1 || !isTime(yield.getValues()[0].getType()))
      return item->emitOpError("has a time that is not in nanoseconds");
  return checkExits<YieldOp>(item, region);
}

LogicalResult EventTimeOp::verify() {
  OperatorOp op = operatorOf(*this);
  if (getPort() >= op.getNumResults())
    return emitOpError("no such output port");
  if (failed(checkTime(*this, getTime(), op.outputTuple(getPort()))))
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

LogicalResult OnEndOp::verify() {
  if (getBody().front().getNumArguments())
    return emitOpError("takes nothing");
  for (auto other : operatorOf(*this).getBody().getOps<OnEndOp>())
    if (other != *this)
      return emitOpError("is there twice");
  auto submits = getBody().walk([](Operation *op) {
    return isa<SubmitOp, SubmitPunctOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (submits.wasInterrupted())
    return emitOpError("submits, and nobody runs any more");
  return checkExits<EndOp>(*this, getBody());
}

LogicalResult LeftOutOp::verify() {
  if (!getCount().getType().isUnsignedInteger(64))
    return emitOpError("counts in ui64");
  return success();
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
  WalkResult folds = getBody().walk([&](sluice::spl::OutputFnOp function) {
    if (!function.getFold())
      return WalkResult::advance();
    FoldOp fold = op.fold(*function.getFold());
    if (fold && llvm::all_of(yieldsOf(fold.getResult()), [&](YieldOp yield) {
          return yield.getValues().getTypes() == function->getResultTypes();
        }))
      return WalkResult::advance();
    function.emitOpError("is no fold of its operator, or one of another type");
    return WalkResult::interrupt();
  });
  return folds.wasInterrupted() ? failure() : checkUnique(*this);
}

LogicalResult FoldOp::verify() {
  if (getInit().front().getNumArguments() || getResult().front().getNumArguments())
    return emitOpError("has a region other than 'step' that takes a tuple");
  for (YieldOp yield : yieldsOf(getResult()))
    if (yield.getValues().size() != 1)
      return emitOpError("yields more or less than one value");
  if (operatorOf(*this).fold(getIndex()) != *this)
    return emitOpError("has the number of another");
  return success(succeeded(checkTuples(*this, getStep())) &&
                 succeeded(checkExits<EndOp>(*this, getInit())) &&
                 succeeded(checkExits<EndOp>(*this, getStep())) &&
                 succeeded(checkExits<YieldOp>(*this, getResult())));
}

LogicalResult WindowOp::verify() {
  OperatorOp op = operatorOf(*this);
  WindowAttr window = getWindow();
  if (getPort() >= op.inputPorts())
    return emitOpError("no such input port");
  for (BoundAttr bound : {window.getEvict(), window.getTrigger()})
    if (bound && bound.getAttribute() >= int32_t(op.inputTuple(getPort()).getTypes().size()))
      return emitOpError("compares attribute ")
             << bound.getAttribute() << ", which its tuples lack";
  if (getSizes().getNumArguments())
    return emitOpError("has sizes that depend on a tuple");
  for (Block &block : getSizes())
    if (auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back()))
      if (yield.getValues().size() != window.sizes())
        return emitOpError("has ")
               << window.sizes() << " sizes, but yields " << yield.getValues().size();
  if (failed(checkExits<YieldOp>(*this, getSizes())))
    return failure();
  if (getTime().empty() == (window.getKind() == WindowKind::Interval))
    return emitOpError("has a time without an interval, or an interval without a time");
  if (!getTime().empty() && failed(checkTime(*this, getTime(), op.inputTuple(getPort()))))
    return failure();
  return checkUnique(*this);
}

/// That `name` is a function with these types; `role` is for the message.
static LogicalResult checkRole(AggregateOp op, SymbolTableCollection &symbols,
                               FlatSymbolRefAttr name, StringRef role, TypeRange formals,
                               TypeRange results) {
  if (!name)
    return success();
  Operation *callee = symbols.lookupNearestSymbolFrom(op->getParentOfType<ModuleOp>(), name);
  if (!callee)
    return op.emitOpError("has unknown function ") << name << " as '" << role << "'";
  auto function = dyn_cast<sluice::spl::FuncOp>(callee); // or lowered already
  bool same = !function || (formals == function.getArgumentTypes() &&
                            (results.empty() ? function.getResultTypes().empty()
                                             : results == function.getResultTypes()));
  if (same)
    return success();
  InFlightDiagnostic error = op.emitOpError("needs a function of ");
  error << FunctionType::get(op.getContext(), formals, results) << " as '" << role << "'";
  error.attachNote(function.getLoc()) << "declared here";
  return error;
}

LogicalResult AggregateOp::verifySymbolUses(SymbolTableCollection &symbols) {
  sluice::spl::AggregateAttr by = getAlgebra();
  mlir::Type state = by.getState(), place = sluice::spl::RefType::get(getContext(), state);
  SmallVector<mlir::Type> values;
  if (auto yield = dyn_cast<YieldOp>(getArguments().back().back()))
    values.assign(yield.getOperandTypes().begin(), yield.getOperandTypes().end());
  SmallVector<mlir::Type> change(values);
  change.insert(change.begin(), place);
  auto check = [&](FlatSymbolRefAttr name, StringRef role, TypeRange formals, TypeRange results) {
    return succeeded(checkRole(*this, symbols, name, role, formals, results));
  };
  return success(check(by.getLift(), "lift", values, state) &&
                 check(by.getAdd(), "add", change, {}) &&
                 check(by.getMerge(), "merge", {place, state}, {}) &&
                 check(by.getRemove(), "remove", change, {}));
}

LogicalResult AggregateOp::verify() {
  if (failed(checkTuples(*this, getArguments())))
    return failure();
  return checkExits<YieldOp>(*this, getArguments());
}

LogicalResult HistoryOp::verify() {
  OperatorOp op = operatorOf(*this);
  if (!op || getPort() >= op.inputPorts())
    return emitOpError("no such input port");
  if (getTuple().getType() != op.inputTuple(getPort()))
    return emitOpError("is ") << getTuple().getType() << " of a port of "
                              << op.inputTuple(getPort());
  if (getBack() == 0)
    return emitOpError("asks for the current tuple");
  return success();
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

LogicalResult HoldOp::verify() {
  OperatorOp op = operatorOf(*this);
  if (!op || getPort() >= op.inputPorts())
    return emitOpError("no such input port");
  return success();
}

std::optional<sluice::PunctuationKind> SubmitPunctOp::constantKind() {
  if (getWatermark())
    return sluice::PunctuationKind::Watermark;
  auto constant = getMarker().getDefiningOp<spl::ConstOp>();
  if (!constant)
    return std::nullopt;
  auto kind = dyn_cast_or_null<IntegerAttr>(constant.getValueAttr());
  // Without a value it is the default one.
  return kind ? sluice::PunctuationKind(kind.getInt()) : sluice::PunctuationKind();
}

LogicalResult SubmitPunctOp::verify() {
  if (bool(getMarker()) == bool(getWatermark()))
    return emitOpError("is either a marker or a watermark");
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
