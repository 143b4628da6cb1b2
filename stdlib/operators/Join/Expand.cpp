//===- Expand.cpp - spl.relational::Join as handlers ----------------------===//
//
// A tuple meets the candidates of the other side, which are submitted as they are found; then it
// enters its own. Tuples that leave by time do so before any other is worked on, at the end, and if
// somebody waits for them, by a ticker.
//
//===----------------------------------------------------------------------===//
#include "ir/Kinds.h"
#include "passes/expand/OperatorExpansion.h"
#include "passes/expand/match/Equalities.h"
#include "passes/expand/match/Side.h"
#include "passes/expand/window/Ticker.h"
#include "sluice/enums.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::match;
using spl::CompareKind;

static constexpr StringLiteral kPartition[] = {"partitionByLHS", "partitionByRHS"};
static constexpr StringLiteral kDefault[] = {"defaultTupleLHS", "defaultTupleRHS"};

namespace {
class Join {
public:
  explicit Join(stream::OperatorOp op);
  void onTuple(unsigned port);
  void onTick(unsigned port);
  void onPunct(unsigned port);
  void onEnd();
  /// Whether somebody waits for tuples of a side that leave by time.
  bool needsTicks(unsigned port) { return sides[port]->expires() && emits(port); }

private:
  /// Whether tuples of a side are submitted without a match.
  bool emits(unsigned port) const {
    return algorithm == "outer" || algorithm == (port ? "rightOuter" : "leftOuter");
  }
  std::unique_ptr<Side> makeSide(unsigned port);
  Value now(HandlerBuilder &);
  void expire(HandlerBuilder &, Value now);
  void close(HandlerBuilder &, unsigned port);
  void probe(HandlerBuilder &, unsigned port, Value tuple, Key key, Value matched);
  void submitUnmatched(HandlerBuilder &, unsigned port, Value tuple);
  void note(HandlerBuilder &code, Value flag) {
    code.store(code.constant(code.ops().getI1Type(), 1), flag);
  }

  stream::OperatorOp op;
  const std::string algorithm;
  std::array<std::unique_ptr<Side>, 2> sides;
  std::array<std::optional<StartValue>, 2> defaults;
  std::array<AddedState, 2> ended; // whether an input has; where windows close
  Value got; // whether the first output got something for the tuple; null at other times
};
} // namespace

Join::Join(stream::OperatorOp op)
    : op(op), algorithm(op.param("algorithm") ? literalOf(op, "algorithm").str() : "inner") {
  for (unsigned port : {0, 1}) {
    if (op.param(kDefault[port]))
      defaults[port].emplace(op, kDefault[port], op.inputTuple(port));
    sides[port] = makeSide(port);
  }
  if (sides[0]->closes() || sides[1]->closes())
    for (unsigned port : {0, 1})
      ended[port] =
          AddedState(op, "ended" + std::to_string(port), "the end of input " + Twine(port),
                     IntegerType::get(op.getContext(), 1));
}

std::unique_ptr<Side> Join::makeSide(unsigned port) {
  SideOptions options;
  options.partitionBy = op.param(kPartition[port]);
  options.equality = op.param(kEquality[port]);
  options.hash = "sl_hashCode_g";
  if (emits(port))
    options.unmatched = [this, port](HandlerBuilder &code, Value tuple) {
      submitUnmatched(code, port, tuple);
    };
  return std::make_unique<Side>(op, port, std::move(options));
}

/// To an output of its own, as it is, or with the default tuple in the place of the other.
void Join::submitUnmatched(HandlerBuilder &code, unsigned port, Value tuple) {
  if (op.getNumResults() > 1) {
    code.submit(algorithm == "outer" ? 1 + port : 1, tuple);
    return;
  }
  std::array<Value, 2> pair = {tuple, tuple};
  pair[1 - port] =
      defaults[1 - port] ? defaults[1 - port]->in(code) : code.zero(op.inputTuple(1 - port));
  code.submit(0, outputTuple(op, code, 0, pair));
  if (got)
    note(code, got);
}

//===--- a tuple --------------------------------------------------------------------===//

void Join::probe(HandlerBuilder &code, unsigned port, Value tuple, Key key, Value matched) {
  sides[1 - port]->forEachCandidate(code, key, [&](Value other, Value row) {
    std::array<Value, 2> pair = {tuple, tuple};
    pair[1 - port] = other;
    auto submit = [&] {
      code.submit(0, outputTuple(op, code, 0, pair));
      sides[1 - port]->noteMatch(code, row);
      note(code, matched);
    };
    if (Region *match = op.param("match"))
      code.when(code.inlineBody(*match, pair).front(), submit);
    else
      submit();
  });
}

