//===- Program.cpp - the running program ----------------------------------===//
#include "runtime/exec/state/Program.h"
#include "runtime/exec/batch/Batches.h"
#include "runtime/exec/checkpoint/Checkpoints.h"
#include "runtime/exec/delivery/Acknowledger.h"
#include "runtime/exec/dispatch/Failure.h"
#include "runtime/exec/dispatch/QueueClient.h"
#include "runtime/exec/ending/Failures.h"
#include "runtime/exec/exchange/Exchange.h"
#include "runtime/exec/job/KeptFiles.h"
#include "runtime/exec/member/Member.h"
#include "runtime/exec/metrics/LeftOut.h"
#include "runtime/exec/metrics/Profiler.h"
#include "runtime/exec/options/DefaultList.h"
#include "runtime/exec/remote/Remote.h"
#include "runtime/exec/run/Adapter.h"
#include "runtime/exec/run/MakeDomains.h"
#include "runtime/exec/run/Natives.h"
#include "runtime/exec/run/Threads.h"
#include "runtime/exec/shared/KeyRuns.h"
#include "runtime/exec/shared/Tickets.h"
#include "runtime/exec/source/Baton.h"
#include "runtime/exec/source/Delays.h"
#include "runtime/exec/source/FileUses.h"
#include "runtime/exec/source/Holds.h"
#include "runtime/exec/source/Sources.h"
#include "runtime/exec/source/Top.h"
#include "runtime/exec/spool/FindSpools.h"
#include "runtime/exec/spool/Spool.h"
#include "runtime/exec/state/Above.h"
#include "runtime/exec/state/Position.h"
#include "runtime/exec/state/Source.h"
#include "runtime/exec/stop/Watchdog.h"
#include "runtime/exec/tap/Taps.h"
#include "runtime/queue/Team.h"
#include "sluice/listen.h"
#include "value/Text.h"
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>

