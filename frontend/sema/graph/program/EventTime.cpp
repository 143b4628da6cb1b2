//===- EventTime.cpp - which streams carry event time ---------------------===//
//
// Event time spreads from the operators with @eventTime. An output port carries it if an input
// port does, the output has the same attribute, and the operator does not keep tuples. An input
// port carries it if all its streams do. What is known of a stream only grows (nothing, one event
// time, several that differ), so that loops come to an end.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/GraphSema.h"
#include "frontend/sema/graph/program/Producers.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace sluice;
using namespace sluice::sema;
using typed::EventTime;
using typed::InputPort;
using typed::Operator;
using typed::Stream;
using typed::Window;

namespace {
/// What is known of a stream or port.
struct Known {
  const EventTime *time = nullptr; // the first
  bool differs = false;            // there are others

  bool isOne() const { return time && !differs; }
  bool operator==(const Known &other) const {
    return bool(time) == bool(other.time) && differs == other.differs &&
           (!time || *time == *other.time);
  }
  void join(const Known &other) {
    differs |= other.differs || (time && other.time && !(*time == *other.time));
    time = time ? time : other.time;
  }
};

/// Where event time ends, and why.
struct Loss {
  Diag note;
  Producer from;
};

class EventTimes {
public:
  EventTimes(Diagnostics &diags, typed::Program &program)
      : diags(diags), program(program), producers(producersOf(program.main)) {
    collect(program.main);
  }
  void spread();
  void checkNeeds();

private:
  void collect(typed::Composite &);
  Known ofStream(const Stream *, const Operator &consumer) const;
  Known ofPort(const InputPort &, const Operator &) const;
  Known ofOutput(const typed::OutputPort &, const Operator &) const;
  bool leavesRegion(const Operator &producer, const Operator &consumer) const;
  const Stream *lacking(const InputPort &, const Operator &) const;

  Loss lossOf(const Stream *, const Operator &consumer) const;
  std::optional<Diag> endsAt(Producer) const;
  const EventTime *arrivingAt(const Operator &) const;
  void note(mlir::InFlightDiagnostic &, const Loss &);
  void require(const Operator &, const InputPort &, Range, const std::string &what);
  void reportDifferent(const InputPort &, Range, const std::string &what);

  Diagnostics &diags;
  typed::Program &program;
  Producers producers;
  std::vector<Operator *> operators;
  llvm::DenseMap<const Stream *, Known> streams;
  llvm::DenseMap<const Stream *, std::vector<const Operator *>> consumers;
};
} // namespace

void EventTimes::collect(typed::Composite &composite) {
  for (Operator &op : composite.operators) {
    operators.push_back(&op);
    for (const InputPort &port : op.inputs)
      for (const Stream *stream : port.streams)
        consumers[stream].push_back(&op);
  }
  for (typed::Composite &inner : composite.composites)
    collect(inner);
}

//===--- the flow -------------------------------------------------------------===//

/// The window that ends event time, or null.
static const Window *endingWindow(const Operator &op) {
  for (const InputPort &port : op.inputs)
    if (port.window && port.window->kind != Window::Kind::Interval)
      return &*port.window;
  return nullptr;
}

bool EventTimes::leavesRegion(const Operator &producer, const Operator &consumer) const {
  int region = consumer.region;
  while (region >= 0 && region != producer.region)
    region = program.regions[region].parent;
  return region != producer.region;
}

/// Of a stream, as a consumer sees it.
Known EventTimes::ofStream(const Stream *stream, const Operator &consumer) const {
  bool leaves = leavesRegion(*producers.lookup(stream).op, consumer);
  return leaves ? Known() : streams.lookup(stream);
}

Known EventTimes::ofPort(const InputPort &port, const Operator &op) const {
  Known all;
  for (const Stream *stream : port.streams) {
    Known one = ofStream(stream, op);
    if (!one.time)
      return {};
    all.join(one);
  }
  return all;
}

Known EventTimes::ofOutput(const typed::OutputPort &output, const Operator &op) const {
  if (output.watermarks)
    return {&*output.eventTime};
  Known all;
  if (op.facts.holds || endingWindow(op))
    return all;
  for (const InputPort &port : op.inputs) {
    Known in = ofPort(port, op);
    bool has = in.time && EventTime::find(output.stream->type, in.time->path) == in.time->type;
    if (has || in.differs)
      all.join(in);
  }
  return all;
}

void EventTimes::spread() {
  std::vector<const Operator *> work;
  for (const Operator *op : operators)
    if (llvm::any_of(op->outputs, [](auto &port) { return port.watermarks.has_value(); }))
      work.push_back(op);
  while (!work.empty()) {
    const Operator &op = *work.back();
    work.pop_back();
    for (const typed::OutputPort &output : op.outputs) {
      Known known = ofOutput(output, op);
      if (Known &slot = streams[output.stream]; !(slot == known)) {
        slot = known;
        llvm::append_range(work, consumers[output.stream]);
      }
    }
  }
  for (Operator *op : operators) {
    for (typed::OutputPort &output : op->outputs)
      if (Known known = streams.lookup(output.stream); known.isOne() && !output.watermarks)
        output.eventTime = *known.time;
    for (InputPort &port : op->inputs)
      if (Known known = ofPort(port, *op); known.isOne())
        port.eventTime = *known.time;
  }
}

//===--- what needs it ----------------------------------------------------------===//

/// The first stream of a port that carries no event time, or null.
const Stream *EventTimes::lacking(const InputPort &port, const Operator &op) const {
  for (const Stream *stream : port.streams)
    if (!ofStream(stream, op).isOne())
      return stream;
  return nullptr;
}

