//===- Punctuation.cpp - ports that need window punctuation ---------------===//
//
// toolkit.md 3.2. A port with a window of punct(), or whose operator expects punctuation, has one
// stream, whose punctuation comes from an operator that makes it, through operators that pass it.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/GraphSema.h"
#include "frontend/sema/graph/Producers.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace sluice;
using namespace sluice::sema;
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

/// The operator at which the trace of the stream's punctuation ends without a maker, or null.
static const typed::Operator *whoDropsPunctuation(const typed::Stream *stream,
                                                  const Producers &producers) {
  llvm::SmallPtrSet<const typed::Stream *, 8> seen;
  while (seen.insert(stream).second) {
    Producer from = producers.lookup(stream);
    switch (from.output().punct) {
    case OutputPunct::Generating:
      return nullptr;
    case OutputPunct::Free:
      return from.op;
    case OutputPunct::Preserving:
      if (from.op->inputs.empty() || from.op->inputs[0].streams.size() != 1)
        return from.op;
      stream = from.op->inputs[0].streams[0];
      break;
    }
  }
  return nullptr;
}

void GraphSema::checkPunctuation() {
  if (diags.errors())
    return;
  Producers producers = producersOf(sema.program->main);
  for (const Connection &connection : connections) {
    const typed::InputPort &port = connection.op->inputs[connection.port];
    if (!port.needsPunct)
      continue;
    if (port.streams.size() != 1)
      diags.report(*port.needsPunct, Diag::err_punct_streams, port.name, port.streams.size());
    else if (const typed::Operator *op = whoDropsPunctuation(port.streams[0], producers))
      diags.report(*port.needsPunct, Diag::err_punct_free, port.name, port.streams[0]->name,
                   "`" + op->kind + "`");
  }
}
