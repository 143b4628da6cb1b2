//===- Summary.cpp - what happened in a trace, in a sentence or two --------===//
//
// For people who want to know the result, and why it is that. It compares what was measured in the
// configurations that the policy had set; it knows no policy.
//
//===----------------------------------------------------------------------===//
#include "tools/driver/trace/Trace.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

using namespace sluice;
using namespace sluice::driver;
using llvm::StringRef;

namespace {
/// What was measured while a configuration was set.
struct Measured {
  elastic::Configuration configuration;
  unsigned samples = 0;
  double rows = 0, seconds = 0;
  double rate() const { return seconds > 0 ? rows / seconds : 0; }
};

/// The time until the load changed, or the policy began anew.
struct Phase {
  double until;
  std::optional<trace::Settled> settled; // when that happened; else the policy had not
  elastic::Configuration configuration;  // at its end
};

/// The lines of a trace, as far as the summary needs them. What came before the load changed last
/// is forgotten when the next comparison begins.
class Summary {
public:
  explicit Summary(const TraceHistory &);
  std::string text() const;

private:
  void take(const TraceMoment &);
  void begin(double time, const char *since);
  void count(const trace::SampleLine &, double throughput);
  std::string outcome() const;
  std::string unsettled() const;
  std::string before() const;
  std::string comparison() const;
  const Measured *find(const elastic::Configuration &) const;
  const Measured *bestBut(const Measured &) const;

  const TraceHistory &history;
  TraceState state;
  elastic::Configuration first; // when the comparison began
  std::vector<Measured> all;
  std::vector<Phase> phases;             // before that
  std::optional<trace::Settled> settled; // the last time, unless something was tried since
  std::string reason;                    // of the last decision that was more than waiting
  double began = 0, last = 0;
  unsigned loadChanges = 0, decisions = 0;
  const char *since = nullptr; // what made the comparison begin anew
};
} // namespace

Summary::Summary(const TraceHistory &history)
    : history(history), state(history.header), first(state.configuration()) {
  for (const TraceMoment &moment : history.moments) {
    take(moment);
    state.apply(moment.line);
    last = std::max(last, timeOf(moment.line));
  }
}

void Summary::begin(double time, const char *what) {
  since = what;
  phases.push_back({time, settled, state.configuration()});
  all.clear();
  settled.reset();
  began = time;
  first = state.configuration();
}

void Summary::take(const TraceMoment &moment) {
  if (auto *sample = std::get_if<trace::SampleLine>(&moment.line)) {
    count(*sample, moment.throughput);
  } else if (auto *decision = std::get_if<trace::Decision>(&moment.line)) {
    ++decisions;
    elastic::Kind kind = decision->decision.kind;
    if (kind == elastic::Kind::Try)
      settled.reset();
    if (kind != elastic::Kind::Wait)
      reason = decision->decision.reason;
  } else if (auto *line = std::get_if<trace::Settled>(&moment.line)) {
    settled = *line;
  } else if (std::holds_alternative<trace::LoadChange>(moment.line)) {
    ++loadChanges;
    begin(timeOf(moment.line), "the load changed");
  } else if (auto *resume = std::get_if<trace::Resume>(&moment.line); resume && resume->start) {
    state.apply(moment.line);
    begin(resume->time, "the policy began anew");
  }
}

/// Samples are compared with those that were measured in the same search.
void Summary::count(const trace::SampleLine &line, double throughput) {
  if (settled || (!line.used && history.header.policy != "off"))
    return;
  const elastic::Configuration &now = state.configuration();
  auto found = llvm::find_if(all, [&](const Measured &m) { return m.configuration == now; });
  if (found == all.end())
    found = all.insert(all.end(), {now});
  ++found->samples;
  found->rows += throughput * line.sample.length;
  found->seconds += line.sample.length;
}

const Measured *Summary::find(const elastic::Configuration &configuration) const {
  auto found =
      llvm::find_if(all, [&](const Measured &m) { return m.configuration == configuration; });
  return found == all.end() ? nullptr : &*found;
}

const Measured *Summary::bestBut(const Measured &chosen) const {
  const Measured *best = nullptr;
  for (const Measured &m : all)
    if (&m != &chosen && (!best || m.rate() > best->rate()))
      best = &m;
  return best;
}

//===--- words -------------------------------------------------------------------===//

/// `2 workers and 1 queue`.
static std::string words(const elastic::Configuration &c) {
  size_t queues = llvm::count(c.queued, 1);
  std::string text =
      inNumber(c.threads, "worker") + " and " + (queues ? inNumber(queues, "queue") : "no queue");
  uint32_t width = c.width.empty() ? 1 : *llvm::max_element(c.width);
  return width > 1 ? text + ", up to " + std::to_string(width) + " workers at one" : text;
}

/// How `rate` compares with `base`, which is not 0: `4 % slower`, `3.1 times as fast`.
static std::string compared(double rate, double base) {
  double ratio = rate / base;
  if (std::fabs(ratio - 1) < 0.005)
    return "as fast";
  char text[64];
  if (ratio >= 2)
    snprintf(text, sizeof text, "%.3g times as fast", ratio);
  else
    snprintf(text, sizeof text, "%.0f %% %s", 100 * std::fabs(ratio - 1),
             ratio < 1 ? "slower" : "faster");
  return text;
}

