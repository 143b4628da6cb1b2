//===- Compared.cpp - what was compared under this load --------------------===//
#include "runtime/elastic/model/compare/Compared.h"
#include <algorithm>
#include <cmath>

namespace sluice::elastic {

static auto isOf(const Configuration &configuration) {
  return [&configuration](const Candidate &c) { return c.configuration == configuration; };
}

bool Compared::contains(const Configuration &configuration) const {
  return std::find(begun.begin(), begun.end(), configuration) != begun.end();
}

void Compared::add(const std::vector<Candidate> &list) {
  for (const Candidate &c : list)
    begun.push_back(c.configuration);
}

void Compared::remember(const Comparison &comparison) {
  for (const Candidate &c : comparison.candidates()) {
    if (c.values.size() < 2 || c.forbidden)
      continue;
    auto known = std::find_if(measured.begin(), measured.end(), isOf(c.configuration));
    if (known == measured.end())
      known = measured.insert(measured.end(), c);
    known->values.assign(1, c.lately());
  }
}

void Compared::forget() {
  begun.clear();
  measured.clear();
}

double Compared::mostBeside(const std::vector<Candidate> &list) const {
  double most = 0;
  for (const Candidate &c : measured)
    if (std::none_of(list.begin(), list.end(), isOf(c.configuration)))
      most = std::max(most, std::exp(c.lately()));
  return most;
}

std::vector<Candidate> Compared::rivals(const Comparison &last, double noise, bool alsoNear) const {
  constexpr double near = 0.15, sure = 0.95; // logarithm of a rate; a confidence
  const std::vector<Candidate> &all = last.candidates();
  size_t won = last.winner();
  std::vector<std::pair<double, const Candidate *>> found; // how far behind the winner
  for (const Candidate &c : measured) {
    auto i = size_t(std::find_if(all.begin(), all.end(), isOf(c.configuration)) - all.begin());
    bool inLast = i < all.size();
    double behind = inLast ? std::log1p(last.gain(won, i)) : all[won].lately() - c.lately();
    if (i != won &&
        (inLast ? alsoNear && behind < near && last.confidence(i) < sure : behind < -noise))
      found.emplace_back(behind, &c);
  }
  std::sort(found.begin(), found.end(),
            [](const auto &a, const auto &b) { return a.first < b.first; });
  found.insert(found.begin(), {0, &all[won]});
  if (found.size() > 3)
    found.resize(3);
  std::vector<Candidate> list;
  for (auto [behind, c] : found)
    list.push_back(c->unmeasured());
  return list;
}

} // namespace sluice::elastic
