//===- Requests.h - what waits for answers of an HTTPRequestProcess ---*- C++ -*-===//
//
// The operator is two (detachInput): a source of requests, and a sink of answers.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/metrics.h"
#include "stdlib/native/Params.h"
#include "toolkits/inet/server/Server.h"
#include <memory>
#include <mutex>
#include <string>

namespace sluice::inet {

/// What both halves have. Any thread.
class Requests {
public:
  /// By the source: where they wait.
  void open(const ParamOp &source, std::shared_ptr<Server>, std::string path);
  /// Answers one. False: nobody waits for that.
  bool answer(int64_t key, Reply);
  /// Nobody is answered any more.
  void close();

  // Of the source; as all opens before there are tuples, the sink may use them.
  Metric *received = nullptr, *responded = nullptr, *active = nullptr, *expired = nullptr,
         *unknown = nullptr, *keyless = nullptr;

private:
  std::mutex lock; // guards what is below
  std::shared_ptr<Server> server;
  std::string path;
};

/// relaxed: no order between metrics.
inline void count(Metric *metric, int64_t more = 1) {
  metric->value.fetch_add(more, std::memory_order_relaxed);
}

/// What attributes are for.
enum class Shape { Text, Texts, Key, Status };

/// The attribute of a port that the parameter names; without it, that of the usual name, or null.
/// Handler return values.
int32_t findPart(const ParamOp &, const TypeDesc &, const char *parameter, const char *usual, Shape,
                 const Field *&);
/// The only attribute of a port, if it is a JSON object; null: it is not.
const Field *jsonPart(const ParamOp &, const TypeDesc &, const char *parameter);

} // namespace sluice::inet
