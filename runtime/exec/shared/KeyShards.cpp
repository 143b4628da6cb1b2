//===- KeyShards.cpp - state by key, dealt to lanes ------------------------===//
#include "runtime/exec/shared/KeyShards.h"
#include "runtime/exec/dispatch/Segments.h"
#include "value/Place.h"
#include "value/Table.h"
#include <cstring>

namespace sluice {

uint32_t lanesFor(uint32_t workers) { return std::clamp(std::bit_ceil(2 * workers), 4u, 32u); }

//===--- whose the state is -----------------------------------------------------===//

KeyLanes::KeyLanes(Program &p, InPort &in)
    : in(in), desc(*p.desc.inPorts[in.id].keyed), lanes(in.domain.window->lanes->count()),
      tickets(in.domain.window->size()) {
  copyState(p);
}

/// What their heaps do not free: buffers too large for them.
KeyLanes::~KeyLanes() {
  for (KeyLane &lane : lanes)
    for (uint32_t i = 0; i < desc.stateCount; ++i)
      disown(&lane.heap, desc.state[i].type, lane.state + desc.state[i].offset);
}

/// Constants are only read: lanes may share what they point to.
void KeyLanes::copyState(Program &p) {
  uint64_t first = UINT64_MAX, end = 0;
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op)
    if (const OperatorDesc &d = p.desc.operators[op];
        p.domains.ofOperator[op] == &in.domain && d.stateBytes) {
      first = std::min(first, d.firstState & ~uint64_t(15));
      end = std::max(end, d.firstState + d.stateBytes);
    }
  const char *from = p.state.data() + in.domain.replica->state + first;
  for (KeyLane &lane : lanes) {
    lane.memory.resize((end - first + 15) / 16);
    memcpy(lane.memory.data(), from, end - first);
    lane.state = reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(lane.memory.data()) - first);
    for (uint32_t i = 0; i < desc.stateCount; ++i)
      *partOf(lane, desc.state[i]) = {};
  }
}

Seq *KeyLanes::wholeOf(Thread &t, const KeyedStateDesc &state) const {
  return reinterpret_cast<Seq *>(t.program.state.data() + in.domain.replica->state + state.offset);
}
Seq *KeyLanes::partOf(const KeyLane &lane, const KeyedStateDesc &state) const {
  return reinterpret_cast<Seq *>(lane.state + state.offset);
}

namespace {
/// A set or map, and whose memory it is in.
struct Table {
  Heap *heap;
  Seq *entries;
};
} // namespace

/// Each entry goes to the table `to(key)`; nothing is left.
template <class To> static void moveEntries(Thread &t, const TypeDesc *type, Table from, To to) {
  Heap *outer = t.ctx.heap;
  for (uint32_t i = 0; i < from.entries->len; ++i) {
    char *entry = static_cast<char *>(from.entries->data) + uint64_t(i) * type->stride;
    Table table = to(entry);
    bool added;
    uint32_t slot = tableSlot(table.heap, type, table.entries, entry, &added);
    t.ctx.heap = table.heap;
    if (type->kind == Kind::Map)
      sl_assign(&t.ctx, type->value,
                static_cast<char *>(table.entries->data) + uint64_t(slot) * type->stride +
                    type->valueOffset,
                entry + type->valueOffset);
  }
  t.ctx.heap = from.heap;
  sl_destroy(&t.ctx, type, from.entries);
  *from.entries = {};
  t.ctx.heap = outer;
}

void KeyLanes::deal(Thread &t) {
  for (uint32_t i = 0; i < desc.stateCount; ++i)
    moveEntries(t, desc.state[i].type, {&in.domain.heap, wholeOf(t, desc.state[i])},
                [&](const void *key) -> Table {
                  KeyLane &lane = lanes[laneOf(key)];
                  return {&lane.heap, partOf(lane, desc.state[i])};
                });
}

void KeyLanes::unite(Thread &t) {
  for (uint32_t i = 0; i < desc.stateCount; ++i)
    for (KeyLane &lane : lanes)
      moveEntries(
          t, desc.state[i].type, {&lane.heap, partOf(lane, desc.state[i])},
          [&](const void *) -> Table { return {&in.domain.heap, wholeOf(t, desc.state[i])}; });
}

