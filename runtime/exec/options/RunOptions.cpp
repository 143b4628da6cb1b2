//===- RunOptions.cpp - the command line of a run -------------------------===//
#include "runtime/exec/options/RunOptions.h"
#include "runtime/base/Quantity.h"
#include "runtime/base/text/Words.h"
#include "runtime/exec/options/NearOption.h"
#include "runtime/exec/options/PolicyHelp.h"
#include "runtime/exec/options/RunHelp.h"
#include <algorithm>
#include <charconv>
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
    options.isDefault.resize(desc.submissionCount);
    given.resize(desc.submissionCount);
  }
  std::optional<RunOptions> parse(int &exitCode);

private:
  int wrong(const std::string &what);
  int wrongValue(const std::string &what);
  int number(const char *name, std::string_view value, uint32_t most, uint32_t &result,
             const char *unit = "");
  int positive(const char *name, std::string_view value, double &result);
  int size(const char *name, std::string_view value, uint64_t &bytes);
  int duration(const char *name, std::string_view value, double &seconds);
  int option(std::string_view arg);
  int elasticOption(std::string_view arg, bool &known);
  int jobOption(std::string_view arg, bool &known);
  int jobConflicts();
  int constant(std::string_view value);
  int elastic(const char *name, std::string_view value);
  int queues(const char *name, std::string_view value);
  int environment();
  int clock(std::string_view value);
  int conflicts();
  int value(std::string_view arg);
  int defaults();
  bool argument(std::string_view arg, std::string_view name, std::string_view &result);

  const ProgramDesc &desc;
  int argc, at = 1;
  char **argv;
  RunOptions options;
  std::vector<bool> given;
  bool constantsAsked = false, threadsGiven = false;
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

/// True if `arg` is `--name VALUE` or `--name=VALUE`; sets `result` to the value. What begins with
/// `--` is the next option, not a value.
bool Parser::argument(std::string_view arg, std::string_view name, std::string_view &result) {
  if (arg == name && at + 1 < argc && !std::string_view(argv[at + 1]).starts_with("--")) {
    result = argv[++at];
    return true;
  }
  if (arg.starts_with(name) && arg.size() > name.size() && arg[name.size()] == '=') {
    result = arg.substr(name.size() + 1);
    return true;
  }
  return false;
}

int Parser::number(const char *name, std::string_view value, uint32_t most, uint32_t &result,
                   const char *unit) {
  uint32_t n = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error != std::errc() || end != value.data() + value.size() || n == 0 || n > most)
    return wrong(std::string(name) + " needs a number" + unit + " from 1 to " +
                 std::to_string(most));
  result = n;
  return 0;
}

int Parser::positive(const char *name, std::string_view value, double &result) {
  result = parseNumber(value).value_or(0);
  if (result > 0 && result < 1e6)
    return 0;
  return wrong(name + std::string(" needs a number above 0"));
}

int Parser::duration(const char *name, std::string_view value, double &seconds) {
  seconds = parseSeconds(value).value_or(0);
  return seconds > 0 ? 0 : wrong(name + std::string(" needs a time like 5ms (us, ms or s)"));
}

int Parser::size(const char *name, std::string_view value, uint64_t &bytes) {
  bytes = parseBytes(value).value_or(0);
  return bytes ? 0 : wrong(name + std::string(" needs a size like 512M or 2G (K, M, G or bytes)"));
}

int Parser::elastic(const char *name, std::string_view value) {
  options.elastic = value;
  options.elasticFrom = name;
  return value.empty()
             ? wrong(name + std::string(" needs off or the name of a policy:\n") + policyHelp(""))
             : 0;
}

int Parser::queues(const char *name, std::string_view value) {
  options.queues = value;
  options.queuesFrom = name;
  return value.empty() ? wrong(name + std::string(" needs all, none or names of operators")) : 0;
}

int Parser::clock(std::string_view value) {
  const std::pair<std::string_view, ClockKind> kinds[] = {
      {"real", ClockKind::Real}, {"virtual", ClockKind::Virtual}, {"jumping", ClockKind::Jumping}};
  for (auto [name, kind] : kinds)
    if (value == name) {
      options.clock = kind;
      return 0;
    }
  return wrong("--clock needs real, virtual or jumping");
}

/// A constant, `NAME=VALUE`. Only the policy knows whether there is one of that name.
int Parser::constant(std::string_view given) {
  if (given == "help") {
    constantsAsked = true;
    return 0;
  }
  size_t equals = given.find('=');
  auto value =
      equals == given.npos || equals == 0 ? std::nullopt : parseNumber(given.substr(equals + 1));
  if (!value)
    return wrong("--elastic-option needs NAME=NUMBER, not '" + std::string(given) + "'");
  options.elasticOptions.emplace_back(given.substr(0, equals), *value);
  return 0;
}

