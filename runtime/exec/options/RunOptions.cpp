//===- RunOptions.cpp - the command line of a run -------------------------===//
#include "runtime/exec/options/RunOptions.h"
#include "runtime/base/text/Words.h"
#include "runtime/exec/options/HiddenNames.h"
#include "runtime/exec/options/NearOption.h"
#include "runtime/exec/options/PolicyHelp.h"
#include "runtime/exec/options/RunHelp.h"
#include "runtime/exec/options/RunOptionRules.h"
#include "runtime/exec/options/ValueElsewhere.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace sluice {

//===--- reading it -------------------------------------------------------------===//

/// data/ of the application directory.
static std::string dataDirDefault(const ProgramDesc &desc) {
  return desc.appDir ? std::string(desc.appDir) + "/data" : "data";
}

/// True if the name on the command line, qualified or not, means this value.
static bool matches(std::string_view full, std::string_view given) {
  if (full == given)
    return true;
  if (full.size() <= given.size() || !full.ends_with(given))
    return false;
  char before = full[full.size() - given.size() - 1];
  return before == '.' || before == ':';
}

namespace {
class Parser {
public:
  Parser(const ProgramDesc &desc, int argc, char **argv) : desc(desc), argc(argc), argv(argv) {
    options.given.assign(argv + (argc > 0), argv + argc);
    options.dataDir = dataDirDefault(desc);
    options.values.resize(desc.submissionCount);
    options.shown.resize(desc.submissionCount);
    options.isDefault.resize(desc.submissionCount);
    given.resize(desc.submissionCount);
  }
  std::optional<RunOptions> parse(int &exitCode);

private:
  int wrong(const std::string &what);
  int wrongValue(const std::string &what);
  int set(const RunOption &, const char *name, std::string_view value);
  int option(std::string_view arg);
  int unknown(std::string_view arg);
  int environment();
  int value(std::string_view arg);
  int take(uint32_t index, const std::string &name, std::string_view what);
  int defaults();

  const ProgramDesc &desc;
  int argc, at = 1;
  char **argv;
  RunOptions options;
  std::vector<bool> given;
};
} // namespace

/// Reports what is wrong. Returns the exit code.
int Parser::wrong(const std::string &what) {
  fprintf(stderr, "%s: error: %s\n", desc.mainName, what.c_str());
  fprintf(stderr, "Try '%s --help'.\n", argv[0]);
  return 2;
}

/// About a submission-time value: shows which there are.
int Parser::wrongValue(const std::string &what) {
  fprintf(stderr, "%s: error: %s\n", desc.mainName, what.c_str());
  printValues(desc, stderr);
  return 2;
}

/// `name`: the option, or the variable that stands for it.
int Parser::set(const RunOption &option, const char *name, std::string_view value) {
  Setting setting = option.set(options, value);
  return setting.taken ? 0 : wrong(name + setting.problem);
}

/// Variables of the environment that stand for options.
static constexpr struct {
  const char *name, *option;
  const char *RunOptions::*from;
} kVariables[] = {{"SLUICE_ELASTIC", "--elastic", &RunOptions::elasticFrom},
                  {"SLUICE_THREADS", "--threads", &RunOptions::threadsFrom},
                  {"SLUICE_QUEUES", "--queues", &RunOptions::queuesFrom}};

/// Reads the environment, before the command line.
int Parser::environment() {
  for (const auto &variable : kVariables) {
    const char *value = getenv(variable.name);
    if (!value || !*value)
      continue;
    for (const RunOption &option : runOptionTable())
      if (std::string_view(option.name) == variable.option)
        if (int code = set(option, variable.name, value))
          return code;
    options.*variable.from = variable.name;
  }
  return 0;
}

int Parser::option(std::string_view arg) {
  auto [match, option, value] =
      matchOption(runOptionTable(), uint32_t(RunBy::Program), splitOption(arg), argc, argv, at);
  switch (match) {
  case Match::Unknown:
  case Match::OfOthers:
    return unknown(arg);
  case Match::TakesNone:
    return wrong("option " + std::string(option->name) + " takes no value");
  case Match::NeedsValue:
    return wrong("option " + std::string(arg) + " needs a value");
  case Match::Found:
    return set(*option, option->name, value);
  }
  return 0;
}