static std::string times(unsigned count) {
  return count == 1 ? "once" : count == 2 ? "twice" : std::to_string(count) + " times";
}

/// Why the configuration that is set is the one.
std::string Summary::comparison() const {
  const elastic::Configuration &now = state.configuration();
  const Measured *chosen = find(now);
  const Measured *other = chosen ? bestBut(*chosen) : nullptr;
  if (!other)
    return all.size() > 1 || reason.empty() ? "" : "Nothing else was measured: " + reason + ".";
  std::string text;
  const Measured *start = find(first);
  if (start && start != chosen && start->rate() > 0) {
    std::string than = compared(chosen->rate(), start->rate());
    text = "That was " + than + (StringRef(than).ends_with("as fast") ? " as" : " than") +
           (since ? " when " + std::string(since) : " at the start") + " (" + words(first) + "). ";
  }
  if (other == start && !text.empty())
    return text;
  bool alike = words(other->configuration) == words(now);
  text += (all.size() > 2 ? "Of " + inNumber(all.size() - 1, "other configuration") + " the best"
                          : "The only other one") +
          ", " + (alike ? "the same numbers at other places" : words(other->configuration)) +
          ", was " +
          (chosen->rate() > 0 ? compared(other->rate(), chosen->rate())
                              : "at " + inUnits(other->rate()) + " rows/s") +
          ", measured " + times(other->samples);
  if (other->rate() > chosen->rate() * 1.005 && !reason.empty())
    text += " (the policy's reason: " + reason + ")";
  return text + ".";
}

std::string Summary::unsettled() const {
  std::string text = "The trace ends after " + inSeconds(last);
  if (!decisions || all.empty())
    return text + ", before anything was measured" + (since ? " since " + std::string(since) : "") +
           ": " + words(state.configuration()) + " is what it " +
           (since ? "had then" : "started with") + ", not what was chosen.";
  unsigned samples = 0;
  for (const Measured &m : all)
    samples += m.samples;
  text += ", before the policy settled: it had measured " + inNumber(all.size(), "configuration") +
          ", " + times(samples) + " in all. What it had set at the end, " +
          words(state.configuration()) + ", is a step of the search and no result.";
  const Measured *best = &*llvm::max_element(
      all, [](const Measured &a, const Measured &b) { return a.rate() < b.rate(); });
  return text + " The best so far was " + words(best->configuration) + ", " +
         inUnits(best->rate()) + " rows/s. A longer run shows more.";
}

std::string Summary::outcome() const {
  const elastic::Configuration &now = state.configuration();
  bool kept = now == history.header.start && !loadChanges;
  std::string text = (kept ? "What it started with stays: " : "It chose ") + words(now) + ", " +
                     inUnits(settled->throughput) + " rows/s, settled after " +
                     inSeconds(settled->seconds) + ".";
  std::string why = comparison();
  return why.empty() ? text : text + " " + why;
}

/// What it had chosen for the loads before the last one; of many the first ones and the last.
std::string Summary::before() const {
  static constexpr size_t kMost = 4;
  if (!loadChanges)
    return "";
  std::string text = "The load changed " + times(loadChanges) + " in " + inSeconds(last) + ". ";
  for (size_t i = 0; i < phases.size(); ++i) {
    const Phase &phase = phases[i];
    if (phases.size() > kMost && i == kMost - 1)
      text += "So it went on " + times(unsigned(phases.size() - kMost)) + " more. ";
    if (phases.size() > kMost && i >= kMost - 1 && i + 1 < phases.size())
      continue;
    text += "Until " + inSeconds(phase.until) +
            (phase.settled ? " it had " + words(phase.configuration) + ", " +
                                 inUnits(phase.settled->throughput) + " rows/s. "
                           : " the policy had not settled. ");
  }
  return text + "Since then: ";
}

std::string Summary::text() const {
  std::string changes = before();
  if (history.header.policy == "off") {
    const Measured *measured = find(state.configuration());
    return "No policy decided anything: it ran with " + words(state.configuration()) +
           (measured ? ", " + inUnits(measured->rate()) + " rows/s on average." : ".");
  }
  return changes + (settled ? outcome() : unsettled());
}

/// What limited the program for most of the time, by the figures; empty: not known.
static std::string limitOf(const TraceHistory &history) {
  std::map<std::pair<std::string, int32_t>, std::pair<unsigned, std::string>> counts;
  unsigned all = 0;
  for (const TraceMoment &moment : history.moments)
    if (auto *figures = std::get_if<trace::Figures>(&moment.line);
        figures && !figures->limit.kind.empty()) {
      auto &[count, text] = counts[{figures->limit.kind, figures->limit.op}];
      ++count;
      ++all;
      text = figures->limit.text;
    }
  if (!all)
    return "";
  auto most =
      llvm::max_element(counts, [](auto &a, auto &b) { return a.second.first < b.second.first; });
  auto &[count, text] = most->second;
  return "For " + std::to_string(100 * count / all) + " % of the time: " + text + ".";
}

std::string driver::summaryOf(const TraceHistory &history) {
  std::string text = Summary(history).text(), limit = limitOf(history);
  return limit.empty() ? text : text + " " + limit;
}
