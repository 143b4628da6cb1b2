//===- Sender.h - the operator that sends a stream to another PE ----------===//
//
// It sends each batch as a frame, at once. By the thread that is inside its domain. What it does
// when the other PE dies is said by a class of each kind of delivery.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/text/Words.h"
#include "runtime/exec/remote/Remote.h"
#include "runtime/exec/source/OperatorSleep.h"
#include "runtime/exec/state/Program.h"
#include "runtime/remote/frame/Frame.h"

namespace sluice {

/// Batches, and how many tuples they had.
struct Amount {
  uint64_t batches = 0, tuples = 0;

  void add(uint64_t rows) { ++batches, tuples += rows; }
  std::string text() const {
    return std::to_string(batches) + " batch" + (batches == 1 ? "" : "es") + " of " +
           counted(tuples, "tuple");
  }
};

class Sender : public NativeOp, public Reconnects {
public:
  explicit Sender(Program &p) : p(p), sleep(*this) {}
  int32_t open() override;
  int32_t batch(uint32_t port, const Batch &, const Punctuation *, uint32_t count) override;
  Saves saves() const override { return Saves::State; }
  void save(Saver &) override;
  int32_t restore(const Loader &) override;
  int32_t close() override;
  void offer(std::unique_ptr<remote::SendLink>) override;

protected:
  virtual void send(const Batch &, std::span<const Punctuation>) = 0;
  /// The stream has ended here.
  virtual void finish() = 0;
  /// The other PE cannot be reached any more: there is no link then. This one goes on: others may
  /// take what it makes.
  virtual void lose() = 0;

  virtual void use(std::unique_ptr<remote::SendLink>);
  /// What was offered last.
  std::unique_ptr<remote::SendLink> takeOffered();
  /// Whether the other PE, which cannot be reached, may come back.
  bool mayReturn() const;
  /// Sends a frame. False: the other PE has gone.
  bool transmit(std::span<const remote::Piece>, uint32_t rows);
  uint32_t otherPe() const { return p.table.pes.of(receiver); }

  Program &p;
  uint32_t self = 0, receiver = 0;
  std::unique_ptr<remote::Schema> schema;
  std::unique_ptr<remote::FrameWriter> writer;
  std::unique_ptr<remote::SendLink> link; // null: the other PE is gone
  bool hasEnded = false;                  // the stream has: at the checkpoint, or since
  bool takesNoMore = false;               // the other PE does not, for good
  LinkCounters *counters = nullptr;
  OperatorSleep sleep;
  os::Event returned; // a link to a PE that was started again was offered

private:
  os::Lock lock;
  std::unique_ptr<remote::SendLink> offered; // guarded by the lock
};

/// With at-least-once delivery.
Sender *makeRetainingSender(Program &);

} // namespace sluice
