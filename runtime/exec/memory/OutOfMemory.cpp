//===- OutOfMemory.cpp - a program that has no memory left ----------------===//
#include "runtime/exec/memory/OutOfMemory.h"
#include "runtime/exec/ending/EndInside.h"
#include "runtime/exec/ending/Failures.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/ending/Running.h"
#include "runtime/exec/ending/Still.h"
#include "runtime/exec/ending/StillDomains.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/memory/StateBytes.h"
#include "runtime/exec/state/Tickets.h"
#include "runtime/exec/table/Label.h"
#include "runtime/memory/Memory.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace sluice {

/// Memory that the end of a program may need: lists of operators, texts.
static constexpr size_t kReserve = 1 << 20;
/// State below this says nothing about why there is no memory.
static constexpr uint64_t kNotable = 64 << 10;

// Set before threads run, and when they have ended.
static Program *program = nullptr;
static void *reserve = nullptr;

//===--- who needed the memory ----------------------------------------------===//

namespace {
/// An operator, and the bytes of its state.
struct Holder {
  uint32_t op;
  uint64_t bytes;
};
} // namespace

/// Bytes of the state of an operator in a domain that is still. State that is sharded is in shards.
static uint64_t bytesOf(const Program &p, uint32_t op) {
  const OperatorDesc &desc = p.desc.operators[op];
  const Domain &d = *p.domains.ofOperator[op];
  uint64_t bytes = stateBytes(desc, p.state.data() + p.instances.ofOperator[op]->state);
  if (d.shards)
    for (const KeyShard &shard : d.shards->shards)
      bytes += stateBytes(desc, shard.state);
  return bytes;
}

/// The one of the operators that owns the most, or else the first. A part has the state of its
/// shard.
static Holder askerOf(const Thread &t, const std::vector<uint32_t> &operators) {
  Holder asker{operators[0], 0};
  for (uint32_t op : operators)
    if (uint64_t bytes =
            t.part ? stateBytes(t.program.desc.operators[op], t.ctx.state) : bytesOf(t.program, op);
        bytes > asker.bytes)
      asker = {op, bytes};
  return asker;
}

/// The operator with the most state among those that can be looked at.
static Holder largest(const Program &p, const StillDomains &still) {
  Holder most{0, 0};
  for (uint32_t op = 0; op < p.desc.operatorCount; ++op)
    if (still.has(*p.domains.ofOperator[op]))
      if (uint64_t bytes = bytesOf(p, op); bytes > most.bytes)
        most = {op, bytes};
  return most;
}

//===--- the report -----------------------------------------------------------===//

