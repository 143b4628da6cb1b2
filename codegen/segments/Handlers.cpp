//===- Handlers.cpp - handlers and punctuation ---------------===//
#include "codegen/Aliasing.h"
#include "codegen/Layout.h"
#include "codegen/segments/Parts.h"
#include "codegen/selections/BlockCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "sluice/leftout.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;

// The runtime reads these numbers.
static constexpr bool same(stream::LeftOut ours, sluice::LeftOut abi) {
  return uint32_t(ours) == uint32_t(abi);
}
static_assert(same(stream::LeftOut::InWindows, sluice::LeftOut::InWindows) &&
              same(stream::LeftOut::InPartitions, sluice::LeftOut::InPartitions) &&
              same(stream::LeftOut::Late, sluice::LeftOut::Late) &&
              same(stream::LeftOut::LateFirings, sluice::LeftOut::LateFirings) &&
              same(stream::LeftOut::NoKey, sluice::LeftOut::NoKey) &&
              same(stream::LeftOut::Waiting, sluice::LeftOut::Waiting));

static bool canFail(Region &region) {
  return region
      .walk([](Operation *op) {
        bool fails = op->hasTrait<spl::CanFail>();
        if (auto cast = dyn_cast<spl::CastOp>(op))
          fails = cast.canFail();
        return fails ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool Handlers::mayBeFinal(SubmitPunctOp punct) {
  std::optional<PunctuationKind> kind = punct.constantKind();
  return !kind || *kind == PunctuationKind::Final;
}

bool Handlers::mayClose(OpInfo &op, unsigned port) {
  bool may = false;
  op.op.walk([&](SubmitPunctOp punct) { may |= punct.getPort() == port && mayBeFinal(punct); });
  return may;
}

std::string Handlers::handler(OpInfo &op, Region &body, const std::string &name, TypeRange args) {
  bool fails = canFail(body);
  std::string bodyName = fails ? name + ".body" : name;
  func::FuncOp f = function(bodyName, args, body.getLoc());
  cloneInto(body, f);
  spl::SplDialect::StateOffsetsAttrHelper(b.getContext())
      .setAttr(f, b.getDenseI64ArrayAttr(op.stateOffsets));
  auto onTuple = dyn_cast<OnTupleOp>(body.getParentOp());
  if (onTuple) {
    b.setInsertionPointToStart(&f.front());
    count(op, Direction::In, onTuple.getPort(), f.getArgument(0), Value(), body.getLoc());
  }
  bool isSource = op.op.inputPorts() == 0;
  lowerBody(op, f, isSource, /*inRowLoop=*/!isSource && onTuple);
  if (!fails)
    return name;

  func::FuncOp outer = function(name, args, body.getLoc());
  Block *entry = begin(outer);
  Location loc = body.getLoc();
  Value status = call(loc, bodyName, entry->getArguments());
  if (const Selections *plan = selectionsOf(op); plan && plan->mayFail && onTuple)
    noteFailure(op, *plan, entry->getArgument(entry->getNumArguments() - 2), status);
  else
    failIfAtSite(op, entry->getArgument(0), status, op.op.getIsCatch() ? "sl_caught" : "sl_fail");
  flow.ret(status);
  return name;
}

/// Before the last step of a segment nobody is told of a failure: who runs the step does that when
/// the rows before have left the segment. Returns the site below zero, as what has been noted.
void Handlers::noteFailure(OpInfo &op, const Selections &plan, Value block, Value status) {
  Location loc = status.getLoc();
  flow.returnIf(flow.isPositive(status), [&] {
    BlockCode(c, plan, block, loc).setCounter(Selections::kFailed, i64(loc, op.index));
    return Value(arith::SubIOp::create(b, loc, i32(loc, 0), status));
  });
}

void Handlers::failIfAtSite(OpInfo &op, Value ctx, Value status, StringRef rule) {
  Location loc = status.getLoc();
  flow.returnIf(flow.isPositive(status),
                [&] { return runtime(loc, rule, {ctx, i32(loc, op.index), status}); });
}

/// After a source has submitted a tuple: whether it shall end. If its consumers are called, the
/// call counts the tuple, too.
Value Handlers::askShutdown(OpInfo &op, unsigned port, Value ctx, Location loc) {
  if (info.hasBatch(op, port))
    return runtime(loc, "sl_is_shutdown", {ctx});
  return runtime(loc, "sl_source_submitted", {ctx, i32(loc, op.firstOut + port)});
}

/// The same after `made` tuples.
Value Handlers::askShutdown(OpInfo &op, Value made, func::FuncOp f, Location loc) {
  Value ctx = f.getArgument(0);
  if (info.hasBatch(op, 0))
    return runtime(loc, "sl_is_shutdown", {ctx});
  Value slot = counterSlot(f, loc);
  spl::PutOp::create(b, loc, made, slot);
  Value count = LLVM::LoadOp::create(b, loc, b.getI64Type(), slot);
  return runtime(loc, "sl_source_made", {ctx, i32(loc, op.firstOut), count});
}

/// A slot in the frame. SPL's integers become those of LLVM, and back, by way of memory.
Value Handlers::counterSlot(func::FuncOp f, Location loc) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&f.front());
  return LLVM::AllocaOp::create(b, loc, ptr, b.getI64Type(), i32(loc, 1));
}

static constexpr double kSlow = 100'000; // ns a row: 64 of them take as long as a batch may

/// Rows that bring payload may fill a batch before its rows do.
bool Handlers::bringsPayload(OpInfo &op, unsigned port) {
  return llvm::any_of(info.strippedReached(op, port),
                      [](const StrippedPort &port) { return port.hasPayload; });
}

/// A source's loop asks this between strips of rows, as the row loop of a segment does. A strip is
/// one row where a row takes long, so that what the timer asks for does not wait for 64 rows. Where
/// rows bring payload each of them looks whether a batch is full (lowerSubmit).
Value Handlers::room(OpInfo &op, RoomOp ask, func::FuncOp f) {
  Location loc = ask.getLoc();
  Value ctx = f.getArgument(0), slot = counterSlot(f, loc);
  auto ports = info.strippedReached(op, 0);
  PortFunctions(c).forwardFull(ports, ctx, loc, [&](Value status) { flow.check(status); });
  spl::PutOp::create(b, loc, ask.getWanted(), slot);
  Value wanted = LLVM::LoadOp::create(b, loc, b.getI64Type(), slot);
  double cost = 0;
  for (OpInfo *reached : info.segment(op))
    cost += costs[reached->index];
  Value rows = cost > kSlow ? Value(arith::ConstantIntOp::create(b, loc, 1, 64))
                            : PortFunctions(c).stripLength(ports, ctx, wanted, loc);
  LLVM::StoreOp::create(b, loc, rows, slot);
  return spl::GetOp::create(b, loc, ask.getRows().getType(), slot);
}

/// monotonic: pairs with who asks for a checkpoint (Cut).
Value Handlers::saveDue(SaveDueOp due, Value ctx) {
  Location loc = due.getLoc();
  Value at = address(ctx, due.getWaits() ? layout::ctxSaves : layout::ctxSaveDue, loc);
  Value flag = LLVM::LoadOp::create(b, loc, b.getI32Type(), at, /*alignment=*/4,
                                    /*isVolatile=*/false, /*isNonTemporal=*/false,
                                    /*isInvariant=*/false, /*isInvariantGroup=*/false,
                                    LLVM::AtomicOrdering::monotonic);
  return flow.isNotZero(flag);
}

void Handlers::lowerBody(OpInfo &op, func::FuncOp f, bool isSource, bool inRowLoop) {
  nameOperator(op, f);
  dropCheckpoints(f, [&](Operation *o) {
    auto submit = dyn_cast<SubmitOp>(o);
    return submit ? allocation.consumersMayAllocate(op, submit.getPort())
                  : allocation.mayAllocate(o);
  });
  Value ctx = f.getArgument(0);
  if (inRowLoop && runsWholeBatches(op))
    readDealt(f);
  SmallVector<Operation *> work;
  f.walk([&](Operation *o) {
    if (isa<EndOp, SubmitOp, SubmitPunctOp, WaitOp, IsShutdownOp, RoomOp, NowOp, HoldOp, LeftOutOp,
            SaveDueOp, SavePointOp>(o))
      work.push_back(o);
  });
  for (Operation *o : work) {
    Location loc = o->getLoc();
    b.setInsertionPoint(o);
    llvm::TypeSwitch<Operation *>(o)
        .Case([&](EndOp) { endOk(loc); })
        .Case([&](SubmitOp submit) { lowerSubmit(op, submit, f, isSource, inRowLoop); })
        .Case([&](SubmitPunctOp punct) { submitPunct(op, punct, ctx); })
        .Case([&](WaitOp wait) {
          Value status = runtime(loc, "sl_wait", {ctx, wait.getSeconds()});
          wait.getStop().replaceAllUsesWith(flow.isNotZero(status));
        })
        .Case([&](NowOp now) {
          Value slot = counterSlot(f, loc);
          LLVM::StoreOp::create(b, loc, runtime(loc, "sl_clock", ctx), slot);
          now.getNanos().replaceAllUsesWith(
              Value(spl::GetOp::create(b, loc, now.getNanos().getType(), slot)));
        })
        .Case([&](HoldOp hold) {
          Value held = arith::ExtUIOp::create(b, loc, i32Type, hold.getHeld());
          runtime(loc, "sl_hold", {ctx, i32(loc, op.firstIn + hold.getPort()), held});
        })
        .Case([&](LeftOutOp count) {
          Value slot = counterSlot(f, loc);
          spl::PutOp::create(b, loc, count.getCount(), slot);
          runtime(loc, "sl_left_out",
                  {ctx, i32(loc, op.index), i32(loc, int64_t(count.getWhat())),
                   LLVM::LoadOp::create(b, loc, b.getI64Type(), slot)});
        })
        .Case([&](SaveDueOp due) { due.getDue().replaceAllUsesWith(saveDue(due, ctx)); })
        .Case([&](SavePointOp point) {
          Value step = i32(loc, int64_t(point.getStep()));
          flow.check(runtime(loc, "sl_point_of_source", {ctx, step}));
        })
        .Case([&](RoomOp ask) { ask.getRows().replaceAllUsesWith(room(op, ask, f)); })
        .Case([&](IsShutdownOp stop) {
          Value status = stop.getMade() ? askShutdown(op, stop.getMade(), f, loc)
                                        : runtime(loc, "sl_is_shutdown", {ctx});
          stop.getStop().replaceAllUsesWith(flow.isNotZero(status));
        });
    o->erase();
  }
}

/// Whether one channel may run a batch of the operator for all.
bool Handlers::runsWholeBatches(OpInfo &op) {
  int region = op.op.parallelRegion();
  return region >= 0 && c.wholeBatches[region];
}

/// In a function of rows in place: getChannel() becomes what the row was dealt to. No branch, and
/// all loads but one leave the loop over rows, so that vectors can be made of the rows.
void Handlers::readDealt(func::FuncOp f) {
  SmallVector<spl::NativeOp> calls;
  f.walk([&](spl::NativeOp call) {
    if (call.is(spl::Intrinsic::channel))
      calls.push_back(call);
  });
  auto load = [&](Location loc, mlir::Type type, Value at) { // no code of a segment writes it
    auto made = LLVM::LoadOp::create(b, loc, type, at);
    setTag(made, memoryTag(b.getContext(), Memory::Dealt));
    return made;
  };
  Value ctx = f.getArgument(0), row = f.getArguments().back();
  for (spl::NativeOp call : calls) {
    Location loc = call.getLoc();
    b.setInsertionPoint(call);
    Value own = load(loc, b.getI64Type(), address(ctx, layout::ctxChannel, loc));
    Value all = load(loc, ptr, address(ctx, layout::ctxChannels, loc));
    Value more = load(loc, i32Type, element(all, sizeof(int32_t), row, loc));
    Value channel =
        arith::AddIOp::create(b, loc, arith::TruncIOp::create(b, loc, i32Type, own), more);
    Value slot = counterSlot(f, loc);
    LLVM::StoreOp::create(b, loc, channel, slot);
    call.getResult().replaceAllUsesWith(
        spl::GetOp::create(b, loc, call.getResult().getType(), slot).getResult());
    call.erase();
  }
}

void Handlers::lowerSubmit(OpInfo &op, SubmitOp submit, func::FuncOp f, bool isSource,
                           bool inRowLoop) {
  Location loc = submit.getLoc();
  unsigned port = submit.getPort();
  Value ctx = f.getArgument(0);
  // The process of a source does not end at each tuple: it releases what its consumers take.
  bool releases = isSource && allocation.consumersMayAllocate(op, port);
  Value scratch = releases ? Value(spl::ArenaCheckpointOp::create(b, loc)) : Value();
  SmallVector<Value> args{ctx, submit.getTuple()};
  if (inPlaceThrough(op, port) || selectionsOf(op))
    llvm::append_range(args, f.getArguments().take_back(2));
  count(op, Direction::Out, port, ctx, Value(), loc);
  // Batches that are full stay until the strip has ended.
  bool keeps = inRowLoop || (submit.getInRoom() && !bringsPayload(op, port));
  Value status = call(loc, keeps ? PortFunctions(c).strip(op, port) : op.symbol("out", port), args);
  if (releases)
    spl::ReleaseOp::create(b, loc, scratch);
  flow.check(status);
  if (info.countsTuples(op, port) && !PortFunctions(c).exit(op, port))
    countMade(op, port, ctx, i64(loc, 1), loc);
  // A loop of the user's own need not ask whether it should end. Expanded sources do.
  if (isSource && !op.op.getOriginal())
    flow.returnIf(flow.isNotZero(askShutdown(op, port, ctx, loc)), [&] { return i32(loc, 0); });
}

/// monotonic: other threads read the number (CounterSample).
void Handlers::countMade(OpInfo &op, unsigned port, Value ctx, Value tuples, Location loc) {
  mlir::Type i64 = b.getI64Type();
  Value made = address(field(ctx, layout::ctxMade, ptr, loc), (op.firstOut + port) * 8, loc);
  auto load = LLVM::LoadOp::create(b, loc, i64, made);
  setTag(load, memoryTag(b.getContext(), Memory::Made));
  Value more = LLVM::AddOp::create(b, loc, load, tuples);
  auto store = LLVM::StoreOp::create(b, loc, more, made, /*alignment=*/8, /*isVolatile=*/false,
                                     /*isNonTemporal=*/false, /*isInvariantGroup=*/false,
                                     LLVM::AtomicOrdering::monotonic);
  setTag(store, memoryTag(b.getContext(), Memory::Made));
}

/// A handler submits punctuation: a Final leaves once, and nothing follows it.
void Handlers::submitPunct(OpInfo &op, SubmitPunctOp punct, Value ctx) {
  Location loc = punct.getLoc();
  auto [kind, time] = [&]() -> std::pair<Value, Value> {
    Value slot = LLVM::AllocaOp::create(b, loc, ptr, b.getI64Type(), i32(loc, 1));
    if (punct.getWatermark()) {
      spl::PutOp::create(b, loc, punct.getWatermark(), slot);
      return {i32(loc, int64_t(PunctuationKind::Watermark)),
              LLVM::LoadOp::create(b, loc, b.getI64Type(), slot)};
    }
    spl::PutOp::create(b, loc, punct.getMarker(), slot);
    return {LLVM::LoadOp::create(b, loc, b.getI32Type(), slot), i64(loc, 0)};
  }();
  Value port = i32(loc, op.firstOut + punct.getPort());
  auto send = [&, kind = kind, time = time] {
    count(op, Direction::Out, punct.getPort(), ctx, kind, loc);
    flow.check(call(loc, PortFunctions(c).outPunct(op, punct.getPort()), {ctx, kind, time}));
  };
  if (!mayClose(op, punct.getPort()))
    return send();
  Value leaves = flow.ifThenElse(
      isFinal(kind, loc), [&] { return runtime(loc, "sl_out_close", {ctx, port}); },
      [&] { return runtime(loc, "sl_out_open", {ctx, port}); });
  flow.ifThen(flow.isNotZero(leaves), send);
}

void Handlers::tupleFunction(OpInfo &op, unsigned port) {
  std::string name = op.symbol("tuple", port);
  Location loc = op.op.getLoc();
  mlir::Type tuple = op.op.inputTuple(port);
  SmallVector<mlir::Type> args{tuple};
  llvm::append_range(args, placeTypes(op));
  if (op.native < 0)
    if (Region *body = op.op.onTuple(port)) {
      handler(op, *body, name, args);
      return;
    }
  Block *entry = begin(function(name, tuple, loc));
  if (op.native < 0)
    return endOk(loc);
  Value slot =
      LLVM::AllocaOp::create(b, loc, ptr, b.getI8Type(), i32(loc, layout::sizeOf(tuple)), 16);
  spl::PutOp::create(b, loc, entry->getArgument(1), slot);
  flow.ret(runtime(loc, "sl_native_tuple",
                   {entry->getArgument(0), i32(loc, op.native), i32(loc, port), slot}));
}

/// A handler gets `argument` of a punctuation, which it takes in the type of the program.
void Handlers::runMarkHandler(OpInfo &op, Region *body, const std::string &name, Value argument,
                              Value ctx) {
  Location loc = op.op.getLoc();
  Value slot = LLVM::AllocaOp::create(b, loc, ptr, argument.getType(), i32(loc, 1));
  LLVM::StoreOp::create(b, loc, argument, slot);
  Value value = spl::GetOp::create(b, loc, body->getArgument(0).getType(), slot);
  flow.check(call(loc, name, {ctx, value}));
}

void Handlers::punctFunction(OpInfo &op, unsigned port) {
  Location loc = op.op.getLoc();
  bool isNative = op.native >= 0;
  auto declare = [&](Region *body, StringRef name) {
    if (!body || isNative)
      return std::string();
    return handler(op, *body, op.symbol(name, port), body->getArgument(0).getType());
  };
  Region *onPunct = op.op.onPunct(port), *onWatermark = op.op.onWatermark(port);
  if (!isNative && !op.counted && !onPunct && !onWatermark && op.op.inputPorts() == 1 &&
      op.op.getOutputs().size() == 1)
    return passesFinalOnly(op);
  std::string punct = declare(onPunct, "punct"), watermark = declare(onWatermark, "watermark");
  Block *entry = begin(function(op.symbol("arrive", port), {i32Type, b.getI64Type()}, loc));
  Value ctx = entry->getArgument(0), kind = entry->getArgument(1), time = entry->getArgument(2);
  Value final = isFinal(kind, loc);
  // Only the Final of the port's last producer counts.
  flow.ifThen(final, [&] {
    Value last = runtime(loc, "sl_port_final", {ctx, i32(loc, op.firstIn + port)});
    flow.returnIf(flow.isZero(last), [&] { return i32(loc, 0); });
  });
  count(op, Direction::In, port, ctx, kind, loc);
  if (isNative)
    flow.check(
        runtime(loc, "sl_native_punct", {ctx, i32(loc, op.native), i32(loc, port), kind, time}));
  else if (!punct.empty() || !watermark.empty())
    flow.returnIf(isKind(kind, PunctuationKind::Watermark, loc), [&] {
      if (!watermark.empty())
        runMarkHandler(op, onWatermark, watermark, time, ctx);
      return i32(loc, 0);
    });
  if (!punct.empty())
    runMarkHandler(op, onPunct, punct, kind, ctx);
  if (!op.op.getOutputs().empty())
    flow.ifThen(final, [&] {
      Value closed = runtime(loc, "sl_op_closed", {ctx, i32(loc, op.index)});
      flow.ifThen(flow.isNotZero(closed), [&] { close(op, ctx, loc); });
    });
  endOk(loc);
}

/// The operator does nothing about punctuation.
void Handlers::passesFinalOnly(OpInfo &op) {
  Location loc = op.op.getLoc();
  Block *entry = begin(function(op.symbol("arrive", 0), {i32Type, b.getI64Type()}, loc));
  Value ctx = entry->getArgument(0), kind = entry->getArgument(1);
  Value leaves =
      runtime(loc, "sl_passes_final",
              {ctx, kind, i32(loc, op.firstIn), i32(loc, op.index), i32(loc, op.firstOut)});
  flow.ifThen(flow.isNotZero(leaves), [&] {
    flow.check(call(loc, PortFunctions(c).outPunct(op, 0), entry->getArguments()));
  });
  endOk(loc);
}

/// Each input port's end may be the last.
bool Handlers::hasFinalFunction(OpInfo &op) { return op.op.inputPorts() > 1; }

void Handlers::close(OpInfo &op, Value ctx, Location loc) {
  if (hasFinalFunction(op))
    flow.check(call(loc, op.symbol("final", 0), {ctx}));
  else
    closePorts(op, ctx, loc);
}

void Handlers::finalFunction(OpInfo &op) {
  Location loc = op.op.getLoc();
  Block *entry = begin(function(op.symbol("final", 0), {}, loc));
  closePorts(op, entry->getArgument(0), loc);
  endOk(loc);
}

/// All inputs have ended, or the source has: Final leaves on every output port
/// that has not sent it already.
void Handlers::closePorts(OpInfo &op, Value ctx, Location loc) {
  for (unsigned port = 0; port < op.op.getOutputs().size(); ++port) {
    Value first = runtime(loc, "sl_out_close", {ctx, i32(loc, op.firstOut + port)});
    flow.ifThen(flow.isNotZero(first), [&] {
      Value kind = i32(loc, int64_t(PunctuationKind::Final));
      count(op, Direction::Out, port, ctx, kind, loc);
      flow.check(call(loc, PortFunctions(c).outPunct(op, port), {ctx, kind, i64(loc, 0)}));
    });
  }
}
