//===- Delayed.cpp - what waits at ports that delay --------------------------===//
//
// A batch is saved as a frame of a link (runtime/remote/frame), behind the time at which it came
// and the length of the frame, 8 bytes each.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/checkpoint/Delayed.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/checkpoint/Snapshot.h"
#include "runtime/exec/dispatch/Dropping.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/table/Facts.h"
#include "runtime/exec/table/Label.h"
#include "runtime/memory/Memory.h"
#include "runtime/remote/frame/Frame.h"
#include "sluice/recovery.h"
#include <algorithm>
#include <cstring>

namespace sluice::checkpoint {

/// An output port that leads to the input port: its batches have the same columns as all others.
static uint32_t producerOf(const ProgramDesc &desc, uint32_t inPort) {
  uint32_t producer = 0;
  forEachEdge(desc, [&](uint32_t out, uint32_t, uint32_t in) {
    if (in == inPort)
      producer = out;
  });
  return producer;
}

static remote::Schema schemaOf(const ProgramDesc &desc, const InPort &in) {
  const OperatorDesc &op = desc.operators[desc.inPorts[in.id].op];
  return {op.inTypes[in.id - op.firstIn], desc.outPorts[producerOf(desc, in.id)].batchCapacity};
}

//===--- saving -------------------------------------------------------------------===//

static void addNumber(std::string &to, int64_t number) {
  to.append(reinterpret_cast<const char *>(&number), sizeof number);
}

static std::vector<Punctuation> finalsOf(const Batch &batch) {
  std::vector<Punctuation> finals;
  for (uint32_t i = 0; i < batch.punctCount; ++i)
    if (batch.puncts[i].kind == PunctuationKind::Final)
      finals.push_back({0, PunctuationKind::Final});
  return finals;
}

static std::string framesOf(const remote::Schema &schema, const InPort &in, bool onlyFinals) {
  remote::FrameWriter writer(schema, /*job=*/0, /*link=*/0, /*checksum=*/true);
  std::string frames, frame;
  for (auto [batch, arrival] : in.drops->entries()) {
    const std::vector<Punctuation> finals =
        onlyFinals ? finalsOf(*batch) : std::vector<Punctuation>();
    if (onlyFinals && finals.empty())
      continue;
    const Batch none = {};
    frame.clear();
    for (const remote::Piece &piece :
         onlyFinals ? writer.write(none, finals)
                    : writer.write(*batch, {batch->puncts, batch->punctCount}))
      frame.append(static_cast<const char *>(piece.data), piece.bytes);
    addNumber(frames, arrival);
    addNumber(frames, int64_t(frame.size()));
    frames += frame;
  }
  return frames;
}

void saveDelayed(Saver &saver, const Program &p, uint32_t index) {
  const OperatorDesc &op = p.desc.operators[index];
  for (uint32_t port = 0; port < op.inputs; ++port) {
    const InPort *in = p.queues.domains.inPorts[op.firstIn + port].get();
    if (in && in->delay && in->drops->depth()) {
      saver.number(own("waiting", port), int64_t(in->delay->waiting));
      saver.text(own("delayed", port), framesOf(schemaOf(p.desc, *in), *in, beginsAnew(op)));
    }
  }
}

//===--- restoring ----------------------------------------------------------------===//

static bool takeNumber(std::string_view &from, int64_t &number) {
  if (from.size() < sizeof number)
    return false;
  memcpy(&number, from.data(), sizeof number);
  from.remove_prefix(sizeof number);
  return true;
}

namespace {
/// Memory in which a frame becomes a batch.
class Unpacked {
public:
  Unpacked(const remote::Schema &schema, std::string_view frame, uint64_t sequence)
      : room((schema.bytes + frame.size() + 63) / 64 * 64), memory(takeMemory(room, 64)) {
    memcpy(memory, frame.data(), frame.size());
    problem = readFrame(schema, {/*job=*/0, sequence, /*link=*/0, /*checksum=*/true}, memory,
                        frame.size(), room, Batch{});
  }
  ~Unpacked() {
    arenaFree(&batch()->arena);
    giveMemory(batch()->puncts);
    giveMemory(memory);
  }
  Unpacked(const Unpacked &) = delete;

  Batch *batch() { return static_cast<Batch *>(memory); }
  remote::Problem problem;

private:
  const uint64_t room;
  void *memory;
};
} // namespace

/// Has the batches of a port wait on. What is wrong, or nothing.
static remote::Problem keepAll(Program &p, InPort &in, std::string_view frames) {
  const remote::Schema schema = schemaOf(p.desc, in);
  int64_t arrival, bytes;
  for (uint64_t sequence = 0; !frames.empty(); ++sequence) {
    if (!takeNumber(frames, arrival) || !takeNumber(frames, bytes) ||
        uint64_t(bytes) > frames.size())
      return "a part of a frame";
    Unpacked unpacked(schema, frames.substr(0, uint64_t(bytes)), sequence);
    if (unpacked.problem)
      return unpacked.problem;
    frames.remove_prefix(uint64_t(bytes));
    Batch *batch = takeBatch(*p.threads.main, producerOf(p.desc, in.id));
    copyBatch(batch, unpacked.batch(), schema.columns);
    batch->birth = 0; // cycles of another machine
    batch->refs = 1;
    keepAgain(p, in, batch, arrival);
  }
  return {};
}

std::string restoreDelayed(Program &p, uint32_t index, const Loader &loader) {
  const OperatorDesc &op = p.desc.operators[index];
  for (uint32_t port = 0; port < op.inputs; ++port) {
    InPort *in = p.queues.domains.inPorts[op.firstIn + port].get();
    auto frames = loader.text(own("delayed", port));
    if (!in || !in->delay || !frames)
      continue;
    if (remote::Problem problem = keepAll(p, *in, *frames))
      return "the tuples that wait at " + labelOf(op) + " cannot be read: " + *problem +
             "; --resume-drop=" + labelOf(op) + " lets them go";
  }
  return "";
}

} // namespace sluice::checkpoint
