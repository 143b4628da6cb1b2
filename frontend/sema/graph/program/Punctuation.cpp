//===- Punctuation.cpp - ports that need window punctuation ---------------===//
//
// toolkit.md 3.2. A port with a window of punct(), or whose operator expects punctuation, has one
// stream, whose punctuation comes from an operator that makes it, through operators that pass it.
// Window markers that come into a loop of operators that all pass them never leave it: the program
// does not end.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/GraphChecks.h"
#include "frontend/sema/graph/GraphSema.h"
#include "frontend/sema/graph/program/Producers.h"
#include "frontend/sema/typed/TextOrder.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;
using typed::OutputPunct;

static void addProducers(const typed::Composite &composite, Producers &producers) {
  for (const typed::Operator &op : composite.operators)
    for (auto [index, port] : llvm::enumerate(op.outputs))
      producers[port.stream] = {&op, unsigned(index)};
  for (const typed::Composite &inner : composite.composites)
    addProducers(inner, producers);
}

Producers sema::producersOf(const typed::Composite &main) {
  Producers producers;
  addProducers(main, producers);
  return producers;
}

/// Where the trace of the stream's punctuation ends: at the output port that makes it, or at one
/// that does not pass it on; null in a loop.
static Producer originOfPunctuation(const typed::Stream *stream, const Producers &producers) {
  llvm::SmallPtrSet<const typed::Stream *, 8> seen;
  while (seen.insert(stream).second) {
    Producer from = producers.lookup(stream);
    switch (from.output().punct) {
    case OutputPunct::Generating:
    case OutputPunct::Free:
      return from;
    case OutputPunct::Preserving:
      if (from.op->inputs.empty() || from.op->inputs[0].streams.size() != 1)
        return from;
      stream = from.op->inputs[0].streams[0];
      break;
    }
  }
  return {nullptr, 0};
}

/// Whether the marker can only be the final one, which fires no window of punct().
static bool isFinal(const typed::SubmitExpr &submit) {
  auto *marker = llvm::dyn_cast<typed::ConstExpr>(submit.value.get());
  return marker && marker->type->members[marker->integer()] == "FinalMarker";
}

/// Whether the logic of the operator submits tuples to the port, and so all that leaves it, and no
/// window markers.
static bool neverMakesPunctuation(const Producer &from) {
  bool tuples = false, punctuation = false;
  forSubmissions(*from.op, [&](const typed::SubmitExpr &submit) {
    if (submit.port != from.port)
      return;
    tuples |= !submit.isPunct();
    punctuation |= submit.isPunct() && !isFinal(submit);
  });
  return tuples && !punctuation;
}

/// A window of punct() that no marker ever reaches.
static void warnNever(Diagnostics &diags, const typed::InputPort &port, const Producer &from) {
  StringRef out = from.output().name;
  auto warning =
      diags.report(*port.needsPunct, Diag::warn_punct_never, port.streams[0]->name, from.op->kind);
  const auto &inputs = from.op->inputs;
  bool passes = inputs.size() == 1 && !inputs[0].onPunct;
  std::string marker = ("submit(Sys.WindowMarker, " + out + ");").str();
  diags.note(warning, *port.needsPunct, Diag::note_punct_submit,
             passes ? "onPunct " + inputs[0].name + " : if (currentPunct() == Sys.WindowMarker) " +
                          marker
                    : marker);
}

//===--- markers that go round for ever ---------------------------------------===//

/// What the value of a condition on currentPunct() is for a window marker; nothing if something
/// else decides it.
static std::optional<bool> atWindowMarker(const typed::Expr &condition) {
  auto *compare = llvm::dyn_cast<typed::BinaryExpr>(&condition);
  if (!compare || (compare->op.op != ast::BinaryOp::Eq && compare->op.op != ast::BinaryOp::Ne))
    return std::nullopt;
  const typed::Expr *sides[] = {compare->lhs.get(), compare->rhs.get()};
  if (!llvm::isa<typed::PunctExpr>(sides[0]))
    std::swap(sides[0], sides[1]);
  auto *marker = llvm::dyn_cast<typed::ConstExpr>(sides[1]);
  if (!llvm::isa<typed::PunctExpr>(sides[0]) || !marker)
    return std::nullopt;
  bool isWindow = marker->type->members[marker->integer()] == "WindowMarker";
  return isWindow == (compare->op.op == ast::BinaryOp::Eq);
}

/// Whether code of onPunct submits a window marker to the port for each one that comes. Nothing if
/// that cannot be said, as it may have returned.
static std::optional<bool> passesMarker(const typed::Stmt &code, unsigned port) {
  if (auto *statement = llvm::dyn_cast<typed::ExprStmt>(&code)) {
    auto *submit = llvm::dyn_cast<typed::SubmitExpr>(statement->expr.get());
    return submit && submit->port == port && submit->isPunct() && !isFinal(*submit);
  }
  if (auto *block = llvm::dyn_cast<typed::BlockStmt>(&code)) {
    for (const typed::StmtPtr &part : block->body)
      if (std::optional<bool> passes = passesMarker(*part, port); !passes || *passes)
        return passes;
    return false;
  }
  auto *choice = llvm::dyn_cast<typed::IfStmt>(&code);
  std::optional<bool> taken = choice ? atWindowMarker(*choice->condition) : std::nullopt;
  if (!taken)
    return std::nullopt;
  if (const typed::StmtPtr &branch = *taken ? choice->then : choice->otherwise)
    return passesMarker(*branch, port);
  return false;
}