namespace sluice {

/// A string value in memory of the arena.
static Str keepString(Arena *arena, std::string_view text) {
  Str s = {};
  s.len = uint32_t(text.size());
  if (s.len <= Str::kInline) {
    memcpy(s.inl, text.data(), s.len);
    return s;
  }
  auto *copy = static_cast<char *>(arenaAlloc(arena, s.len, 1));
  memcpy(copy, text.data(), s.len);
  memcpy(s.far.prefix, copy, 4);
  s.far.ptr = copy;
  return s;
}

/// A list that was given, in memory of the arena: commas separate its elements, so no text is one
/// empty element.
static Seq keepList(Arena *arena, std::string_view text) {
  std::vector<Str> elements;
  for (size_t at = 0; at <= text.size();) {
    size_t comma = std::min(text.find(',', at), text.size());
    elements.push_back(keepString(arena, text.substr(at, comma - at)));
    at = comma + 1;
  }
  Seq list = {};
  list.len = uint32_t(elements.size());
  if (list.len) {
    list.data = arenaAlloc(arena, list.len * sizeof(Str), 16);
    memcpy(list.data, elements.data(), list.len * sizeof(Str));
  }
  return list;
}

using checkpoint::Checkpoints;

static const Above kAbove = {forwardInRun, runOverShards, atTop, logForward, keepForLater};

ProgramTable::ProgramTable(const ProgramDesc &templates, const std::vector<uint32_t> &widths)
    : instances(templates, widths), pes(instances), parts(instances.most()) {}

/// Texts that nobody is to see. Those of a list are its elements, too: attributes may hold one.
static std::vector<std::string> secretValues(const Program &p) {
  std::vector<std::string> secrets;
  for (uint32_t i = 0; i < p.desc.submissionCount; ++i) {
    if (!p.desc.submissions[i].isSecret)
      continue;
    secrets.push_back(p.options.values[i]);
    if (!p.desc.submissions[i].isList)
      continue;
    const Seq &list = p.values.submissionLists[i];
    for (const Str &element : std::span(static_cast<const Str *>(list.data), list.len))
      secrets.emplace_back(viewOf(element));
  }
  return secrets;
}

Program::Program(const ProgramDesc &templates, const std::vector<uint32_t> &widths,
                 RunOptions given)
    : table(templates, widths), desc(table.instances.desc), options(std::move(given)),
      above(kAbove), natives{.files = std::make_unique<FileUses>()},
      queues{.domains = makeDomains(desc)}, turns{.baton = std::make_unique<Baton>()},
      clock(options.clock), show(desc.operatorCount) {
  std::error_code error;
  values.appDir = desc.appDir ? desc.appDir : std::filesystem::current_path(error).string();
  auto dir = std::filesystem::absolute(options.dataDir, error);
  if (!error)
    options.dataDir = dir.string();
  cut.makes = options.checkpoints.makes();
  cut.left = options.checkpoints.stopAt;
  values.state.resize(desc.stateBytes + 16);
  values.heap = heapCreate();
  for (uint32_t i = 0; i < desc.submissionCount; ++i) {
    values.submissionScalars.push_back(keepString(&values.keep, options.values[i]));
    values.submissionLists.push_back(options.isDefault[i]
                                         ? defaultList(&values.keep, options.values[i])
                                         : keepList(&values.keep, options.values[i]));
  }
  if (options.pe >= 0) {
    table.instances.setProducers(table.pes.producersIn(uint32_t(options.pe)));
    for (uint32_t op = 0; op < desc.operatorCount; ++op)
      table.here.push_back(table.pes.runs(uint32_t(options.pe), op));
  }
  if (options.consoleTaps)
    taps = std::make_unique<Taps>(desc, options.consoleHides, secretValues(*this));
  makePorts(*this);
  makeHeldPorts(*this);
  threads.main = std::make_unique<Thread>(*this);
}

Program::~Program() {
  natives.list.clear();
  freePorts(*this);
  arenaFree(&values.keep);
  heapDestroy(values.heap);
}

/// Calls the handler that `which` names, an initialiser or destructor of state, for each replica.
/// 0 or -1.
template <typename Which> static int32_t forState(Program &p, Which which) {
  for (const Replica &replica : p.table.instances.replicas) {
    Inside inside(*p.threads.main, replica);
    HandlerFn f = replica.region < 0 ? which(p.desc) : which(p.desc.regions[replica.region]);
    if (int32_t result = f ? f(&p.threads.main->ctx) : 0)
      return result < 0 ? -1 : fail(*p.threads.main, 0, result, false);
  }
  return 0;
}

/// Makes native operators, initialises state and opens native operators. 0 or -1.
static int32_t start(Program &p, Checkpoints *checkpoints) {
  if ((checkpoints && checkpoints->open() < 0) || makeNatives(p) < 0)
    return -1;
  if (checkpoints && checkpoints->openLogs() < 0)
    return -1;
  checkpoint::Restore *restore = checkpoints ? checkpoints->restore() : nullptr;
  if ((restore && restore->natives() < 0) || startRemote(p) < 0 ||
      openNatives(p, /*first=*/true) < 0 || forState(p, [](auto &desc) { return desc.init; }) < 0 ||
      openNatives(p, /*first=*/false) < 0)
    return -1;
  if (p.options.kept)
    p.options.kept->closeOthers();
  if (checkpoints && checkpoints->checkOperators() < 0)
    return -1;
  if (checkpoints && checkpoints->restoreStates() < 0)
    return -1;
  tellOfSources(p);
  return startExchange(p);
}

/// Runs the sources, and what is behind them.
static void runAll(Program &p, Adapter &adapter, watch::Watcher &watcher,
                   Checkpoints *checkpoints) {
  findSources(p); // after start(), as their contexts point to what that makes
  connectSpools(p);
  if (checkpoints && checkpoints->restore())
    checkpoints->restore()->sources();
  runSources(p, adapter, watcher, checkpoints);
  if (checkpoints)
    checkpoints->finish();
}

int Program::run(Adapter &adapter, watch::Watcher &watcher) {
  CycleClock::calibrate();
  show.began.nanos = os::now();
  show.began.cycles = os::cycles();
  threads.watchdog = std::make_unique<Watchdog>(*this);
  std::unique_ptr<Checkpoints> checkpoints; // null: none are made
  if (cut.makes)
    checkpoints = member::makeCheckpoints(*this);
  if (start(*this, checkpoints.get()) == 0)
    runAll(*this, adapter, watcher, checkpoints.get());
  if (links.acknowledger)
    links.acknowledger->stop(); // it looks at what closes now
  reportPending(*threads.main);
  closeNatives(*this);
  threads.watchdog.reset(); // what is left moves no counter
  links.exchange.reset();
  if (!end.failing.load(std::memory_order_relaxed))
    countLeftInState(*this);
  forState(*this, [](auto &desc) { return desc.destroy; });
  sl_out_flush(&threads.main->ctx);
  if (checkpoints)
    show.checkpoints = checkpoints->summary();
  static constexpr int kPipeSignal = 141; // as if SIGPIPE had ended it
  return end.unread ? kPipeSignal : end.failing && !end.atCheckpoint ? 1 : 0;
}

} // namespace sluice

using namespace sluice;

//===--- ABI ----------------------------------------------------------------===//

extern "C" void sl_submission(Ctx *ctx, uint32_t index, void *result) {
  Program &p = *ctx->program;
  if (p.desc.submissions[index].isList)
    *static_cast<Seq *>(result) = p.values.submissionLists[index];
  else
    *static_cast<Str *>(result) = p.values.submissionScalars[index];
}

extern "C" int32_t sl_is_here(Ctx *ctx, uint32_t op) {
  return ctx->program->isHere(op + ctx->replica->op);
}

extern "C" void sl_request_shutdown(Ctx *ctx) {
  Program &p = *ctx->program;
  p.end.stop.raise();
  if (p.links.remote)
    p.links.remote->endOthers();
}

extern "C" const char *sl_data_dir(Ctx *ctx) { return ctx->program->options.dataDir.c_str(); }
extern "C" const char *sl_app_dir(Ctx *ctx) { return ctx->program->values.appDir.c_str(); }
extern "C" int32_t sl_may_listen(Ctx *ctx) { return ctx->program->options.mayListen; }
extern "C" int32_t sl_trace_level(Ctx *ctx) { return ctx->program->options.traceLevel; }
