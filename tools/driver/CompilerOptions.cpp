//===- CompilerOptions.cpp - the options of the commands that compile -------===//
#include "tools/driver/OptionTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace sluice::driver;
using llvm::StringRef;

namespace {
constexpr unsigned kCompile = bit(Command::Run) | bit(Command::Build) | bit(Command::Check) |
                              bit(Command::Ir) | bit(Command::Graph) | bit(Command::Explain) |
                              bit(Command::Job);
constexpr unsigned kCode = bit(Command::Run) | bit(Command::Build) | bit(Command::Ir) |
                           bit(Command::Graph) | bit(Command::Explain) | bit(Command::Job);

const char *differenceHelp() {
  static const std::string help =
      "what two phases differ in, as in `--diff=flat,placed`: two of " + phaseList();
  return help.c_str();
}

/// "graph|flat|placed|lowered|llvm".
const char *phaseChoice() {
  static const std::string choice = [] {
    std::string names;
    for (const sluice::PhaseInfo &phase : sluice::phases())
      names += (names.empty() ? "" : "|") + phase.name.str();
    return names;
  }();
  return choice.c_str();
}

/// "exact|any": the words of an enumeration.
template <typename Enum> const char *choiceOf() {
  static const std::string choice = llvm::join(sluice::wordsOf<Enum>(), "|");
  return choice.c_str();
}
template <typename Enum> bool wordOf(Enum &slot, StringRef value) {
  std::optional<Enum> found = sluice::symbolizeEnum<Enum>(value);
  slot = found.value_or(slot);
  return found.has_value();
}

bool oneOf(std::string &slot, StringRef value, std::initializer_list<const char *> values) {
  slot = value.str();
  return llvm::is_contained(values, value);
}
} // namespace

