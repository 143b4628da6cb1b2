//===- Candidate.h - a configuration that is compared ------*- C++ -*-===//
#pragma once
#include "runtime/elastic/model/costs/Profile.h"
#include <string>

namespace sluice::elastic {

/// A configuration that is compared with others, and what was measured of it.
struct Candidate {
  std::string name; // in reasons
  Configuration configuration;
  uint32_t cuts = 0;    // queued changeable boundaries
  double predicted = 0; // rows a second by the model

  // By interval in which it was measured:
  std::vector<double> values = {};    // logarithms of rows a second
  std::vector<uint32_t> rounds = {};  // the round of the comparison
  std::vector<double> rowCosts = {};  // seconds of work for a row of the sources
  std::vector<double> latencies = {}; // seconds; only where they are known
  Profile profile = {};               // the sum

  bool out = false;       // it is measured no more
  bool forbidden = false; // it is past a limit of the user
  // On trial: it is out if its first interval is not as good as that of the others, which stay in
  // the comparison as long as it does.
  bool onTrial = false;

  /// Logarithm of rows a second: the mean of all intervals, 0 if there is none.
  double mean() const;
  /// The same of the last three: the median.
  double lately() const;
  /// The same configuration, not measured yet.
  Candidate unmeasured() const { return {name, configuration, cuts, predicted}; }
};

} // namespace sluice::elastic
