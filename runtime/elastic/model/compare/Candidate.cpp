//===- Candidate.cpp - a configuration that is compared --------------------===//
#include "runtime/elastic/model/compare/Candidate.h"
#include "runtime/elastic/model/Statistics.h"
#include <algorithm>

namespace sluice::elastic {

double Candidate::mean() const {
  double sum = 0;
  for (double v : values)
    sum += v;
  return values.empty() ? 0 : sum / double(values.size());
}

double Candidate::lately() const {
  return median(std::vector<double>(
      values.end() - std::ptrdiff_t(std::min<size_t>(3, values.size())), values.end()));
}

} // namespace sluice::elastic
