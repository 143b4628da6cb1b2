//===- DriverOptions.cpp - the driver's command line ----------------------===//
#include "runtime/exec/options/RunOptionTable.h"
#include "tools/driver/Compile.h"
#include "tools/driver/Habits.h"
#include "tools/driver/OptionTable.h"
#include "tools/driver/Reference.h"
#include "tools/driver/Suggestion.h"
#include "tools/driver/Version.h"
#include "tools/driver/cluster/Cluster.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace sluice::driver;
using llvm::StringRef;

const std::string &sluice::driver::phaseList() {
  static const std::string list = [] {
    std::string names;
    for (const sluice::PhaseInfo &phase : sluice::phases()) {
      bool isLast = &phase == &sluice::phases().back();
      names += (names.empty() ? "" : isLast ? " or " : ", ") + phase.name.str();
    }
    return names;
  }();
  return list;
}

std::vector<std::string> DriverOptions::words() const {
  std::vector<std::string> all{input};
  llvm::append_range(all, more);
  return all;
}

std::string DriverOptions::written() const {
  if (!output.empty() || fromStdin())
    return output;
  std::string stem = llvm::sys::path::stem(input).str();
  if (command == Command::Build)
    return stem;
  if (command == Command::TracePlot)
    return stem + ".html";
  return command == Command::TracePerfetto ? stem + ".perfetto.json" : "";
}

/// Those of a run: `sluice run` hands them on.
static std::vector<OptionInfo> runOptions() {
  std::vector<OptionInfo> all;
  for (const sluice::RunOption &o : sluice::runOptionTable())
    if (o.commands & uint32_t(sluice::RunBy::Driver))
      all.push_back({o.name, o.argument, bit(Command::Run) | bit(Command::Submit) | kOfProgram,
                     o.help, [&o](DriverOptions &options, StringRef value) {
                       bool isGiven = o.argument && !(o.mayLackValue() && value.empty());
                       options.programArgs.push_back(o.name + (isGiven ? "=" + value.str() : ""));
                       return true;
                     }});
  return all;
}

llvm::ArrayRef<OptionInfo> sluice::driver::optionTable() {
  static const std::vector<OptionInfo> table = [] {
    std::vector<OptionInfo> all = compilerOptions();
    llvm::append_range(all, clusterOptions());
    llvm::append_range(all, runOptions());
    return all;
  }();
  return table;
}

std::string sluice::driver::headOf(const OptionInfo &option) { return option.head(); }

llvm::SmallVector<StringRef> sluice::driver::wordsOf(const OptionInfo &option) {
  llvm::SmallVector<StringRef> words;
  if (StringRef text(option.argument ? option.argument : ""); text.contains('|'))
    text.split(words, '|');
  llvm::erase_if(words, [](StringRef word) { return llvm::any_of(word, llvm::isUpper); });
  return words;
}

