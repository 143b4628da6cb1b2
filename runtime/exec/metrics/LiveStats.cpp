//===- LiveStats.cpp - the table of --stats while the program runs --------===//
#include "runtime/exec/metrics/Report.h"
#include "runtime/exec/metrics/Stats.h"
#include "runtime/exec/state/Program.h"
#include <cstdlib>
#include <string_view>

namespace sluice {

static constexpr int64_t kPeriodNanos = 1'000'000'000;
static constexpr size_t kFooter = 4; // lines about the whole program, at most

bool showsStats(const Program &p) {
  const char *kind = getenv("TERM");
  return p.options.stats && p.options.pe < 0 && os::isTerminal(2) && kind &&
         std::string_view(kind) != "dumb";
}

/// As much of the table as a terminal takes: lines are cut, and operators in the middle left out.
static std::string fitted(std::string_view table, os::TerminalSize size) {
  std::vector<std::string_view> lines;
  for (size_t at = 0, end; (end = table.find('\n', at)) != table.npos; at = end + 1)
    lines.push_back(table.substr(at, std::min<size_t>(end - at, size.columns - 1)));
  size_t room = std::max<size_t>(size.rows - 1, kFooter + 2), left = 0;
  if (lines.size() > room)
    left = lines.size() - room + 1;
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) {
    size_t begin = lines.size() - kFooter - left;
    if (left && i == begin) {
      text += "... " + std::to_string(left) + " more\n";
      i += left - 1;
    } else {
      text.append(lines[i]) += '\n';
    }
  }
  return text;
}

void showStatsUntil(Program &p, const os::Event &end, const std::function<std::string()> &limit) {
  while (!end.sleep(kPeriodNanos)) {
    CounterSample sample = sampleOfRun(p);
    std::string table =
        statsTable(p.desc, sample, figuresOf(p.desc, sample, /*whole=*/true), /*live=*/true);
    if (std::string text = limit(); !text.empty())
      table += "limit: " + text + "\n";
    p.show.output.showBelow(fitted(table, os::terminalSize(2)));
  }
}

} // namespace sluice
