//===- CommandTable.cpp - the commands of the driver ----------------------===//
//
// All that tells one command from another in parsing, help and completion stands in its row. The
// order is that in which they are listed.
//
//===----------------------------------------------------------------------===//
#include "tools/driver/Compile.h"
#include "tools/driver/OptionTable.h"
#include "tools/driver/checkpoint/Checkpoint.h"
#include "tools/driver/cluster/Cluster.h"
#include "tools/driver/live/Live.h"
#include "tools/driver/trace/Trace.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice::driver;
using llvm::StringRef;

static const CommandInfo kCommands[] = {
    {"run", Command::Run, Input::Program, runCommand, "FILE.spl [OPTIONS] [NAME=VALUE]...",
     "compile a program in memory and run it"},
    {"build", Command::Build, Input::Program, buildCommand,
     "FILE.spl [-o PROGRAM] [--target=TRIPLE] [--cpu=CPU]", "compile a program to an executable"},
    {"check", Command::Check, Input::Programs, checkCommand, "FILE.spl|FOLDER...",
     "report errors and warnings, make nothing",
     "FILE may be a library: composites with ports and parameters, functions and types. What "
     "depends "
     "on a\n"
     "parameter or a port without a type is checked where the composite is used. FOLDER stands "
     "for all\n"
     "programs in it and in its folders. `sluice explain-error CODE` says more about a message "
     "whose code\n"
     "is CODE.\n\n"
     "  sluice check app.spl\n  sluice check src examples -w"},
    {"ir", Command::Ir, Input::Program, irCommand,
     "FILE.spl --stop-after=PHASE | --emit=KIND | --diff=PHASE,PHASE",
     "show a program's intermediate representation"},
    {"graph", Command::Graph, Input::Program, graphCommand,
     "FILE.spl [--format=dot|json|svg] [-o FILE]", "show the operators and streams of a program"},
    {"explain", Command::Explain, Input::Program, explainCommand, "FILE.spl",
     "say what is fused, what may be a queue, and why"},
    {"job", Command::Job, Input::Program, [](const DriverOptions &o) { return jobCommand(o); },
     "FILE.spl|PROGRAM [--pes=N] [--hosts=HOST,...] [-o FILE] [NAME=VALUE]...",
     "write a job.toml, which says where each process of a program runs",
     "PROGRAM is an executable of `sluice build --pes=N`. The file of a token, a secret by which "
     "the "
     "processes know\n"
     "each other, is made beside the job.toml, unless there is one. Copy both to each host, and "
     "start "
     "there what\n"
     "belongs there:\n\n"
     "  sluice build app.spl --pes=3 -o app\n"
     "  sluice job app --hosts=a,b -o job.toml\n"
     "  ./app --pe=0 --job=job.toml     # on a; PE 1 on b, PE 2 on a"},
    {"jobs", Command::Jobs, Input::None,
     [](const DriverOptions &o) {
       return o.cluster.address.empty() ? jobsCommand() : clusterJobsCommand(o);
     },
     "[--at=HOST:PORT]", "show running programs",
     "Your programs on this machine: number, processes, since when, tuples a second of the "
     "sources, and what\nlimits them. Below, what each exports, of which type and to whom, and "
     "imports. With --at the jobs of a cluster,\nand where their PEs run."},
    {"console", Command::Console, Input::Job, consoleCommand, "JOB|TRACE",
     "show a running program, or a trace, in a browser",
     "JOB is the number that `sluice jobs` shows, or the name of the program; TRACE is a file of "
     "--trace. Prints the\naddress of a page of this machine, and ends with ctrl-C. `sluice run "
     "app.spl --console` shows a program from\nits beginning."},
    {"stats", Command::Stats, Input::Job, statsCommand, "JOB",
     "show what the operators of a running program do",
     "JOB is the number that `sluice jobs` shows, or the name of the program. Rates are those of "
     "half a second."},
    {"stop", Command::Stop, Input::Job,
     [](const DriverOptions &o) {
       return isOfCluster(o.cluster) ? clusterStopCommand(o) : stopCommand(o);
     },
     "JOB [--at=HOST:PORT [--savepoint=DIR|--now]]", "end a running program in order",
     "JOB is the number that `sluice jobs` shows, or the name of the program. Its sources end, and "
     "what they have\nsubmitted is run; the command waits for that. With --at it is a job of a "
     "cluster."},
    {"submit", Command::Submit, Input::App, submitCommand,
     "APP --to=HOST:PORT [OPTIONS] [NAME=VALUE]...", "run a program on a cluster of Apache Flink",
     "APP is what `sluice build --target=flink` has made, a folder or a jar. Prints the number of "
     "the "
     "job. Each process\nof the program (--pes of build) takes a slot.\n\n"
     "  sluice build app.spl --pes=3 --target=flink -o app\n"
     "  sluice cluster up --dir=c\n"
     "  sluice submit app --to=127.0.0.1:8081 --checkpoint-every=10s limit=20"},
    {"cluster up", Command::ClusterUp, Input::None, clusterUpCommand, "--dir=DIR [--hosts=N]",
     "start a cluster on this machine, to try and to test",
     "Processes of Apache Flink at 127.0.0.1: a master, and one for each host. Prints the address "
     "of its REST\ninterface, where a browser shows it as well, and returns when it is ready."},
    {"cluster down", Command::ClusterDown, Input::None, clusterDownCommand, "--dir=DIR",
     "end a cluster that `sluice cluster up` started"},
    {"doc", Command::Doc, Input::Words, docCommand, "[NAME|WORD...]",
     "explain operators, functions and words of the language",
     "NAME is an operator, a function, a namespace or a word; without it, all are listed. Other "
     "words are\n"
     "looked for in what is said of the toolkit, and in all pages.\n\n"
     "  sluice doc Aggregate\n  sluice doc findFirst\n  sluice doc spl.string\n"
     "  sluice doc how to read csv"},
    {"explain-error", Command::ExplainError, Input::Code, explainErrorCommand, "[CODE]",
     "say what an error or a warning means, with examples",
     "CODE is what stands behind the message in brackets; without it, all are listed.\n\n"
     "  sluice explain-error SL0053\n  sluice explain-error 53\n"
     "  sluice explain-error unknown_name"},
    {"new", Command::New, Input::Name, newCommand, "NAME",
     "make a small project: a program, data and a test"},
    {"trace show", Command::TraceShow, Input::Trace, traceShowCommand, "TRACE [--follow]",
     "show in the terminal what the elastic controller did",
     "TRACE is a file that `sluice run --elastic=... --trace=TRACE` or `sluice-sim run "
     "--trace=TRACE` writes;\n"
     "`-` is the standard input. At the top: throughput, threads and queues over time. Below, a "
     "line for each\n"
     "stretch in which nothing changed, and what was decided then, and why.\n\n"
     "  sluice run app.spl --elastic=model --trace=t.jsonl &\n"
     "  sluice trace show t.jsonl --follow"},
    {"trace plot", Command::TracePlot, Input::Trace, tracePlotCommand, "TRACE [-o PAGE.html]",
     "make a page with charts of it and the graph at any moment",
     "One file that needs nothing else and no network. A slider moves through time: the graph "
     "shows which\n"
     "boundaries are queues then, the charts throughput, threads and queues, the list what was "
     "decided and why.\n\n"
     "  sluice trace plot t.jsonl -o t.html && xdg-open t.html"},
    {"trace replay", Command::TraceReplay, Input::Trace, traceReplayCommand, "TRACE",
     "check that the policy decides again what it decided then",
     "Feeds the samples of the trace to the policy that it names, with the same constants, graph "
     "and machine,\n"
     "and compares each decision to the byte. Exit code 0: all are the same; 1: one differs (both "
     "are shown),\n"
     "or the trace cannot be read. A change of a policy that alters its decisions shows here."},
    {"trace diff", Command::TraceDiff, Input::Traces, traceDiffCommand, "TRACE TRACE",
     "compare two runs: settling, throughput, configuration, decisions",
     "For two policies over one program, or one policy before and after a change of it.\n\n"
     "  sluice run app.spl --elastic=paper --trace=a.jsonl\n"
     "  sluice run app.spl --elastic=model --trace=b.jsonl\n"
     "  sluice trace diff a.jsonl b.jsonl"},
    {"trace perfetto", Command::TracePerfetto, Input::Trace, tracePerfettoCommand,
     "TRACE [-o EVENTS.json]", "convert it for https://ui.perfetto.dev",
     "Chrome's trace event format: counters of throughput, threads and queues and of the heaviest "
     "operators,\n"
     "and an event for each decision. Open the file in ui.perfetto.dev (it does not leave the "
     "browser)."},
    {"checkpoint list", Command::CheckpointList, Input::Folder, checkpointListCommand, "DIR",
     "show which checkpoints there are",
     "DIR is what a run had as --checkpoint=DIR. For each checkpoint: its number, when it was "
     "made, "
     "its size, for\nhow long sources stood still, and whether the program had come to its end.\n\n"
     "  sluice run app.spl --checkpoint=state &\n  sluice checkpoint list state"},
    {"checkpoint show", Command::CheckpointShow, Input::Folder, checkpointShowCommand, "DIR [N]",
     "show what a program remembered, by operator and variable",
     "Of the last checkpoint, or of number N. Values are written as SPL literals. Names that begin "
     "with `$` hold\nwhere a source is in its code, those with `%` what the runtime knows of the "
     "operator.\n\n  sluice checkpoint show state"},
    {"checkpoint verify", Command::CheckpointVerify, Input::Folder, checkpointVerifyCommand,
     "DIR [N]...", "read all checkpoints, or those with these numbers, and compare all checksums",
     "Exit code 1: one cannot be used, and the message says which file is wrong."},
    {"checkpoint now", Command::CheckpointNow, Input::Folder, checkpointNowCommand, "DIR",
     "ask the run that makes checkpoints there for one",
     "Waits until it is complete and prints its number. Exit code 1: nothing runs, or no "
     "checkpoint "
     "was made in 30\nseconds.\n\n"
     "  sluice run app.spl --checkpoint=state --checkpoint-every=1h &\n"
     "  sluice checkpoint now state"},
    {"checkpoint remove", Command::CheckpointRemove, Input::Folder, checkpointRemoveCommand,
     "DIR [N]...", "remove all checkpoints, or those with these numbers",
     "Not while a run makes checkpoints there."},
    {"test", Command::Test, Input::Script,
     [](const DriverOptions &o) { return scriptCommand(o, "test/run.py"); }, "[--fast] [FILTER]",
     "run the project's tests"},
    {"bench", Command::Bench, Input::Script,
     [](const DriverOptions &o) { return scriptCommand(o, "bench/run.py"); }, "[WORKLOAD]...",
     "measure against the reference programs"},
    {"install", Command::Install, Input::Script,
     [](const DriverOptions &o) { return scriptCommand(o, "tools/package/install.py"); },
     "[--prefix DIR]", "copy what was built to DIR (/usr/local)"},
    {"uninstall", Command::Uninstall, Input::Script,
     [](const DriverOptions &o) { return scriptCommand(o, "tools/package/uninstall.py"); },
     "[--prefix DIR]", "remove what was installed there"},
    {"package", Command::Package, Input::Script,
     [](const DriverOptions &o) { return scriptCommand(o, "tools/package/package.py"); }, "",
     "make a Debian package of what was built"},
};