namespace {
/// Under `title`, the commands that are scripts or those that are not; with `group`, only of that.
void listCommands(llvm::raw_ostream &os, const char *title, bool scripts, StringRef group) {
  os << title << ":\n";
  for (const CommandInfo &c : commandTable())
    if ((c.input == Input::Script) == scripts && StringRef(c.name).starts_with(group))
      os << "  " << llvm::left_justify(c.name, 18) << c.summary << "\n";
}

void printGroupHelp(const GroupInfo &group) {
  llvm::outs() << "Usage: sluice " << group.name << " COMMAND " << group.usage << " [OPTIONS]\n\n"
               << group.summary << "\n\n";
  listCommands(llvm::outs(), "Commands", /*scripts=*/false, std::string(group.name) + " ");
}

/// The names of groups, and of commands that are in no table.
llvm::SmallVector<StringRef> otherWords() {
  llvm::SmallVector<StringRef> words{"help", "version"};
  for (const GroupInfo &group : groupTable())
    words.push_back(group.name);
  return words;
}

void printHelp(const CommandInfo *command) {
  llvm::raw_ostream &os = llvm::outs();
  if (!command) {
    os << "Sluice compiles and runs SPL, the Streams Processing Language.\n\nUsage: sluice COMMAND "
          "[OPTIONS]\n\n";
    listCommands(os, "Commands", /*scripts=*/false, "");
    os << "  help           explain a command\n  version        say which version this is\n";
    if (!sourceTree().empty())
      listCommands(os, "\nOf the source tree", /*scripts=*/true, "");
    // What can be run here and now: in the source tree an example, else a new project.
    os << "\nTry:  "
       << (sourceTree().empty() ? "sluice new demo && sluice run demo/demo.spl"
                                : "./sluice run examples/hello/Hello.spl")
       << "\n      sluice COMMAND --help\n      sluice doc how to read csv\n";
    return;
  }
  os << "Usage: sluice " << command->name << " " << command->usage << "\n\n"
     << command->summary << "\n";
  bool any = false;
  for (const OptionInfo &o : optionTable())
    if (isOf(o, command->command)) {
      os << (any ? "" : "\nOptions:\n");
      any = true;
      os << "  " << llvm::left_justify(headOf(o), 30) << " " << o.help << "\n";
    }
  if (command->command == Command::Ir)
    os << "  --mlir-...                     MLIR's own flags, e.g. --mlir-print-ir-after-all\n";
  if (command->readsProgram())
    os << "\n`-` in place of FILE.spl is the program on the standard input.\n";
  if (command->details)
    os << "\n" << command->details << "\n";
}

int usage(const llvm::Twine &message, StringRef command = "") {
  llvm::errs() << "sluice: " << message << "\nTry `sluice " << command
               << (command.empty() ? "" : " ") << "--help`\n";
  return 2;
}
int usage(const llvm::Twine &message, const CommandInfo *command) {
  return usage(message, command->name);
}

bool isHelp(StringRef word) { return word == "--help" || word == "-h"; }

/// Which commands take an option that this one has not.
std::string takenBy(const OptionInfo &option, Command command) {
  std::string names;
  for (const CommandInfo &c : commandTable())
    if (isOf(option, c.command))
      names += (names.empty() ? "" : " and ") + ("`sluice " + std::string(c.name) + "`");
  if (command == Command::Build && option.commands & kOfProgram)
    names += ", and the program that is built";
  return names.empty() ? "" : ": it is one of " + names;
}

/// `name`: the word without a value.
int unknownOption(StringRef word, StringRef name, const CommandInfo &command) {
  llvm::SmallVector<StringRef> names;
  for (const OptionInfo &o : optionTable())
    if (isOf(o, command.command))
      names.push_back(o.name);
  std::string known = foreignOption(name, command.command);
  std::string dashes = ("-" + name.split('=').first).str(); // one was forgotten
  if (known.empty() && llvm::is_contained(names, dashes))
    known = " (did you mean `" + dashes + "`?)";
  if (known.empty())
    known = foreignOption(dashes, command.command);
  std::string isValue =
      takesValues(command.command) && word != name
          ? "; a value of the program has no dashes: `" + word.ltrim('-').str() + "`"
          : "";
  return usage("unknown option `" + llvm::Twine(name) + "`" + suggestionOr(known, name, names) +
                   isValue,
               &command);
}

/// Of `flat,foo` the part that is no choice; empty if each is one.
StringRef wrongPart(StringRef value, llvm::ArrayRef<StringRef> choices) {
  for (StringRef part : llvm::split(value, ','))
    if (!llvm::is_contained(choices, part))
      return part;
  return "";
}

/// Whether a word is a short option with its value: `-O2`, `-oFILE`. One with two dashes of which
/// one was forgotten is not.
bool isJoined(StringRef word, Command command) {
  if (word.starts_with("--") || word.size() < 3)
    return false;
  std::string dashes = ("-" + word.split('=').first).str();
  return foreignOption(word, command).empty() && foreignOption(dashes, command).empty() &&
         llvm::none_of(optionTable(),
                       [&](auto &o) { return o.name == dashes || o.name == word; }) &&
         llvm::any_of(optionTable(),
                      [&](auto &o) { return isShort(o) && o.name == word.take_front(2); });
}

/// A word of the command line in its parts.
sluice::OptionWord split(StringRef word, Command command) {
  if (!isJoined(word, command))
    return sluice::splitOption(word);
  StringRef value = word.drop_front(2);
  value.consume_front("=");
  return {word.take_front(2), value, true};
}

int wrongValue(const OptionInfo &option, StringRef value, const CommandInfo &command) {
  return usage("`" + llvm::Twine(value) + "` is no value for `" + option.name + "`" +
                   suggestion(wrongPart(value, choicesOf(option)), choicesOf(option)) +
                   ", which takes " + option.argument + ": " + option.help,
               &command);
}

/// Consumes the option at argv[i]; -1 to go on.
int takeOption(int argc, char **argv, int &i, const CommandInfo &command, DriverOptions &options) {
  StringRef word = argv[i];
  sluice::OptionWord parts = split(word, command.command);
  auto [match, option, text] =
      sluice::matchOption(std::span(optionTable()), bit(command.command), parts, argc, argv, i);
  StringRef name = parts.name, value = text;
  std::string foreign = foreignOption(name, command.command);
  switch (match) {
  case sluice::Match::Unknown:
    if (parts.hasValue && (isHelp(name) || name == "--version"))
      break;
    return unknownOption(word, name, command);
  case sluice::Match::OfOthers:
    return usage("`" + llvm::Twine(name) + "` is not an option of `sluice " + command.name + "`" +
                     (foreign.empty() ? takenBy(*option, command.command) : foreign),
                 &command);
  case sluice::Match::TakesNone:
    break;
  case sluice::Match::NeedsValue:
    return usage("`" + llvm::Twine(name) + "` needs a value: " + option->argument, &command);
  case sluice::Match::Found:
    if (option->argument && !(option->commands & kOfProgram) && value.empty())
      return usage("`" + llvm::Twine(name) + "` needs a value: " + option->argument + ": " +
                       option->help,
                   &command);
    return option->set(options, value).taken ? -1 : wrongValue(*option, value, command);
  }
  return usage("`" + llvm::Twine(name) + "` takes no value", &command);
}

int unknownCommand(StringRef name) {
  if (name.starts_with("-"))
    return usage("`" + name + "` is no command: options stand behind it, as in `sluice run " +
                 name + " FILE.spl`");
  if (name.ends_with(".spl") || name.ends_with(".splmm"))
    return usage("`" + name + "` is no command: to run the program, `sluice run " + name + "`");
  llvm::SmallVector<StringRef> names = otherWords();
  for (const CommandInfo &c : commandTable())
    names.push_back(c.name);
  return usage("unknown command `" + llvm::Twine(name) + "`" +
               suggestionOr(foreignCommand(name), name, names));
}

/// `name` is no command of the group.
int unknownCommandOf(const GroupInfo &group, StringRef name) {
  llvm::SmallVector<StringRef> names = commandsOf(group);
  return usage("`" + llvm::Twine(group.name) + "` has no command `" + name + "`" +
                   suggestion(name, names) + ": it has " + llvm::join(names, ", "),
               group.name);
}

/// Takes a word that is no option; -1 to go on.
int takeWord(StringRef word, const CommandInfo &command, DriverOptions &options) {
  if (command.input == Input::None)
    return usage("`" + llvm::Twine(command.name) + "` takes no arguments", &command);
  if (options.input.empty())
    options.input = word.str();
  else if (command.input == Input::Traces && options.second.empty())
    options.second = word.str();
  else if (command.input == Input::Words || command.input == Input::Folder ||
           (command.input == Input::Programs && !word.contains('=')))
    options.more.push_back(word.str());
  else if (!command.readsProgram() && command.input != Input::App)
    return usage("`" + llvm::Twine(word) + "` is one " + wordFor(command.input) + " too many",
                 &command);
  else if (takesValues(options.command) && word.contains('='))
    options.programArgs.push_back(word.str());
  else
    return usage("`" + llvm::Twine(word) + "` is " + oddWord(word, options.command) +
                     ", and the source file is `" + options.input + "`",
                 &command);
  return -1;
}

/// sluice help [COMMAND]
int helpCommand(int argc, char **argv) {
  std::string name = argc > 2 && !isHelp(argv[2]) ? argv[2] : "";
  const GroupInfo *group = findGroup(name);
  int words = group && argc > 3 ? 4 : 3;
  if (words == 4)
    name += " " + std::string(argv[3]);
  const CommandInfo *command = findCommand(name);
  bool isKnown = command || name.empty() || llvm::is_contained(otherWords(), name);
  if (!isKnown && words == 3 && isupper(name[0]))
    return usage("`" + llvm::Twine(name) + "` is no command: `sluice doc " + name +
                 "` explains operators and types");
  if (!isKnown)
    return words == 4 ? unknownCommandOf(*group, argv[3]) : unknownCommand(name);
  if (argc > words && !isHelp(argv[words]))
    return usage("`" + llvm::Twine(argv[words]) + "` is one word too many for `help`");
  if (group && words == 3)
    printGroupHelp(*group);
  else
    printHelp(command);
  return 0;
}
} // namespace

