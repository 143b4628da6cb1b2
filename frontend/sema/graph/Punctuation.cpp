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
    else if (Producer from = originOfPunctuation(port.streams[0], producers); !from.op)
      continue;
    else if (from.op->facts.imports)
      diags.report(*port.needsPunct, Diag::err_punct_imported, port.name, port.streams[0]->name,
                   from.op->kind);
    else if (from.output().punct != OutputPunct::Generating)
      diags.report(*port.needsPunct, Diag::err_punct_free, port.name, port.streams[0]->name,
                   "`" + from.op->kind + "`");
    else if (port.window && neverMakesPunctuation(from))
      warnNever(diags, port, from);
  }
}
