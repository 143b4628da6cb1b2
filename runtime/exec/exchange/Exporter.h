//===- Exporter.h - a stream that other jobs may take ------------*- C++ -*-===//
//
// Who takes it has a connection. A batch is sent to each as a frame; what a socket has no room for
// waits in the connection, up to a limit. Then the exporter waits, or cuts the connection.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/exchange/Exchange.h"
#include "runtime/exec/exchange/RowFilter.h"
#include "runtime/exec/source/OperatorSleep.h"
#include "runtime/remote/frame/Frame.h"
#include "sluice/native.h"
#include <set>

namespace sluice {

class Exporter {
public:
  /// `op`: the operator, with one input port; `offer`: its parameters.
  Exporter(NativeOp &op, exchange::Offer offer);

  //===--- by the thread that runs the operator ------------------------------===//
  /// Sends a batch to all who take the stream. Nobody does: nothing happens.
  void send(const Batch &, std::span<const Punctuation>);
  /// The stream has ended, or the program: waits until what was submitted is sent, and ends the
  /// connections.
  void finish();

  //===--- any thread -------------------------------------------------------===//
  /// Whether Imports take it by its properties, and those.
  bool hasProperties() const { return !offer.id; }
  std::vector<exchange::Property> properties() const;
  void setProperties(std::vector<exchange::Property>);
  /// Whether the output port of that id leads to it.
  bool isFedBy(uint32_t outPort) const;

  //===--- by the thread of the Exchange -------------------------------------===//
  /// Takes the socket; or says why not.
  std::string take(const exchange::Request &, remote::Socket &);
  void watch(std::vector<exchange::Watched> &);
  /// Sends what waits, forgets who is gone.
  void serve();
  exchange::Offer describe(uint32_t number, std::vector<exchange::Taker> &);

private:
  struct Connection {
    Connection(const remote::Schema &schema, const TypeDesc *tuple, uint32_t offer)
        : filter(schema, tuple), writer(schema, 0, offer, /*checksum=*/true) {}
    remote::Socket socket;
    exchange::Outbox outbox;
    RowFilter filter;
    remote::FrameWriter writer;
    exchange::Taker taker;
    std::string name; // of who takes it, for messages
    bool gone = false;
  };
  using ConnectionPtr = std::shared_ptr<Connection>;

  /// Holds the lock for the thread of the Exchange. The operator's, which may take it again and
  /// again, lets it pass.
  class Turn {
  public:
    explicit Turn(Exporter &e) : wanted(e.wanted), held(announce(e)) {}
    ~Turn() { wanted.store(false, std::memory_order_relaxed); }

  private:
    static os::Lock &announce(Exporter &e) {
      e.wanted.store(true, std::memory_order_relaxed);
      return e.lock;
    }
    std::atomic<bool> &wanted;
    os::Held held;
  };
  void letPass() const;
  void sendTo(Connection &, const Batch &, std::span<const Punctuation>);
  bool awaitRoom(Connection &, size_t most, int64_t patience);
  bool sleepForRoom(int64_t &until);
  void cut(Connection &, const char *why);

  NativeOp &op;
  Program &p;
  exchange::Offer offer;
  remote::Schema schema;
  Exchange *exchange; // null: nobody takes anything
  OperatorSleep sleep;
  os::Event room;                  // there is less to send than there was
  std::set<std::string> told;      // who was said to be too slow. By the operator's thread
  std::vector<ConnectionPtr> now;  // those of `connections` that get the batch. By the same
  std::atomic<bool> wanted{false}; // relaxed: a hint that the lock is wanted
  // Guards the properties of the offer, the connections and what they have but for filters.
  mutable os::Lock lock;
  std::vector<ConnectionPtr> connections;
  bool ended = false; // guarded by the lock
};

} // namespace sluice