int sluice::driver::parseCommandLine(int argc, char **argv, DriverOptions &options) {
  StringRef first = argc > 1 ? argv[1] : "--help";
  if (first == "--help" || first == "-h" || first == "help")
    return helpCommand(argc, argv);
  if (llvm::is_contained({"--version", "version", "-V", "-v"}, first)) {
    if (argc > 2 && isHelp(argv[2])) {
      llvm::outs() << "Usage: sluice version\n\nsay which version this is\n";
      return 0;
    }
    if (argc > 2)
      return usage("`" + first + "` takes no arguments");
    printVersion();
    return 0;
  }
  if (printReference(first))
    return 0;
  int at = 2;
  std::string name = first.str();
  const GroupInfo *group = findGroup(first);
  if (group) {
    StringRef second = argc > 2 ? argv[2] : "--help";
    if (isHelp(second)) {
      printGroupHelp(*group);
      return argc > 2 ? 0 : 2;
    }
    name += " " + second.str();
    at = 3;
  }
  const CommandInfo *command = findCommand(name);
  if (!command)
    return group ? unknownCommandOf(*group, argv[2]) : unknownCommand(name);
  options.command = command->command;
  bool passOn = command->input == Input::Script, onlyWords = false;
  for (int i = at; i < argc; ++i) {
    StringRef word = argv[i];
    if (!passOn && !onlyWords && word == "--") { // what follows are no options
      onlyWords = true;
      continue;
    }
    bool mayBeOption = !passOn && !onlyWords;
    if (mayBeOption && isHelp(word)) {
      printHelp(command);
      return 0;
    }
    if (mayBeOption && (word == "--version" || word == "-V")) {
      printVersion();
      return 0;
    }
    if (passOn)
      options.rest.push_back(word.str());
    else if (mayBeOption && (word.starts_with("--mlir-") || word == "--dump-pass-pipeline"))
      options.mlirFlags.push_back(word.str());
    else if (mayBeOption && word.size() > 1 && word.starts_with("-")) {
      if (int code = takeOption(argc, argv, i, *command, options); code >= 0)
        return code;
    } else if (int code = takeWord(word, *command, options); code >= 0)
      return code;
  }
  bool mayBeMissing =
      llvm::is_contained({Input::Words, Input::Code, Input::None, Input::Script}, command->input);
  if (!mayBeMissing && options.input.empty())
    return usage("no " + llvm::Twine(wordFor(command->input)) + " was given", command);
  if (command->input == Input::Traces && options.second.empty())
    return usage("two traces are needed", command);
  if (std::string wrong = contradiction(options); !wrong.empty())
    return usage(wrong, command);
  return -1;
}
