//===- Loops.cpp - feedback loops that cannot run ----------------------------===//
//
// A loop that no source leads into never gets a tuple. One that crosses the border of a
// parallel region cannot run yet.
//
// A depth-first walk from the sources decides which stream closes a loop. It visits
// consumers in the order of the text, as the pass stream-find-loops does.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/program/Loops.h"
#include "frontend/sema/typed/TextOrder.h"

using namespace sluice;
using namespace sluice::sema;
using typed::Operator;

namespace {
/// A stream into an input port.
struct Edge {
  const Operator *consumer;
  const typed::InputPort *port;
  unsigned stream; // of the port
};

class LoopCheck {
public:
  LoopCheck(Diagnostics &diags, const typed::Program &program)
      : diags(diags), operators(typed::allInTextOrder(program.main)) {
    for (const Operator *op : operators)
      for (const typed::InputPort &port : op->inputs)
        for (unsigned i = 0; i < port.streams.size(); ++i)
          consumers[port.streams[i]].push_back({op, &port, i});
  }

  void run() {
    for (const Operator *op : operators)
      if (isSource(*op))
        walk(*op);
    for (const Operator *op : operators) { // those that no source reaches
      isOrphan = true;
      walk(*op);
    }
  }

private:
  enum State : char { New, Open, Done };

  /// What comes to control ports tells a source what to do, and it does not wait for that.
  static bool isSource(const Operator &op) {
    return op.inputs.size() <= 32 &&
           (op.facts.controlPorts == (uint64_t(1) << op.inputs.size()) - 1);
  }

  /// The streams out of an operator, by output port.
  std::vector<Edge> edgesOf(const Operator &op) const {
    std::vector<Edge> edges;
    for (const typed::OutputPort &port : op.outputs)
      if (auto found = consumers.find(port.stream); found != consumers.end())
        llvm::append_range(edges, found->second);
    return edges;
  }

  /// An operator on the way to where the walk is, and how many of its streams it has followed.
  struct Level {
    const Operator *op;
    std::vector<Edge> edges;
    size_t next = 0;
  };

  /// Has a stack of its own, because a graph may be a long chain.
  void walk(const Operator &root) {
    std::vector<Level> stack;
    auto open = [&](const Operator &op) {
      states[&op] = Open;
      stack.push_back({&op, edgesOf(op)});
    };
    if (states[&root] == New)
      open(root);
    while (!stack.empty()) {
      Level &top = stack.back();
      if (top.next == top.edges.size()) {
        states[top.op] = Done;
        stack.pop_back();
        continue;
      }
      Edge edge = top.edges[top.next++];
      if (isSource(*edge.consumer))
        continue;
      if (states[edge.consumer] == Open)
        closes(stack, edge);
      else if (states[edge.consumer] == New)
        open(*edge.consumer);
    }
  }

  /// `stack` ends with the producer.
  void closes(const std::vector<Level> &stack, const Edge &edge) {
    const Operator &producer = *stack.back().op;
    if (std::exchange(isOrphan, false)) {
      const typed::Stream &stream = *edge.port->streams[edge.stream];
      auto error = diags.report(edge.port->range, Diag::err_loop_without_source, stream.name);
      diags.note(error, stream.range, Diag::note_defined_here, stream.name);
      diags.note(error, edge.consumer->range, Diag::note_loop_path, pathOf(stack, edge));
    }
    bool crosses =
        producer.region != edge.consumer->region || !edge.port->splits[edge.stream].empty();
    if (!crosses)
      return;
    auto error = diags.report(edge.consumer->range, Diag::err_not_supported,
                              "a feedback loop through the border of a parallel region");
    diags.note(error, edge.consumer->range, Diag::note_loop_path, pathOf(stack, edge));
  }

  /// The operators of the loop in the order of its streams; the first is also the last.
  static std::string pathOf(const std::vector<Level> &stack, const Edge &edge) {
    auto isFirst = [&](const Level &level) { return level.op == edge.consumer; };
    std::string path;
    for (auto at = llvm::find_if(stack, isFirst); at != stack.end(); ++at)
      path += "`" + at->op->name + "` -> ";
    return path + "`" + edge.consumer->name + "`";
  }

  Diagnostics &diags;
  bool isOrphan = false; // no source reaches the walk, and its first loop is to be reported
  std::vector<const Operator *> operators;
  llvm::DenseMap<const typed::Stream *, std::vector<Edge>> consumers;
  llvm::DenseMap<const Operator *, State> states;
};
} // namespace

bool sema::readsOnlyItself(Diagnostics &diags, const ast::Invocation &invocation) {
  const ast::Ident *input = nullptr, *output = nullptr;
  for (const ast::InPort &in : invocation.inputs)
    for (const ast::Ident &name : in.streams) {
      auto out = llvm::find_if(invocation.outputs,
                               [&](auto &each) { return each.stream.text == name.text; });
      if (out == invocation.outputs.end())
        return false;
      if (!input)
        std::tie(input, output) = std::pair(&name, &out->stream);
    }
  if (!input)
    return false;
  auto error = diags.report(input->range, Diag::err_loop_without_source, input->text);
  diags.note(error, output->range, Diag::note_defined_here, input->text);
  diags.note(error, invocation.op.range, Diag::note_own_output, input->text);
  return true;
}

void sema::checkLoops(Diagnostics &diags, const typed::Program &program) {
  LoopCheck(diags, program).run();
}
