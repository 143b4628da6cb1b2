//===- Program.h - the running program --------------------------*- C++ -*-===//
//
// Everything that a run needs, built by sl_main from the tables of the compiled
// program. One thread at a time is inside the graph (Baton.h), so nothing here
// is locked but the baton itself.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/exec/Baton.h"
#include "runtime/exec/Options.h"
#include "runtime/exec/Output.h"
#include "runtime/memory/Arena.h"
#include "runtime/memory/Heap.h"
#include "sluice/native.h"
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// One output port that ends a segment. Its batch is in Ctx::ports.
struct PortState {
  const OutPortDesc *desc = nullptr;
  uint32_t limit = 0;    // rows at which the batch is handed on
  bool busy = false;     // its consumers are running
  bool closed = false;   // a Final has left
  std::vector<Batch *> spare; // back edges: batches that were drained
};

/// What failed, in words.
struct Failure {
  uint32_t op;
  int32_t site; // plus 1; 0: the operator itself
  std::string message;
};

/// A source operator and the thread that runs it.
struct Source {
  uint32_t op = 0, index = 0;
  Arena scratch = {};
  uint32_t depth = 0;       // hand-ons on the stack
  int32_t insideOp = -1;    // the native operator that runs above depth 0
  uint64_t rowsSinceTurn = 0;
  uint32_t lastTick = 0;
};

struct Program {
  const ProgramDesc &desc;
  Options options;
  Ctx ctx = {};
  Arena mainScratch = {}; // for what runs before and after the sources
  Arena keep = {};        // values of parameters and submissions
  std::vector<char> state;
  std::vector<OutPort> outPorts;
  std::vector<PortState> ports;
  std::vector<uint32_t> finals;      // by input port: how many arrived
  std::vector<std::unique_ptr<NativeOp>> natives;
  std::vector<NativeOp *> nativePointers; // the same, for Ctx::natives
  std::vector<uint32_t> nativeOps;   // by native id: its operator
  std::vector<bool> nativeClosed;    // Final was sent on its outputs
  std::vector<Str> submissionScalars;
  std::vector<Seq> submissionLists;
  std::vector<std::unique_ptr<Source>> sources;
  Source *running = nullptr;         // who holds the baton
  Baton baton;
  std::deque<std::pair<uint32_t, Batch *>> loops; // batches on back edges
  bool draining = false;             // somebody empties `loops` further up
  Output output;
  os::Event stop;                    // SIGINT, SIGTERM, a failure, shutdown
  std::atomic<uint32_t> tick{0};     // counts milliseconds, roughly
  int64_t stopSeen = 0;              // when a source first noticed `stop`

  std::string error;                 // of the last sl_error
  std::optional<Failure> pending;    // failed, not yet reported
  bool failing = false, reported = false;

  Program(const ProgramDesc &, Options);
  ~Program();
  Program(const Program &) = delete;

  /// Runs to the end; the exit code.
  int run();
  uint32_t indexOf(const OperatorDesc *op) const { return uint32_t(op - desc.operators); }
};

//===--- Ports.cpp ----------------------------------------------------------===//
void makePorts(Program &);
void freePorts(Program &);
/// Runs the consumers of what the port holds. 0, or -1: the program is failing.
int32_t handOn(Program &, uint32_t port);
/// Hands on every port but those whose consumers are running, and runs what
/// waits on back edges if nobody does.
int32_t handOnAll(Program &);

//===--- Failure.cpp --------------------------------------------------------===//
/// Remembers a failure of an operator with the text of the last sl_error, and
/// stops the sources. Returns -1; or 0 if it was caught.
int32_t fail(Program &, uint32_t op, int32_t site, bool caught);
/// Prints the pending failure unless one was reported before.
void reportPending(Program &);
/// Turns the return value of a handler that was called by the runtime into 0
/// or -1, with the report made.
int32_t settle(Program &, uint32_t op, int32_t result);

//===--- Sources.cpp --------------------------------------------------------===//
void findSources(Program &);
/// Starts a thread for each source and waits for all.
void runSources(Program &);
/// A source is at its own top after a hand-on of `rows`: others get a turn if
/// one is due. -1: the source is to stop.
int32_t atTop(Program &, uint64_t rows);
/// The program was told to stop long enough ago.
bool overdue(Program &);
/// The current thread is about to wait: everything is handed on, and the baton
/// is let go if that is safe. Returns what leaveWait wants.
Source *enterWait(Program &);
void leaveWait(Program &, Source *);

//===--- Natives.cpp --------------------------------------------------------===//
/// Makes the native operators and gives them their parameters. 0 or -1.
int32_t makeNatives(Program &);
int32_t openNatives(Program &);
/// The process of a native source.
int32_t runNative(Program &, uint32_t native);
void closeNatives(Program &);
/// Final on every output port of a native operator, once.
int32_t closeOutputs(Program &, uint32_t native);

} // namespace sluice