/// Apart from how @parallel deals by the same key.
static constexpr uint64_t kSalt = 0x6c616e6573;

uint32_t KeyLanes::laneOf(const void *key) const {
  return uint32_t(hashKey(kSalt, desc.key.type, key) % lanes.size());
}

KeyTicket &KeyLanes::ticketOf(const Run &run) {
  auto &made = tickets[run.ticket % tickets.size()];
  if (!made) {
    made = std::make_unique<KeyTicket>();
    made->parts.resize(lanes.size());
    for (KeyPart &part : made->parts)
      part.outs.resize(in.domain.outPorts.size());
  }
  return *made;
}

//===--- what the queues call ------------------------------------------------------===//

static Thread &threadOf(Client::Self &self) { return *static_cast<Thread *>(self.user); }

void Client::split(Self &self, queue::Word<RealSys> &word) {
  auto &domain = static_cast<Domain &>(word);
  Thread &t = threadOf(self);
  if (!domain.lanes)
    domain.lanes = std::make_unique<KeyLanes>(t.program, *static_cast<InPort *>(word.ports->user));
  domain.lanes->deal(t);
}

void Client::unite(Self &self, queue::Word<RealSys> &word) {
  static_cast<Domain &>(word).lanes->unite(threadOf(self));
}

void Client::deal(Self &, Run &run, queue::Item item) {
  KeyLanes &all = *inPortOf(run).domain.lanes;
  KeyTicket &ticket = all.ticketOf(run);
  ticket.batch = static_cast<Batch *>(item);
  for (uint32_t row = 0; row < ticket.batch->rows; ++row)
    ticket.parts[all.laneOf(element(ticket.batch, all.desc.key, row))].rows.push_back(row);
  run.outputs = &ticket;
}

namespace {
/// The thread is in a lane until the end of the scope.
class InLane {
public:
  InLane(Thread &t) : t(t), state(t.ctx.state), heap(t.ctx.heap) {}
  ~InLane() {
    t.ctx.state = state;
    t.ctx.heap = heap;
  }
  void go(KeyLane &lane) {
    t.ctx.state = lane.state;
    t.ctx.heap = &lane.heap;
  }

private:
  Thread &t;
  char *state;
  Heap *heap;
};
} // namespace

/// The rows that the outputs have grown by are of this row.
static void noteRow(Thread &t, const Domain &domain, KeyPart &part, uint32_t row) {
  for (size_t i = 0; i < part.outs.size(); ++i) {
    KeyPart::Out &out = part.outs[i];
    uint32_t have = out.kept + t.ports[domain.outPorts[i]].batch->rows;
    while (out.rows.size() < have)
      out.rows.push_back(row);
  }
}

/// Returns how many of its rows did not fail.
static uint32_t runRows(Thread &t, KeyLanes &all, KeyTicket &ticket, uint32_t lane) {
  KeyPart &part = ticket.parts[lane];
  InLane inside(t);
  inside.go(all.lanes[lane]);
  uint32_t ran = 0;
  for (uint32_t row : part.rows) {
    int32_t result = all.desc.rows(&t.ctx, ticket.batch, row, row + 1);
    noteRow(t, all.in.domain, part, row);
    if (result < 0) {
      part.failedAt = row;
      break;
    }
    ++ran;
  }
  return ran;
}

