//===- Content.cpp - what a drawing of the graph shows --------------------===//
#include "passes/print/Enclosures.h"
#include "passes/print/GraphText.h"
#include "passes/print/drawing/Drawing.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::drawing;

namespace {
class ContentBuilder {
public:
  explicit ContentBuilder(stream::GraphOp op)
      : op(op), graph(op, Graph::Links::Streams), enclosures(op, graph), place(graph.size()),
        calls(graph.size()) {
    for (unsigned i = 0; i < graph.size(); ++i)
      for (const Connection &edge : graph.out(i)) // the stream as the producer has it
        if (ArrayRef<Connection> in = graph.in(edge.consumer);
            in.size() == 1 && !edge.link() && edgeOf(graph, in[0]) == stream::Edge::Call &&
            !calls[edge.consumer])
          calls[edge.consumer] = &edge;
  }

  Content build() {
    content.title = op.getSymName().str();
    for (const sluice::Enclosure &each : enclosures.all())
      content.enclosures.push_back({each.parent, enclosures.title(each),
                                    each.kind == sluice::Enclosure::Kind::Pe ? "pe" : "region"});
    for (unsigned i = 0; i < graph.size(); ++i)
      if (!calls[i])
        addBox(i);
    for (unsigned i = 0; i < graph.size(); ++i)
      for (const Connection &edge : graph.out(i))
        if (calls[edge.consumer] != &edge)
          addWire(edge);
    return std::move(content);
  }

private:
  struct Place {
    uint32_t box = 0, row = 0;
    llvm::DenseMap<unsigned, uint32_t> exits; // by output port
  };

  Label labelOf(unsigned index, unsigned port) {
    stream::OperatorOp item = graph[index];
    std::string attributes = attributesOf(item, port), name = streamNameOf(item, port).str();
    return {shortened(name), shortened(attributes), attributes,
            "stream<" + attributes + "> " + name};
  }

  void addBox(unsigned head) {
    Box &box = content.boxes.emplace_back();
    box.enclosure = enclosures.around(head);
    addRow(head, nullptr, 0);
    SmallVector<int32_t> segments = segmentsOf(graph[head]);
    segments.erase(llvm::unique(segments), segments.end()); // streams of one segment meet here
    for (int32_t segment : segments)
      box.title += (box.title.empty() ? " " : ", ") + std::to_string(segment);
    if (!segments.empty())
      box.title = (segments.size() == 1 ? "segment" : "segments") + box.title;
    for (unsigned port = 0; port < graph[head].inputPorts(); ++port)
      addEntry(box, head, port);
  }

  void addRow(unsigned index, const Connection *call, unsigned depth) {
    Box &box = content.boxes.back();
    place[index].box = content.boxes.size() - 1;
    place[index].row = box.rows.size();
    stream::OperatorOp item = graph[index];
    StringRef kind = item.sourceKind();
    Row row;
    row.name = shortened(item.getName(), 36);
    row.kind = shortened(kind.rsplit("::").second.empty() ? kind : kind.rsplit("::").second, 36);
    row.whole = (item.getName() + ": " + kind).str();
    if (auto part = item.getPart()) {
      row.kind += (", " + *part).str();
      row.whole += (", part " + *part).str();
    }
    row.source = item.isSource();
    row.depth = depth;
    if (call) {
      row.caller = place[call->producer].row;
      row.stream = labelOf(call->producer, call->output);
    }
    box.rows.push_back(std::move(row));
    SmallVector<const Connection *> called;
    for (const Connection &edge : graph.out(index))
      if (calls[edge.consumer] == &edge)
        called.push_back(&edge);
    for (const Connection *next : called)
      addRow(next->consumer, next, depth + (called.size() > 1));
  }

  void addEntry(Box &box, unsigned head, unsigned port) {
    stream::OperatorOp item = graph[head];
    Entry entry;
    if (item.inputPorts() > 1)
      entry.number = std::to_string(port);
    entry.whole = ("input port " + Twine(port) + " of " + item.getName()).str();
    if (item.getBoundaries()) {
      entry.boundary = item.boundary(port);
      entry.whole += (": " + stream::stringifyBoundary(*entry.boundary)).str();
    }
    if (item.getReasons())
      entry.whole += " (" + cast<StringAttr>((*item.getReasons())[port]).str() + ")";
    for (const Connection &edge : graph.in(head))
      if (edge.input == port && entry.split.empty())
        entry.split = splitOf(graph, edge);
    if (!entry.split.empty())
      entry.whole += "; the stream goes to the channels " + entry.split;
    box.entries.push_back(std::move(entry));
  }

  void addWire(const Connection &edge) {
    Place &from = place[edge.producer];
    Box &box = content.boxes[from.box];
    auto [exit, isNew] = from.exits.try_emplace(edge.output, box.exits.size());
    if (isNew)
      box.exits.push_back({from.row, labelOf(edge.producer, edge.output),
                           isOrdered(graph[edge.producer], edge.output)});
    const Exit &port = box.exits[exit->second];
    auto link = edge.link();
    content.wires.push_back(
        {from.box, exit->second, place[edge.consumer].box, edge.input,
         edgeOf(graph, edge) == stream::Edge::Back, link.has_value(),
         !link && edgeOf(graph, edge) == stream::Edge::Call,
         port.stream.whole + (port.ordered ? ", ordered" : "") +
             (link ? ", link " + std::to_string(*link) + ": to another process" : "")});
  }

  stream::GraphOp op;
  Graph graph;
  Enclosures enclosures;
  Content content;
  std::vector<Place> place; // by operator
  /// By operator, the stream by which another one of its segment calls it, or null.
  std::vector<const Connection *> calls;
};
} // namespace

Content drawing::contentOf(stream::GraphOp op) { return ContentBuilder(op).build(); }
