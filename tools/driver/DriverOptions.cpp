//===- DriverOptions.cpp - the driver's command line ----------------------===//
#include "tools/driver/Compile.h"
#include "tools/driver/Habits.h"
#include "tools/driver/OptionTable.h"
#include "tools/driver/Reference.h"
#include "tools/driver/Suggestion.h"
#include "tools/driver/Version.h"
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

namespace {
const CommandInfo kCommands[] = {
    {"run", Command::Run, "FILE.spl [OPTIONS] [NAME=VALUE]...",
     "compile a program in memory and run it"},
    {"build", Command::Build, "FILE.spl [-o PROGRAM] [--target=TRIPLE] [--cpu=CPU]",
     "compile a program to an executable"},
    {"check", Command::Check, "FILE.spl|FOLDER...", "report errors and warnings, make nothing",
     "FILE may be a library: composites with ports and parameters, functions and types. What "
     "depends "
     "on a\n"
     "parameter or a port without a type is checked where the composite is used. FOLDER stands "
     "for all\n"
     "programs in it and in its folders. `sluice explain-error CODE` says more about a message "
     "whose code\n"
     "is CODE.\n\n"
     "  sluice check app.spl\n  sluice check src examples -w"},
    {"ir", Command::Ir, "FILE.spl --stop-after=PHASE | --emit=KIND | --diff=PHASE,PHASE",
     "show a program's intermediate representation"},
    {"graph", Command::Graph, "FILE.spl [--format=dot|json|svg] [-o FILE]",
     "show the operators and streams of a program"},
    {"explain", Command::Explain, "FILE.spl", "say what is fused, what may be a queue, and why"},
    {"job", Command::Job, "FILE.spl|PROGRAM [--pes=N] [--hosts=HOST,...] [-o FILE] [NAME=VALUE]...",
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
    {"jobs", Command::Jobs, "", "show running programs that export or import streams",
     "Your programs on this machine: what each exports, of which type and to whom, and imports."},
    {"doc", Command::Doc, "[NAME|WORD...]",
     "explain operators, functions and words of the language",
     "NAME is an operator, a function, a namespace or a word; without it, all are listed. Other "
     "words are\n"
     "looked for in what is said of the toolkit, and in all pages.\n\n"
     "  sluice doc Aggregate\n  sluice doc findFirst\n  sluice doc spl.string\n"
     "  sluice doc how to read csv"},
    {"explain-error", Command::ExplainError, "[CODE]",
     "say what an error or a warning means, with examples",
     "CODE is what stands behind the message in brackets; without it, all are listed.\n\n"
     "  sluice explain-error SL0053\n  sluice explain-error 53\n"
     "  sluice explain-error unknown_name"},
    {"new", Command::New, "NAME", "make a small project: a program, data and a test"},
    {"trace show", Command::TraceShow, "TRACE [--follow]",
     "show in the terminal what the elastic controller did",
     "TRACE is a file that `sluice run --elastic=... --trace=TRACE` or `sluice-sim run "
     "--trace=TRACE` writes;\n"
     "`-` is the standard input. At the top: throughput, threads and queues over time. Below, a "
     "line for each\n"
     "stretch in which nothing changed, and what was decided then, and why.\n\n"
     "  sluice run app.spl --elastic=model --trace=t.jsonl &\n"
     "  sluice trace show t.jsonl --follow"},
    {"trace plot", Command::TracePlot, "TRACE [-o PAGE.html]",
     "make a page with charts of it and the graph at any moment",
     "One file that needs nothing else and no network. A slider moves through time: the graph "
     "shows which\n"
     "boundaries are queues then, the charts throughput, threads and queues, the list what was "
     "decided and why.\n\n"
     "  sluice trace plot t.jsonl -o t.html && xdg-open t.html"},
    {"trace replay", Command::TraceReplay, "TRACE",
     "check that the policy decides again what it decided then",
     "Feeds the samples of the trace to the policy that it names, with the same constants, graph "
     "and machine,\n"
     "and compares each decision to the byte. Exit code 0: all are the same; 1: one differs (both "
     "are shown),\n"
     "or the trace cannot be read. A change of a policy that alters its decisions shows here."},
    {"trace diff", Command::TraceDiff, "TRACE TRACE",
     "compare two runs: settling, throughput, configuration, decisions",
     "For two policies over one program, or one policy before and after a change of it.\n\n"
     "  sluice run app.spl --elastic=paper --trace=a.jsonl\n"
     "  sluice run app.spl --elastic=model --trace=b.jsonl\n"
     "  sluice trace diff a.jsonl b.jsonl"},
    {"trace perfetto", Command::TracePerfetto, "TRACE [-o EVENTS.json]",
     "convert it for https://ui.perfetto.dev",
     "Chrome's trace event format: counters of throughput, threads and queues and of the heaviest "
     "operators,\n"
     "and an event for each decision. Open the file in ui.perfetto.dev (it does not leave the "
     "browser)."},
    {"test", Command::Test, "[--fast] [FILTER]", "run the project's tests"},
    {"bench", Command::Bench, "[WORKLOAD]...", "measure against the reference programs"},
    {"install", Command::Install, "[--prefix DIR]", "copy what was built to DIR (/usr/local)"},
    {"uninstall", Command::Uninstall, "[--prefix DIR]", "remove what was installed there"},
    {"package", Command::Package, "", "make a Debian package of what was built"},
};

} // namespace

llvm::ArrayRef<OptionInfo> sluice::driver::optionTable() {
  static const std::vector<OptionInfo> table = [] {
    std::vector<OptionInfo> all = compilerOptions();
    all.insert(all.end(), runOptions().begin(), runOptions().end());
    return all;
  }();
  return table;
}

llvm::ArrayRef<CommandInfo> sluice::driver::commandTable() { return kCommands; }

/// Commands that are scripts of the source tree. They have options of their own.
static bool isScript(Command command) {
  return command >= Command::Test && command <= Command::Package;
}

llvm::ArrayRef<CommandInfo> sluice::driver::installedCommands() { // scripts stand behind the others
  return commandTable().take_while([](const CommandInfo &c) { return !isScript(c.command); });
}

std::string OptionInfo::head() const {
  const char *between = StringRef(name).starts_with("--") ? "=" : " ";
  return argument ? std::string(name) + between + argument : name;
}

llvm::SmallVector<StringRef> OptionInfo::words() const {
  llvm::SmallVector<StringRef> words;
  if (StringRef text(argument ? argument : ""); text.contains('|'))
    text.split(words, '|');
  llvm::erase_if(words, [](StringRef word) { return llvm::any_of(word, llvm::isUpper); });
  return words;
}

namespace {
/// Under `title`, the commands that are scripts or those that are not; with `group`, only of that.
void listCommands(llvm::raw_ostream &os, const char *title, bool scripts, StringRef group) {
  os << title << ":\n";
  for (const CommandInfo &c : kCommands)
    if (isScript(c.command) == scripts && StringRef(c.name).starts_with(group))
      os << "  " << llvm::left_justify(c.name, 15) << c.summary << "\n";
}

void printTraceHelp() {
  llvm::outs() << "Usage: sluice trace COMMAND TRACE [OPTIONS]\n\nLook at what --trace has "
                  "written (docs/traces.md).\n\n";
  listCommands(llvm::outs(), "Commands", /*scripts=*/false, "trace ");
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
    if (o.isOf(command->command)) {
      os << (any ? "" : "\nOptions:\n");
      any = true;
      os << "  " << llvm::left_justify(o.head(), 30) << " " << o.help << "\n";
    }
  if (command->command == Command::Ir)
    os << "  --mlir-...                     MLIR's own flags, e.g. --mlir-print-ir-after-all\n";
  if (command->command <= Command::Job)
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
  for (const CommandInfo &c : kCommands)
    if (option.isOf(c.command))
      names += (names.empty() ? "" : " and ") + ("`sluice " + std::string(c.name) + "`");
  if (command == Command::Build && !option.set)
    names += ", and the program that is built";
  return names.empty() ? "" : ": it is one of " + names;
}

/// `name`: the word without a value.
int unknownOption(StringRef word, StringRef name, const CommandInfo &command) {
  llvm::SmallVector<StringRef> names;
  for (const OptionInfo &o : optionTable())
    if (o.isOf(command.command))
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
                      [&](auto &o) { return o.isShort() && o.name == word.take_front(2); });
}

/// Consumes the option at argv[i]; -1 to go on.
int takeOption(int argc, char **argv, int &i, const CommandInfo &command, DriverOptions &options) {
  StringRef word = argv[i];
  StringRef name = word, value;
  bool inlineValue = false;
  if (word.starts_with("--") && word.contains('=')) {
    std::tie(name, value) = word.split('=');
    inlineValue = true;
  } else if (isJoined(word, command.command)) {
    name = word.take_front(2);
    value = word.drop_front(2);
    value.consume_front("=");
    inlineValue = true;
  }
  for (const OptionInfo &o : optionTable()) {
    if (name != o.name)
      continue;
    std::string foreign = foreignOption(name, command.command);
    if (!o.isOf(command.command))
      return usage("`" + llvm::Twine(name) + "` is not an option of `sluice " + command.name + "`" +
                       (foreign.empty() ? takenBy(o, command.command) : foreign),
                   &command);
    if (!o.argument && inlineValue)
      return usage("`" + llvm::Twine(name) + "` takes no value", &command);
    if (o.argument && !inlineValue) {
      if (++i == argc || StringRef(argv[i]).starts_with("--"))
        return usage("`" + llvm::Twine(name) + "` needs a value: " + o.argument, &command);
      value = argv[i];
    }
    if (o.argument && o.set && value.empty())
      return usage("`" + llvm::Twine(name) + "` needs a value: " + o.argument + ": " + o.help,
                   &command);
    if (!o.set) { // the program's own
      options.programArgs.push_back(name.str() + (o.argument ? "=" + value.str() : ""));
      return -1;
    }
    if (!o.set(options, value))
      return usage("`" + llvm::Twine(value) + "` is no value for `" + name + "`" +
                       suggestion(wrongPart(value, choicesOf(o)), choicesOf(o)) + ", which takes " +
                       o.argument + ": " + o.help,
                   &command);
    return -1;
  }
  if (inlineValue && (isHelp(name) || name == "--version"))
    return usage("`" + llvm::Twine(name) + "` takes no value", &command);
  return unknownOption(word, name, command);
}

const CommandInfo *findCommand(StringRef name) {
  auto *found = llvm::find_if(kCommands, [&](const CommandInfo &c) { return name == c.name; });
  return found == std::end(kCommands) ? nullptr : found;
}

int unknownCommand(StringRef name) {
  if (name.starts_with("-"))
    return usage("`" + name + "` is no command: options stand behind it, as in `sluice run " +
                 name + " FILE.spl`");
  if (name.ends_with(".spl") || name.ends_with(".splmm"))
    return usage("`" + name + "` is no command: to run the program, `sluice run " + name + "`");
  llvm::SmallVector<StringRef> names = {"trace", "help", "version"};
  for (const CommandInfo &c : kCommands)
    names.push_back(c.name);
  return usage("unknown command `" + llvm::Twine(name) + "`" +
               suggestionOr(foreignCommand(name), name, names));
}

/// `name` is no command of those that look at traces.
int unknownTraceCommand(StringRef name) {
  llvm::SmallVector<StringRef> names;
  for (StringRef command : llvm::map_range(kCommands, [](auto &c) { return StringRef(c.name); }))
    if (command.consume_front("trace "))
      names.push_back(command);
  return usage("`trace` has no command `" + name + "`" + suggestion(name, names) + ": it has " +
                   llvm::join(names, ", "),
               "trace");
}

/// sluice help [COMMAND]
int helpCommand(int argc, char **argv) {
  std::string name = argc > 2 && !isHelp(argv[2]) ? argv[2] : "";
  int words = name == "trace" && argc > 3 ? 4 : 3;
  if (words == 4)
    name += " " + std::string(argv[3]);
  const CommandInfo *command = findCommand(name);
  bool isKnown = command || name.empty() || llvm::is_contained({"trace", "help", "version"}, name);
  if (!isKnown && words == 3 && isupper(name[0]))
    return usage("`" + llvm::Twine(name) + "` is no command: `sluice doc " + name +
                 "` explains operators and types");
  if (!isKnown)
    return words == 4 ? unknownTraceCommand(argv[3]) : unknownCommand(name);
  if (argc > words && !isHelp(argv[words]))
    return usage("`" + llvm::Twine(argv[words]) + "` is one word too many for `help`");
  if (name == "trace")
    printTraceHelp();
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
  if (first == "trace") { // a group of commands
    StringRef second = argc > 2 ? argv[2] : "--help";
    if (isHelp(second)) {
      printTraceHelp();
      return argc > 2 ? 0 : 2;
    }
    name = "trace " + second.str();
    at = 3;
  }
  const CommandInfo *command = findCommand(name);
  if (!command)
    return at == 3 ? unknownTraceCommand(argv[2]) : unknownCommand(name);
  options.command = command->command;
  constexpr StringRef kSource = "source file";
  StringRef input = at == 3                                    ? "trace"
                    : options.command == Command::ExplainError ? "code"
                    : options.command == Command::New          ? "name"
                    : options.command == Command::Doc          ? "name"
                                                               : kSource;
  bool passOn = isScript(options.command), onlyWords = false;
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
    } else if (options.command == Command::Jobs)
      return usage("`jobs` takes no arguments", command);
    else if (options.input.empty())
      options.input = word.str();
    else if (options.command == Command::TraceDiff && options.second.empty())
      options.second = word.str();
    else if (options.command == Command::Doc ||
             (options.command == Command::Check && !word.contains('=')))
      options.more.push_back(word.str());
    else if (input != kSource)
      return usage("`" + llvm::Twine(word) + "` is one " + input + " too many", command);
    else if (takesValues(options.command) && word.contains('='))
      options.programArgs.push_back(word.str());
    else
      return usage("`" + llvm::Twine(word) + "` is " + oddWord(word, options.command) +
                       ", and the source file is `" + options.input + "`",
                   command);
  }
  bool needsInput = !passOn && options.command != Command::Doc &&
                    options.command != Command::ExplainError && options.command != Command::Jobs;
  if (needsInput && options.input.empty())
    return usage("no " + llvm::Twine(input) + " was given", command);
  if (options.command == Command::TraceDiff && options.second.empty())
    return usage("two traces are needed", command);
  if (std::string wrong = contradiction(options); !wrong.empty())
    return usage(wrong, command);
  return -1;
}
