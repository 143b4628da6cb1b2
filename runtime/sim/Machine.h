//===- Machine.h - what the simulated machine is like -----------*- C++ -*-===//
//
// Units are nanoseconds, bytes and counts. The default costs were measured on two cores
// of a Zen 4; `sluice-sim calibrate` measures them again. The shapes of large machines
// come from the data of their makers.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::sim {

/// Hardware threads, memory, and what operations cost.
struct Machine {
  std::string name = "cpus16";
  double cores = 16;
  double smt = 1;           // hardware threads of a core
  double smtGain = 1;       // work of a core with all of them, against one
  double cacheBytes = 64e6; // last level, all sockets
  double memoryBytesPerNano = 40;
  double flopNanos = 0.82; // one of a chain of dependent operations

  double directNanos = 11;      // a direct boundary: win and release the token
  double queueNanos = 50;       // a batch through a ring, both sides, in one cache
  double lineNanos = 176;       // a cache line from another core
  double touchByteNanos = 0.4;  // a byte that the other side reads, in blocks
  double copyByteNanos = 0.01;  // a byte copied in the cache
  double missByteNanos = 0.073; // a byte copied out of the cache
  double wakeNanos = 17000;     // until a sleeping thread runs
  double wakerNanos = 2000;     // for the thread that wakes it

  uint32_t cpus() const { return uint32_t(cores * smt); }
  /// The factor by which each of `running` threads is slower than one alone.
  double slowdown(double running) const;
};

/// The machines that have names.
std::vector<Machine> machines();
/// Finds one of machines() by name, or reads a file that `sluice-sim calibrate` wrote. False, and a
/// message in `error`, if it is neither.
bool findMachine(std::string_view nameOrFile, Machine &, std::string &error);
/// The text of a file for findMachine(): lines `name = value`; `#` starts a comment.
std::string describe(const Machine &);
/// Reads such a text. False, and a message in `error`, if it is wrong.
bool parseMachine(std::string_view text, std::string_view file, Machine &, std::string &error);

//===--- the two runtimes -------------------------------------------------------===//

/// What a runtime charges, on one machine and for one size of tuple.
struct Runtime {
  std::string name;
  bool copies = false; // a tuple at a time and deep copies; else batches by reference
  double rowNanos = 0, batchNanos = 0;             // of each operator, beyond its work
  double sharedRowNanos = 0, sharedBatchNanos = 0; // more, if a call crosses cores
  double enqueueRowNanos = 0, enqueueBatchNanos = 0;
  double dequeueRowNanos = 0, dequeueBatchNanos = 0;
  double sourceRowNanos = 0;
  double copyBytes = 0; // of a queued row; through memory if the rings do not fit into the cache
  double copyByteNanos = 0, missByteNanos = 0;
  double batchRows = 1;                                   // of a batch, at most
  double ringBatches = 0, ringRows = 0;                   // bounds; 0: none
  double quantumRows = 0, quantumNanos = 0, helpRows = 0; // of one turn
  double findNanos = 0, scanNanos = 0; // to find work, and for each port that is looked at in vain
  bool wakes = true;    // a push wakes a worker; else workers look again ever more rarely
  double spinNanos = 0; // before a blocked thread sleeps; 0: it never sleeps
  double wakeNanos = 0, wakerNanos = 0;
};

/// Makes the runtime `sluice` or `copying`. False if there is none of that name.
bool makeRuntime(std::string_view name, const Machine &, double payload, Runtime &);

} // namespace sluice::sim
