//===- Contradictions.cpp - options that do not go together ---------------===//
#include "tools/driver/OptionTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace sluice::driver;
using llvm::StringRef;

/// Of `sluice graph -o OUTPUT`: the ending chooses the format, and none means dot.
static std::string unknownEnding(StringRef output) {
  StringRef ending = llvm::sys::path::extension(output);
  if (ending.size() < 2 || sluice::symbolizeGraphFormat(ending.drop_front().lower()))
    return "";
  return "`-o " + output.str() + "`: `" + ending.str() +
         "` is no format of a graph: end the name with .dot, .json or .svg, or give "
         "`--format=dot|json|svg`";
}

/// Whether what a command writes would take the place of its program.
static bool replacesProgram(const DriverOptions &options) {
  std::string written = options.written();
  return !options.fromStdin() && !written.empty() &&
         llvm::sys::fs::equivalent(written, options.input);
}

/// Whether a word is written like the code of an error or a warning: SL0123.
static bool isCode(StringRef word) {
  unsigned number;
  return word.consume_front_insensitive("SL") && !word.getAsInteger(10, number);
}

/// What `--emit` shows is MLIR.
static bool showsMlir(const DriverOptions &o) { return o.emit.empty() || o.emit == "mlir"; }

static bool isDirectory(const std::string &path) { return llvm::sys::fs::is_directory(path); }

using Rule = sluice::OptionRule<DriverOptions>;

static constexpr Rule kIrRules[] = {
    [](const DriverOptions &o) -> std::string {
      return o.stopAfter && !showsMlir(o) ? "`--stop-after` shows a phase, and `--emit=" + o.emit +
                                                "` what comes behind them: give one of the two"
                                          : "";
    },
    [](const DriverOptions &o) -> std::string {
      return o.command == Command::Ir && !o.stopAfter && !o.diff && o.emit.empty()
                 ? "say what to show: `--stop-after=PHASE` (" + phaseList() +
                       "), `--emit=KIND` (ast, mlir, llvm, asm or obj) or `--diff=PHASE,PHASE`"
                 : "";
    },
    [](const DriverOptions &o) -> std::string {
      return o.diff && (o.stopAfter || !o.emit.empty())
                 ? "`--diff` names its phases: give no `--stop-after` and no `--emit`"
                 : "";
    },
    [](const DriverOptions &o) -> std::string {
      return o.diff && o.fromStdin()
                 ? "`--diff` compiles the program twice: give a file instead of `-`"
                 : "";
    },
    [](const DriverOptions &o) -> std::string {
      return !showsMlir(o) && o.source ? "`--source` shows MLIR: give no `--emit`" : "";
    },
    [](const DriverOptions &o) -> std::string {
      return !o.only.empty() && (o.emit == "ast" || o.emit == "obj")
                 ? "`--only` shows a part of MLIR, LLVM IR or assembly: give another `--emit`"
                 : "";
    },
};

static constexpr Rule kOutputRules[] = {
    [](const DriverOptions &o) -> std::string {
      return o.command == Command::Build && o.fromStdin() && o.output.empty()
                 ? "`build -` needs `-o PROGRAM`"
                 : "";
    },
    [](const DriverOptions &o) -> std::string {
      return o.command == Command::Build && o.output.empty() &&
                     llvm::sys::path::stem(o.input).empty()
                 ? "`" + o.input + "` gives the executable no name: `-o PROGRAM` does"
                 : "";
    },
    [](const DriverOptions &o) -> std::string {
      return o.command == Command::Build && o.output == "-"
                 ? "`build` writes an executable, which no console shows: give `-o` a name"
                 : "";
    },
    [](const DriverOptions &o) {
      return o.command == Command::Graph && !o.format ? unknownEnding(o.output) : "";
    },
    [](const DriverOptions &o) -> std::string {
      return o.emit == "obj" && o.output.empty() && llvm::sys::Process::StandardOutIsDisplayed()
                 ? "`--emit=obj` writes machine code, which no terminal shows: send it to a file"
                 : "";
    },
};

static constexpr Rule kFileRules[] = {
    [](const DriverOptions &o) -> std::string {
      bool explains = o.command == Command::Explain || o.command == Command::Doc;
      return explains && isCode(o.input)
                 ? "`" + o.input + "` is the code of a message: `sluice explain-error " + o.input +
                       "` explains it"
                 : "";
    },
    [](const DriverOptions &o) -> std::string {
      return replacesProgram(o)
                 ? "`" + o.written() + "` would be written, which is the " +
                       (findCommand(o.command)->readsProgram() ? "program" : "trace") +
                       " itself: give another name with `-o`"
                 : "";
    },
    [](const DriverOptions &o) -> std::string {
      auto missing = llvm::find_if_not(o.toolkits, isDirectory);
      return missing != o.toolkits.end() ? "`-t " + *missing + "`: there is no such directory" : "";
    },
    [](const DriverOptions &o) -> std::string {
      return !o.appDir.empty() && !isDirectory(o.appDir)
                 ? "`--app-dir=" + o.appDir + "`: there is no such directory"
                 : "";
    },
};

std::string sluice::driver::contradiction(const DriverOptions &options) {
  for (std::span<const Rule> rules :
       {std::span<const Rule>(kIrRules), {kOutputRules}, {kFileRules}})
    if (std::string problem = brokenRule(rules, options); !problem.empty())
      return problem;
  return "";
}
