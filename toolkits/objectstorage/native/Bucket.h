//===- Bucket.h - requests of S3 --------------------------------*- C++ -*-===//
//
// Requests are signed by libcurl (AWS's signature version 4), or have a token of IBM's IAM. What no
// answer comes to, and what the server cannot do at the moment, is asked again.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/connect/Retry.h"
#include "toolkits/inet/native/Client.h"
#include "toolkits/objectstorage/native/Place.h"
#include <utility>

namespace sluice::objectstorage {

/// What became of a request.
struct Reply {
  inet::Answer answer;
  std::string code;     // the server's name of what is wrong: "NoSuchKey"
  std::string problem;  // what is wrong, for messages; empty: it was done
  bool mayHelp = false; // to ask again
  bool isDone() const { return problem.empty(); }
};

class Bucket {
public:
  explicit Bucket(inet::Waiting waiting) : waiting(waiting), client(waiting) {}
  /// Handler return values.
  int32_t open(ParamOp &);
  /// The same outside of an operator.
  int32_t open(Ctx *, Place);
  const Place &place() const { return where; }

  /// A request for an object, or for the bucket; `query` has names and values, sorted by name.
  using Query = std::vector<std::pair<std::string, std::string>>;
  inet::Request request(const char *method, const std::string &key, const Query &query = {}) const;
  /// Sends it until there is an answer that stays so, or the program ends.
  Reply ask(const inet::Request &);
  /// Sends it once. `take`: what is no error goes there.
  Reply askOnce(inet::Request, const inet::TakeBody &take = {});
  /// Waits before it is asked again. False: the program ends.
  bool pause(const std::string &why);

private:
  Reply authorize(inet::Request &);

  inet::Waiting waiting;
  inet::Client client;
  Place where;
  Ctx *ctx = nullptr;
  const OperatorDesc *desc = nullptr; // that warns
  std::string token;                  // of IAM
  int64_t tokenEnds = 0;              // sl_now, when another one is asked for
  int64_t endsAt = 0; // when its patience is over, by sl_now; 0: the program is not to end
  Backoff backoff;
  Warnings warnings;
};

} // namespace sluice::objectstorage
