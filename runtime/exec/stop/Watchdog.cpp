//===- Watchdog.cpp - operators that do not come to an end ----------------===//
#include "runtime/exec/stop/Watchdog.h"
#include "runtime/base/hash/Digest.h"
#include "runtime/base/text/Words.h"
#include "runtime/exec/ending/EndInside.h"
#include "runtime/exec/ending/Failures.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/ending/Running.h"
#include "runtime/exec/ending/Still.h"
#include "runtime/exec/metrics/CounterSample.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/state/Source.h"
#include "runtime/exec/table/Label.h"
#include "runtime/exec/table/Reach.h"
#include "runtime/memory/Memory.h"
#include <algorithm>

namespace sluice {

static constexpr int64_t kLookNanos = os::kNanos / 4;
static constexpr double kMostPatience = 12; // times the usual, with a batch
static constexpr double kOwnPatience = 60;  // times the usual, with native operators and marks
static constexpr double kHeldPerSecond = 16 << 20; // bytes that one more second is for
static constexpr double kShare = 0.4; // of a processor that a thread has while it computes

Watchdog::Watchdog(Program &p) : p(p) {
  if (p.options.stopTimeout > 0)
    thread = os::Thread([this] { run(); }, 256 << 10);
}

Watchdog::~Watchdog() {
  over.raise();
  thread.join();
}

void Watchdog::run() {
  os::sleepOn({&p.end.stop, &over}, -1);
  asked = os::now();
  while (!over.sleep(kLookNanos))
    look();
}

//===--- what moves -----------------------------------------------------------===//

/// Plain numbers of other threads, which are read at some moment: ThreadSanitizer need not see it.
__attribute__((disable_sanitizer_instrumentation)) static uint32_t rowsOf(const Batch *b) {
  return __atomic_load_n(&b->rows, __ATOMIC_RELAXED);
}
__attribute__((disable_sanitizer_instrumentation)) static bool isInside(const Thread &t) {
  return __atomic_load_n(&t.at.depth, __ATOMIC_RELAXED) ||
         __atomic_load_n(&t.entered.linked, __ATOMIC_RELAXED) ||
         __atomic_load_n(&t.at.run, __ATOMIC_RELAXED) != nullptr;
}
/// Rows of the batch that the thread is at; 0: it is at none. See callWith().
__attribute__((disable_sanitizer_instrumentation)) static uint32_t rowsAt(const Thread &t) {
  return isInside(t) ? __atomic_load_n(&t.ctx.failedRow, __ATOMIC_RELAXED) : 0;
}

/// The native operator that it has called last; ~0: it is in none.
__attribute__((disable_sanitizer_instrumentation)) static uint32_t nativeOf(const Thread &t) {
  return __atomic_load_n(&t.at.native.op, __ATOMIC_RELAXED);
}
/// It is in the C++ of an operator of the standard toolkit, and not behind it, in code of another
/// operator that gets what it submits.
__attribute__((disable_sanitizer_instrumentation)) static bool isAtOwnWork(const Thread &t,
                                                                           const Program &p) {
  uint32_t native = nativeOf(t);
  if (native >= p.natives.pointers.size() || !p.natives.pointers[native] ||
      t.watched.foreign.load(std::memory_order_relaxed) ||
      __atomic_load_n(&t.at.depth, __ATOMIC_RELAXED) !=
          __atomic_load_n(&t.at.native.depth, __ATOMIC_RELAXED))
    return false;
  const NativeOp &op = *p.natives.pointers[native];
  return uint32_t(__atomic_load_n(&op.made, __ATOMIC_RELAXED)) ==
             __atomic_load_n(&t.at.native.made, __ATOMIC_RELAXED) || // nothing submitted yet
         std::ranges::count(segmentOf(p.desc, p.natives.ops[native]), true) == 1;
}
/// It handles punctuation, or may do so.
__attribute__((disable_sanitizer_instrumentation)) static bool isAtMarks(const Thread &t) {
  return __atomic_load_n(&t.at.marks, __ATOMIC_RELAXED) &&
         !t.watched.foreign.load(std::memory_order_relaxed);
}

/// Changes when anything moves.
static uint64_t movesOf(Program &p, const CounterSample &sample) {
  Digest moves;
  for (const InPortSample &in : sample.in)
    for (uint64_t number : {in.batches, in.rows, in.queued, in.dropped})
      moves.add(number);
  for (const auto &out : sample.out)
    moves.add(out.rows), moves.add(out.puncts);
  for (const LinkSample &link : sample.links)
    moves.add(link.bytes);
  for (const NativeOp *op : p.natives.pointers)
    moves.add(op ? __atomic_load_n(&op->made, __ATOMIC_RELAXED) : 0);
  uint64_t rows = 0; // a sum would not see rows that go from one batch to another
  {
    os::Held held(p.out.batchLock); // nothing asks for memory while it is held
    for (const Batch *b : p.out.batches)
      rows = rows * 0x9e3779b97f4a7c15u + rowsOf(b);
  }
  moves.add(rows);
  return moves.value();
}

//===--- who does not ---------------------------------------------------------===//

void Watchdog::begin() {
  watched.clear();
  auto add = [this](Thread &t) {
    uint32_t id = t.watched.systemId.load(std::memory_order_relaxed);
    watched.push_back({&t, id ? os::cpuTimeOf(id) : 0});
  };
  add(*p.threads.main);
  if (!hasThreads.load(std::memory_order_acquire))
    return;
  for (auto &source : p.threads.sources)
    add(*source);
  for (auto &worker : p.threads.workers)
    add(*worker);
}

/// How long the thread may take for what it is at, in seconds. See Watchdog.
static double patienceWith(const Thread &t, const CounterSample &sample, const Program &p) {
  double usual = p.options.stopTimeout;
  if (isAtMarks(t) || isAtOwnWork(t, p))
    return kOwnPatience * usual;
  if (!t.watched.foreign.load(std::memory_order_relaxed)) // toolkits keep what they have elsewhere
    usual += double(heldMemory()) / kHeldPerSecond;
  uint32_t port = isInside(t) ? portOf(t) : ~0u;
  if (port >= sample.in.size() || !sample.in[port].rows)
    return usual;
  double elapsed = double(sample.nanos - p.show.began.nanos) / double(os::kNanos);
  double batch = 2 * elapsed * rowsAt(t) / double(sample.in[port].rows);
  return std::clamp(batch, usual, kMostPatience * usual);
}

bool Watchdog::isStuck(const Watched &w, const CounterSample &sample) const {
  const Thread &t = *w.thread;
  bool computes = &t == p.threads.main.get() ||
                  (t.isSource ? !static_cast<const Source &>(t).ended.load() : isInside(t));
  double since = double(os::now() - moved) / double(os::kNanos);
  auto exceeds = [&](double patience) {
    return since > patience &&
           os::cpuTimeOf(t.watched.systemId.load(std::memory_order_relaxed)) - w.seconds >
               kShare * patience;
  };
  // What it is at is of interest, and stays what it is, only where the first holds.
  return computes && exceeds(p.options.stopTimeout) && exceeds(patienceWith(t, sample, p));
}

void Watchdog::look() {
  bool begun = hasThreads.load(std::memory_order_acquire);
  CounterSample sample;
  if (begun)
    sample = takeSample(p);
  uint64_t moves = begun ? movesOf(p, sample) : 0; // else the main thread makes the operators
  if (!moved || moves != last) {
    last = moves;
    moved = os::now();
    return begin();
  }
  std::vector<Thread *> stuck;
  for (const Watched &w : watched)
    if (isStuck(w, sample))
      stuck.push_back(w.thread);
  if (!stuck.empty())
    end(stuck, sample);
}

//===--- the report -----------------------------------------------------------===//

/// What is lost with a thread, as the end of a sentence.
static std::string lostWith(const Program &p, const CounterSample &sample) {
  std::string text;
  for (uint32_t i = 0; i < sample.in.size(); ++i)
    if (sample.in[i].depth)
      text += (text.empty() ? "" : ", ") + counted(sample.in[i].depth, "batch") + " at operator " +
              labelOf(p.desc.operators[p.desc.inPorts[i].op]);
  return text;
}

static void report(Program &p, const Thread &t, double seconds, const std::string &lost) {
  std::string text = "the program was told to end " + std::to_string(int64_t(seconds)) +
                     " s ago, and this operator computes and does not come to an end";
  std::vector<uint32_t> operators = operatorsOf(t);
  if (const char *native = t.watched.foreign.load(std::memory_order_relaxed))
    text += std::string(", in ") + native + ", C++ of a toolkit";
  for (size_t i = 1; i < operators.size(); ++i)
    text += (i > 1 ? ", " : "; it is this one, or one that is called with it: ") +
            labelOf(p.desc.operators[operators[i]]);
  text += "\n    The program ends without it (--stop-timeout).";
  if (uint32_t rows = rowsAt(t))
    text += " Not finished: what it has of a batch of " + counted(rows, "tuple") + ".";
  else
    text += " Not finished: the tuple that it is at.";
  if (!lost.empty())
    text += " Not begun: " + lost + ".";
  if (operators.empty())
    return tell(p, std::string(p.desc.mainName) + ": error: " + text + "\n");
  printError(p, {operators[0], 0, text});
}

void Watchdog::end(const std::vector<Thread *> &stuck, const CounterSample &sample) {
  claimEnd(nullptr);
  if (!hasThreads.load(std::memory_order_acquire)) { // the sinks may not be open yet
    report(p, *stuck[0], double(os::now() - asked) / double(os::kNanos), "");
    flushOutput(p);
    os::endProcess(1);
  }
  std::vector<uint32_t> leaves;
  for (Thread *t : stuck) {
    t->trouble.still.store(true, std::memory_order_seq_cst); // as in endStill()
    const char *native = t->watched.foreign.load(std::memory_order_relaxed);
    for (uint32_t op : operatorsOf(*t)) // its C++ is not to be called
      if (native && native == p.desc.operators[op].kind)
        leaves.push_back(op);
    if (uint32_t in = nativeOf(*t); in < p.natives.ops.size())
      leaves.push_back(p.natives.ops[in]);
  }
  endInside(p, stuck[0], leaves, [&](const StillDomains &) {
    p.end.reported.store(true, std::memory_order_relaxed);
    double seconds = double(os::now() - asked) / double(os::kNanos);
    std::string lost = lostWith(p, sample);
    for (const Thread *t : stuck)
      report(p, *t, seconds, t == stuck[0] ? lost : "");
  });
}

} // namespace sluice
