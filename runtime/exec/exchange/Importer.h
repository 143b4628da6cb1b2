//===- Importer.h - streams of other jobs ------------------------*- C++ -*-===//
//
// Looks for jobs that offer what it wants, and takes it from all of them, until the program is told
// to end. Everything is done by the thread of the source, which never waits for one of them alone.
// Operators that read the stream may say that it wants something else; then that thread asks all
// jobs again, and drops the connections that do not fit.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/exchange/Exchange.h"
#include "runtime/exec/source/OperatorSleep.h"
#include "runtime/remote/frame/Frame.h"
#include "sluice/native.h"
#include <map>
#include <set>

namespace sluice {

class Importer {
public:
  /// The conditions can be parsed.
  Importer(NativeOp &op, exchange::Wish, std::string subscription, std::string filter);
  /// Handler return values.
  int32_t run();

  //===--- any thread -------------------------------------------------------===//
  bool hasSubscription() const { return !hasId; }
  std::string subscription() const;
  std::string filter() const;
  /// False: it cannot be parsed. It removes the filter.
  bool subscribe(const std::string &condition);
  /// False: it cannot be parsed, or names what is no attribute. An empty one removes the filter.
  bool setFilter(const std::string &condition);
  exchange::Importing describe() const;
  /// Whether its stream leads to the input port of that id.
  bool feeds(uint32_t inPort) const;

private:
  /// What is taken, as text.
  struct Conditions {
    std::string subscription, filter;
  };
  /// A connection to a job.
  struct Link {
    enum class State { Asks, Requests, Receives } state = State::Asks;
    exchange::Place place;
    remote::Socket socket;
    exchange::Inbox inbox;
    uint32_t offer = 0;    // which of the job
    uint64_t sequence = 0; // of the next frame
    std::string name;      // of the stream, for messages
  };
  using OfferKey = std::pair<exchange::Place, uint32_t>;

  void adopt();
  /// Sets what is wanted; no subscription: as it is.
  void change(std::optional<std::string> subscription, const std::string &filter);
  void scan();
  void await();
  int32_t receiveAll();
  int32_t serve(Link &, bool &stays);
  void lose(Link &, exchange::Inbox::State);
  bool takeReport(Link &);
  bool takeAnswer(Link &);
  void request(const exchange::Place &, const exchange::Report &, uint32_t offer);
  int32_t takeFrame(Link &, bool &stays);

  NativeOp &op;
  Program &p;
  exchange::Wish wish;
  const bool hasId;   // it takes streams by their id
  Conditions adopted; // those that the thread of the source goes by
  const uint32_t out; // id of the output port
  remote::Schema schema;
  Exchange *exchange; // null: nothing comes
  OperatorSleep sleep;
  remote::Socket appeared; // can be read when a job has come
  std::list<Link> links;
  std::map<exchange::Place, uint64_t> asked; // jobs that were asked what they offer, at a version
  std::set<OfferKey> refused;                // that need not be asked for again
  std::set<std::string> told;                // streams that were said to have been cut off
  int64_t nextScan = 0;                      // ns of os::now(); 0: when a job comes
  mutable os::Lock lock;
  Conditions wanted; // guarded by the lock: those that were set last
  os::Event changed; // they are not those that were adopted
};

} // namespace sluice
