//===- Sims.h - what the simulator's tests share ----------------*- C++ -*-===//
#pragma once
#include "runtime/sim/Drive.h"
#include "runtime/sim/Search.h"
#include <gtest/gtest.h>

namespace sluice::sim {

inline Application graphOf(std::string_view text) {
  std::string error;
  Application app = parseGraph(text, error);
  EXPECT_EQ(error, "") << text;
  return app;
}

inline Machine machineOf(std::string_view name) {
  Machine machine;
  std::string error;
  EXPECT_TRUE(findMachine(name, machine, error)) << error;
  return machine;
}

/// Without noise.
inline Experiment setupOf(std::string_view graph, std::string_view machine,
                          std::string_view runtime) {
  Experiment setup;
  setup.app = graphOf(graph);
  setup.machine = machineOf(machine);
  setup.runtime = runtime;
  setup.noise = false;
  return setup;
}

} // namespace sluice::sim
