//===- Main.cpp - from start to exit code -------------------------------===//
#include "runtime/exec/program/Program.h"
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace sluice {

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

/// A list value: its elements stand between commas.
static Seq keepList(Arena *arena, std::string_view text) {
  std::vector<Str> elements;
  for (size_t at = 0; !text.empty() && at <= text.size();) {
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

Program::Program(const ProgramDesc &templates, const std::vector<uint32_t> &widths, Options given)
    : instances(templates, widths), desc(instances.desc), options(std::move(given)), domains(desc) {
  std::error_code error;
  auto dir = std::filesystem::absolute(options.dataDir, error);
  if (!error)
    options.dataDir = dir.string();
  state.resize(desc.stateBytes + 16);
  heap = heapCreate();
  for (uint32_t i = 0; i < desc.submissionCount; ++i) {
    submissionScalars.push_back(keepString(&keep, options.values[i]));
    submissionLists.push_back(keepList(&keep, options.values[i]));
  }
  makePorts(*this);
  main = std::make_unique<Thread>(*this);
}

Thread::Thread(Program &p, bool isSource)
    : program(p), isSource(isSource),
      counters(p.desc.inPortCount, p.options.timesSegments(), p.options.sampling) {
  ctx.scratch = &scratch;
  ctx.heap = p.heap;
  ctx.program = &p;
  ctx.thread = this;
  ports = p.outPorts.data();
  spares.resize(p.pools.size());
  links.resize(p.desc.inPortCount);
  if (p.options.timesLatency())
    latency = std::make_unique<LatencyCounts>();
  Inside::enter(*this, p.instances.outside());
}

void Inside::enter(Thread &t, const Replica &replica) {
  Program &p = t.program;
  t.ctx.ports = t.ports + replica.out;
  t.ctx.natives = p.nativePointers.data() + replica.native;
  t.ctx.state = p.state.data() + replica.state;
  t.ctx.channel = replica.channel;
  t.ctx.maxChannels = replica.maxChannels;
  t.ctx.replica = &replica;
}

Thread::~Thread() {
  arenaFree(&scratch);
  if (ownHeap)
    heapDestroy(ownHeap);
}

Program::~Program() {
  natives.clear();
  freePorts(*this);
  arenaFree(&keep);
  heapDestroy(heap);
}

/// The initialisers, or destructors, of the state of every replica.
template <typename Which> static int32_t forState(Program &p, Which which) {
  for (const Replica &replica : p.instances.replicas) {
    Inside inside(*p.main, replica);
    HandlerFn f = replica.region < 0 ? which(p.desc) : which(p.desc.regions[replica.region]);
    if (int32_t result = f ? f(&p.main->ctx) : 0)
      return result < 0 ? -1 : fail(*p.main, 0, result, false);
  }
  return 0;
}

/// State initialisers, parameters, and what native operators open.
static int32_t start(Program &p) {
  if (makeNatives(p) < 0 || forState(p, [](auto &desc) { return desc.init; }) < 0)
    return -1;
  return openNatives(p);
}

int Program::run() {
  CycleClock::calibrate();
  began.nanos = os::now();
  began.cycles = os::cycles();
  if (start(*this) == 0) {
    findSources(*this); // their contexts point at what start() made
    runSources(*this);
  }
  reportPending(*main);
  closeNatives(*this);
  forState(*this, [](auto &desc) { return desc.destroy; });
  sl_out_flush(&main->ctx);
  return failing ? 1 : 0;
}

} // namespace sluice

using namespace sluice;

extern "C" void sl_submission(Ctx *ctx, uint32_t index, void *result) {
  Program &p = *ctx->program;
  if (p.desc.submissions[index].isList)
    *static_cast<Seq *>(result) = p.submissionLists[index];
  else
    *static_cast<Str *>(result) = p.submissionScalars[index];
}

extern "C" const char *sl_data_dir(Ctx *ctx) { return ctx->program->options.dataDir.c_str(); }
extern "C" const char *sl_app_dir(Ctx *ctx) {
  const char *dir = ctx->program->desc.appDir;
  return dir ? dir : "";
}
extern "C" int32_t sl_trace_level(Ctx *ctx) { return ctx->program->options.traceLevel; }

extern "C" int sl_main(const ProgramDesc *desc, int argc, char **argv) {
  if (desc->magic != kMagic || desc->version != kAbiVersion) {
    fprintf(stderr, "sluice: internal error: the program was compiled for another runtime\n");
    return 70;
  }
  int exitCode = 0;
  std::optional<Options> options = parseOptions(*desc, argc, argv, exitCode);
  if (!options)
    return exitCode;
  os::catchFaults(
      "sluice: internal error: the program crashed. This is a bug in Sluice; please report it "
      "with the program and its input.\n");
  std::vector<uint32_t> widths;
  if (int code = findWidths(*desc, *options, widths))
    return code;
  Program program(*desc, widths, std::move(*options));
  if (int code = applyQueues(program))
    return code;
  if (int code = openMetrics(program))
    return code;
  setUpQueues(program);
  if (int code = applyWidths(program))
    return code;
  os::catchSignals(&program.stop);
  exitCode = makeAdapter(program, program.adapter); // who follows its trace may send signals
  bool ran = exitCode == 0;
  if (ran)
    exitCode = program.run();
  os::releaseSignals();
  if (program.adapter)
    program.adapter->finish(exitCode);
  return ran ? reportCounters(program, exitCode) : exitCode;
}
