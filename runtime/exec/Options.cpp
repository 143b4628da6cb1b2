//===- Options.cpp - the command line of a run --------------------------===//
#include "runtime/exec/Options.h"
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace sluice {

static void printValues(const ProgramDesc &desc, FILE *to) {
  if (!desc.submissionCount)
    return;
  fputs("\nSubmission-time values:\n", to);
  for (bool required : {true, false})
    for (uint32_t i = 0; i < desc.submissionCount; ++i) {
      const SubmissionDesc &s = desc.submissions[i];
      if (required != !s.defaultValue)
        continue;
      const char *list = s.isList ? "VALUE,..." : "VALUE";
      if (required)
        fprintf(to, "  %s=%s  (required)\n", s.name, list);
      else
        fprintf(to, "  %s=%s  (default: %s)\n", s.name, list, s.defaultValue);
    }
}

static void printHelp(const ProgramDesc &desc, const char *program) {
  printf("Runs the SPL program %s.\n\n"
         "Usage: %s [OPTION]... [NAME=VALUE]...\n\n"
         "Options:\n"
         "  --data-dir DIR       where relative file names start (default: %s)\n"
         "  --deterministic      one tuple at a time, sources in turn\n"
         "  --threads N          how many workers run what is queued (default: one a hardware thread)\n"
         "  --queues WHICH       all, none (default), or OPERATOR,...: switchable input ports that start\n"
         "                       as queues; OPERATOR:PORT means one port of several\n"
         "  --memory MIB         what all queues may hold together (default: 1024)\n"
         "  --batch-rows N       at most N rows a batch (for tests)\n"
         "  --chaos SEED         switch queues and workers on and off at random (for tests)\n"
         "  --stats              show at the end what each operator did, on standard error\n"
         "  --metrics-json FILE  write that to FILE, as JSON\n"
         "  --trace-level LEVEL  off, error, warn, info, debug or trace (default: error)\n"
         "  --help               show this\n",
         desc.mainName, program, desc.dataDirDefault);
  printValues(desc, stdout);
  fflush(stdout);
}

/// Does the name on the command line mean this value? Qualified or not.
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
    options.dataDir = desc.dataDirDefault ? desc.dataDirDefault : ".";
    options.values.resize(desc.submissionCount);
    given.resize(desc.submissionCount);
  }
  std::optional<Options> parse(int &exitCode);

private:
  int wrong(const std::string &what, int code);
  int number(const char *name, std::string_view value, uint32_t most, uint32_t &result);
  int option(std::string_view arg);
  int value(std::string_view arg);
  int defaults();
  bool argument(std::string_view arg, std::string_view name, std::string_view &result);

  const ProgramDesc &desc;
  int argc, at = 1;
  char **argv;
  Options options;
  std::vector<bool> given;
};
} // namespace

/// Says what is wrong; the exit code is returned.
int Parser::wrong(const std::string &what, int code) {
  fprintf(stderr, "%s: error: %s\n", desc.mainName, what.c_str());
  if (code == 2)
    fprintf(stderr, "Try '%s --help'.\n", argv[0]);
  else
    printValues(desc, stderr);
  return code;
}

/// `--name VALUE` or `--name=VALUE`.
bool Parser::argument(std::string_view arg, std::string_view name, std::string_view &result) {
  if (arg == name && at + 1 < argc) {
    result = argv[++at];
    return true;
  }
  if (arg.starts_with(name) && arg.size() > name.size() && arg[name.size()] == '=') {
    result = arg.substr(name.size() + 1);
    return true;
  }
  return false;
}

int Parser::number(const char *name, std::string_view value, uint32_t most, uint32_t &result) {
  uint32_t n = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error != std::errc() || end != value.data() + value.size() || n == 0 || n > most)
    return wrong(name + (" needs a number from 1 to " + std::to_string(most)), 2);
  result = n;
  return 0;
}

int Parser::option(std::string_view arg) {
  std::string_view value;
  if (arg == "--deterministic") {
    options.deterministic = true;
    return 0;
  }
  if (arg == "--stats") {
    options.stats = true;
    return 0;
  }
  if (argument(arg, "--metrics-json", value)) {
    options.metricsFile = value;
    return value.empty() ? wrong("--metrics-json needs a file", 2) : 0;
  }
  if (argument(arg, "--data-dir", value)) {
    options.dataDir = value;
    return value.empty() ? wrong("--data-dir needs a directory", 2) : 0;
  }
  if (argument(arg, "--queues", value)) {
    options.queues = value;
    return value.empty() ? wrong("--queues needs all, none or names of operators", 2) : 0;
  }
  if (argument(arg, "--batch-rows", value))
    return number("--batch-rows", value, kBatchRows, options.batchRows);
  if (argument(arg, "--threads", value))
    return number("--threads", value, 1024, options.threads);
  if (argument(arg, "--memory", value))
    return number("--memory", value, 1 << 20, options.memory);
  if (argument(arg, "--chaos", value))
    return number("--chaos", value, 1'000'000, options.chaos);
  if (argument(arg, "--trace-level", value)) {
    const char *names[] = {"off", "error", "warn", "info", "debug", "trace"};
    for (int i = 0; i < 6; ++i)
      if (value == names[i] || value == std::to_string(i)) {
        options.traceLevel = i;
        return 0;
      }
    return wrong("--trace-level needs off, error, warn, info, debug or trace", 2);
  }
  for (const char *name : {"--data-dir", "--threads", "--queues", "--memory", "--batch-rows", "--chaos", "--trace-level", "--metrics-json"})
    if (arg == name)
      return wrong("option " + std::string(arg) + " needs a value", 2);
  return wrong("unknown option " + std::string(arg), 2);
}

int Parser::value(std::string_view arg) {
  size_t equals = arg.find('=');
  if (equals == std::string_view::npos || equals == 0)
    return wrong("'" + std::string(arg) + "' is neither an option nor NAME=VALUE", 2);
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
      return wrong("the submission-time value '" + name + "' may be " +
                       desc.submissions[found].name + " or " + desc.submissions[i].name, 1);
    found = int(i);
  }
  if (found < 0)
    return wrong("the program has no submission-time value '" + name + "'", 1);
  if (given[found])
    return wrong("the submission-time value '" + std::string(desc.submissions[found].name) + "' is given twice", 1);
  given[found] = true;
  options.values[found] = arg.substr(equals + 1);
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
      continue;
    }
    missing += (count++ ? ", " : "") + std::string(desc.submissions[i].name);
  }
  if (!count)
    return 0;
  return wrong("required submission-time value" + std::string(count > 1 ? "s" : "") + " missing: " + missing, 1);
}

std::optional<Options> Parser::parse(int &exitCode) {
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--help" || std::string_view(argv[i]) == "-h") {
      printHelp(desc, argv[0]);
      exitCode = 0;
      return std::nullopt;
    }
  for (; at < argc; ++at) {
    std::string_view arg = argv[at];
    exitCode = arg.starts_with("-") ? option(arg) : value(arg);
    if (exitCode)
      return std::nullopt;
  }
  if (options.deterministic && options.queues != "none") {
    exitCode = wrong("--deterministic runs everything by calls: it has no --queues", 2);
    return std::nullopt;
  }
  exitCode = defaults();
  if (exitCode)
    return std::nullopt;
  return std::move(options);
}

std::optional<Options> parseOptions(const ProgramDesc &desc, int argc, char **argv, int &exitCode) {
  return Parser(desc, argc, argv).parse(exitCode);
}

} // namespace sluice
