//===- SimulatorOptions.h - the command line of sluice-sim ----*- C++ -*-===//
#pragma once
#include "runtime/external/SplitPlan.h"
#include "runtime/sim/Lab.h"
#include <string>
#include <vector>

namespace sluice::simtool {

enum class Command { Run, Paper, Calibrate, Bowtie };

struct SimulatorOptions {
  int (*run)(SimulatorOptions &) = nullptr; // the command
  sim::Experiment setup;                    // application and machine are filled in
  std::string graph = "pipeline:100", machine = "xeon176", policy = "paper", queues = "none",
              profile, runtime, figure;
  elastic::Constants constants;
  double seconds = 1200, changeAt = -1;
  std::string trace, csv, output;
  uint32_t tries = 200; // of the oracle
  external::Problem bowtie = {{200e6, 200e6, 8e-3}, 1 << 30, {1, 1000}};
  bool quick = false;
};

/// A returned exit code >= 0 ends the program: help was printed (0) or the usage was wrong (2).
int parseCommandLine(int argc, char **argv, SimulatorOptions &);

int runCommand(SimulatorOptions &);
int paperCommand(const SimulatorOptions &);
int calibrateCommand(const SimulatorOptions &);
int bowtieCommand(const SimulatorOptions &);

/// Prints `sluice-sim: text` and returns `code`.
int fail(int code, const std::string &text);
/// 1234567 as `1.23 M`.
std::string shortNumber(double);
/// False: it could not be written, which has been said.
bool writeText(const std::string &path, const std::string &text);

} // namespace sluice::simtool
