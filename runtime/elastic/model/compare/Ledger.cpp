//===- Ledger.cpp - what configurations gave over a longer time ------------===//
#include "runtime/elastic/model/compare/Ledger.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

static constexpr double halfLife = 20; // seconds after which an interval counts half as much

/// The entry of a configuration, with its sums weighed by their age at `now`.
Ledger::Entry &Ledger::entry(const Configuration &configuration, double now) {
  auto at = std::find_if(entries.begin(), entries.end(),
                         [&](const Entry &e) { return e.configuration == configuration; });
  if (at == entries.end()) {
    at = entries.emplace(at);
    at->configuration = configuration;
    at->at = now;
  }
  double kept = std::exp2((at->at - now) / halfLife);
  at->rows *= kept;
  at->seconds *= kept;
  at->at = now;
  return *at;
}

static void addInterval(Ledger::Entry &e, double rate, double seconds) {
  e.rows += rate * seconds;
  e.seconds += seconds;
  e.second = std::max(e.second, std::min(e.most, rate));
  e.most = std::max(e.most, rate);
}

void Ledger::add(const Candidate &c, double now) {
  Entry &e = entry(c.configuration, now);
  if (e.name.empty()) // Later names, such as `what is set`, say what it was then.
    e.name = c.name;
  e.cuts = c.cuts;
  e.predicted = std::max(e.predicted, c.predicted);
  for (double value : c.values)
    addInterval(e, std::exp(value), c.profile.length / double(c.values.size()));
  e.profile = c.profile;
}

void Ledger::add(const Configuration &configuration, double rate, const Sample &sample) {
  addInterval(entry(configuration, sample.time), rate, sample.length);
}

const Ledger::Entry *Ledger::find(const Configuration &configuration) const {
  auto at = std::find_if(entries.begin(), entries.end(),
                         [&](const Entry &e) { return e.configuration == configuration; });
  return at == entries.end() ? nullptr : &*at;
}

const Ledger::Entry *Ledger::best(const std::function<bool(const Entry &)> &of) const {
  const Entry *best = nullptr;
  for (const Entry &e : entries)
    if (of(e) && (!best || e.mean() > best->mean()))
      best = &e;
  return best;
}

double Ledger::mean(const Configuration &configuration) const {
  const Entry *e = find(configuration);
  return e ? e->mean() : 0;
}

const Ledger::Entry *Ledger::promising(const Configuration &set, double gain) const {
  const Entry *best = nullptr, *now = find(set);
  if (!now)
    return nullptr;
  double rate = (1 + gain) * std::max(now->mean(), now->second);
  for (const Entry &e : entries)
    if (e.configuration != set && e.second > rate && (!best || e.second > best->second))
      best = &e;
  return best;
}

const Ledger::Entry *Ledger::refuted(const Configuration &set, double gain) const {
  const Entry *best = nullptr;
  double rate = (1 + gain) * mean(set);
  for (const Entry &e : entries)
    if (e.configuration != set && e.predicted > rate && e.most < 0.5 * e.predicted &&
        (!best || e.predicted > best->predicted))
      best = &e;
  return best;
}

} // namespace sluice::elastic