int32_t Client::runPart(Self &self, Run &run, uint32_t lane) {
  Thread &t = threadOf(self);
  KeyLanes &all = *inPortOf(run).domain.lanes;
  KeyTicket &ticket = *static_cast<KeyTicket *>(run.outputs);
  KeyPart &part = ticket.parts[lane];
  if (part.rows.empty() || takesNoMore(t, all.in))
    return 0;
  t.self = &self;
  Visit visit(t, run, all.in.domain);
  Inside inside(t, *all.in.domain.replica);
  uint32_t failedRow = t.ctx.failedRow, ran = 0;
  ++t.depth;
  t.part = &part;
  InPortCounters &counters = t.counters.in[all.in.id];
  t.counters.segment(all.in.id, counters, uint32_t(part.rows.size()),
                     [&] { ran = runRows(t, all, ticket, lane); });
  counters.batches.add(uint64_t(-1)); // join() counts the batch
  counters.rows.add(uint64_t(ran) - part.rows.size());
  for (uint32_t port : all.in.domain.outPorts)
    if (Batch *b = t.ports[port].batch; b->rows)
      handOnInPart(t, port, b);
  t.part = nullptr;
  --t.depth;
  t.ctx.failedRow = failedRow;
  return 0;
}

int32_t handOnInPart(Thread &t, uint32_t index, Batch *b) {
  if (t.part->alone)
    return 0;
  const auto &ports = t.program.domains.ofOperator[t.program.desc.outPorts[index].op]->outPorts;
  KeyPart::Out &out =
      t.part->outs[size_t(std::find(ports.begin(), ports.end(), index) - ports.begin())];
  out.batches.push_back(b);
  out.kept += b->rows;
  refill(t, index, b, /*gone=*/true);
  return 0;
}

void Client::join(Self &self, Run &run) {
  Thread &t = threadOf(self);
  t.self = &self;
  KeyLanes &all = *inPortOf(run).domain.lanes;
  t.counters.in[all.in.id].batches.add(1);
  run.outputs = joinParts(t, all, *static_cast<KeyTicket *>(run.outputs));
}

//===--- by one thread ---------------------------------------------------------------===//

/// One row. Nobody else may run with the lane's state: what is to be handed on waits until
/// that is left.
static int32_t runRow(Thread &t, KeyLanes &all, Batch *b, uint32_t row) {
  Run none{};
  KeyPart part;
  part.alone = true;
  int32_t result;
  {
    InLane inside(t);
    inside.go(all.lanes[all.laneOf(element(b, all.desc.key, row))]);
    t.run = &none;
    t.part = &part;
    result = all.desc.rows(&t.ctx, b, row, row + 1);
    t.part = nullptr;
    t.run = nullptr;
  }
  const auto &ports = all.in.domain.outPorts;
  if (result < 0) {
    if (part.failure)
      failNow(t, std::move(*part.failure), ports);
    return -1;
  }
  for (uint32_t port : ports)
    if (const Batch *out = t.ports[port].batch; isFull(out))
      result = std::min(result, handOn(t, port));
  return result;
}

/// Uses nothing that is by key.
static int32_t runMark(Thread &t, KeyLanes &all, BatchMark mark) {
  uint32_t row = std::exchange(mark.row, 0);
  Batch alone = {};
  alone.marks = &mark;
  alone.markCount = 1;
  int32_t result = all.in.code.segment(&t.ctx, &alone);
  if (result)
    t.ctx.failedRow = row;
  return result;
}

/// Rows and marks in their order.
static int32_t runInTurn(Thread &t, KeyLanes &all, Batch *b) {
  uint32_t row = 0;
  for (uint32_t m = 0;; ++m) {
    for (uint32_t end = m < b->markCount ? b->marks[m].row : b->rows; row < end; ++row)
      if (runRow(t, all, b, row) < 0) {
        t.ctx.failedRow = row;
        return -1;
      }
    if (m == b->markCount)
      break;
    if (int32_t result = runMark(t, all, b->marks[m]))
      return result;
  }
  int32_t result = 0;
  for (uint32_t port : all.in.domain.outPorts)
    result = std::min(result, handOn(t, port));
  return result;
}

int32_t runOverLanes(Thread &t, InPort &in, Batch *b) {
  int32_t result = 0;
  if (!takesNoMore(t, in)) {
    result = callWith(t, in.id, *in.domain.replica, b, t.counters.in[in.id],
                      [&](int32_t &status) { status = runInTurn(t, *in.domain.lanes, b); });
    noteFailure(t, in, result);
  }
  releaseBatch(t, b);
  return result;
}

} // namespace sluice