static constexpr GroupInfo kGroups[] = {
    {"trace", "TRACE", "look at what --trace has written"},
    {"checkpoint", "DIR", "look at what --checkpoint has kept"},
    {"cluster", "--dir=DIR", "a cluster of Apache Flink on this machine"},
};

llvm::ArrayRef<CommandInfo> sluice::driver::commandTable() { return kCommands; }
llvm::ArrayRef<GroupInfo> sluice::driver::groupTable() { return kGroups; }

const GroupInfo *sluice::driver::findGroup(StringRef name) {
  auto *found = llvm::find_if(kGroups, [&](const GroupInfo &group) { return name == group.name; });
  return found == std::end(kGroups) ? nullptr : found;
}

llvm::SmallVector<StringRef> sluice::driver::commandsOf(const GroupInfo &group) {
  llvm::SmallVector<StringRef> words;
  for (const CommandInfo &command : kCommands)
    if (auto [first, second] = StringRef(command.name).split(' ');
        first == group.name && !second.empty())
      words.push_back(second);
  return words;
}

llvm::ArrayRef<CommandInfo> sluice::driver::installedCommands() {
  static const std::vector<CommandInfo> installed = [] {
    std::vector<CommandInfo> all;
    llvm::copy_if(kCommands, std::back_inserter(all),
                  [](const CommandInfo &c) { return c.input != Input::Script; });
    return all;
  }();
  return installed;
}

const CommandInfo *sluice::driver::findCommand(StringRef name) {
  auto *found = llvm::find_if(kCommands, [&](const CommandInfo &c) { return name == c.name; });
  return found == std::end(kCommands) ? nullptr : found;
}

const CommandInfo *sluice::driver::findCommand(Command command) {
  auto *found =
      llvm::find_if(kCommands, [&](const CommandInfo &c) { return command == c.command; });
  return found == std::end(kCommands) ? nullptr : found;
}

const char *sluice::driver::wordFor(Input input) {
  switch (input) {
  case Input::Program:
  case Input::Programs:
  case Input::None:
  case Input::Script:
    return "source file";
  case Input::Trace:
  case Input::Traces:
    return "trace";
  case Input::Folder:
    return "directory";
  case Input::Job:
    return "job";
  case Input::App:
    return "application";
  case Input::Code:
    return "code";
  case Input::Name:
  case Input::Words:
    return "name";
  }
  llvm_unreachable("unknown input");
}
