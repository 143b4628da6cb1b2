//===- RouteWatermarks.cpp - watermarks reach the windows of event time ---===//
#include "ir/Kinds.h"
#include "passes/Passes.h"
#include "passes/expand/Watermark.h"
#include "sluice/enums.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <limits>

namespace sluice {
#define GEN_PASS_DEF_STREAMROUTEWATERMARKS
#include "passes/Passes.h.inc"
} // namespace sluice

using namespace mlir;
using namespace sluice;
using namespace sluice::stream;
using spl::CompareKind;

/// Whether a handler of the operator submits watermarks of its own on the stream.
static bool makesWatermarks(OpResult stream) {
  bool makes = false;
  stream.getOwner()->walk([&](SubmitPunctOp submit) {
    makes |= submit.getPort() == stream.getResultNumber() &&
             submit.constantKind() == PunctuationKind::Watermark;
  });
  return makes;
}

/// Of a stream that has ended: no watermark is as late.
static constexpr int64_t kEnded = std::numeric_limits<int64_t>::max();

namespace {
/// The watermarks of some input ports become one sequence, which goes to some output ports.
class LeastWatermark {
public:
  LeastWatermark(OperatorOp op, ArrayRef<unsigned> from) : from(from) {
    if (from.size() == 1)
      return;
    last = addTime(op, "lastWatermark", "the watermark that went on");
    for (unsigned port : from)
      times.push_back(
          addTime(op, ("watermark" + Twine(port)).str(), "the watermark of input " + Twine(port)));
  }

  bool comesFrom(unsigned port) const { return llvm::is_contained(from, port); }
  bool keepsTimes() const { return !times.empty(); }

  /// A watermark comes in at a port, or kEnded: a stream that has ended does not count any more.
  void arrive(HandlerBuilder &code, unsigned port, Value time) {
    if (!keepsTimes())
      return submit(code, time);
    code.store(time, times[llvm::find(from, port) - from.begin()].place(code));
    forward(code);
  }

  llvm::SmallVector<unsigned> from, to;

private:
  void submit(HandlerBuilder &code, Value time) {
    for (unsigned port : to)
      code.submitWatermark(port, time);
  }

  void forward(HandlerBuilder &code) {
    Value least = code.variable("least", last.type());
    code.store(code.constant(last.type(), kEnded), least);
    for (const AddedState &state : times) {
      Value time = code.load(state.place(code));
      code.when(code.compare(CompareKind::lt, time, code.load(least)),
                [&] { code.store(time, least); });
    }
    Value time = code.load(least);
    Value advances = code.compare(CompareKind::gt, time, code.load(last.place(code)));
    code.when(advances, [&] {
      code.store(time, last.place(code));
      Value known = code.compare(CompareKind::lt, time, code.constant(last.type(), kEnded));
      code.when(known, [&] { submit(code, time); });
    });
  }

  AddedState last;                     // that went on
  llvm::SmallVector<AddedState> times; // by port of `from`
};
} // namespace

static void addOnWatermark(OperatorOp op, unsigned port, MutableArrayRef<LeastWatermark> all) {
  OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
  auto handler = OnWatermarkOp::create(builder, op.getLoc(), port);
  HandlerBuilder code(op.getLoc(), handler.getBody(), timeType(op.getContext()));
  for (LeastWatermark &each : all)
    if (each.comesFrom(port))
      each.arrive(code, port, code.argument(0));
  code.end();
}

static void addOnFinal(OperatorOp op, unsigned port, MutableArrayRef<LeastWatermark> all) {
  Region *old = op.onPunct(port);
  mlir::Type marker = spl::markerType(op.getContext());
  OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
  auto handler = OnPunctOp::create(builder, op.getLoc(), port);
  HandlerBuilder code(op.getLoc(), handler.getBody(), marker);
  Value final = code.constant(marker, int64_t(PunctuationKind::Final));
  code.when(code.compare(CompareKind::eq, code.argument(0), final), [&] {
    Value ended = code.constant(timeType(op.getContext()), kEnded);
    for (LeastWatermark &each : all)
      if (each.comesFrom(port) && each.keepsTimes())
        each.arrive(code, port, ended);
  });
  if (old) {
    code.inlineBody(*old, code.argument(0));
    old->getParentOp()->erase();
  }
  code.end();
}

static void addHandlers(OperatorOp op, MutableArrayRef<LeastWatermark> all) {
  for (unsigned port = 0; port < op.inputPorts(); ++port) {
    auto comes = [&](LeastWatermark &each) { return each.comesFrom(port); };
    if (llvm::none_of(all, comes))
      continue;
    addOnWatermark(op, port, all);
    if (llvm::any_of(all, [&](LeastWatermark &each) { return comes(each) && each.keepsTimes(); }))
      addOnFinal(op, port, all);
  }
}

namespace {
struct RouteWatermarks : sluice::impl::StreamRouteWatermarksBase<RouteWatermarks> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>()) {
      carriers.clear();
      merged.clear();
      wanted.clear();
      SmallVector<OperatorOp> listeners;
      for (auto op : graph.getBody().getOps<OperatorOp>()) {
        for (OpResult stream : op.getOutputs())
          if (makesWatermarks(stream))
            carry(stream);
        if (!op.getBody().getOps<OnWatermarkOp>().empty())
          listeners.push_back(op);
      }
      for (OperatorOp op : listeners)
        for (auto handler : llvm::to_vector(op.getBody().getOps<OnWatermarkOp>()))
          want(op, handler.getPort());
      for (auto &[op, outputs] : llvm::make_early_inc_range(wanted))
        forward(cast<OperatorOp>(op), outputs.getArrayRef());
    }
  }