int Parser::elasticOption(std::string_view arg, bool &known) {
  std::string_view value;
  known = true;
  if (argument(arg, "--elastic", value))
    return elastic("--elastic", value);
  if (argument(arg, "--elastic-option", value))
    return constant(value);
  if (argument(arg, "--latency", value))
    return duration("--latency", value, options.latency);
  if (argument(arg, "--cpus", value))
    return positive("--cpus", value, options.cpus);
  if (argument(arg, "--trace", value)) {
    options.traceFile = value;
    return value.empty() ? wrong("--trace needs a file") : 0;
  }
  known = false;
  return 0;
}

/// Options of programs of several processes.
int Parser::jobOption(std::string_view arg, bool &known) {
  std::string_view value;
  known = true;
  if (argument(arg, "--pes", value))
    return number("--pes", value, 10000, options.pes);
  if (argument(arg, "--pe", value)) {
    auto n = parseNumber(value);
    if (!n || *n < 0 || *n > 10000 || *n != int32_t(*n))
      return wrong("--pe needs the number of a PE: 0, 1, ...");
    options.pe = int32_t(*n);
    return 0;
  }
  if (argument(arg, "--job", value)) {
    options.jobFile = value;
    return value.empty() ? wrong("--job needs a file") : 0;
  }
  if (argument(arg, "--restart", value))
    return number("--restart", value, 1'000'000, options.restart);
  if (argument(arg, "--exchange", value)) {
    options.exchange = value == "on";
    return options.exchange || value == "off" ? 0 : wrong("--exchange needs on or off");
  }
  if (argument(arg, "--new-job", value)) {
    options.newJob = value;
    return value.empty() ? wrong("--new-job needs hosts: HOST,...") : 0;
  }
  std::string problem;
  if (argument(arg, "--receive", value))
    problem = setReceive(options.links, value);
  else if (argument(arg, "--transport", value))
    problem = setTransport(options.links, value);
  else if (argument(arg, "--delivery", value))
    problem = setDelivery(options.links, value);
  else if (argument(arg, "--transport-option", value))
    problem = setTransportOption(options.links, value);
  else
    known = false;
  return problem.empty() ? 0 : wrong(problem);
}

int Parser::jobConflicts() {
  if (std::string problem = contradiction(options.links); !problem.empty())
    return wrong(problem);
  if (options.pe >= 0 && options.jobFile.empty())
    return wrong("--pe needs --job=FILE, which says where the other PEs are; `sluice job` writes "
                 "one");
  if (options.pe >= 0 && options.restart)
    return wrong("--restart is for who starts the PEs: what started this one is to do that");
  if (options.links.acknowledges && options.pe >= 0)
    return wrong("--delivery=at-least-once is for who starts the PEs, and not with --pe: nobody "
                 "would start this one again");
  if (options.links.acknowledges && !options.restart)
    return wrong("--delivery=at-least-once needs --restart=N: without it nothing is sent again, as "
                 "a job ends when one of its PEs dies");
  if (options.pe < 0 && !options.jobFile.empty() && options.newJob.empty())
    return wrong("--job needs --pe=K: which PE this is");
  return 0;
}

/// Reads the environment, before the command line.
int Parser::environment() {
  auto get = [](const char *name) {
    const char *value = getenv(name);
    return std::string_view(value ? value : "");
  };
  int code = 0;
  if (std::string_view value = get("SLUICE_ELASTIC"); !value.empty())
    code = elastic("SLUICE_ELASTIC", value);
  if (std::string_view value = get("SLUICE_THREADS"); !code && !value.empty())
    code = number("SLUICE_THREADS", value, 1024, options.threads);
  if (std::string_view value = get("SLUICE_QUEUES"); !code && !value.empty())
    code = queues("SLUICE_QUEUES", value);
  return code;
}

