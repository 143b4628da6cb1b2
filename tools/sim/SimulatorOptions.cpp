//===- SimulatorOptions.cpp - the command line of sluice-sim --------------===//
#include "tools/sim/SimulatorOptions.h"
#include "runtime/base/Quantity.h"
#include "runtime/base/text/Options.h"
#include "tools/sim/Figures.h"
#include <algorithm>
#include <charconv>
#include <cstdio>

namespace sluice::simtool {

namespace {

constexpr uint32_t bit(Command c) { return 1u << unsigned(c); }
constexpr uint32_t kRun = bit(Command::Run), kPaper = bit(Command::Paper),
                   kCalibrate = bit(Command::Calibrate), kBowtie = bit(Command::Bowtie);

struct CommandInfo {
  const char *name;
  Command command;
  int (*run)(SimulatorOptions &);
  const char *usage, *summary;
};
const CommandInfo kCommands[] = {
    {"run", Command::Run, runCommand,
     "[--graph G] [--machine M] [--runtime R] [--policy P] [OPTIONS]",
     "let a policy drive a simulated program; show what it does when, and how good the end is"},
    {"paper", Command::Paper, [](SimulatorOptions &o) { return paperCommand(o); },
     "--figure N [OPTIONS]",
     "make the data (CSV) and the plot (one HTML page) of a figure of the Middleware 2019 paper"},
    {"calibrate", Command::Calibrate, [](SimulatorOptions &o) { return calibrateCommand(o); },
     "[-o FILE]", "measure this machine and print its description, which --machine FILE reads"},
    {"bowtie", Command::Bowtie, [](SimulatorOptions &o) { return bowtieCommand(o); },
     "[--n N] [--m M] [--memory SIZE] [--seek T] [--rate SIZE/s]",
     "plan how n streams on a slow device become m streams through one memory, and play it"},
};

bool toNumber(std::string_view text, double least, double most, double &value) {
  auto [p, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && p == text.data() + text.size() && value >= least && value <= most;
}
template <class T> bool toWhole(std::string_view text, double least, double most, T &value) {
  double number;
  if (!toNumber(text, least, most, number) || number != double(uint64_t(number)))
    return false;
  value = T(number);
  return true;
}

/// `4GB/s`.
bool toRate(std::string_view text, double &value) {
  auto bytes = parseRate(text);
  value = bytes ? double(*bytes) : 0;
  return bytes.has_value();
}

using OptionInfo = Option<SimulatorOptions>;

bool oneOf(std::string_view value, const std::vector<std::string> &values) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool setConstant(SimulatorOptions &o, std::string_view text) {
  size_t equals = text.find('=');
  double value;
  if (equals == text.npos || !toNumber(text.substr(equals + 1), -1e300, 1e300, value))
    return false;
  o.constants.emplace_back(text.substr(0, equals), value);
  return true;
}

const std::vector<OptionInfo> &optionTable() {
  static const std::vector<OptionInfo> table = {
      {"--graph", "SHAPE", kRun, "the application (default pipeline:100), see below",
       [](SimulatorOptions &o, auto v) {
         o.graph = v;
         return true;
       }},
      {"--machine", "NAME|FILE", kRun | kPaper,
       "cpus16, xeon88, xeon176 (default), power184, or what `calibrate` wrote",
       [](SimulatorOptions &o, auto v) {
         o.machine = v;
         return true;
       }},
      {"--runtime", "sluice|copying", kRun | kPaper,
       "batches by reference (default of run), or IBM's copies of every tuple (default of paper)",
       [](SimulatorOptions &o, auto v) {
         o.runtime = v;
         return v == "sluice" || v == "copying";
       }},
      {"--policy", "NAME", kRun, "who decides (default paper), see below",
       [](SimulatorOptions &o, auto v) {
         o.policy = v;
         return true;
       }},
      {"--elastic-option", "NAME=NUMBER", kRun,
       "a constant of the policy; may be given several times", setConstant},
      {"--threads", "N", kRun,
       "workers at most (default: one a hardware thread); with --policy off: that many",
       [](SimulatorOptions &o, auto v) { return toWhole(v, 1, 4096, o.setup.threads); }},
      {"--queues", "all|none|hand", kRun, "with --policy off: where queues are (default none)",
       [](SimulatorOptions &o, auto v) {
         o.queues = v;
         return v == "all" || v == "none" || v == "hand";
       }},
      {"--seconds", "T", kRun, "how long, in simulated time (default 1200)",
       [](SimulatorOptions &o, auto v) { return toNumber(v, 1, 1e7, o.seconds); }},
      {"--change-at", "T", kRun, "when the load changes; for graphs with the cost `change`",
       [](SimulatorOptions &o, auto v) { return toNumber(v, 0, 1e7, o.changeAt); }},
      {"--trace", "FILE", kRun, "write a trace, for `sluice trace`",
       [](SimulatorOptions &o, auto v) {
         o.trace = v;
         return true;
       }},
      {"--csv", "FILE", kRun, "write every window: time, throughput, threads, queues, decision",
       [](SimulatorOptions &o, auto v) {
         o.csv = v;
         return true;
       }},
      {"--n", "N", kBowtie, "streams that come in (default 1)",
       [](SimulatorOptions &o, auto v) {
         return toWhole(v, 1, external::kMostStreams, o.bowtie.whole.inputs);
       }},
      {"--m", "M", kBowtie, "streams that go out (default 1000)",
       [](SimulatorOptions &o, auto v) {
         return toWhole(v, 1, external::kMostStreams, o.bowtie.whole.outputs);
       }},
      {"--memory", "SIZE", kBowtie, "that all streams share (default 1GiB)",
       [](SimulatorOptions &o, auto v) { return toRate(v, o.bowtie.memory); }},
      {"--seek", "T", kBowtie, "that the device needs for a change of place (default 8ms)",
       [](SimulatorOptions &o, auto v) {
         auto seconds = parseSeconds(v);
         o.bowtie.device.seek = seconds.value_or(0);
         return seconds.has_value();
       }},
      {"--rate", "SIZE/s", kBowtie, "at which the device reads and writes (default 200MB/s)",
       [](SimulatorOptions &o, auto v) {
         return toRate(v, o.bowtie.device.readRate) && toRate(v, o.bowtie.device.writeRate);
       }},
      {"--read-rate", "SIZE/s", kBowtie, "at which it reads",
       [](SimulatorOptions &o, auto v) { return toRate(v, o.bowtie.device.readRate); }},
      {"--write-rate", "SIZE/s", kBowtie, "at which it writes",
       [](SimulatorOptions &o, auto v) { return toRate(v, o.bowtie.device.writeRate); }},
      {"--seed", "N", kRun | kPaper | kBowtie, "of chance (default 1)",
       [](SimulatorOptions &o, auto v) { return toWhole(v, 0, 1e15, o.setup.seed); }},
      {"--profile", "sampled|counted", kRun,
       "what operators cost: 100 looks a second (as IBM's; default for paper and threads in the "
       "copying runtime), or counted cycles",
       [](SimulatorOptions &o, auto v) {
         o.profile = v;
         return v == "sampled" || v == "counted";
       }},
      {"--no-noise", nullptr, kRun, "measure exactly",
       [](SimulatorOptions &o, auto) {
         o.setup.noise = false;
         return true;
       }},
      {"--effort", "F", kRun, "stretches F times as long (default 1): less error, more time",
       [](SimulatorOptions &o, auto v) { return toNumber(v, 0.05, 1000, o.setup.effort); }},
      {"--tries", "N", kRun | kPaper, "of the oracle's search (default 200)",
       [](SimulatorOptions &o, auto v) { return toWhole(v, 0, 1e6, o.tries); }},
      {"--figure", "N", kPaper, "which one, see below",
       [](SimulatorOptions &o, auto v) {
         o.figure = v;
         return oneOf(v, figureNames());
       }},
      {"--quick", nullptr, kPaper, "fewer points and tries: a look",
       [](SimulatorOptions &o, auto) {
         o.quick = true;
         return true;
       }},
      {"-o", "FILE", kPaper | kCalibrate | kBowtie,
       "where to write: FILE (calibrate; default: the console), or FILE.csv and FILE.html with "
       "charts (paper, bowtie; default of paper, and in a folder: figure-N)",
       [](SimulatorOptions &o, auto v) {
         o.output = v;
         return true;
       }},
  };
  return table;
}

void printHelp(const CommandInfo *command) {
  if (!command) {
    printf(
        "sluice-sim runs Sluice's elastic policies against a model of a machine: the same code\n"
        "that decides in a program, with up to 184 hardware threads that nobody needs to have.\n\n"
        "Usage: sluice-sim COMMAND [OPTIONS]\n\nCommands:\n");
    for (const CommandInfo &c : kCommands)
      printf("  %-10s %s\n", c.name, c.summary);
    printf("\nTry:  sluice-sim run --graph pipeline:100,skew --policy paper\n"
           "      sluice-sim run --graph pipeline:500,100,1024 --runtime copying --policy threads\n"
           "      sluice-sim paper --figure 9 --quick\n"
           "      sluice-sim bowtie --m 8000 --memory 8GB --seek 10ms --rate 4GB/s\n"
           "      sluice-sim COMMAND --help\n");
    return;
  }
  printf("Usage: sluice-sim %s %s\n\n%s\n\nOptions:\n", command->name, command->usage,
         command->summary);
  for (const OptionInfo &o : optionTable())
    if (o.commands & bit(command->command)) {
      std::string head =
          o.name + std::string(o.argument ? " " : "") + (o.argument ? o.argument : "");
      printf("  %-30s %s\n", head.c_str(), o.help);
    }
  if (command->command == Command::Paper) {
    printf("\nFigures:");
    for (const std::string &name : figureNames())
      printf(" %s", name.c_str());
    printf("\n  1: queues and threads; 6a to 6d, 6: adaptation over time; 9: pipelines; 10: "
           "data-parallel; 11: mixed;\n"
           "  12: bushy; 13: a change of load; 15: VWAP and PacketAnalysis. Each side by side: no "
           "queues, queues by\n"
           "  hand, thread elasticity alone, paper, model, oracle.\n");
  }
  if (command->command != Command::Run)
    return;
  printf("\nGraphs:\n%s\nPolicies:\n", sim::graphHelp().c_str());
  for (const auto &[name, help] : elastic::policyNames())
    printf("  %-17s %s\n", name.c_str(), help.c_str());
  printf("  off               nothing changes: --queues and --threads\n"
         "  manual            queues as a person would place them, a thread each\n"
         "  oracle            a long search on the simulator itself (--tries)\n\nConstants "
         "(--elastic-option):\n");
  for (const auto &[name, help] : elastic::policyNames())
    for (const elastic::Constant &c : elastic::constantsOf(name))
      printf("  %-22s %g (%g to %g): %s\n", (name + " " + c.name).c_str(), c.value, c.least, c.most,
             c.help.c_str());
}

int usage(const std::string &message, const CommandInfo *command) {
  std::string name = command ? std::string(command->name) + " " : "";
  fprintf(stderr, "sluice-sim: %s\nTry `sluice-sim %s--help`\n", message.c_str(), name.c_str());
  return 2;
}

/// Consumes the option at argv[i]; -1 to go on.
int takeOption(int argc, char **argv, int &i, const CommandInfo &command,
               SimulatorOptions &options) {
  std::string word = argv[i];
  auto [match, option, value] = matchOption(std::span<const OptionInfo>(optionTable()),
                                            bit(command.command), splitOption(word), argc, argv, i);
  if (match == Match::Unknown)
    return usage("unknown option `" + word + "`", &command);
  std::string quoted = std::string("`") + option->name + "`";
  switch (match) {
  case Match::Unknown:
    break;
  case Match::OfOthers:
    return usage(quoted + " is not an option of `sluice-sim " + command.name + "`", &command);
  case Match::TakesNone:
    return usage(quoted + " takes no value", &command);
  case Match::NeedsValue:
    return usage(quoted + " needs a value: " + option->argument, &command);
  case Match::Found:
    if (!option->set(options, value).taken)
      return usage("`" + std::string(value) + "` is no value for " + quoted + ", which takes " +
                       (option->argument ? option->argument : ""),
                   &command);
  }
  return -1;
}

/// What the values mean; 2 if they mean nothing.
int resolve(SimulatorOptions &o, const CommandInfo &command) {
  std::string error;
  if (command.command == Command::Bowtie)
    return -1;
  if (command.command != Command::Calibrate && !sim::findMachine(o.machine, o.setup.machine, error))
    return usage("--machine: " + error, &command);
  if (o.runtime.empty())
    o.runtime = command.command == Command::Paper ? "copying" : "sluice";
  o.setup.runtime = o.runtime;
  if (command.command == Command::Paper && o.figure.empty())
    return usage("which figure? `--figure N`", &command);
  if (command.command != Command::Run)
    return -1;
  if (o.profile.empty())
    o.profile = o.setup.runtime == "copying" && (o.policy == "paper" || o.policy == "threads")
                    ? "sampled"
                    : "counted";
  o.setup.sampled = o.profile == "sampled";
  o.setup.app = sim::parseGraph(o.graph, error);
  if (!error.empty())
    return usage("--graph: " + error, &command);
  if (o.changeAt >= 0 && !o.setup.app.changes)
    return usage("--change-at: the load of `" + o.graph +
                     "` does not change, only that of cost `change` does",
                 &command);
  if (o.setup.app.changes && o.changeAt < 0)
    o.changeAt = o.seconds / 2;
  return -1;
}

} // namespace

int parseCommandLine(int argc, char **argv, SimulatorOptions &options) {
  std::string_view first = argc > 1 ? argv[1] : "--help";
  if (first == "--help" || first == "-h" || first == "help") {
    printHelp(nullptr);
    return 0;
  }
  const CommandInfo *command = nullptr;
  for (const CommandInfo &c : kCommands)
    if (first == c.name)
      command = &c;
  if (!command)
    return usage("there is no command `" + std::string(first) + "`", nullptr);
  options.run = command->run;
  for (int i = 2; i < argc; ++i) {
    std::string_view word = argv[i];
    if (word == "--help" || word == "-h") {
      printHelp(command);
      return 0;
    }
    if (int code = takeOption(argc, argv, i, *command, options); code >= 0)
      return code;
  }
  return resolve(options, *command);
}

} // namespace sluice::simtool
