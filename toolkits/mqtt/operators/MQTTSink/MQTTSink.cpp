//===- MQTTSink.cpp - com.ibm.streamsx.mqtt::MQTTSink ---------------------===//
//
// A thread of the process (FlushTimer) keeps the connection while no tuples come; what waits for
// confirmations drives it as well.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/os.h"
#include "stdlib/operators/FileSink/FlushTimer.h"
#include "toolkits/mqtt/native/Client.h"
#include "toolkits/mqtt/native/Errors.h"
#include "value/Value.h"
#include <map>
#include <poll.h>
#include <utility>

namespace sluice::mqtt {
namespace {

constexpr size_t kMostMessages = 1000, kMostBytes = 8 << 20; // that were not confirmed
constexpr int64_t kPeriod = os::kNanos / 20;                 // of the timer
constexpr double kPause = 0.001;                             // s, while there is no room
constexpr int kStep = 20;                                    // ms
constexpr int kSteps = 30 * 1000 / kStep;                    // once the program is to end

class MQTTSink : public ParamOp, private Client::Owner, private Flushable {
public:
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind) override;
  int32_t close() override;
  std::string persist() override;
  void save(Saver &) override;
  std::string sync() override;

private:
  struct Sent {
    uint64_t number; // of all that were sent
    size_t bytes;
  };

  int32_t layOut();
  int32_t send(const std::string &topic, std::string_view body, int qos);
  bool hasRoom() const;
  void drive();
  int32_t wait();
  std::string await(uint64_t upTo, bool forever);
  void confirmed(int id) override;
  void failed(const std::string &why) override { errors.add(why); }
  void flushByTimer() override;
  int32_t finish();
  std::string late() const;

