//===- Holds.cpp - sources that wait for held ports -----------------------===//
#include "runtime/exec/source/Holds.h"
#include "runtime/exec/dispatch/Held.h"
#include "runtime/exec/state/HeldPort.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include <algorithm>

namespace sluice {

/// By input port: true if all its streams are forwarded at each submit.
static std::vector<bool> orderedPorts(const ProgramDesc &desc) {
  std::vector<bool> result(desc.inPortCount, true);
  for (uint32_t out = 0; out < desc.outPortCount; ++out)
    for (uint32_t i = 0; i < desc.outPorts[out].consumerCount; ++i)
      if (desc.outPorts[out].ordered != OrderKind::All)
        result[desc.outPorts[out].consumers[i]] = false;
  return result;
}

/// Calls `f(input port)` for each port to which tuples of the source may come.
template <typename F>
static void forEachEntry(const ProgramDesc &desc, const Source &s, const Reaches &reaches, F f) {
  for (uint32_t out = 0; out < desc.outPortCount; ++out)
    if (reaches(s, desc.outPorts[out].op))
      for (uint32_t i = 0; i < desc.outPorts[out].consumerCount; ++i)
        f(desc.outPorts[out].consumers[i]);
}

static void addOnce(std::vector<Source *> &list, Source *s) {
  if (std::find(list.begin(), list.end(), s) == list.end())
    list.push_back(s);
}

void makeHeldPorts(Program &p) {
  const ProgramDesc &desc = p.desc;
  auto &ports = p.holds.ports;
  std::vector<bool> ordered = orderedPorts(desc);
  for (uint32_t in = 0; in < desc.inPortCount; ++in) {
    if (!desc.inPorts[in].holds)
      continue;
    ports.resize(desc.inPortCount);
    ports[in] = std::make_unique<HeldPort>();
    ports[in]->delays = desc.inPorts[in].delays;
    InPort *boundary = p.queues.domains.inPorts[in].get();
    if (boundary && ports[in]->delays) {
      boundary->delay = ports[in].get();
      p.queues.delays.push_back(boundary);
    } else if (boundary && ordered[in] && !boundary->drops) {
      boundary->underWay = ports[in].get();
    }
  }
}

void connectHolds(Program &p, const Reaches &reaches, const Leads &leads) {
  const ProgramDesc &desc = p.desc;
  auto &ports = p.holds.ports;
  if (ports.empty())
    return;
  for (uint32_t in = 0; in < desc.inPortCount; ++in)
    if (ports[in])
      ports[in]->inLoop = leads(desc.inPorts[in].op, desc.inPorts[in].op);
  for (auto &s : p.threads.sources)
    forEachEntry(desc, *s, reaches, [&](uint32_t entry) {
      const OperatorDesc &op = desc.operators[desc.inPorts[entry].op];
      for (uint32_t in = op.firstIn; in < op.firstIn + op.inputs; ++in)
        if (HeldPort *port = ports[in].get())
          addOnce(in == entry ? port->senders : port->others, s.get());
    });
  // Daemons are never held back. Neither is a source that alone could let itself go on.
  for (auto &port : ports)
    for (Source *s : port ? port->senders : std::vector<Source *>()) {
      bool others = std::any_of(port->others.begin(), port->others.end(),
                                [&](const Source *other) { return other != s; });
      if (s->isDaemon || !(others || port->inLoop || port->delays))
        continue;
      s->sendsTo.push_back(port.get());
      if (!s->room)
        s->room = std::make_unique<os::Event>();
    }
}

bool holdsBack(const Source &s) {
  return std::any_of(s.sendsTo.begin(), s.sendsTo.end(),
                     [](const HeldPort *port) { return port->blocks(); });
}

/// True if the source, or one that it waits for, runs. `seen`: those that were asked.
static bool mayMove(const Source &s, std::vector<const Source *> &seen) {
  if (s.ended || std::find(seen.begin(), seen.end(), &s) != seen.end())
    return false;
  seen.push_back(&s);
  if (!s.waits || !holdsBack(s))
    return true;
  for (const HeldPort *port : s.sendsTo)
    if (port->blocks() && port->delays)
      return true;
    else if (port->blocks())
      for (const Source *other : port->others)
        if (mayMove(*other, seen))
          return true;
  return false;
}

bool isHopeless(const Source &s, const std::function<bool()> &quiet) {
  std::vector<const Source *> seen;
  return !mayMove(s, seen) && quiet() && holdsBack(s);
}

void ignoreHolds(const Source &s) {
  for (HeldPort *port : s.sendsTo)
    if (port->blocks()) {
      port->ignored = true;
      wakeSenders(*port);
    }
}

} // namespace sluice

using namespace sluice;

//===--- ABI ------------------------------------------------------------------===//

extern "C" void sl_hold(Ctx *ctx, uint32_t inPort, int32_t held) {
  HeldPort &port = *ctx->program->holds.at(inPort + ctx->replica->in);
  if (port.held.load(std::memory_order_relaxed) == (held != 0)) // only this thread changes it
    return;
  port.held = held != 0;
  if (!held)
    wakeSenders(port);
}

extern "C" void sl_delay(Ctx *ctx, const OperatorDesc *op, int64_t nanos, uint64_t tuples) {
  ctx->program->holds.at(op->firstIn)->most = tuples;
  if (InPort *in = ctx->program->queues.domains.inPorts[op->firstIn].get())
    in->drops->delay = nanos;
}
