//===- Acknowledger.h - says and hears what is acknowledged -----*- C++ -*-===//
//
// The thread of a PE that tells other PEs which of their frames are done here, and hears from
// others which frames of this PE are done there. In each round it notes what is done, then makes
// what this PE has written durable against its death, then says what it has noted. It never waits
// for another PE, so acknowledgements move on while threads of links wait.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/exec/delivery/Receipts.h"
#include "runtime/remote/peer/Acknowledgements.h"
#include "sluice/resume.h"
#include <memory>
#include <poll.h>
#include <vector>

namespace sluice {

class Retained;

class Acknowledger {
public:
  explicit Acknowledger(Program &);
  ~Acknowledger() { stop(); }
  /// Nothing is said or heard any more.
  void stop();

  // By receivers.
  /// The receipts of a peer that has just come, which hears over `control` what is done. They are
  /// there until close(), and until none is open.
  Receipts &admit(remote::Socket control);
  /// A receipt has begun.
  void noteBegun(const Receipts &receipts) {
    // seq_cst: pairs with isAnythingOpen(): either this sees that it sleeps, or that sees this.
    if (sleeps.load(std::memory_order_seq_cst) || receipts.fresh() >= kHurry)
      wakeUp();
  }
  /// Nothing more begins.
  void close(Receipts &);

  // By sources.
  /// The receipts of what a source reads. When one is done its position is noted there.
  Receipts &read(const ResumePoint &);

  // By senders.
  /// What is acknowledged over `control` counts, from the oldest of the retained frames on.
  void listen(Retained &, remote::Socket control);
  /// Nothing more is acknowledged over it, or there was none yet: it is another one that is to be
  /// listened to, or, once the program was told to stop, none: then what is retained is given up.
  void lose(Retained &);
  void forget(Retained &);

private:
  struct Incoming {
    remote::Acknowledgements to;
    Receipts receipts;
    uint64_t done = 0, said = 0;
    bool closed = false;
  };
  struct Reading {
    ResumePoint point;
    Receipts receipts;
    uint64_t done = 0, position = 0; // position: of the last that is done
    bool isNew = false;              // it is not noted yet
  };
  struct Outgoing {
    remote::Acknowledgements from;
    Retained *retained;
    bool gone = false;
    void lose();
  };
  /// So many frames since the last round begin another one at once.
  static constexpr uint64_t kHurry = 32;

  void run();
  void wakeUp();
  bool isAnythingOpen();
  void await(int milliseconds);
  void hear();
  bool round();
  bool persist();

  Program &p;
  os::Lock lock;
  std::vector<std::unique_ptr<Incoming>> incoming; // guarded; only its thread takes from it
  std::vector<std::unique_ptr<Reading>> reading;   // guarded
  std::vector<Outgoing> outgoing;                  // guarded
  std::vector<pollfd> files;
  os::Event wake;
  std::atomic<bool> sleeps{false}, woken{false}, ending{false};
  os::Thread thread;
};

/// With at-least-once delivery: names the sources that do not go on where they were when this
/// process is started again.
void tellOfSources(Program &);

} // namespace sluice
