//===- RunOptions.cpp - options of running programs -----------------------===//
#include "tools/driver/OptionTable.h"

using namespace sluice::driver;
using llvm::StringRef;

llvm::ArrayRef<OptionInfo> sluice::driver::runOptions() {
  static const OptionInfo table[] = {
      {"--data-dir", "DIR", bit(Command::Run),
       "where relative file names start (default: data/ of the application; of an executable: "
       "data/ of where it is started)",
       nullptr},
      {"--seed", "N", bit(Command::Run),
       "where random() begins (default: each run elsewhere; with --deterministic 1)", nullptr},
      {"--threads", "N", bit(Command::Run),
       "how many workers run what is queued (default: one a hardware thread)", nullptr},
      {"--queues", "WHICH", bit(Command::Run),
       "all, none (default) or OPERATOR,...: ports that start as queues; a policy (--elastic) may "
       "change them",
       nullptr},
      {"--width", "N", bit(Command::Run),
       "how many workers may run a queued port at once, if it keeps no state, or state by key; or "
       "OPERATOR=N,...",
       nullptr},
      {"--elastic", "POLICY", bit(Command::Run),
       "who decides where queues are and how many workers run, or off (default: model)", nullptr},
      {"--elastic-option", "NAME=VALUE", bit(Command::Run),
       "a constant of the policy; help: shows them", nullptr},
      {"--latency", "TIME", bit(Command::Run),
       "what the policy is to keep below, like 5ms (of some policies)", nullptr},
      {"--cpus", "N", bit(Command::Run),
       "how many processors it may use, like 1.5 (of some policies)", nullptr},
      {"--trace", "FILE", bit(Command::Run), "write what the policy saw and decided to FILE",
       nullptr},
      {"--memory", "MIB", bit(Command::Run), "what all queues may hold together (default 1024)",
       nullptr},
      {"--memory-limit", "SIZE", bit(Command::Run),
       "what state, temporary values and tuples may take together, like 2G (default 7/8 of all)",
       nullptr},
      {"--chaos", "SEED", bit(Command::Run), "switch queues and workers at random (for tests)",
       nullptr},
      {"--save-every", "N", bit(Command::Run),
       "save, clear and restore state before each Nth batch, with --deterministic (for tests)",
       nullptr},
      {"--batch-rows", "N", bit(Command::Run), "rows of a batch at most (for tests)", nullptr},
      {"--deterministic", nullptr, bit(Command::Run),
       "one tuple at a time, depth first: the reference", nullptr},
      {"--clock", "WHICH", bit(Command::Run),
       "real (default); or virtual: waits take no time, and results are always the same (implies "
       "--deterministic)",
       nullptr},
      {"--stats", nullptr, bit(Command::Run),
       "show at the end what each operator did, on standard error; on a terminal also while it "
       "runs",
       nullptr},
      {"--profiler", "WHICH", bit(Command::Run),
       "where times come from: cycles (default) or sampling", nullptr},
      {"--metrics-json", "FILE", bit(Command::Run), "write that to FILE, as JSON", nullptr},
      {"--trace-level", "LEVEL", bit(Command::Run),
       "the messages of appTrc, appLog and log, and warnings, that are shown: off, error "
       "(default), warn, info, debug or trace; each shows those before it as well",
       nullptr},
      {"--list-values", nullptr, bit(Command::Run),
       "show the submission-time values of the program and stop",
       [](DriverOptions &o, StringRef) {
         o.programArgs.push_back("--list-values");
         return true;
       }},
  };
  return table;
}