/// The first event time that comes to the operator, or null.
const EventTime *EventTimes::arrivingAt(const Operator &op) const {
  for (const InputPort &port : op.inputs)
    if (Known in = ofPort(port, op); in.isOne())
      return in.time;
  return nullptr;
}

/// Why event time ends at this operator, if it does.
std::optional<Diag> EventTimes::endsAt(Producer from) const {
  const Operator &op = *from.op;
  bool differs = llvm::any_of(op.inputs, [&](const InputPort &port) {
    return ofPort(port, op).differs && !lacking(port, op);
  });
  const EventTime *arriving = arrivingAt(op);
  if (op.inputs.empty())
    return Diag::note_event_time_source;
  if (op.facts.holds)
    return Diag::note_event_time_held;
  if (endingWindow(op))
    return Diag::note_event_time_window;
  if (differs || (arriving && streams.lookup(from.output().stream).differs))
    return Diag::note_event_time_ports;
  if (arriving)
    return Diag::note_event_time_attribute;
  return std::nullopt;
}

/// Follows a stream that carries no event time upwards to where that ends.
Loss EventTimes::lossOf(const Stream *stream, const Operator &consumer) const {
  llvm::SmallPtrSet<const Stream *, 8> seen;
  const Operator *to = &consumer;
  while (true) {
    Producer from = producers.lookup(stream);
    if (streams.lookup(stream).isOne())
      return {Diag::note_event_time_region, from};
    if (!seen.insert(stream).second)
      return {Diag::note_event_time_loop, from};
    if (auto why = endsAt(from))
      return {*why, from};
    to = from.op;
    stream = nullptr;
    for (const InputPort &port : to->inputs)
      stream = stream ? stream : lacking(port, *to);
  }
}

void EventTimes::note(mlir::InFlightDiagnostic &error, const Loss &loss) {
  const Operator &op = *loss.from.op;
  const typed::OutputPort &output = loss.from.output();
  bool ofStream = llvm::is_contained(
      {Diag::note_event_time_source, Diag::note_event_time_loop, Diag::note_event_time_region},
      loss.note);
  if (ofStream)
    return diags.note(error, op.range, loss.note, output.stream->name);
  if (loss.note != Diag::note_event_time_attribute)
    return diags.note(error, op.range, loss.note, op.kind);
  const EventTime &time = *arrivingAt(op);
  diags.note(error, op.range, loss.note, output.name, op.kind, llvm::join(time.path, "."),
             time.type->str());
}

static const char *nameOf(EventTime::Resolution resolution) {
  switch (resolution) {
  case EventTime::Milliseconds:
    return "Milliseconds";
  case EventTime::Microseconds:
    return "Microseconds";
  case EventTime::Nanoseconds:
    return "Nanoseconds";
  }
  llvm_unreachable("all resolutions are covered");
}

/// All streams of the port carry event time.
void EventTimes::reportDifferent(const InputPort &port, Range range, const std::string &what) {
  auto timeOf = [&](const Stream *stream) { return streams.lookup(stream).time; };
  const Stream *first = port.streams.front();
  const Stream *other = *llvm::find_if(
      port.streams, [&](const Stream *s) { return !(*timeOf(s) == *timeOf(first)); });
  auto error = diags.report(range, Diag::err_event_time_differs, what, first->name, other->name);
  for (const Stream *stream : {first, other}) {
    const EventTime &time = *timeOf(stream);
    diags.note(error, stream->range, Diag::note_event_time_of, stream->name,
               llvm::join(time.path, "."), time.type->str(), nameOf(time.resolution));
  }
}

/// Reports `what`, at `range`, if the port carries no event time.
void EventTimes::require(const Operator &op, const InputPort &port, Range range,
                         const std::string &what) {
  if (port.eventTime)
    return;
  const Stream *stream = lacking(port, op);
  if (!stream)
    return reportDifferent(port, range, what);
  Loss loss = lossOf(stream, op);
  auto error = loss.note == Diag::note_event_time_region
                   ? diags.report(range, Diag::err_not_supported,
                                  "event time that leaves a @parallel region")
                   : diags.report(range, Diag::err_event_time_missing, what, stream->name);
  note(error, loss);
}

/// Visits the expressions of an operator in which tuples may be read.
static void forEachExpr(const Operator &op, llvm::function_ref<void(const typed::Expr &)> visit) {
  auto each = [&](const typed::Expr &part) {
    visit(part);
    return false;
  };
  for (const InputPort &port : op.inputs)
    for (const typed::StmtPtr *body : {&port.onTuple, &port.onPunct})
      if (*body)
        anyExpr(**body, each);
  for (const typed::Parameter &param : op.params)
    for (const typed::ExprPtr &value : param.values)
      anyExpr(*value, each);
  for (const typed::OutputPort &port : op.outputs)
    for (const typed::ExprPtr &value : port.values)
      anyExpr(*value, each);
}

void EventTimes::checkNeeds() {
  for (const Operator *op : operators) {
    for (const InputPort &port : op->inputs)
      if (port.window && port.window->kind == Window::Kind::Interval)
        require(*op, port, port.window->range, "a timeInterval window");
    forEachExpr(*op, [&](const typed::Expr &part) {
      auto *call = llvm::dyn_cast<typed::NativeCallExpr>(&part);
      if (call && !call->proto->facts.eventTime.empty())
        require(*op, op->inputs[llvm::cast<typed::TupleExpr>(*call->args[0]).port], call->range,
                "`" + call->proto->name + "`");
    });
  }
}

void sema::spreadEventTime(GraphSema &graph) {
  if (graph.diags.errors())
    return;
  EventTimes times(graph.diags, *graph.sema.program);
  times.spread();
  times.checkNeeds();
}
