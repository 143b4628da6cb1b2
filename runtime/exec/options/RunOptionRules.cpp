//===- RunOptionRules.cpp - what options of a run say together ------------===//
#include "runtime/exec/options/RunOptionRules.h"
#include "runtime/exec/options/PolicyHelp.h"

namespace sluice {

/// Whether the command line said it, not the environment.
static bool isOption(const char *from) { return from && from[0] == '-'; }

/// What makes everything run by calls; empty: nothing does.
static std::string callsOnly(const RunOptions &o) {
  return o.clock != ClockKind::Real ? "--clock=virtual" : o.deterministic ? "--deterministic" : "";
}

/// What leaves nothing to a policy; empty: nothing does.
static std::string fixedBy(const RunOptions &o) {
  std::string calls = callsOnly(o);
  return calls.empty() && o.chaos ? "--chaos" : calls;
}

void settle(RunOptions &o) {
  o.deterministic |= o.clock != ClockKind::Real; // time is the baton's (source/Baton.h)
  if (o.deterministic && !o.seed)
    o.seed = 1;
  if (o.deterministic && !isOption(o.queuesFrom))
    o.queues = "none";
  bool byHand = !o.elasticFrom && (o.queuesFrom || !o.width.empty());
  if ((!fixedBy(o).empty() || byHand) && !isOption(o.elasticFrom))
    o.elastic = "off";
}

using Rule = OptionRule<RunOptions>;

std::span<const Rule> runOptionRules() {
  static constexpr Rule rules[] = {
      [](const RunOptions &o) -> std::string {
        return o.saveEvery && !o.deterministic ? "--save-every needs --deterministic" : "";
      },
      [](const RunOptions &o) -> std::string {
        const CheckpointOptions &c = o.checkpoints, none;
        const char *useless = c.makes()               ? nullptr
                              : c.resumes             ? "--resume"
                              : !c.drops.empty()      ? "--resume-drop"
                              : !c.spools.empty()     ? "--spool"
                              : c.every != none.every ? "--checkpoint-every"
                              : c.budget              ? "--checkpoint-budget"
                              : c.keep != none.keep   ? "--checkpoint-keep"
                              : c.stopAt              ? "--checkpoint-stop"
                                                      : nullptr;
        return useless ? std::string(useless) + " needs --checkpoint=DIR" : "";
      },
      [](const RunOptions &o) -> std::string {
        return !o.checkpoints.drops.empty() && !o.checkpoints.resumes
                   ? "--resume-drop needs --resume"
                   : "";
      },
      [](const RunOptions &o) -> std::string {
        return o.checkpoints.makes() && o.pe >= 0
                   ? "--checkpoint is not supported yet with --pe: only a job whose PEs are "
                     "started together, without a job file, makes checkpoints"
                   : "";
      },
      [](const RunOptions &o) -> std::string {
        const char *useless = !o.isHosted             ? nullptr
                              : o.checkpoints.makes() ? "--checkpoint"
                              : o.pe >= 0             ? "--pe"
                              : o.restart             ? "--restart"
                              : o.links.acknowledges  ? "--delivery"
                                                      : nullptr;
        return useless ? std::string(useless) + " and --hosted do not go together: that is for the "
                                                "host to say"
                       : "";
      },
      [](const RunOptions &o) -> std::string {
        return o.deterministic && o.queues != "none"
                   ? callsOnly(o) + " runs everything by calls: it has no --queues"
                   : "";
      },
      [](const RunOptions &o) -> std::string {
        return o.deterministic && !o.width.empty()
                   ? callsOnly(o) + " runs everything by calls: it has no --width"
                   : "";
      },
      [](const RunOptions &o) -> std::string {
        return o.deterministic && isOption(o.threadsFrom)
                   ? callsOnly(o) + " runs everything on one thread: it has no --threads"
                   : "";
      },
      [](const RunOptions &o) -> std::string {
        std::string fixed = fixedBy(o);
        return !fixed.empty() && o.elastic != "off"
                   ? fixed + " and --elastic=" + o.elastic + " do not go together"
                   : "";
      },
      [](const RunOptions &o) -> std::string {
        const char *useless = o.elastic != "off"          ? nullptr
                              : !o.elasticOptions.empty() ? "--elastic-option"
                              : o.latency > 0             ? "--latency"
                              : o.cpus > 0                ? "--cpus"
                                                          : nullptr;
        return useless ? std::string(useless) + " needs a policy: --elastic=NAME, one of:\n" +
                             policyHelp("")
                       : "";
      },
      [](const RunOptions &o) { return contradiction(o.links); },
      [](const RunOptions &o) -> std::string {
        const char *given = o.consolePauses || o.consoleTaps ? "--console-allow"
                            : !o.consoleToken.empty()        ? "--console-token"
                            : !o.consoleHost.empty()         ? "--console-host"
                                                             : nullptr;
        return given && !o.console ? std::string(given) + " needs --console" : "";
      },
      [](const RunOptions &o) -> std::string {
        return !o.consoleHides.empty() && !o.consoleTaps
                   ? "--console-hides needs --console-allow=tap: no tuples are shown without it"
                   : "";
      },
      [](const RunOptions &o) -> std::string {
        return o.consoleTaps && o.sampling ? "--console-allow=tap needs --profiler=cycles: tuples "
                                             "are looked at where batches are timed"
                                           : "";
      },
      [](const RunOptions &o) -> std::string {
        return o.pe >= 0 && o.jobFile.empty()
                   ? "--pe needs --job=FILE, which says where the other PEs are; `sluice job` "
                     "writes one"
                   : "";
      },
      [](const RunOptions &o) -> std::string {
        return o.pe >= 0 && o.restart
                   ? "--restart is for who starts the PEs: what started this one is to do that"
                   : "";
      },
      [](const RunOptions &o) -> std::string {
        return o.links.acknowledges && o.pe >= 0 ? "--delivery=at-least-once is for who starts the "
                                                   "PEs, and not with --pe: nobody "
                                                   "would start this one again"
                                                 : "";
      },
      [](const RunOptions &o) -> std::string {
        return o.links.acknowledges && !o.restart
                   ? "--delivery=at-least-once needs --restart=N: without it nothing is sent "
                     "again, as a job ends when one of its PEs dies"
                   : "";
      },
      [](const RunOptions &o) -> std::string {
        return o.pe < 0 && !o.jobFile.empty() && o.newJob.empty()
                   ? "--job needs --pe=K: which PE this is"
                   : "";
      },
  };
  return rules;
}

} // namespace sluice