static std::string sizeText(uint64_t bytes) {
  static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  if (bytes == 1)
    return "1 byte";
  double size = double(bytes);
  size_t unit = 0;
  for (; size >= 1024 && unit < 4; ++unit)
    size /= 1024;
  char text[32];
  snprintf(text, sizeof text, size < 10 && unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
  return text;
}

static const char *const kWindowHint =
    "\n    State grows with the input where a window is held by time, where there is a partition or"
    "\n    group for each key (limits: partitionCount, tupleCount, partitionAge), and in "
    "collections"
    "\n    from which nothing is removed. A window by count keeps so many tuples, one of event "
    "time its"
    "\n    panes until the watermark has passed them: duration / period of them at least.";
static const char *const kCollectionHint =
    "\n    State grows with the input in collections from which nothing is removed.";
static const char *const kTupleHint = "\n    No large state was found: large tuples, temporary "
                                      "values and queues (--memory) need memory"
                                      "\n    as well.";

/// Why state may be large: a Custom operator has no window.
static const char *stateHint(const OperatorDesc &op) {
  return std::string_view(op.kind).ends_with("::Custom") ? kCollectionHint : kWindowHint;
}

/// How much, and what has set it: the launcher of a job divides it among its PEs.
static std::string limitText(const RunOptions &options) {
  bool isShare = options.job && options.job->isWatched;
  return "the limit is " + sizeText(options.memoryLimit) + " (" +
         (isShare ? "the share of PE " + std::to_string(options.pe) + " in " : "") +
         "--memory-limit)";
}

/// What was asked for, `by` whom (may be empty).
static std::string requestText(const Program &p, uint64_t bytes, const std::string &by) {
  std::string text = "out of memory";
  if (bytes || !by.empty())
    text +=
        ": " + (bytes ? sizeText(bytes) + " were" : std::string("more was")) + " asked for" + by;
  if (p.options.memoryLimit)
    text += (bytes || !by.empty() ? ", " : ": ") + limitText(p.options);
  return text;
}

static std::string stateText(uint64_t bytes) {
  return "; its state holds at least " + sizeText(bytes);
}

/// The failure of the operator that holds the most, which is not the one that asked.
static Failure failureOf(const Program &p, const Holder &most, const std::string &by,
                         uint64_t bytes) {
  return {most.op, 0,
          requestText(p, bytes, by) + stateText(most.bytes) + stateHint(p.desc.operators[most.op])};
}

/// The failure of the operator that asked.
static Failure failureOf(const Program &p, const std::vector<uint32_t> &operators, Holder asker,
                         const Holder &most, uint64_t bytes) {
  std::string text = requestText(p, bytes, "");
  if (asker.bytes >= kNotable) {
    text += stateText(asker.bytes);
  } else if (operators.size() > 1) {
    asker = {operators[0], 0};
    text += "; by it, or by one that is called with it: ";
    for (size_t i = 1; i < operators.size(); ++i)
      text += (i > 1 ? ", " : "") + labelOf(p.desc.operators[operators[i]]);
  }
  if (most.op != asker.op && most.bytes >= kNotable && most.bytes > asker.bytes) {
    const OperatorDesc &op = p.desc.operators[most.op];
    text += "\n    " + std::string(op.file) + ":" + std::to_string(op.line) + ":" +
            std::to_string(op.column) + ": operator " + labelOf(op) +
            " holds the most state: at least " + sizeText(most.bytes);
  }
  const Holder &larger = most.bytes > asker.bytes ? most : asker;
  text += larger.bytes >= kNotable ? stateHint(p.desc.operators[larger.op]) : kTupleHint;
  return {asker.op, 0, text};
}

static void report(Program &p, const Thread *t, const StillDomains &still, uint64_t bytes) {
  std::vector<uint32_t> operators = t ? operatorsOf(*t) : std::vector<uint32_t>();
  Holder most = largest(p, still);
  if (!operators.empty()) {
    Holder asker = askerOf(*t, operators);
    bool elsewhere = most.op != asker.op && most.bytes >= std::max(kNotable, asker.bytes + bytes);
    std::string by = " by operator " + labelOf(p.desc.operators[asker.op]);
    return printError(p, elsewhere ? failureOf(p, most, by, bytes)
                                   : failureOf(p, operators, asker, most, bytes));
  }
  if (most.bytes >= kNotable)
    return printError(p, failureOf(p, most, "", bytes));
  tell(p,
       std::string(p.desc.mainName) + ": error: " + requestText(p, bytes, "") + kTupleHint + "\n");
}

//===--- the end ----------------------------------------------------------------===//

/// Ends the program. If memory ends again meanwhile the process ends at once.
[[noreturn]] static void endProgram(uint64_t bytes) {
  claimEnd(runningThread());
  limitMemory(0);
  free(reserve);
  Program &p = *program;
  Thread *self = runningThread();
  endInside(p, self, {}, [&](const StillDomains &still) {
    if (!p.reported.exchange(true, std::memory_order_relaxed))
      report(p, self, still, bytes);
  });
}

static const RunOptions *starting = nullptr;
static const char *startingName = nullptr;

void endAtStartWithoutMemory(const char *name, const RunOptions &options) {
  starting = &options;
  startingName = name;
  onOutOfMemory([](uint64_t bytes) {
    fprintf(stderr, "%s: error: out of memory: the program cannot begin: %s were asked for, %s\n",
            startingName, sizeText(bytes).c_str(), limitText(*starting).c_str());
    os::endProcess(1);
  });
}

EndsWithoutMemory::EndsWithoutMemory(Program &p) {
  program = &p;
  reserve = malloc(kReserve);
  onOutOfMemory([](uint64_t bytes) { endProgram(bytes); });
  before = std::set_new_handler([] { outOfMemory(0); });
}

EndsWithoutMemory::~EndsWithoutMemory() {
  std::set_new_handler(before);
  onOutOfMemory(nullptr);
  free(reserve);
  program = nullptr;
}

} // namespace sluice
