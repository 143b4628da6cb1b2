//===- Paper.cpp - --elastic=paper and --elastic=threads -----------------===//
#include "runtime/elastic/Paper.h"

namespace sluice::elastic {

namespace {
/// Measures and leaves everything as it is.
class Watch final : public Policy {
public:
  explicit Watch(double period) : period(period) {}
  Decision begin() override { return wait(); }
  Decision step(const Sample &) override { return wait(); }

private:
  double period;
  Decision wait() const {
    Decision decision;
    decision.reason = "only watching";
    decision.window = period;
    return decision;
  }
};
} // namespace

std::unique_ptr<Policy> makePaper(const Values &values, const Graph &, const Machine &, const Configuration &) {
  return std::make_unique<Watch>(values["period"]);
}

std::unique_ptr<Policy> makeThreads(const Values &values, const Graph &, const Machine &, const Configuration &) {
  return std::make_unique<Watch>(values["period"]);
}

} // namespace sluice::elastic
