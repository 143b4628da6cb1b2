//===- Spool.cpp - a source whose rows are logged ---------------------------===//
#include "runtime/exec/spool/Spool.h"
#include "runtime/exec/dispatch/Failure.h"
#include "runtime/exec/dispatch/Forward.h"
#include "runtime/exec/dispatch/ForwardRows.h"
#include "runtime/exec/source/Wait.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include "runtime/memory/Memory.h"

namespace sluice {

using checkpoint::LogReader;

Spool::Port::Port(const TypeDesc *tuple, uint32_t capacity, uint32_t number)
    : schema(tuple, capacity), writer(schema, /*job=*/0, number, /*checksum=*/true) {}

Spool::Spool(const Program &p, uint32_t op, std::string path) : op(op), file(std::move(path)) {
  const OperatorDesc &desc = p.desc.operators[op];
  for (uint32_t port = 0; port < desc.outputs; ++port)
    ports.emplace_back(desc.outTypes[port], p.desc.outPorts[desc.firstOut + port].batchCapacity,
                       port);
}

std::string Spool::open(std::optional<uint64_t> from, bool lostPower, std::string &note) {
  if (!from)
    return file.clear();
  at = *from;
  return file.open(at, lostPower, note);
}

Spool *spoolOf(const Program &p, uint32_t op) {
  for (auto &spool : p.spools)
    if (spool->op == op)
      return spool.get();
  return nullptr;
}

//===--- writing ----------------------------------------------------------------===//

std::string Spool::write(uint32_t port, const Batch &b, std::span<const Punctuation> marks) {
  remote::FrameWriter &writer = ports[port].writer;
  writer.continueAt(at);
  std::string wrong = file.append(writer.write(b, marks));
  at += wrong.empty();
  return wrong;
}

/// Final punctuation is not logged: a source that was told to end is to go on when it is resumed.
std::string Spool::log(uint32_t port, const Batch &b) {
  if (isReplaying)
    return "";
  puncts.clear();
  for (uint32_t i = 0; i < b.punctCount; ++i)
    if (!isFinal(b.puncts[i].kind))
      puncts.push_back(b.puncts[i]);
  if (!b.rows && puncts.empty())
    return "";
  if (watcher)
    watcher->willLog(at, port, b.rows);
  return write(port, b, puncts);
}

/// What is wrong ends the program: what is not in the log must not go on.
static int32_t failToLog(Source &s, const std::string &wrong) {
  return sl_error(&s.ctx, "%s: what it brings is to be in its log before it goes on",
                  wrong.c_str());
}

int32_t logForward(Source &s, uint32_t port, Batch *b) {
  const OutPortDesc &desc = s.program.desc.outPorts[port];
  if (desc.op != s.op)
    return 0; // of an operator behind it
  std::string wrong = s.spool->log(port - s.program.desc.operators[s.op].firstOut, *b);
  return wrong.empty() ? 0 : fail(s, s.op, failToLog(s, wrong), false);
}

//===--- going on ---------------------------------------------------------------===//

/// Submits the frame at hand.
int32_t Spool::submit(Source &s, LogReader &reader) {
  const OperatorDesc &desc = s.program.desc.operators[op];
  NativeOp &native = *s.program.natives.list[desc.native];
  const uint32_t number = reader.header().link;
  if (number >= ports.size())
    return sl_error(&s.ctx, "%s: frame %llu is of output port %u, and there are %zu",
                    reader.file().c_str(), static_cast<unsigned long long>(at), number,
                    ports.size());
  const remote::Schema &schema = ports[number].schema;
  auto *b = reinterpret_cast<Batch *>(reader.data());
  remote::Problem problem = remote::readFrame(schema, {0, at, number, /*checksum=*/true}, b,
                                              reader.size(), reader.room(), Batch());
  if (b->punctCount && isFinal(b->puncts[b->punctCount - 1].kind))
    hasEnded = true, --b->punctCount;
  native.countMade(b->rows);
  ++native.submitting; // it cannot be saved in the middle of a frame
  int32_t result = problem ? sl_error(&s.ctx, "%s: %s", reader.file().c_str(), problem->c_str())
                           : forwardRows(&s.ctx, desc.firstOut + number, schema, *b);
  --native.submitting;
  arenaFree(&b->arena);
  giveMemory(b->puncts);
  ++at;
  return result;
}

int32_t Spool::replay(Source &s) {
  uint64_t room = 0;
  for (const Port &port : ports)
    room = std::max<uint64_t>(room, port.schema.room + port.schema.bytes);
  LogReader reader(file.name(), at, room);
  while (at != file.end()) {
    if (reader.next() != LogReader::Status::Frame)
      return sl_error(&s.ctx, "the log has changed since the program began: %s",
                      (reader.problem().empty()
                           ? file.name() + " ends at frame " + std::to_string(reader.number())
                           : reader.problem())
                          .c_str());
    if (int32_t result = submit(s, reader))
      return result;
    if (int32_t result = sl_save_point(&s.ctx))
      return result;
  }
  return 0;
}

int32_t Spool::run(Source &s, const std::function<int32_t()> &process) {
  isReplaying = true;
  int32_t result = replay(s);
  isReplaying = false;
  if (result || hasEnded)
    return result;
  result = process();
  if (result || isToEnd(s) || s.program.end.failing)
    return result;
  // It has ended, behind all that it has brought.
  if (forwardAll(s) < 0)
    return -1;
  const Punctuation end{0, PunctuationKind::Final, 0};
  std::string wrong = write(0, Batch(), {&end, 1});
  return wrong.empty() ? 0 : failToLog(s, wrong);
}

} // namespace sluice
