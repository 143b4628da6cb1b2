//===- Importer.h - streams of other jobs ------------------------*- C++ -*-===//
//
// Looks for jobs that offer what it wants, and takes it from all of them, until the program is told
// to end. Everything is done by the thread of the source, which never waits for one of them alone.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exec/exchange/Exchange.h"
#include "runtime/exec/remote/Remote.h"
#include "runtime/remote/frame/Frame.h"
#include "sluice/native.h"
#include <map>
#include <set>

namespace sluice {

class Importer {
public:
  /// `wants`: the wish in words.
  Importer(NativeOp &op, exchange::Wish, const std::string &wants, std::string filter);
  /// Handler return values.
  int32_t run();

private:
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

  void scan();
  void await();
  int32_t receiveAll();
  int32_t serve(Link &, bool &stays);
  void lose(Link &, exchange::Inbox::State);
  bool takeReport(Link &);
  bool takeAnswer(Link &);
  void request(const exchange::Place &, const exchange::Report &, uint32_t offer);
  int32_t takeFrame(Link &, bool &stays);
  int32_t forward(const Batch &);
  void copyRows(const Batch &from, uint32_t first, uint32_t count);

  NativeOp &op;
  Program &p;
  exchange::Wish wish;
  const std::string filter;
  const uint32_t out; // id of the output port
  remote::Schema schema;
  Exchange *exchange; // null: nothing comes
  OperatorSleep sleep;
  remote::Socket appeared; // can be read when a job has come
  std::list<Link> links;
  std::set<exchange::Place> asked; // jobs that were asked what they offer
  std::set<OfferKey> refused;      // that need not be asked for again
  std::set<std::string> told;      // streams that were said to have been cut off
  int64_t nextScan = 0;            // ns of os::now(); 0: when a job comes
};

} // namespace sluice
