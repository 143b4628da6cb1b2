//===- Requests.cpp - what waits for answers of an HTTPRequestProcess -----===//
#include "toolkits/inet/operators/HTTPRequestProcess/Requests.h"
#include "toolkits/inet/native/Attributes.h"

namespace sluice::inet {

void Requests::open(const ParamOp &source, std::shared_ptr<Server> at, std::string where) {
  auto counter = [&](const char *name, const char *what) {
    return sl_make_metric(source.ctx, source.desc, name, what, MetricKind::Counter, 0);
  };
  received = counter("nMessagesReceived", "requests that have come");
  responded = counter("nMessagesResponded", "requests that were answered by tuples");
  expired = counter("nRequestTimeouts", "requests that got no answer in time");
  unknown = counter("nTrackingKeyNotFound", "tuples with a key that nobody waits for");
  keyless = counter("nMissingTrackingKey", "tuples of JSON without a key");
  active = sl_make_metric(source.ctx, source.desc, "nActiveRequests", "requests without an answer",
                          MetricKind::Gauge, 0);
  std::lock_guard guard(lock);
  server = std::move(at);
  path = std::move(where);
}

bool Requests::answer(int64_t key, Reply reply) {
  std::lock_guard guard(lock);
  return server && server->answer(key, std::move(reply));
}

void Requests::close() {
  std::shared_ptr<Server> last; // its end may wait, without the lock
  {
    std::lock_guard guard(lock);
    last = std::move(server);
  }
  if (last)
    count(active, -last->giveUp(path));
}

static bool fits(const TypeDesc &type, Shape shape) {
  switch (shape) {
  case Shape::Text:
    return isText(type);
  case Shape::Texts:
    return isTextMap(type);
  case Shape::Key:
    return type.kind == Kind::Int64;
  case Shape::Status:
    return type.kind == Kind::Int32;
  }
  return false;
}

int32_t findPart(const ParamOp &op, const TypeDesc &type, const char *parameter, const char *usual,
                 Shape shape, const Field *&field) {
  static constexpr const char *kNames[] = {"an rstring or a ustring", "a map<rstring, rstring>",
                                           "an int64", "an int32"};
  std::string name = op.text(parameter, usual);
  field = fieldOf(type, name);
  if (field ? fits(*field->type, shape) : !op.param(parameter) && shape != Shape::Key)
    return 0;
  return sl_error(op.ctx, "%s: the %s needs an attribute %s that is %s", parameter,
                  op.desc->outputs ? "output" : "input", name.c_str(), kNames[size_t(shape)]);
}

const Field *jsonPart(const ParamOp &op, const TypeDesc &type, const char *parameter) {
  const Field &only = type.fields[0];
  bool is = type.count == 1 && op.text(parameter, "jsonString") == only.name && isText(*only.type);
  return is ? &only : nullptr;
}

} // namespace sluice::inet
