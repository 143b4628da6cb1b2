//===- Stats.cpp - what operators did, from the counters ------------------===//
#include "runtime/exec/metrics/Stats.h"
#include "runtime/exec/table/Facts.h"

namespace sluice {

namespace {
class Deriver {
public:
  Deriver(const ProgramDesc &desc, const CounterSample &sample) : desc(desc), sample(sample) {
    figures.operators.resize(desc.operatorCount);
    figures.in.resize(desc.inPortCount);
    figures.out.resize(desc.outPortCount);
  }
  void measured();
  void heads();
  void derived();
  void shareTime();
  void sums();
  Figures figures;

private:
  bool set(Tuples &slot, const Tuples &value);
  bool alongEdges(uint32_t inPort);
  bool forwards(const OperatorDesc &, uint32_t output);
  bool backwards(const OperatorDesc &, uint32_t output);
  std::vector<uint32_t> membersOf(uint32_t head) const;
  void share(uint32_t head, double cycles, bool estimated);
  Tuples sum(const std::vector<PortFigures> &, uint32_t first, uint32_t count) const;

  const ProgramDesc &desc;
  const CounterSample &sample;
  std::vector<std::vector<uint32_t>> callers; // by input port: the output ports that call it
  bool sampled = false;                       // a batch was not timed
};
} // namespace

void Deriver::measured() {
  for (uint32_t o = 0; o < desc.outPortCount; ++o) {
    const OutPortDesc &port = desc.outPorts[o];
    if (!port.batchBytes)
      continue;
    figures.out[o] = {sample.out[o].rows, false};
    for (uint32_t i = 0; i < batchedConsumers(port); ++i)
      figures.in[port.consumers[i]] = {sample.in[port.consumers[i]].rows, false};
  }
}

//===--- segments ----------------------------------------------------------------===//

/// The operators that a segment of `head` reaches by calls, `head` first, and each once.
std::vector<uint32_t> Deriver::membersOf(uint32_t head) const {
  std::vector<uint32_t> members{head};
  std::vector<bool> seen(desc.operatorCount);
  seen[head] = true;
  for (size_t k = 0; k < members.size(); ++k) {
    const OperatorDesc &op = desc.operators[members[k]];
    for (uint32_t o = op.firstOut; o < op.firstOut + op.outputs; ++o)
      forEachCalled(desc.outPorts[o], [&](uint32_t in) {
        if (uint32_t to = desc.inPorts[in].op; !seen[to]) {
          seen[to] = true;
          members.push_back(to);
        }
      });
  }
  return members;
}

void Deriver::heads() {
  std::vector<bool> isHead(desc.operatorCount);
  for (uint32_t i = 0; i < desc.operatorCount; ++i) {
    const OperatorDesc &op = desc.operators[i];
    isHead[i] = isSource(op);
    for (uint32_t in = op.firstIn; in < op.firstIn + op.inputs; ++in)
      isHead[i] = isHead[i] || !figures.in[in].fused;
    figures.operators[i].head = i;
  }
  for (uint32_t head = 0; head < desc.operatorCount; ++head)
    if (isHead[head])
      for (uint32_t op : membersOf(head))
        if (!isHead[op] && figures.operators[op].head == op)
          figures.operators[op].head = head;
}

//===--- tuples inside segments ---------------------------------------------------===//

bool Deriver::set(Tuples &slot, const Tuples &value) {
  if (slot || !value)
    return false;
  slot = value;
  return true;
}

/// Inside a segment a consumer gets what is submitted. True: something became known.
bool Deriver::alongEdges(uint32_t inPort) {
  Tuples &in = figures.in[inPort].tuples;
  uint64_t sum = 0;
  bool known = !callers[inPort].empty();
  for (uint32_t out : callers[inPort]) {
    known = known && figures.out[out].tuples;
    sum += figures.out[out].tuples.value_or(0);
  }
  bool any = known && set(in, sum);
  if (callers[inPort].size() == 1)
    any |= set(figures.out[callers[inPort].front()].tuples, in);
  return any;
}

/// Derives what left an output port from what came in. True: something became known.
bool Deriver::forwards(const OperatorDesc &op, uint32_t output) {
  uint64_t sum = 0;
  for (uint32_t input = 0; input < op.inputs; ++input) {
    RowsOut rows = op.rowsOut[input * op.outputs + output];
    const Tuples &in = figures.in[op.firstIn + input].tuples;
    if (rows == RowsOut::Unknown || (rows == RowsOut::One && !in))
      return false;
    sum += rows == RowsOut::One ? *in : 0;
  }
  return set(figures.out[op.firstOut + output].tuples, sum);
}

/// Derives what came in from what left an output port. True: something became known.
bool Deriver::backwards(const OperatorDesc &op, uint32_t output) {
  return op.inputs == 1 && op.rowsOut[output] == RowsOut::One &&
         set(figures.in[op.firstIn].tuples, figures.out[op.firstOut + output].tuples);
}

void Deriver::derived() {
  callers.resize(desc.inPortCount);
  for (uint32_t o = 0; o < desc.outPortCount; ++o) {
    const OutPortDesc &port = desc.outPorts[o];
    forEachCalled(port, [&](uint32_t in) { callers[in].push_back(o); });
    // A generated source counts what it has submitted, even inside a segment.
    if (const OperatorDesc &op = desc.operators[port.op];
        figures.out[o].fused && (port.counts || (isSource(op) && op.native < 0)))
      figures.out[o].tuples = sample.out[o].rows;
  }
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < desc.inPortCount; ++i)
      more |= alongEdges(i);
    for (uint32_t i = 0; i < desc.operatorCount; ++i) {
      const OperatorDesc &op = desc.operators[i];
      if (!op.rowsOut || op.isCatch || !op.inputs) // where failures are caught tuples may be lost
        continue;
      for (uint32_t output = 0; output < op.outputs; ++output)
        more |= forwards(op, output) || backwards(op, output);
    }
  }
}

