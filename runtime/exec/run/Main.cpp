//===- Main.cpp - from the command line to the exit code ------------------===//
#include "runtime/base/cpu.h"
#include "runtime/base/process.h"
#include "runtime/exec/checkpoint/Consistency.h"
#include "runtime/exec/ending/Running.h"
#include "runtime/exec/files/Directory.h"
#include "runtime/exec/job/Job.h"
#include "runtime/exec/job/RunJob.h"
#include "runtime/exec/memory/OutOfMemory.h"
#include "runtime/exec/metrics/Report.h"
#include "runtime/exec/options/RunHelp.h"
#include "runtime/exec/run/Adapter.h"
#include "runtime/exec/run/PrintJob.h"
#include "runtime/exec/run/Queues.h"
#include "runtime/exec/run/Workers.h"
#include "runtime/exec/state/Program.h"
#include "runtime/exec/table/Pes.h"
#include "runtime/exec/table/Structure.h"
#include "runtime/exec/watch/JobEntry.h"
#include "runtime/exec/watch/Watcher.h"
#include "runtime/memory/Memory.h"
#include "runtime/value/Random.h"
#include "sluice/recovery.h"
#include <algorithm>
#include <cstdio>

using namespace sluice;

/// What limited the run, for --stats: a line, or nothing.
static std::string limitLine(const Program &p, const os::CpuTime &before) {
  if (!p.options.stats)
    return "";
  const os::CpuTime after = os::cpuTime();
  double used = after.own - before.own,
         others = before.all < 0 || after.all < 0 ? 0 : after.all - before.all - used;
  watch::Cause cause = watch::Looker::causeOfRun(p, used, std::max(0.0, others));
  return cause.text.empty() ? "" : "limit: " + cause.text + "\n";
}

/// Gives the counters of a PE to its host, if there is one.
static watch::Publish toHost(const Job *job) {
  if (!job || !job->host)
    return nullptr;
  return [host = job->host.get()](std::string_view metrics) {
    remote::Piece text = {metrics.data(), metrics.size()};
    host->write(remote::HostFrame::Metrics, {&text, 1});
  };
}

/// Runs a program, or one PE of it, in this process.
static int runHere(const ProgramDesc &desc, const std::vector<uint32_t> &widths,
                   RunOptions options) {
  if (!options.memoryLimit) // the rest is for code, stacks and libraries
    options.memoryLimit = os::usableMemory() / 8 * 7;
  if (options.pe >= 0)
    os::nameProcess("pe" + std::to_string(options.pe) + " " + desc.mainName);
  const RunOptions limits = options; // the program takes the others
  endAtStartWithoutMemory(desc.mainName, limits);
  limitMemory(options.memoryLimit);
  seedRandom(options.seed ? options.seed : os::randomBits());
  setFloatText(options.floatText);
  Program program(desc, widths, std::move(options));
  if (program.cut.makes)
    if (int code = checkpoint::findRegions(desc, program.options.values, program.cut.regions))
      return code;
  EndsWithoutMemory ends(program);
  RunsAs main(*program.threads.main);
  if (int code = applyQueues(program))
    return code;
  if (int code = openMetrics(program))
    return code;
  setUpQueues(program);
  if (int code = applyWidths(program))
    return code;
  os::catchSignals(program.cut.makes ? &program.cut.stop : &program.end.stop,
                   /*says=*/!limits.job || !limits.job->isWatched);
  std::unique_ptr<Adapter> adapter;
  if (int code = makeAdapter(program, adapter)) { // who follows its trace may send signals
    os::releaseSignals();
    return code;
  }
  watch::Watcher watcher(
      program,
      {adapter->header(), adapter->writer(), [&adapter](bool asked) { adapter->pause(asked); }},
      toHost(limits.job));
  watch::JobEntry entry(program); // who sees it may ask to look
  const os::CpuTime before = os::cpuTime();
  int exitCode = program.run(*adapter, watcher);
  os::releaseSignals();
  adapter->finish(exitCode);
  watcher.finish();
  return reportCounters(program, exitCode,
                        limitLine(program, before) + adapter->summary() + program.show.checkpoints);
}