namespace {
/// Finds loops that window markers come into and never leave.
class MarkerLoops {
public:
  MarkerLoops(Diagnostics &diags, const typed::Composite &main)
      : diags(diags), operators(typed::allInTextOrder(main)) {
    for (const Operator *op : operators) {
      forSubmissions(*op, [&](const typed::SubmitExpr &) { submitting.insert(op); });
      for (unsigned in = 0; in < op->inputs.size(); ++in)
        for (const typed::Stream *stream : op->inputs[in].streams)
          consumers[stream].push_back({op, in});
    }
  }

  void run() {
    for (const Operator *op : operators)
      for (unsigned out = 0; out < op->outputs.size(); ++out)
        if (makes(*op, out))
          walk({op, 0, out});
  }

private:
  using Operator = typed::Operator;
  /// A marker that comes to input port `in` leaves at output port `out`.
  struct Hop {
    const Operator *op;
    unsigned in, out;
    const typed::Stream *stream() const { return op->outputs[out].stream; }
  };
  struct Level {
    Hop hop;
    std::vector<Hop> next;
  };

  /// Whether the operator makes window markers of its own there.
  bool makes(const Operator &op, unsigned out) const {
    if (!submitting.contains(&op))
      return op.outputs[out].punct == OutputPunct::Generating;
    auto submits = [&](const typed::StmtPtr &code) {
      return code && anyExpr(*code, [&](const typed::Expr &part) {
               auto *submit = llvm::dyn_cast<typed::SubmitExpr>(&part);
               return submit && submit->port == out && submit->isPunct() && !isFinal(*submit);
             });
    };
    return submits(op.onProcess) ||
           llvm::any_of(op.inputs, [&](auto &port) { return submits(port.onTuple); });
  }

  bool passes(const Operator &op, unsigned in, unsigned out) const {
    if (!submitting.contains(&op))
      return in == 0 && op.outputs[out].punct == OutputPunct::Preserving;
    const typed::StmtPtr &code = op.inputs[in].onPunct;
    return code && passesMarker(*code, out).value_or(false);
  }

  std::vector<Hop> after(const Hop &hop) const {
    std::vector<Hop> hops;
    if (auto found = consumers.find(hop.stream()); found != consumers.end())
      for (auto [op, in] : found->second)
        for (unsigned out = 0; out < op->outputs.size(); ++out)
          if (passes(*op, in, out))
            hops.push_back({op, in, out});
    return hops;
  }

  /// Has a stack of its own, because a graph may be a long chain. A stream is open while it is on
  /// the stack.
  void walk(const Hop &origin) {
    std::vector<Level> stack;
    auto open = [&](const Hop &hop) {
      if (states.try_emplace(hop.stream(), true).second)
        stack.push_back({hop, after(hop)});
    };
    open(origin);
    while (!stack.empty()) {
      if (stack.back().next.empty()) {
        states[stack.back().hop.stream()] = false;
        stack.pop_back();
        continue;
      }
      Hop hop = stack.back().next.front();
      stack.back().next.erase(stack.back().next.begin());
      if (states.lookup(hop.stream()))
        closes(stack, hop, origin);
      else
        open(hop);
    }
  }

  /// `stack` ends with the producer of the stream that closes the loop.
  void closes(const std::vector<Level> &stack, const Hop &hop, const Hop &origin) {
    std::string path;
    auto isFirst = [&](const Level &level) { return level.hop.stream() == hop.stream(); };
    for (auto at = llvm::find_if(stack, isFirst); at != stack.end(); ++at)
      path += "`" + at->hop.op->name + "` -> ";
    path += "`" + hop.op->name + "`";
    Range range = hop.op->inputs[hop.in].range;
    auto warning =
        diags.report(range, Diag::warn_markers_for_ever, stack.back().hop.stream()->name);
    diags.note(warning, hop.op->range, Diag::note_marker_path, path);
    diags.note(warning, origin.stream()->range, Diag::note_marker_origin, origin.stream()->name);
    diags.note(warning, range, Diag::note_marker_end);
  }

  Diagnostics &diags;
  std::vector<const Operator *> operators;
  llvm::SmallPtrSet<const Operator *, 16> submitting; // that say in their logic what leaves them
  llvm::DenseMap<const typed::Stream *, std::vector<std::pair<const Operator *, unsigned>>>
      consumers;
  llvm::DenseMap<const typed::Stream *, bool> states; // whether it is open
};
} // namespace

void sema::checkPunctuation(GraphSema &graph) {
  if (graph.diags.errors())
    return;
  Producers producers = producersOf(graph.sema.program->main);
  for (const Connection &connection : graph.connections) {
    const typed::InputPort &port = connection.op->inputs[connection.port];
    if (!port.needsPunct)
      continue;
    if (port.streams.size() != 1)
      graph.diags.report(*port.needsPunct, Diag::err_punct_streams, port.name, port.streams.size());
    else if (Producer from = originOfPunctuation(port.streams[0], producers); !from.op)
      continue;
    else if (from.op->facts.imports)
      graph.diags.report(*port.needsPunct, Diag::err_punct_imported, port.name,
                         port.streams[0]->name, from.op->kind);
    else if (from.output().punct != OutputPunct::Generating)
      graph.diags.report(*port.needsPunct, Diag::err_punct_free, port.name, port.streams[0]->name,
                         "`" + from.op->kind + "`");
    else if (port.window && neverMakesPunctuation(from))
      warnNever(graph.diags, port, from);
  }
  MarkerLoops(graph.diags, graph.sema.program->main).run();
}