//===--- time inside segments -----------------------------------------------------===//

/// Shares the time of a segment out to the operators that its head reaches by calls. The result is
/// an estimate, also where not all batches that it forwards are timed: their time was taken off.
void Deriver::share(uint32_t head, double cycles, bool estimated) {
  // An operator is an operation on numbers at least.
  auto costOf = [&](uint32_t op) { return std::max(desc.operators[op].cost, 0.05); };
  std::vector<uint32_t> members = membersOf(head);
  double cost = 0;
  for (uint32_t member : members) {
    const OperatorDesc &op = desc.operators[member];
    cost += costOf(member);
    for (uint32_t o = op.firstOut; o < op.firstOut + op.outputs; ++o)
      estimated |= sampled && !figures.out[o].fused;
  }
  for (uint32_t op : members) {
    OperatorFigures &to = figures.operators[op];
    to.cycles += cycles * costOf(op) / cost;
    to.estimated |= estimated || members.size() > 1;
  }
}

void Deriver::shareTime() {
  sampled = std::any_of(sample.in.begin(), sample.in.end(),
                        [](auto &port) { return port.timed < port.batches; });
  for (uint32_t i = 0; i < desc.inPortCount; ++i)
    if (const InPortSample &port = sample.in[i]; port.batches)
      share(desc.inPorts[i].op, double(std::max<int64_t>(port.cycles, 0)),
            port.timed < port.batches);
  for (const SourceSample &source : sample.sources)
    share(source.op, double(std::max<int64_t>(source.cycles, 0)), false);
}

//===--- operators ----------------------------------------------------------------===//

Tuples Deriver::sum(const std::vector<PortFigures> &ports, uint32_t first, uint32_t count) const {
  uint64_t sum = 0;
  for (uint32_t i = first; i < first + count; ++i) {
    if (!ports[i].tuples)
      return std::nullopt;
    sum += *ports[i].tuples;
  }
  return sum;
}

void Deriver::sums() {
  figures.fromSources = 0;
  for (uint32_t i = 0; i < desc.operatorCount; ++i) {
    const OperatorDesc &op = desc.operators[i];
    OperatorFigures &to = figures.operators[i];
    to.in = sum(figures.in, op.firstIn, op.inputs);
    to.out = sum(figures.out, op.firstOut, op.outputs);
    for (uint32_t in = op.firstIn; in < op.firstIn + op.inputs; ++in) {
      to.hasQueue |= desc.inPorts[in].boundary != BoundaryKind::Direct;
      to.highest = std::max(to.highest, sample.in[in].highest);
    }
    const Tuples &tuples = op.inputs ? to.in : to.out;
    if (tuples && *tuples && to.cycles > 0) // else too little to be told from what it called
      to.cyclesPerTuple = to.cycles / double(*tuples);
    figures.cycles += to.cycles;
    if (isSource(op) && !op.daemon && op.link < 0 && isHere(sample, i))
      figures.fromSources =
          figures.fromSources && to.out ? Tuples(*figures.fromSources + *to.out) : std::nullopt;
  }
}

Figures figuresOf(const ProgramDesc &desc, const CounterSample &sample, bool whole) {
  Deriver deriver(desc, sample);
  deriver.measured();
  deriver.heads();
  if (whole)
    deriver.derived();
  deriver.shareTime();
  deriver.sums();
  return std::move(deriver.figures);
}

} // namespace sluice