  const Field *data = nullptr, *topicField = nullptr, *qosField = nullptr;
  std::string topic;
  int level = 0;
  bool retains = false, isTimed = false, hasEnded = false;
  int steps = 0; // that it has waited since the program is to end
  Ctx *home = nullptr;
  Metric *failures = nullptr;
  Warnings warnings;
  uint64_t saved = 0;    // those up to here are in the last checkpoint; by who makes it
  mutable os::Lock lock; // guards what is below
  Client client{*this};
  Errors errors;
  uint64_t sent = 0;               // messages
  size_t bytes = 0;                // of those that were not confirmed
  std::map<int, Sent> unconfirmed; // messages that were not confirmed, by id
  bool gaveUp = false;
};

//===--- at the start ---------------------------------------------------------===//

int32_t MQTTSink::layOut() {
  const TypeDesc &type = *desc->inTypes[0];
  auto named = [&](const char *parameter) -> const Field * {
    std::string name = text(parameter, "");
    for (uint32_t i = 0; i < type.count; ++i)
      if (type.fields[i].name == name)
        return &type.fields[i];
    return nullptr;
  };
  data = attributeOf(*this, type, "dataAttributeName", "data");
  if (!data || !isData(*data))
    return sl_error(ctx, "the input needs an rstring or blob: the attribute data, the only one, or "
                         "that which dataAttributeName names");
  topicField = named("topicAttributeName");
  if (bool(param("topic")) == bool(param("topicAttributeName")))
    return sl_error(ctx, "one of topic and topicAttributeName is needed");
  if (param("topicAttributeName") && (!topicField || (topicField->type->kind != Kind::RString &&
                                                      topicField->type->kind != Kind::UString)))
    return sl_error(ctx, "topicAttributeName: the input has no rstring or ustring %s",
                    text("topicAttributeName", "").c_str());
  qosField = named("qosAttributeName");
  if (param("qosAttributeName") && (!qosField || qosField->type->kind != Kind::Int32))
    return sl_error(ctx, "qosAttributeName: the input has no int32 %s",
                    text("qosAttributeName", "").c_str());
  level = int(number("qos", 0));
  if (level < 0 || level > 2)
    return sl_error(ctx, "qos is 0, 1 or 2");
  return errors.open(*this, 0);
}

int32_t MQTTSink::open() {
  home = ctx;
  topic = text("topic", "");
  retains = flag("retain", false);
  if (layOut() || client.open(*this))
    return 1;
  failures = sl_make_metric(ctx, desc, "nFailedMessages", "messages that cannot be sent",
                            MetricKind::Counter, 0);
  FlushTimer::shared().add(this, kPeriod);
  isTimed = true;
  return 0;
}

//===--- the connection -------------------------------------------------------===//

/// Waits a step for it.
static bool isReady(int descriptor) {
  pollfd ready{descriptor, POLLIN, 0};
  return poll(&ready, 1, kStep) > 0;
}

/// Does all that there is to do now.
void MQTTSink::drive() {
  for (pollfd ready{client.descriptor(), POLLIN, 0}; !gaveUp; ready.fd = client.descriptor()) {
    gaveUp = !client.step();
    if (poll(&ready, 1, 0) <= 0)
      return;
  }
}

void MQTTSink::flushByTimer() {
  if (!lock.tryLock())
    return;
  drive();
  lock.unlock();
}

void MQTTSink::confirmed(int id) {
  if (auto found = unconfirmed.find(id); found != unconfirmed.end()) {
    bytes -= found->second.bytes;
    unconfirmed.erase(found);
  }
}

bool MQTTSink::hasRoom() const {
  return client.isConnected() && !client.wantsToWrite() && unconfirmed.size() < kMostMessages &&
         bytes < kMostBytes;
}

std::string MQTTSink::late() const {
  return client.shown + " has not confirmed " + std::to_string(unconfirmed.size()) +
         (unconfirmed.size() == 1 ? " message" : " messages") + " within 30 s";
}

/// Waits until there is something to do, and does it. Handler return values.
int32_t MQTTSink::wait() {
  int descriptor = client.descriptor();
  lock.unlock();
  // Not at the descriptor: the timer's thread may have taken what came.
  bool ends = sl_wait(ctx, kPause);
  steps += ends && !isReady(descriptor);
  lock.lock();
  drive();
  if (int32_t result = errors.submit(*this))
    return result;
  if (gaveUp)
    return sl_error(ctx, "%s", client.problem().c_str());
  if (steps > kSteps)
    return sl_error(ctx, "%s: what it has not is lost", late().c_str());
  return 0;
}

//===--- tuples ---------------------------------------------------------------===//

int32_t MQTTSink::send(const std::string &to, std::string_view body, int qos) {
  int id = 0;
  int wrong = client.lib->mosquitto_publish(client.handle, &id, to.c_str(), int(body.size()),
                                            body.data(), qos, retains);
  if (wrong == MOSQ_ERR_SUCCESS) {
    ++sent;
    // A message of QoS 0 may be confirmed before this returns; nobody asks for it.
    if (qos > 0) {
      unconfirmed[id] = {sent, body.size()};
      bytes += body.size();
    }
    return 0;
  }
  if (wrong == MOSQ_ERR_NO_CONN || wrong == MOSQ_ERR_CONN_LOST)
    return -1;
  std::string why = "cannot send to the topic " + to + ": " + client.lib->mosquitto_strerror(wrong);
  failures->value.fetch_add(1, std::memory_order_relaxed);
  warnings.warn(ctx, desc, why, client.lib->mosquitto_strerror(wrong));
  errors.add(why);
  return 0;
}

int32_t MQTTSink::tuple(uint32_t, const void *tuple) {
  auto *at = static_cast<const char *>(tuple);
  os::Held held(lock);
  std::string to =
      topicField ? std::string(viewOf(*reinterpret_cast<const Str *>(at + topicField->offset)))
                 : topic;
  int qos = qosField ? load<int32_t>(at + qosField->offset) : level;
  std::string_view body = viewOf(*reinterpret_cast<const Str *>(at + data->offset));
  do
    while (!hasRoom())
      if (int32_t result = wait())
        return result;
  while (send(to, body, qos) < 0);
  return errors.submit(*this);
}

int32_t MQTTSink::punct(uint32_t, PunctuationKind kind) {
  if (!isFinal(kind))
    return 0;
  os::Held held(lock);
  return finish();
}

int32_t MQTTSink::finish() {
  if (std::exchange(hasEnded, true))
    return 0;
  while ((!unconfirmed.empty() || client.wantsToWrite()) && !gaveUp) {
    if (steps > kSteps)
      return sl_error(ctx, "%s: what it has not is lost", late().c_str());
    steps += !isReady(client.descriptor());
    drive();
  }
  return gaveUp && !unconfirmed.empty() ? sl_error(ctx, "%s", client.problem().c_str()) : 0;
}

int32_t MQTTSink::close() {
  if (isTimed)
    FlushTimer::shared().remove(this);
  isTimed = false;
  os::Held held(lock);
  int32_t result = client.handle ? finish() : 0;
  client.close();
  return result;
}

//===--- what outlives this process -------------------------------------------===//

/// Waits until all messages up to number `upTo` are confirmed. Why they are not; or empty.
std::string MQTTSink::await(uint64_t upTo, bool forever) {
  auto isLeft = [&] {
    for (const auto &[id, message] : unconfirmed)
      if (message.number <= upTo)
        return true;
    return false;
  };
  os::Held held(lock);
  for (int waited = 0; isLeft() && !gaveUp;) {
    if (waited > kSteps)
      return late();
    int descriptor = client.descriptor();
    lock.unlock();
    waited += !isReady(descriptor) && (!forever || sl_is_shutdown(home));
    lock.lock();
    drive();
  }
  return isLeft() ? client.problem() : "";
}

std::string MQTTSink::persist() { return await(~uint64_t(0), true); }

void MQTTSink::save(Saver &) {
  os::Held held(lock);
  saved = sent;
}

std::string MQTTSink::sync() { return await(saved, false); }

RegisterNative registered("com.ibm.streamsx.mqtt::MQTTSink",
                          [] { return static_cast<NativeOp *>(new MQTTSink); });

} // namespace
} // namespace sluice::mqtt
