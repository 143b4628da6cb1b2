//===- Contradictions.cpp - options that do not go together ---------------===//
#include "tools/driver/OptionTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

using namespace sluice::driver;
using llvm::StringRef;

/// Of `sluice graph -o OUTPUT`: the ending chooses the format, and none means dot.
static std::string unknownEnding(StringRef output) {
  StringRef ending = llvm::sys::path::extension(output);
  if (ending.size() < 2 || sluice::parseGraphFormat(ending.drop_front().lower()))
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

/// What the options say together. Empty, or what is wrong.
std::string sluice::driver::contradiction(const DriverOptions &options) {
  if (options.stopAfter && !options.emit.empty() && options.emit != "mlir")
    return "`--stop-after` shows a phase, and `--emit=" + options.emit +
           "` what comes behind them: give one of the two";
  if (options.command == Command::Ir && !options.stopAfter && !options.diff && options.emit.empty())
    return "say what to show: `--stop-after=PHASE` (" + phaseList() +
           "), `--emit=KIND` (ast, mlir, llvm, asm or obj) or `--diff=PHASE,PHASE`";
  bool mlir = options.emit.empty() || options.emit == "mlir";
  if (options.diff && (options.stopAfter || !options.emit.empty()))
    return "`--diff` names its phases: give no `--stop-after` and no `--emit`";
  if (options.diff && options.fromStdin())
    return "`--diff` compiles the program twice: give a file instead of `-`";
  if (!mlir && options.source)
    return "`--source` shows MLIR: give no `--emit`";
  if (!options.only.empty() && (options.emit == "ast" || options.emit == "obj"))
    return "`--only` shows a part of MLIR, LLVM IR or assembly: give another `--emit`";
  if (options.command == Command::Build && options.fromStdin() && options.output.empty())
    return "`build -` needs `-o PROGRAM`";
  if (options.command == Command::Build && options.output.empty() &&
      llvm::sys::path::stem(options.input).empty())
    return "`" + options.input + "` gives the executable no name: `-o PROGRAM` does";
  if (options.command == Command::Build && options.output == "-")
    return "`build` writes an executable, which no console shows: give `-o` a name";
  if (options.command == Command::Graph && !options.format)
    if (std::string wrong = unknownEnding(options.output); !wrong.empty())
      return wrong;
  bool toScreen = options.output.empty() && llvm::sys::Process::StandardOutIsDisplayed();
  if (options.emit == "obj" && toScreen)
    return "`--emit=obj` writes machine code, which no terminal shows: send it to a file";
  bool explains = options.command == Command::Explain || options.command == Command::Doc;
  if (explains && isCode(options.input))
    return "`" + options.input + "` is the code of a message: `sluice explain-error " +
           options.input + "` explains it";
  if (replacesProgram(options))
    return "`" + options.written() + "` would be written, which is the " +
           (options.command <= Command::Job ? "program" : "trace") +
           " itself: give another name with `-o`";
  for (const std::string &toolkit : options.toolkits)
    if (!llvm::sys::fs::is_directory(toolkit))
      return "`-t " + toolkit + "`: there is no such directory";
  if (!options.appDir.empty() && !llvm::sys::fs::is_directory(options.appDir))
    return "`--app-dir=" + options.appDir + "`: there is no such directory";
  return "";
}
