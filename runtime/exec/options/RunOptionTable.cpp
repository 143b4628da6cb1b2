//===- RunOptionTable.cpp - the options of a run --------------------------===//
//
// All that is known of an option stands in its row. The order is that of --help.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/options/RunOptionTable.h"
#include "runtime/base/Quantity.h"
#include "runtime/exec/options/PolicyHelp.h"
#include "runtime/exec/options/RunOptions.h"
#include <charconv>
#include <utility>

namespace sluice {

//===--- values -------------------------------------------------------------------===//

static Setting text(std::string_view value, const char *what, std::string &to) {
  to = value;
  return value.empty() ? Setting(std::string(" needs ") + what) : true;
}

/// The name of a directory has no slash at its end, so that paths in it are the same however it was
/// given.
static Setting directory(std::string_view value, std::string &to) {
  while (value.size() > 1 && value.ends_with('/'))
    value.remove_suffix(1);
  return text(value, "a directory", to);
}

static Setting number(std::string_view value, uint32_t most, uint32_t &to, const char *unit = "") {
  uint32_t n = 0;
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error != std::errc() || end != value.data() + value.size() || n == 0 || n > most)
    return std::string(" needs a number") + unit + " from 1 to " + std::to_string(most);
  to = n;
  return true;
}

static Setting duration(std::string_view value, double &seconds) {
  seconds = parseSeconds(value).value_or(0);
  return seconds > 0 ? Setting(true) : " needs a time like 5ms (us, ms or s)";
}

/// A part of something, as `5%`.
static Setting share(std::string_view value, double &to) {
  auto percent =
      value.ends_with('%') ? parseNumber(value.substr(0, value.size() - 1)) : std::nullopt;
  to = percent.value_or(0) / 100;
  return to > 0 && to <= 1 ? Setting(true) : " needs a part like 5%, of 100% at most";
}

static Setting cpus(RunOptions &options, std::string_view value) {
  options.cpus = parseNumber(value).value_or(0);
  return options.cpus > 0 && options.cpus < 1e6 ? Setting(true) : " needs a number above 0";
}

static Setting memoryLimit(RunOptions &options, std::string_view value) {
  options.memoryLimit = parseBytes(value).value_or(0);
  return options.memoryLimit ? Setting(true) : " needs a size like 512M or 2G (K, M, G or bytes)";
}

static Setting elastic(RunOptions &options, std::string_view value) {
  options.elastic = value;
  options.elasticFrom = "--elastic";
  return value.empty() ? Setting(" needs off or the name of a policy:\n" + policyHelp("")) : true;
}

/// A constant, `NAME=VALUE`. Only the policy knows whether there is one of that name.
static Setting constant(RunOptions &options, std::string_view given) {
  if (given == "help")
    return options.constantsAsked = true;
  size_t equals = given.find('=');
  auto value =
      equals == given.npos || equals == 0 ? std::nullopt : parseNumber(given.substr(equals + 1));
  if (!value)
    return " needs NAME=NUMBER, not '" + std::string(given) + "'";
  options.elasticOptions.emplace_back(given.substr(0, equals), *value);
  return true;
}

static Setting clock(RunOptions &options, std::string_view value) {
  const std::pair<std::string_view, ClockKind> kinds[] = {
      {"real", ClockKind::Real}, {"virtual", ClockKind::Virtual}, {"jumping", ClockKind::Jumping}};
  for (auto [name, kind] : kinds)
    if (value == name) {
      options.clock = kind;
      return true;
    }
  return " needs real, virtual or jumping";
}

static Setting traceLevel(RunOptions &options, std::string_view value) {
  const char *names[] = {"off", "error", "warn", "info", "debug", "trace"};
  for (int i = 0; i < 6; ++i)
    if (value == names[i] || value == std::to_string(i)) {
      options.traceLevel = i;
      return true;
    }
  return " needs off, error, warn, info, debug or trace";
}