std::vector<OptionInfo> sluice::driver::compilerOptions() {
  return {
      {"--main", "[NS::]COMPOSITE", kCompile, "the main composite, if the file has several",
       [](DriverOptions &o, StringRef v) {
         o.main = v.str();
         return true;
       }},
      {"--app-dir", "DIR", kCompile,
       "application directory (default: the top of the file's namespace)",
       [](DriverOptions &o, StringRef v) {
         o.appDir = v.str();
         return true;
       }},
      {"-t", "PATH", kCompile,
       "a toolkit, or a directory of toolkits; may be given several times, or as PATH:PATH. Those "
       "of "
       "the environment variables SLUICE_TOOLKITS and STREAMS_SPLPATH come behind",
       [](DriverOptions &o, StringRef v) {
         for (StringRef path : llvm::split(v, ':'))
           o.toolkits.push_back(path.str());
         return true;
       }},
      {"--arg", "NAME=VALUE", kCompile, "a compile-time value (getCompileTimeValue)",
       [](DriverOptions &o, StringRef v) {
         auto [n, x] = v.split('=');
         o.compileTimeValues.emplace_back(n.str(), x.str());
         return !n.empty() && v.contains('=');
       }},
      {"--mixed-mode-arg", "TEXT", kCompile,
       "an argument of the Perl in files *.splmm; may be given several times",
       [](DriverOptions &o, StringRef v) {
         o.templateArgs.push_back(v.str());
         return true;
       }},
      {"--allow-native", nullptr,
       bit(Command::Run) | bit(Command::Build) | bit(Command::Check) | bit(Command::Job),
       "native functions of toolkits outside of the application's directory may be compiled and "
       "run",
       [](DriverOptions &o, StringRef) { return o.allowNative = true; }},
      {"-O", "LEVEL", kCode, "optimisation level 0 to 3 (default 2)",
       [](DriverOptions &o, StringRef v) {
         return !v.getAsInteger(10, o.optLevel) && o.optLevel <= 3;
       }},
      {"--boundaries", choiceOf<sluice::BoundaryChoice>(), kCode,
       "which ports may be queues: as few as one thread at a time needs, where it pays (default), "
       "all",
       [](DriverOptions &o, StringRef v) { return wordOf(o.boundaries, v); }},
      {"--merge-order", choiceOf<sluice::MergeOrder>(), kCode,
       "any: merges of one source's branches may reorder",
       [](DriverOptions &o, StringRef v) { return wordOf(o.mergeOrder, v); }},
      {"--close-windows", nullptr, kCode,
       "windows fire a last time when their input ends, so that no tuple is left in them; an "
       "executable keeps this",
       [](DriverOptions &o, StringRef) { return o.closeWindows = true; }},
      {"--pes", "N|auto|all", kCode,
       "how many processes run the program: N; auto, as few as config placement allows; all, as "
       "many as there can be (default: 1)",
       [](DriverOptions &o, StringRef v) {
         o.pes = v.str();
         return sluice::parsePeCount(v).has_value();
       }},
      {"--hosts", "HOST,...|N", bit(Command::Job) | bit(Command::ClusterUp),
       "of `cluster up`: how many processes run PEs, each as a host of its own (default: 2); of "
       "`job`: where the processes run, in turn: HOST or HOST:PORT, where PORT is that of process "
       "0 and "
       "the next ones are those of the others (default: localhost:7400)",
       [](DriverOptions &o, StringRef v) {
         o.hosts = v.str();
         return o.command == Command::Job || !v.getAsInteger(10, o.cluster.hosts);
       }},
      {"-o", "FILE",
       bit(Command::Build) | bit(Command::Ir) | bit(Command::Graph) | bit(Command::Explain) |
           bit(Command::Job) | bit(Command::TracePlot) | bit(Command::TracePerfetto),
       "where to write; - is the console, except for build (default: for build and trace a file "
       "with the input's name, else the console)",
       [](DriverOptions &o, StringRef v) {
         o.output = v.str();
         return true;
       }},
      {"--target", "x86_64-linux-gnu|powerpc64le-linux-gnu|flink|flink-all",
       bit(Command::Build) | bit(Command::Ir),
       "where the code is to run (default: this machine); flink: a folder for `sluice submit`, "
       "flink-all: the same for all processors",
       [](DriverOptions &o, StringRef v) {
         o.target = v.str();
         return true;
       }},
      {"--cpu", "native|baseline|levels|CPU", bit(Command::Build) | bit(Command::Ir),
       "the processor, by its name, like x86-64-v3 (default of build: levels, x86-64-v2, v3 and "
       "v4, chosen between at the start)",
       [](DriverOptions &o, StringRef v) {
         o.cpu = v.str();
         return !v.empty();
       }},
      {"--stop-after", phaseChoice(), bit(Command::Ir),
       "show the program as it is after this phase",
       [](DriverOptions &o, StringRef v) {
         o.stopAfter = sluice::parsePhase(v);
         return o.stopAfter.has_value();
       }},
      {"--emit", "ast|mlir|llvm|asm|obj", bit(Command::Ir), "what to show (mlir: phase llvm)",
       [](DriverOptions &o, StringRef v) {
         return oneOf(o.emit, v, {"ast", "mlir", "llvm", "asm", "obj"});
       }},
      {"--only", "OPERATOR", bit(Command::Ir),
       "only what belongs to an operator or composite, by its instance path or the end of that; "
       "several times: of each",
       [](DriverOptions &o, StringRef v) {
         o.only.push_back(v.str());
         return !v.empty();
       }},
      {"--source", nullptr, bit(Command::Ir), "with the lines of the program as comments",
       [](DriverOptions &o, StringRef) {
         o.source = true;
         return true;
       }},
      {"--diff", "PHASE,PHASE", bit(Command::Ir), differenceHelp(),
       [](DriverOptions &o, StringRef v) {
         auto [a, b] = v.split(',');
         auto from = sluice::parsePhase(a), to = sluice::parsePhase(b);
         if (from && to)
           o.diff = {*from, *to};
         return o.diff.has_value();
       }},
      {"--format", choiceOf<sluice::GraphFormat>(), bit(Command::Graph),
       "what to write (default: the ending of FILE in -o, else dot)",
       [](DriverOptions &o, StringRef v) {
         o.format = sluice::symbolizeGraphFormat(v);
         return o.format.has_value();
       }},
      {"--follow", nullptr, bit(Command::TraceShow),
       "wait for the file, and go on while it grows, until the program has ended",
       [](DriverOptions &o, StringRef) {
         o.follow = true;
         return true;
       }},
      {"--numbers", nullptr, bit(Command::TraceShow),
       "show the numbers that decisions rest on, too",
       [](DriverOptions &o, StringRef) {
         o.numbers = true;
         return true;
       }},
      {"--columns", "N", bit(Command::TraceShow) | bit(Command::TraceDiff),
       "how wide to print, from 60 (default: as wide as the terminal, or 120)",
       [](DriverOptions &o, StringRef v) {
         return !v.getAsInteger(10, o.columns) && o.columns >= 60 && o.columns <= 1000;
       }},
      {"--error-limit", "N", kCompile, "stop reporting after N errors (default 20; 0: report all)",
       [](DriverOptions &o, StringRef v) { return !v.getAsInteger(10, o.errorLimit); }},
      {"--allow-missing-toolkits", nullptr, bit(Command::Check),
       "say nothing of namespaces that are not there, nor of what may come from them",
       [](DriverOptions &o, StringRef) {
         o.allowMissing = true;
         return true;
       }},
      {"--json", nullptr, bit(Command::Check), "print each error or warning as an object on a line",
       [](DriverOptions &o, StringRef) {
         o.json = true;
         return true;
       }},
      {"-w", nullptr, kCompile, "show no warnings",
       [](DriverOptions &o, StringRef) {
         o.warnings = sluice::Diagnostics::Warnings::Hidden;
         return true;
       }},
      {"-Werror", nullptr, kCompile, "warnings are errors",
       [](DriverOptions &o, StringRef) {
         o.warnings = sluice::Diagnostics::Warnings::Errors;
         return true;
       }},
      {"--verify-diagnostics", nullptr, kCompile,
       "check `// expected-error {{...}}` comments (for tests)",
       [](DriverOptions &o, StringRef) {
         o.verifyDiagnostics = true;
         return true;
       }},
      {"--time", nullptr, kCompile, "print how long each step of the compiler took",
       [](DriverOptions &o, StringRef) {
         o.timing = true;
         return true;
       }},
  };
}
