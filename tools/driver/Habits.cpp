//===- Habits.cpp - what people write who know other programs -------------===//
#include "tools/driver/Habits.h"
#include "llvm/ADT/StringSwitch.h"

using namespace sluice::driver;
using llvm::StringRef;

std::string sluice::driver::foreignCommand(StringRef name) {
  auto known = llvm::StringSwitch<StringRef>(name)
                   .Cases({"compile", "make", "sc"}, "build")
                   .Cases({"exec", "execute", "start", "launch"}, "run")
                   .Cases({"lint", "validate", "verify"}, "check")
                   .Cases({"init", "create"}, "new")
                   .Cases({"man", "docs"}, "doc")
                   .Default("");
  return known.empty() ? "" : " (did you mean `" + known.str() + "`?)";
}

static StringRef insteadOf(StringRef name, Command command) {
  bool runs = command == Command::Run;
  if (name == "-v" || name == "--verbose" || name == "-d" || name == "--debug")
    return runs
               ? "`--stats` shows what operators do, `--trace-level=debug` what they log, `--time` "
                 "the steps of the compiler"
               : "`--time` shows the steps of the compiler";
  if (name == "-q" || name == "--quiet" || name == "--silent")
    return "`-w` shows no warnings";
  if ((name == "-o" || name == "--output") && runs)
    return "`sluice build FILE.spl -o PROGRAM` makes an executable; `> FILE` takes what a program "
           "prints";
  bool prints = command == Command::Doc || command == Command::ExplainError ||
                command == Command::Jobs || command == Command::Stats ||
                command == Command::TraceShow || command == Command::TraceDiff;
  if ((name == "-o" || name == "--output") && prints)
    return "`> FILE` takes what it prints";
  if (name == "-o" || name == "--output")
    return command == Command::Check ? "`sluice build FILE.spl -o PROGRAM` makes an executable"
                                     : "`-o FILE` says where to write";
  if (name == "-P" || name == "-D")
    return "NAME=VALUE stands alone for a submission-time value; `--arg NAME=VALUE` is a "
           "compile-time value";
  if (name == "-M" || name == "--main-composite")
    return "`--main=COMPOSITE` chooses the main composite";
  if (name == "-j" || name == "-n" || name == "--workers")
    return runs ? "`--threads=N` sets how many workers run" : "";
  if (name == "-help")
    return "`--help` lists the options";
  return "";
}

std::string sluice::driver::foreignOption(StringRef name, Command command) {
  StringRef instead = insteadOf(name, command);
  return instead.empty() ? "" : ": " + instead.str();
}

llvm::SmallVector<StringRef> sluice::driver::choicesOf(const OptionInfo &option) {
  llvm::SmallVector<StringRef> words;
  for (StringRef text : {StringRef(option.argument), StringRef(option.help).split('(').first})
    while (!text.empty()) {
      StringRef word = text.take_until([](char c) { return StringRef("|, ").contains(c); });
      if (!word.empty())
        words.push_back(word);
      text = text.drop_front(std::min(text.size(), word.size() + 1));
    }
  return words;
}

bool sluice::driver::takesValues(Command command) {
  return command == Command::Run || command == Command::Job || command == Command::Submit;
}

const char *sluice::driver::oddWord(StringRef word, Command command) {
  if (takesValues(command))
    return "neither an option nor NAME=VALUE, which has no spaces";
  return word.contains('=') ? "a submission-time value, which only `run`, `job` and `submit` take"
                            : "one file too many";
}