/// What the checkpoints of a job are to be, and which are there. 0, or an exit code after a
/// message.
static int findCheckpoints(const ProgramDesc &desc, RunOptions &options) {
  std::vector<ConsistentRegion> regions;
  std::vector<uint64_t> numbers;
  // A directory that cannot be read is an error when it is used.
  (void)checkpoint::Directory(options.checkpoints.directory).list(numbers);
  options.checkpoints.before = numbers.empty() ? 0 : numbers.back();
  return checkpoint::findRegions(desc, options.values, regions);
}

extern "C" int sl_main(const ProgramDesc *desc, int argc, char **argv) {
  os::openStandardFiles();
  if (desc->magic != kMagic || desc->version != kAbiVersion) {
    fprintf(stderr, "sluice: internal error: the program was compiled for another runtime\n");
    return 70;
  }
  int exitCode = 0;
  std::optional<RunOptions> options = parseOptions(*desc, argc, argv, exitCode);
  if (!options)
    return exitCode ? exitCode : finishHelp(*desc);
  os::catchFaults(
      "sluice: internal error: the program crashed. This is a bug in Sluice; please report it "
      "with the program and its input.\n");
  std::vector<uint32_t> widths;
  if (int code = findWidths(*desc, *options, widths))
    return code;
  if (desc->consistentCount && !options->checkpoints.makes() && options->pe < 0 &&
      !options->isHosted)
    fprintf(
        stderr,
        "%s: warning: %s:%u:%u: @consistent has no effect: without --checkpoint=DIR the program "
        "loses its state when it ends\n",
        desc->mainName, desc->consistents[0].file, desc->consistents[0].line,
        desc->consistents[0].column);
  if (options->checkpoints.makes())
    if (int code = findCheckpoints(*desc, *options))
      return code;
  if (options->printsJob)
    return printJob(*desc, widths, *options);
  auto run = [&](RunOptions own) { return runHere(*desc, widths, std::move(own)); };
  JobSize size;
  if (desc->peCount) {
    const Instances instances(*desc, widths);
    const Pes pes(instances);
    size = {pes.count(), instances.desc.operatorCount, std::vector<bool>(pes.count())};
    size.program = structureHash(instances.desc);
    for (uint32_t op = 0; op < size.operators; ++op)
      for (uint32_t pe = 0; pe < size.pes; ++pe)
        if (hasRole(instances.desc.operators[op], RecoveryRole::StaysDown) && pes.runs(pe, op))
          size.staysDown[pe] = true;
  } else {
    auto staysDown = [](const OperatorDesc &op) { return hasRole(op, RecoveryRole::StaysDown); };
    size.staysDown = {
        std::any_of(desc->operators, desc->operators + desc->operatorCount, staysDown)};
    size.program = structureHash(*desc);
  }
  if (size.pes > 1 && options->clock != ClockKind::Real) {
    fprintf(stderr,
            "%s: error: --clock=virtual needs one process, and this program has %u, which share no "
            "clock: use --pes=1\n",
            desc->mainName, size.pes);
    return 2;
  }
  return runJob(desc->mainName, std::move(*options), size, run);
}

extern "C" int sl_main_by_cpu(const CpuVariant *variants, uint32_t count, int argc, char **argv) {
  const uint64_t have = cpu::features();
  for (uint32_t i = count; i-- > 0;)
    if (!(variants[i].features & ~have))
      return sl_main(variants[i].program, argc, argv);
  os::openStandardFiles();
  fprintf(stderr,
          "%s: error: the program was built for the processor %s, and this one lacks: %s\n"
          "Build it with `sluice build --cpu=baseline`, or --cpu=NAME for a processor like this\n",
          variants[0].program->mainName, variants[0].cpu,
          cpu::names(variants[0].features & ~have).c_str());
  return 1;
}