int Parser::unknown(std::string_view arg) {
  std::string name(arg.substr(0, arg.find('=')));
  const char *near = nearOption(name);
  for (const RunOption &o : runOptionTable())
    if ("-" + name == o.name)
      near = o.name;
  if (near)
    return wrong("unknown option " + name + " (did you mean " + near + "?)");
  std::string hint;
  if (arg.starts_with("--") && arg.find('=') != arg.npos)
    hint = "; a value of the program has no dashes: " + std::string(arg.substr(2));
  else if (arg == "-P" || arg == "-D")
    hint = "; a value of the program is NAME=VALUE, without an option";
  else if (arg == "--close-windows") // the program itself says so
    hint = "; give it to `sluice build`: a program keeps it";
  return wrong("unknown option " + std::string(arg) + hint);
}

/// The first of the values that there are.
static std::string valuesOf(const ProgramDesc &desc) {
  static constexpr uint32_t most = 8;
  std::string all;
  for (uint32_t i = 0; i < desc.submissionCount && i < most; ++i)
    all += std::string(all.empty() ? "; it has " : ", ") + desc.submissions[i].name;
  return all + (desc.submissionCount > most ? ", ..." : "");
}

int Parser::value(std::string_view arg) {
  size_t equals = arg.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return wrong("'" + std::string(arg) +
                 "' is neither an option nor NAME=VALUE, which has no spaces");
  std::string name(arg.substr(0, equals));
  int found = -1;
  for (uint32_t i = 0; i < desc.submissionCount; ++i) {
    if (!matches(desc.submissions[i].name, name))
      continue;
    if (name == desc.submissions[i].name) {
      found = int(i);
      break;
    }
    if (found >= 0)
      return wrongValue("the submission-time value '" + name + "' may be " +
                        desc.submissions[found].name + " or " + desc.submissions[i].name);
    found = int(i);
  }
  if (found < 0)
    return wrongValue("the program has no submission-time value '" + name + "'" + valuesOf(desc));
  if (given[found])
    return wrongValue("the submission-time value '" + std::string(desc.submissions[found].name) +
                      "' is given twice");
  given[found] = true;
  return take(uint32_t(found), name, arg.substr(equals + 1));
}

/// `what`: the value as it is given, or where it is.
int Parser::take(uint32_t index, const std::string &name, std::string_view what) {
  std::string &value = options.values[index];
  options.shown[index] = what;
  if (std::string problem; !valueElsewhere(what, value, problem)) {
    value = what;
    if (desc.submissions[index].isSecret) {
      options.shown[index] = "***";
      options.given[at - 1] = name + "=***";
    }
  } else if (!problem.empty()) {
    return wrong("the submission-time value '" + name + "': " + problem);
  }
  return 0;
}

int Parser::defaults() {
  std::string missing;
  unsigned count = 0;
  for (uint32_t i = 0; i < desc.submissionCount; ++i) {
    if (given[i])
      continue;
    if (const char *value = desc.submissions[i].defaultValue) {
      options.values[i] = value;
      options.shown[i] = desc.submissions[i].isSecret ? "***" : value;
      options.isDefault[i] = true;
      continue;
    }
    missing += (count++ ? ", " : "") + std::string(desc.submissions[i].name);
  }
  if (!count)
    return 0;
  wrongValue("required submission-time value" + std::string(plural(count)) +
             " missing: " + missing);
  return 1; // as other implementations of SPL do
}

std::optional<RunOptions> Parser::parse(int &exitCode) {
  exitCode = 0;
  for (int i = 1; i < argc; ++i) {
    std::string_view arg = argv[i];
    if (arg == "--")
      break;
    if (arg == "--help" || arg == "-h")
      return printHelp(desc, argv[0]), std::nullopt;
    if (arg == "--list-values")
      return listValues(desc), std::nullopt;
  }
  if ((exitCode = environment()))
    return std::nullopt;
  for (bool onlyValues = false; at < argc; ++at) {
    std::string_view arg = argv[at];
    if (arg == "--" && !onlyValues) { // what follows are no options
      onlyValues = true;
      continue;
    }
    exitCode = arg.starts_with("-") && !onlyValues ? option(arg) : value(arg);
    if (exitCode)
      return std::nullopt;
  }
  if (options.constantsAsked) {
    printf("%s\n", policyHelp(options.elastic).c_str());
    return std::nullopt; // exitCode is 0
  }
  settle(options);
  std::string broken = brokenRule(runOptionRules(), options);
  if (broken.empty())
    broken = wrongHiddenName(desc, options.consoleHides);
  exitCode = broken.empty() ? defaults() : wrong(broken);
  if (exitCode)
    return std::nullopt;
  return std::move(options);
}

std::optional<RunOptions> parseOptions(const ProgramDesc &desc, int argc, char **argv,
                                       int &exitCode) {
  return Parser(desc, argc, argv).parse(exitCode);
}

} // namespace sluice