void Join::onTuple(unsigned port) {
  HandlerBuilder code = beginOnTuple(op, port);
  Value tuple = code.argument(0), time = now(code);
  expire(code, time);
  mlir::Type boolean = code.ops().getI1Type();
  Value matched = code.variable("matched", boolean);
  code.store(code.constant(boolean, 0), matched);
  Key key = sides[port]->keyOf(code, tuple);
  probe(code, port, tuple, key, matched);
  got = code.variable("got", boolean);
  Value found = code.load(matched);
  code.store(found, got);
  sides[port]->enter(code, tuple, key, sides[port]->tracksMatches() ? found : Value(), time);
  code.when(code.load(got), [&] { code.submitWindow(0); });
  got = Value();
  code.end();
}

//===--- time -----------------------------------------------------------------------===//

Value Join::now(HandlerBuilder &code) {
  bool needed = sides[0]->needsClock() || sides[1]->needsClock();
  mlir::Type type = window::si64(op.getContext());
  return needed ? Value(stream::NowOp::create(code.ops(), code.loc(), type)) : Value();
}

/// Of both sides the tuple leaves first whose time was up first.
void Join::expire(HandlerBuilder &code, Value now) {
  mlir::Type time = window::si64(op.getContext());
  std::array<Value, 2> left;
  auto timeLeft = [&](unsigned port) {
    return sides[port]->expires() ? sides[port]->timeLeft(code, now) : Value();
  };
  if (!sides[0]->expires() && !sides[1]->expires())
    return;
  unsigned first = sides[0]->expires() ? 0 : 1;
  bool both = sides[0]->expires() && sides[1]->expires();
  code.loop(
      [&] {
        left = {timeLeft(0), timeLeft(1)};
        Value least = left[first];
        if (both)
          least = arith::SelectOp::create(code.ops(), code.loc(),
                                          code.compare(CompareKind::le, left[0], left[1]), left[0],
                                          left[1]);
        return code.compare(CompareKind::lt, least, code.constant(time, 0));
      },
      [&] {
        if (!both)
          return sides[first]->expireOldest(code);
        code.when(
            code.compare(CompareKind::le, left[0], left[1]), [&] { sides[0]->expireOldest(code); },
            [&] { sides[1]->expireOldest(code); });
      });
}

void Join::onTick(unsigned port) {
  unsigned tick = window::addTicker(op, op.window(port), 0, /*finely=*/true);
  OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
  auto handler = stream::OnTupleOp::create(builder, op.getLoc(), tick);
  HandlerBuilder code(op.getLoc(), handler.getBody(), {op.inputTuple(tick)});
  expire(code, now(code));
  code.end();
}

//===--- the end --------------------------------------------------------------------===//

/// An input has ended. Behind the last one, tuples that never matched leave.
void Join::close(HandlerBuilder &code, unsigned port) {
  note(code, ended[port].place(code));
  code.when(code.load(ended[1 - port].place(code)), [&] {
    for (auto &side : sides)
      if (side->closes())
        side->leaveAll(code);
  });
}

/// Window punctuation ends here. Before Final, what is due leaves.
void Join::onPunct(unsigned port) {
  Region *logic = op.onPunct(port);
  bool expires = needsTicks(0) || needsTicks(1);
  if (!logic && !expires && !ended[port])
    return;
  OpBuilder builder = OpBuilder::atBlockEnd(&op.getBody().front());
  auto handler = stream::OnPunctOp::create(builder, op.getLoc(), port);
  mlir::Type type = spl::markerType(op.getContext());
  HandlerBuilder code(op.getLoc(), handler.getBody(), {type});
  if (logic)
    code.inlineBody(*logic, code.argument(0));
  if (expires)
    expire(code, now(code));
  if (ended[port]) {
    Value marker = code.constant(type, int64_t(PunctuationKind::Final));
    code.when(code.compare(CompareKind::eq, code.argument(0), marker), [&] { close(code, port); });
  }
  code.end();
}

/// What would have been submitted when it left. Others have met all that came.
void Join::onEnd() {
  if (!sides[0]->tracksMatches() && !sides[1]->tracksMatches())
    return;
  addOnEnd(op, [&](HandlerBuilder &code) {
    for (auto &side : sides)
      if (Value count = side->countUnmatched(code))
        code.leftOut(stream::LeftOut::InWindows, count);
  });
}

LogicalResult sluice::expandJoin(stream::OperatorOp op) {
  Join join(op);
  for (unsigned port : {0, 1}) {
    join.onTuple(port);
    join.onPunct(port);
  }
  for (unsigned port : {0, 1})
    if (join.needsTicks(port))
      join.onTick(port);
  join.onEnd();
  return success();
}
