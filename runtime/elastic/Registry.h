//===- Registry.h - the table of policies -----------------------*- C++ -*-===//
//
// One line of Registry.cpp a policy. makePolicy (Policy.h) checks names and bounds, so
// that a policy is given the value of each of its constants and nothing else.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/elastic/Policy.h"

namespace sluice::elastic {

/// The value of every constant of one policy.
class Values {
public:
  explicit Values(const std::vector<Constant> &);
  /// False if there is no such constant.
  bool set(std::string_view name, double value);
  /// The name must be one of the policy's constants.
  double operator[](std::string_view name) const;
  bool on(std::string_view name) const { return (*this)[name] != 0; }

private:
  std::vector<std::pair<std::string, double>> values;
};

struct PolicyEntry {
  std::string_view name, help;
  std::vector<Constant> (*constants)();
  std::unique_ptr<Policy> (*make)(const Values &, const Graph &, const Machine &,
                                  const Configuration &start);
};

} // namespace sluice::elastic