static Setting pe(RunOptions &options, std::string_view value) {
  auto n = parseNumber(value);
  if (!n || *n < 0 || *n > 10000 || *n != int32_t(*n))
    return " needs the number of a PE: 0, 1, ...";
  options.pe = int32_t(*n);
  return true;
}

/// Names with commas between them.
static Setting names(std::vector<std::string> &to, std::string_view value, const char *wrong) {
  for (size_t at = 0; at < value.size();) {
    size_t comma = std::min(value.find(',', at), value.size());
    to.emplace_back(value.substr(at, comma - at));
    at = comma + 1;
  }
  return to.empty() ? Setting(wrong) : Setting(true);
}

/// PORT, or ADDRESS:PORT.
static bool isEndpoint(std::string_view value) {
  size_t colon = value.rfind(':');
  std::string_view port = colon == value.npos ? value : value.substr(colon + 1);
  uint32_t n = 0;
  auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), n);
  return error == std::errc() && end == port.data() + port.size() && n <= 65535 && colon != 0;
}

static Setting console(RunOptions &options, std::string_view value) {
  options.console = value;
  return value.empty() || isEndpoint(value) ? Setting(true) : " needs PORT or ADDRESS:PORT";
}

static Setting consoleAllow(RunOptions &options, std::string_view value) {
  std::vector<std::string> words;
  names(words, value, "");
  for (const std::string &word : words) {
    options.consolePauses |= word == "pause";
    options.consoleTaps |= word == "tap";
    if (word != "pause" && word != "tap")
      return " knows no '" + word + "': it needs pause, tap or both, pause,tap";
  }
  return words.empty() ? Setting(" needs pause, tap or both, pause,tap") : Setting(true);
}

//===--- the table ----------------------------------------------------------------===//

