//===- Messages.h - what jobs say to each other ------------------*- C++ -*-===//
//
// A job that exports or imports listens. Another one connects, and asks once: what there is
// (Report), or for a stream (Request). The answer to a request is "" or why it is refused; after ""
// each message is a frame (runtime/remote/frame). Every message is its length, 4 bytes, and its
// bytes. Pure: whoever decodes may be given any bytes, and refuses what is not as it should be.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/exchange/Offer.h"

namespace sluice::exchange {

/// Of messages that are no frames.
constexpr uint32_t kMostMessage = 4 << 20;

/// Asks for a stream of a job.
struct Request {
  uint32_t offer = 0;       // which of the Report
  std::string type;         // of the tuples that are expected
  uint64_t schema = 0;      // their layout: remote::Schema::hash
  std::string filter;       // a condition; empty: all tuples
  std::string job, import_; // who asks: the application, and the name of the operator
};

/// An Import of a job, for people.
struct Importing {
  std::string name, wants, filter, type;
};
/// Somebody who takes an exported stream, for people.
struct Taker {
  uint32_t offer = 0;
  std::string job, import_;
  int64_t process = 0;
  uint64_t tuples = 0; // that it was sent
};

/// What a job says of itself.
struct Report {
  std::string application;
  int32_t pe = -1;    // of a job of several
  std::string parent; // the id of that job
  std::vector<Offer> offers;
  std::vector<Importing> imports;
  std::vector<Taker> takers;
};

/// With their length in front.
std::string encodeAsk();
std::string encode(const Request &);
std::string encode(const Report &);
std::string encodeAnswer(const std::string &refusal);

/// The bytes behind the length. Nothing: they are no such message.
bool isAsk(std::string_view);
std::optional<Request> decodeRequest(std::string_view);
std::optional<Report> decodeReport(std::string_view);
std::optional<std::string> decodeAnswer(std::string_view);

} // namespace sluice::exchange
