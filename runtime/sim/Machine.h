//===- Machine.h - what the simulated machine is like -----------*- C++ -*-===//
//
// Nanoseconds, bytes, counts. The defaults were measured on two cores of a Zen 4
// (`sluice-sim calibrate` measures them again); the shapes of large machines come
// from the makers' data.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::sim {

struct Machine {
  std::string name = "cpus16";
  double cores = 16;
  double smt = 1;           // hardware threads of a core
  double smtGain = 1;       // what a core does with all of them, against one
  double cacheBytes = 64e6; // last level, all sockets
  double memoryBytesPerNano = 40;
  double flopNanos = 0.82; // one of a chain of dependent operations, in row form

  double directNanos = 11;      // a boundary that is a call: win and release
  double queueNanos = 50;       // through a ring, both sides, in one cache
  double lineNanos = 176;       // a cache line from another core
  double touchByteNanos = 0.4;  // bytes that the other side reads, in blocks
  double copyByteNanos = 0.01;  // in the cache
  double missByteNanos = 0.073; // out of it
  double wakeNanos = 17000;     // until a sleeping thread runs
  double wakerNanos = 2000;     // for the one who wakes it

  uint32_t cpus() const { return uint32_t(cores * smt); }
  /// How much slower each of `running` threads is than one alone.
  double slowdown(double running) const;
};

std::vector<Machine> machines();
/// One of machines() by name, or a description that `sluice-sim calibrate` wrote. False: what is
/// wrong in `error`.
bool findMachine(std::string_view nameOrFile, Machine &, std::string &error);
/// As findMachine() reads it: `name = value` lines, `#` starts a comment.
std::string describe(const Machine &);
bool parseMachine(std::string_view text, std::string_view file, Machine &, std::string &error);

//===--- the two runtimes -------------------------------------------------------===//

/// What a runtime charges for what it does, on one machine and for one size of tuple.
struct Runtime {
  std::string name;
  bool copies = false; // a tuple at a time, deep copies, sampled profile; else batches by reference
  double rowNanos = 0, batchNanos = 0;             // of each operator, beyond its work
  double sharedRowNanos = 0, sharedBatchNanos = 0; // more, where a call crosses cores
  double enqueueRowNanos = 0, enqueueBatchNanos = 0;
  double dequeueRowNanos = 0, dequeueBatchNanos = 0;
  double sourceRowNanos = 0;
  double copyBytes = 0; // of a queued row; through memory if the rings do not fit the cache
  double copyByteNanos = 0, missByteNanos = 0;
  double batchRows = 1;                                   // at most, of a batch
  double ringBatches = 0, ringRows = 0;                   // bounds; 0: none
  double quantumRows = 0, quantumNanos = 0, helpRows = 0; // one turn
  double findNanos = 0, scanNanos = 0; // finding work, and for each port that is looked at in vain
  bool wakes = true;    // who queues wakes a worker; else workers look again ever more rarely
  double spinNanos = 0; // before a blocked thread sleeps; 0: never sleeps
  double wakeNanos = 0, wakerNanos = 0;
};

/// `sluice` or `copying`. False: there is no such runtime.
bool makeRuntime(std::string_view name, const Machine &, double payload, Runtime &);

} // namespace sluice::sim