private:
  using Streams = llvm::SmallPtrSet<Value, 16>;

  /// The stream brings watermarks, and so do those to which they go on.
  void carry(Value stream) {
    if (!carriers.insert(stream).second)
      return;
    for (OpOperand &use : stream.getUses())
      forEachForwarded(use, [&](Value out) { carry(out); });
  }

  /// Adds the stream and all that are made of it.
  static void addReached(Value stream, Streams &reached) {
    if (!reached.insert(stream).second)
      return;
    for (Operation *user : stream.getUsers())
      for (Value out : cast<OperatorOp>(user).getOutputs())
        addReached(out, reached);
  }

  /// What is made of what the operator submits: a feedback loop brings the watermarks that have
  /// gone round, and must not wait for itself.
  static Streams madeOf(OperatorOp op) {
    Streams made;
    for (Value out : op.getOutputs())
      addReached(out, made);
    return made;
  }

  /// Watermarks are to arrive at an input port.
  void want(OperatorOp op, unsigned port) {
    for (Value stream : llvm::to_vector(op.streamsOf(port))) {
      auto result = cast<OpResult>(stream);
      auto producer = cast<OperatorOp>(result.getOwner());
      if (!carriers.contains(stream) || makesWatermarks(result) ||
          !wanted[producer].insert(result.getResultNumber()))
        continue;
      for (unsigned in = 0; in < producer.inputPorts(); ++in)
        if (forwardsWatermarks(producer, in, result.getResultNumber()))
          want(producer, in);
    }
    mergeAt(op, port);
  }

  /// Whether a stream that brings watermarks, and not its own ones, comes to the port.
  bool arriveAt(OperatorOp op, unsigned port) {
    Streams own = madeOf(op);
    return llvm::any_of(op.streamsOf(port), [&](Value stream) {
      return carriers.contains(stream) && (merged.contains(stream) || !own.contains(stream));
    });
  }

  /// The streams of a port come through an operator with a port for each, if the watermarks of
  /// several meet.
  void mergeAt(OperatorOp op, unsigned port) {
    OperandRange streams = op.streamsOf(port);
    unsigned first = streams.getBeginOperandIndex(), count = streams.size();
    Streams own = madeOf(op);
    SmallVector<unsigned> from;
    for (unsigned in = 0; in < count; ++in)
      if (carriers.contains(streams[in]) && !own.contains(streams[in]))
        from.push_back(in);
    auto brings = [&](Value stream) { return carriers.contains(stream); };
    if (from.empty() || llvm::count_if(streams, brings) < 2)
      return;
    OpBuilder builder(op);
    OperatorOp merge =
        makePart(builder, op, "watermarks of input " + std::to_string(port),
                 SmallVector<Value>(streams), SmallVector<int32_t>(count, 1), streams[0].getType());
    for (unsigned in = 0; in < count; ++in) {
      HandlerBuilder code = beginOnTuple(merge, in);
      code.submit(0, code.argument(0));
      code.end();
      addOnPunct(merge, merge, in, /*forward=*/true);
    }
    LeastWatermark least(merge, from);
    least.to = {0};
    addHandlers(merge, least);
    carriers.insert(merge.getOutputs()[0]);
    merged.insert(merge.getOutputs()[0]);
    replaceStreams(op, port, first, count, merge);
    ++merges;
  }

  /// The only stream of `port` is that of `merge`, which takes the `count` streams from operand
  /// `first` on, and how they enter regions.
  static void replaceStreams(OperatorOp op, unsigned port, unsigned first, unsigned count,
                             OperatorOp merge) {
    if (!op.getSplits().empty()) {
      SmallVector<Attribute> splits(op.getSplits().begin(), op.getSplits().end());
      ArrayRef<Attribute> moved = ArrayRef(splits).slice(first, count);
      Builder builder(op.getContext());
      merge.setSplitsAttr(builder.getArrayAttr(moved));
      splits.erase(splits.begin() + first + 1, splits.begin() + first + count);
      splits[first] = builder.getArrayAttr({});
      op.setSplitsAttr(builder.getArrayAttr(splits));
    }
    op.getInputsMutable().slice(first, count).assign(merge.getOutputs());
    SmallVector<int32_t> ports(op.getPorts());
    ports[port] = 1;
    op.setPorts(ports);
  }

  void forward(OperatorOp op, ArrayRef<unsigned> outputs) {
    if (op.getNative())
      return;
    SmallVector<LeastWatermark> all; // one for the outputs that get those of the same ports
    for (unsigned out : outputs) {
      SmallVector<unsigned> from;
      for (unsigned in = 0; in < op.inputPorts(); ++in)
        if (forwardsWatermarks(op, in, out) && arriveAt(op, in))
          from.push_back(in);
      if (from.empty())
        continue;
      auto same = llvm::find_if(all, [&](const auto &each) { return each.from == from; });
      if (same == all.end()) {
        all.emplace_back(op, from);
        same = &all.back();
      }
      same->to.push_back(out);
    }
    forwarders += !all.empty();
    addHandlers(op, all);
  }

  Streams carriers; // they bring watermarks
  Streams merged;   // those of operators that were added where streams meet
  llvm::MapVector<Operation *, llvm::SmallSetVector<unsigned, 2>>
      wanted; // by producer, its outputs
};
} // namespace