std::span<const RunOption> runOptionTable() {
  constexpr uint32_t kPrograms = uint32_t(RunBy::Program),
                     kEverywhere = kPrograms | uint32_t(RunBy::Driver);
  static const std::vector<RunOption> table = {
      {"--data-dir", "DIR", kEverywhere,
       "where relative file names start (default: data/ of the application; of an "
       "executable: data/ of where it is started)",
       [](RunOptions &o, std::string_view v) { return text(v, "a directory", o.dataDir); }},
      {"--float-text", "spl|shortest", kEverywhere,
       "floats in text: spl (default), 15 digits, of a float32 6; shortest: so many as "
       "it takes to read the same number back",
       [](RunOptions &o, std::string_view v) -> Setting {
         std::optional<FloatText> text = floatTextOf(v);
         o.floatText = text.value_or(FloatText::Spl);
         return text ? Setting(true) : " needs spl or shortest";
       }},
      {"--deterministic", nullptr, kEverywhere,
       "one tuple at a time, depth first, sources in turn: the reference",
       [](RunOptions &o, std::string_view) { return o.deterministic = true; }},
      {"--clock", "real|virtual|jumping", kEverywhere,
       "real (default); virtual: time stands still while anything runs, and jumps "
       "to the next wake-up when all wait, so that results are always the same (implies "
       "--deterministic); jumping: like that, with a wall clock that jumps (tests)",
       clock},
      {"--seed", "N", kEverywhere,
       "where random() begins (default: each run elsewhere; with --deterministic 1)",
       [](RunOptions &o, std::string_view v) { return number(v, UINT32_MAX, o.seed); }},
      {"--threads", "N", kEverywhere,
       "how many workers run what is queued (default: one a hardware thread, and one "
       "for each domain that may wait)",
       [](RunOptions &o, std::string_view v) {
         o.threadsFrom = "--threads";
         return number(v, 1024, o.threads);
       }},
      {"--queues", "all|none|OPERATOR,...", kEverywhere,
       "ports that start as queues (default: none); OPERATOR:PORT means one port of "
       "several; a policy (--elastic) may change them",
       [](RunOptions &o, std::string_view v) {
         o.queuesFrom = "--queues";
         return text(v, "all, none or names of operators", o.queues);
       }},
      {"--width", "N", kEverywhere,
       "how many workers may run a queued port at once, if it keeps no state, or state "
       "by key, and does nothing outside; or OPERATOR=N,... (default: 1; at most 64)",
       [](RunOptions &o, std::string_view v) {
         return text(v, "a number or OPERATOR=NUMBER,...", o.width);
       }},
      {"--elastic", "model|paper|threads|off", kEverywhere,
       "the policy that decides while it runs where queues are and how many workers run "
       "(--threads: at most) (default: model, with --queues or --width off); SIGUSR1 "
       "pauses that, SIGUSR2 resumes it",
       elastic},
      {"--elastic-option", "NAME=VALUE", kEverywhere, "a constant of the policy; help: shows them",
       constant},
      {"--latency", "TIME", kEverywhere,
       "what the policy is to keep below, like 5ms (of some policies)",
       [](RunOptions &o, std::string_view v) { return duration(v, o.latency); }},
      {"--cpus", "N", kEverywhere, "how many processors it may use, like 1.5 (of some policies)",
       cpus},
      {"--trace", "FILE", kEverywhere, "write what the policy saw and decided to FILE",
       [](RunOptions &o, std::string_view v) { return text(v, "a file", o.traceFile); }},
      {"--memory", "MIB", kEverywhere, "what all queues may hold together (default: 1024)",
       [](RunOptions &o, std::string_view v) { return number(v, 1 << 20, o.memory, " of MiB"); }},
      {"--memory-limit", "SIZE", kEverywhere,
       "what state, temporary values and tuples may take together, like 512M or 2G "
       "(default: 7/8 of what the machine or the control group has): the program ends "
       "with an error instead of taking more",
       memoryLimit},
      {"--stop-timeout", "TIME|off", kEverywhere,
       "how long an operator may compute, once the program was told to end, while "
       "nothing else moves: then the program ends without it, with an error (default: "
       "5s)",
       [](RunOptions &o, std::string_view v) {
         o.stopTimeout = 0;
         return v == "0" || v == "off" ? Setting(true) : duration(v, o.stopTimeout);
       }},
      {"--checkpoint", "DIR", kEverywhere,
       "keep in DIR what the program remembers, so that it can go on after it has died or was "
       "stopped (--resume)",
       [](RunOptions &o, std::string_view v) { return directory(v, o.checkpoints.directory); }},
      {"--checkpoint-every", "TIME", kEverywhere,
       "how long after one checkpoint the next one is made, like 10s or 200ms (default: the "
       "shortest period of @consistent, or 1s)",
       [](RunOptions &o, std::string_view v) {
         return duration(v, o.checkpoints.every.emplace());
       }},
      {"--checkpoint-budget", "PERCENT", kEverywhere,
       "how much of the program's time checkpoints may cost: the next one waits until the last one "
       "has cost no more than that part of the time since (default: 5% where the period is the "
       "default, else 100%, which is no limit)",
       [](RunOptions &o, std::string_view v) { return share(v, o.checkpoints.budget.emplace()); }},
      {"--checkpoint-keep", "N", kEverywhere, "how many checkpoints are kept (default: 2)",
       [](RunOptions &o, std::string_view v) { return number(v, 1'000'000, o.checkpoints.keep); }},
      {"--resume", nullptr, kEverywhere,
       "go on from the last checkpoint in DIR; begin anew if there is none",
       [](RunOptions &o, std::string_view) { return o.checkpoints.resumes = true; }},
      {"--resume-from", "N", kEverywhere, "go on from checkpoint number N",
       [](RunOptions &o, std::string_view v) {
         o.checkpoints.resumes = true;
         return number(v, UINT32_MAX, o.checkpoints.from);
       }},
      {"--resume-drop", "OPERATOR[.VARIABLE],...", kEverywhere,
       "let go of the state of these, which a changed program has no place for",
       [](RunOptions &o, std::string_view v) {
         return names(o.checkpoints.drops, v, " needs OPERATOR or OPERATOR.VARIABLE");
       }},
      {"--spool", "OPERATOR,...", kEverywhere,
       "write what these sources bring, which cannot bring it again, to logs in the directory of "
       "--checkpoint, so that --resume goes on with it",
       [](RunOptions &o, std::string_view v) {
         return names(o.checkpoints.spools, v, " needs the name of a source");
       }},
      {"--checkpoint-blocks", "SIZE", kEverywhere,
       "how large a set or map is of which checkpoints write what has changed (for tests; default: "
       "1M)",
       [](RunOptions &o, std::string_view v) {
         o.checkpoints.blocksFrom = parseBytes(v).value_or(0);
         return o.checkpoints.blocksFrom ? Setting(true) : " needs a size like 64K";
       }},
      {"--checkpoint-stop", "N", kEverywhere,
       "end with a checkpoint at the Nth place at which a source can be saved (for tests)",
       [](RunOptions &o, std::string_view v) {
         return number(v, UINT32_MAX, o.checkpoints.stopAt);
       }},
      {"--batch-rows", "N", kEverywhere, "rows of a batch at most (for tests)",
       [](RunOptions &o, std::string_view v) { return number(v, kBatchRows, o.batchRows); }},
      {"--chaos", "SEED", kEverywhere, "switch queues and workers at random (for tests)",
       [](RunOptions &o, std::string_view v) { return number(v, 1'000'000, o.chaos); }},
      {"--save-every", "N", kEverywhere,
       "save, clear and restore the state of an operator before each Nth batch that it "
       "gets, with --deterministic (for tests)",
       [](RunOptions &o, std::string_view v) { return number(v, 1'000'000, o.saveEvery); }},
      {"--stats", nullptr, kEverywhere,
       "show at the end what each operator did, on standard error; on a terminal also "
       "while it runs",
       [](RunOptions &o, std::string_view) { return o.stats = true; }},
      {"--profiler", "cycles|sampling", kEverywhere,
       "where times come from: cycles (default), of batches; sampling, by looking at "
       "each thread 100 times a second",
       [](RunOptions &o, std::string_view v) -> Setting {
         o.sampling = v == "sampling";
         return o.sampling || v == "cycles" ? Setting(true) : " needs cycles or sampling";
       }},
      {"--metrics-json", "FILE", kEverywhere, "write that to FILE, as JSON",
       [](RunOptions &o, std::string_view v) { return text(v, "a file", o.metricsFile); }},
      {"--console", "[=ADDRESS:PORT]", kEverywhere,
       "show the running program in a browser: prints the address of a page (default: a free port "
       "of this machine; =PORT and =ADDRESS:PORT choose)",
       console},
      {"--console-allow", "pause,tap", kEverywhere,
       "what the page may do beside looking: pause the adaptation, show tuples (tap)",
       consoleAllow},
      {"--console-hides", "NAME,...", kEverywhere, "attributes whose values the page never shows",
       [](RunOptions &o, std::string_view v) {
         return names(o.consoleHides, v, " needs names of attributes: NAME,...");
       }},
      {"--console-token", "FILE", kEverywhere,
       "the file of the console's token, that only you can read (default: it makes a token, which "
       "is in the address that it prints)",
       [](RunOptions &o, std::string_view v) { return text(v, "a file", o.consoleToken); }},
      {"--console-host", "NAME", kEverywhere,
       "the name of the host by which a proxy reaches the console",
       [](RunOptions &o, std::string_view v) { return text(v, "a name", o.consoleHost); }},
      {"--metrics", "PORT|ADDRESS:PORT", kEverywhere,
       "serve the counters to Prometheus, at /metrics",
       [](RunOptions &o, std::string_view v) {
         o.metricsAt = v;
         return isEndpoint(v) ? Setting(true) : " needs PORT or ADDRESS:PORT";
       }},
      {"--trace-level", "off|error|warn|info|debug|trace", kEverywhere,
       "the messages of appTrc, appLog and log, and warnings, that are shown (default: "
       "error); each level shows those before it as well",
       traceLevel},
      {"--pe", "K", kEverywhere,
       "run PE number K (0, 1, ...) of a program of several processes; --job says where "
       "the others are",
       pe},
      {"--job", "FILE", kEverywhere, "where the PEs are: a file like job.toml of `sluice job`",
       [](RunOptions &o, std::string_view v) { return text(v, "a file", o.jobFile); }},
      {"--new-job", "HOST,...", kEverywhere,
       "write such a file, with the PEs on these hosts in turn, to the file of --job or "
       "the standard output, and stop",
       [](RunOptions &o, std::string_view v) { return text(v, "hosts: HOST,...", o.newJob); }},
      {"--hosted", nullptr, kPrograms,
       "run one PE for the process that has started this one, which says which over the standard "
       "input and carries tuples and checkpoints (runtime/remote/host/README.md)",
       [](RunOptions &o, std::string_view) {
         o.links.credits = {.ring = 32, .grant = 8, .window = 10, .low = 5};
         return o.isHosted = true;
       }},
      {"--print-job", nullptr, kPrograms,
       "describe the PEs of the program and their links as JSON (docs/cluster.md), and stop",
       [](RunOptions &o, std::string_view) { return o.printsJob = true; }},
      {"--restart", "N", kEverywhere,
       "start a PE again that has died or failed, up to N times each; the state of "
       "its operators is lost, and tuples on their way (default: the program ends). With "
       "--checkpoint: go on from the last checkpoint, up to N times, when a process has died",
       [](RunOptions &o, std::string_view v) { return number(v, 1'000'000, o.restart); }},
      {"--delivery", "at-most-once|at-least-once", kEverywhere,
       "what becomes of tuples when a PE dies: at-most-once (default): those that were "
       "in it or on their way are lost; at-least-once, with --restart: they are sent "
       "again, so none is lost, and some may come twice",
       [](RunOptions &o, std::string_view v) { return setDelivery(o.links, v); }},
      {"--receive", "auto|poll|interrupt|sleep|sleep=TIME", kEverywhere,
       "what a PE does while it waits for tuples of another one (default: auto, which "
       "follows the rate)",
       [](RunOptions &o, std::string_view v) { return setReceive(o.links, v); }},
      {"--transport", "auto|shm|socket|ucx", kEverywhere,
       "what tuples go over between PEs (default: auto, shared memory on one host, sockets "
       "between hosts, UCX where they have RDMA)",
       [](RunOptions &o, std::string_view v) { return setTransport(o.links, v); }},
      {"--transport-option", "NAME=VALUE", kEverywhere,
       "checksum=on|off of frames; or a number of batches: ring (buffers of a "
       "receiver), grant (how many it frees until it says so), window and low (what a "
       "sender has on its way), unacknowledged (what it keeps with at-least-once); the "
       "same for all PEs",
       [](RunOptions &o, std::string_view v) { return setTransportOption(o.links, v); }},
      {"--exchange", "on|off", kEverywhere,
       "off: what Export takes is dropped, and nothing comes from Import, which ends "
       "with the other sources (default: on)",
       [](RunOptions &o, std::string_view v) -> Setting {
         o.exchange = v == "on";
         return o.exchange || v == "off" ? Setting(true) : " needs on or off";
       }},
      {"--allow-listen", nullptr, kEverywhere,
       "what listens may be reached by others: operators (TCPSource, UDPSource, web servers), at "
       "all addresses or at the one that a parameter names; --console and --metrics, at the "
       "address that they are given. Without it only programs of this machine reach them",
       [](RunOptions &o, std::string_view) { return o.mayListen = true; }},
      {"--list-values", nullptr, kEverywhere,
       "show the submission-time values of the program and stop",
       [](RunOptions &, std::string_view) { return true; }},
      {"--pes", "N", kPrograms, "fails if the program was not built to run as N processes",
       [](RunOptions &o, std::string_view v) { return number(v, 10000, o.pes); }},
  };
  return table;
}

} // namespace sluice