/// Checks what does not go together. The command line wins over the environment.
int Parser::conflicts() {
  auto given = [](const char *from) { return from[0] == '-'; };
  bool virtualTime = options.clock != ClockKind::Real;
  std::string called = virtualTime ? "--clock=virtual" : "--deterministic";
  options.deterministic |= virtualTime; // time is the baton's (source/Baton.h)
  if (options.deterministic && !options.seed)
    options.seed = 1;
  if (options.saveEvery && !options.deterministic)
    return wrong("--save-every needs --deterministic");
  std::string fixed = options.deterministic ? called : options.chaos ? "--chaos" : "";
  if (options.deterministic && options.queues != "none") {
    if (given(options.queuesFrom))
      return wrong(called + " runs everything by calls: it has no --queues");
    options.queues = "none";
  }
  if (options.deterministic && !options.width.empty())
    return wrong(called + " runs everything by calls: it has no --width");
  if (options.deterministic && threadsGiven)
    return wrong(called + " runs everything on one thread: it has no --threads");
  bool byHand = !options.elasticFrom && (options.queuesFrom || !options.width.empty());
  if ((!fixed.empty() || byHand) && options.elastic != "off") {
    if (options.elasticFrom && given(options.elasticFrom))
      return wrong(fixed + " and --elastic=" + options.elastic + " do not go together");
    options.elastic = "off";
  }
  if (options.elastic != "off")
    return 0;
  const char *useless = !options.elasticOptions.empty() ? "--elastic-option"
                        : options.latency > 0           ? "--latency"
                        : options.cpus > 0              ? "--cpus"
                                                        : nullptr;
  return useless ? wrong(std::string(useless) + " needs a policy: --elastic=NAME, one of:\n" +
                         policyHelp(""))
                 : 0;
}

int Parser::option(std::string_view arg) {
  std::string_view value;
  bool known = false;
  if (int code = elasticOption(arg, known); known)
    return code;
  if (int code = jobOption(arg, known); known)
    return code;
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
    return value.empty() ? wrong("--metrics-json needs a file") : 0;
  }
  if (argument(arg, "--data-dir", value)) {
    options.dataDir = value;
    return value.empty() ? wrong("--data-dir needs a directory") : 0;
  }
  if (argument(arg, "--clock", value))
    return clock(value);
  if (argument(arg, "--float-text", value)) {
    std::optional<FloatText> text = floatTextOf(value);
    options.floatText = text.value_or(FloatText::Spl);
    return text ? 0 : wrong("--float-text needs spl or shortest");
  }
  if (argument(arg, "--queues", value))
    return queues("--queues", value);
  if (argument(arg, "--width", value)) {
    options.width = value;
    return value.empty() ? wrong("--width needs a number or OPERATOR=NUMBER,...") : 0;
  }
  if (argument(arg, "--profiler", value)) {
    options.sampling = value == "sampling";
    return options.sampling || value == "cycles" ? 0 : wrong("--profiler needs cycles or sampling");
  }
  if (argument(arg, "--batch-rows", value))
    return number("--batch-rows", value, kBatchRows, options.batchRows);
  if (argument(arg, "--threads", value)) {
    threadsGiven = true;
    return number("--threads", value, 1024, options.threads);
  }
  if (argument(arg, "--seed", value))
    return number("--seed", value, UINT32_MAX, options.seed);
  if (argument(arg, "--memory", value))
    return number("--memory", value, 1 << 20, options.memory, " of MiB");
  if (argument(arg, "--memory-limit", value))
    return size("--memory-limit", value, options.memoryLimit);
  if (argument(arg, "--stop-timeout", value)) {
    options.stopTimeout = 0;
    return value == "0" || value == "off" ? 0
                                          : duration("--stop-timeout", value, options.stopTimeout);
  }
  if (argument(arg, "--chaos", value))
    return number("--chaos", value, 1'000'000, options.chaos);
  if (argument(arg, "--save-every", value))
    return number("--save-every", value, 1'000'000, options.saveEvery);
  if (argument(arg, "--trace-level", value)) {
    const char *names[] = {"off", "error", "warn", "info", "debug", "trace"};
    for (int i = 0; i < 6; ++i)
      if (value == names[i] || value == std::to_string(i)) {
        options.traceLevel = i;
        return 0;
      }
    return wrong("--trace-level needs off, error, warn, info, debug or trace");
  }
  std::string_view name = arg.substr(0, arg.find('='));
  for (const RunOptionInfo &o : runOptionTable())
    if (o.argument && arg == o.name)
      return wrong("option " + std::string(arg) + " needs a value");
    else if ("-" + std::string(name) == o.name)
      return wrong("unknown option " + std::string(name) + " (did you mean " + o.name + "?)");
    else if (!o.argument && name == o.name && name != arg)
      return wrong("option " + std::string(name) + " takes no value");
  if (const char *near = nearOption(name))
    return wrong("unknown option " + std::string(name) + " (did you mean " + near + "?)");
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
  if (constantsAsked) {
    printf("%s\n", policyHelp(options.elastic).c_str());
    return std::nullopt; // exitCode is 0
  }
  exitCode = conflicts();
  if (!exitCode)
    exitCode = jobConflicts();
  if (!exitCode)
    exitCode = defaults();
  if (exitCode)
    return std::nullopt;
  return std::move(options);
}

std::optional<RunOptions> parseOptions(const ProgramDesc &desc, int argc, char **argv,
                                       int &exitCode) {
  return Parser(desc, argc, argv).parse(exitCode);
}

} // namespace sluice
