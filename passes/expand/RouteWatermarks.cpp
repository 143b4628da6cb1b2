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
/// The watermarks of several input ports become one sequence.
class LeastWatermark {
public:
  LeastWatermark(OperatorOp op, ArrayRef<unsigned> from, ArrayRef<unsigned> to)
      : op(op), from(from), to(to), last(addTime(op, "lastWatermark")) {
    for (unsigned port : from)
      times.push_back(addTime(op, ("watermark" + Twine(port)).str()));
  }

  void addHandlers() {
    for (auto [port, time] : llvm::zip_equal(from, times)) {
      onWatermark(port, time);
      onFinal(port, time);
    }
  }

private:
  void onWatermark(unsigned port, const AddedState &time) {
    OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
    auto handler = OnWatermarkOp::create(builder, op.getLoc(), port);
    HandlerBuilder code(op.getLoc(), handler.getBody(), last.type());
    code.store(code.argument(0), time.place(code));
    forward(code);
    code.end();
  }

  /// A stream that has ended does not count any more.
  void onFinal(unsigned port, const AddedState &time) {
    Region *old = op.onPunct(port);
    mlir::Type marker = spl::markerType(op.getContext());
    OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
    auto handler = OnPunctOp::create(builder, op.getLoc(), port);
    HandlerBuilder code(op.getLoc(), handler.getBody(), marker);
    Value final = code.constant(marker, int64_t(PunctuationKind::Final));
    code.when(code.compare(CompareKind::eq, code.argument(0), final), [&] {
      code.store(code.constant(last.type(), kEnded), time.place(code));
      forward(code);
    });
    if (old) {
      code.inlineBody(*old, code.argument(0));
      old->getParentOp()->erase();
    }
    code.end();
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
      code.when(known, [&] {
        for (unsigned port : to)
          code.submitWatermark(port, time);
      });
    });
  }

  OperatorOp op;
  ArrayRef<unsigned> from, to;
  AddedState last;                     // that went on
  llvm::SmallVector<AddedState> times; // by port of `from`
};

struct RouteWatermarks : sluice::impl::StreamRouteWatermarksBase<RouteWatermarks> {
  void runOnOperation() override {
    for (auto graph : getOperation().getOps<GraphOp>()) {
      carriers.clear();
      wanted.clear();
      SmallVector<OperatorOp> listeners;
      for (auto op : graph.getBody().getOps<OperatorOp>()) {
        for (OpResult stream : op.getOutputs())
          if (makesWatermarks(stream))
            addReached(stream, carriers);
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

  /// Adds the stream and all that are made of it.
  static void addReached(Value stream, Streams &reached) {
    if (!reached.insert(stream).second)
      return;
    for (Operation *user : stream.getUsers())
      for (Value out : cast<OperatorOp>(user).getOutputs())
        addReached(out, reached);
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
        want(producer, in);
    }
    mergeAt(op, port);
  }

  unsigned carriersAt(OperatorOp op, unsigned port) {
    return llvm::count_if(op.streamsOf(port), [&](Value s) { return carriers.contains(s); });
  }

  /// The streams of a port come through an operator with a port for each, if the watermarks of
  /// several meet.
  void mergeAt(OperatorOp op, unsigned port) {
    if (carriersAt(op, port) < 2)
      return;
    OperandRange streams = op.streamsOf(port);
    unsigned first = streams.getBeginOperandIndex(), count = streams.size();
    OpBuilder builder(op);
    OperatorOp merge = makePart(builder, op, "watermarks", SmallVector<Value>(streams),
                                SmallVector<int32_t>(count, 1), streams[0].getType());
    SmallVector<unsigned> from;
    for (unsigned in = 0; in < count; ++in) {
      HandlerBuilder code = beginOnTuple(merge, in);
      code.submit(0, code.argument(0));
      code.end();
      addOnPunct(merge, merge, in, /*forward=*/true);
      if (carriers.contains(streams[in]))
        from.push_back(in);
    }
    LeastWatermark(merge, from, 0u).addHandlers();
    carriers.insert(merge.getOutputs()[0]);
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
    // A feedback loop brings the watermarks that have gone round: it must not wait for itself.
    Streams own;
    for (Value out : op.getOutputs())
      addReached(out, own);
    auto isFeedback = [&](unsigned port) {
      return llvm::any_of(op.streamsOf(port), [&](Value s) { return own.contains(s); });
    };
    SmallVector<unsigned> from;
    for (unsigned port = 0; port < op.inputPorts(); ++port)
      if (carriersAt(op, port) && !isFeedback(port))
        from.push_back(port);
    if (from.empty())
      return;
    ++forwarders;
    if (from.size() > 1)
      return LeastWatermark(op, from, outputs).addHandlers();
    OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
    auto handler = OnWatermarkOp::create(builder, op.getLoc(), from[0]);
    HandlerBuilder code(op.getLoc(), handler.getBody(), timeType(op.getContext()));
    for (unsigned port : outputs)
      code.submitWatermark(port, code.argument(0));
    code.end();
  }

  Streams carriers; // they bring watermarks
  llvm::MapVector<Operation *, llvm::SmallSetVector<unsigned, 2>>
      wanted; // by producer, its outputs
};
} // namespace
