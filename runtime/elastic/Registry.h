//===- Registry.h - the table of policies -----------------------*- C++ -*-===//
//
// Registry.cpp has one line for each policy. makePolicy (Policy.h) checks names and
// bounds, so a policy is given the value of each of its constants and nothing else.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/Policy.h"

namespace sluice::elastic {

/// The value of every constant of one policy.
class Values {
public:
  explicit Values(const std::vector<Constant> &);
  /// Sets a constant. False if there is none of that name.
  bool set(std::string_view name, double value);
  /// The value of a constant of the policy.
  double operator[](std::string_view name) const;
  /// Whether a constant that is a switch is on.
  bool on(std::string_view name) const { return (*this)[name] != 0; }

private:
  std::vector<std::pair<std::string, double>> values;
};

/// A line of the table.
struct PolicyEntry {
  std::string_view name, help;
  std::vector<Constant> (*constants)();
  std::unique_ptr<Policy> (*make)(const Values &, const Graph &, const Machine &,
                                  const Configuration &start);
};

} // namespace sluice::elastic
