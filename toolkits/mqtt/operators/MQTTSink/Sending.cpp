//===- Sending.cpp - how MQTTSink sends messages --------------------------===//
//
// All with the lock.
//
//===----------------------------------------------------------------------===//
#include "toolkits/mqtt/operators/MQTTSink/MQTTSink.h"
#include <algorithm>
#include <poll.h>
#include <utility>

namespace sluice::mqtt {

constexpr size_t kMostMessages = 1000, kMostBytes = 8 << 20; // that were not confirmed
constexpr double kPause = 0.001;                             // s, while there is no room

//===--- the connection -------------------------------------------------------===//

/// Waits a step for it.
bool MQTTSink::isReady(int descriptor) {
  pollfd ready{descriptor, POLLIN, 0};
  return poll(&ready, 1, kStep) > 0;
}

/// Does what the control port says. Another broker gets all that this one has not confirmed.
void MQTTSink::obey() {
  while (std::optional<std::string> message = control ? control->take() : std::nullopt) {
    Properties changes;
    bool hasMoved = false;
    std::string wrong = configOf(*message, changes);
    if (wrong.empty())
      wrong = client.move(changes, hasMoved);
    if (!wrong.empty()) {
      sl_warn(home, desc, "the control port: %s; that is left out", wrong.c_str());
      errors.add("the control port: " + wrong);
    }
    if (!hasMoved)
      continue;
    for (auto &[id, message] : unconfirmed)
      again.push_back(std::move(message));
    unconfirmed.clear();
    std::sort(again.begin(), again.end(),
              [](const Sent &a, const Sent &b) { return a.number < b.number; });
  }
}

void MQTTSink::sendAgain() {
  while (!again.empty() && client.isConnected() && !client.wantsToWrite()) {
    const Sent &message = again.front();
    int wrong = publish(message.topic, message.body, message.qos, message.number);
    if (wrong == MOSQ_ERR_NO_CONN || wrong == MOSQ_ERR_CONN_LOST)
      return;
    if (wrong != MOSQ_ERR_SUCCESS) {
      bytes -= message.bytes;
      cannotSend(message.topic, wrong);
    }
    again.pop_front();
  }
}

/// Does all that there is to do now.
void MQTTSink::drive() {
  obey();
  for (pollfd ready{client.descriptor(), POLLIN, 0}; !gaveUp; ready.fd = client.descriptor()) {
    gaveUp = !client.step();
    sendAgain();
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
  return client.isConnected() && !client.wantsToWrite() && again.empty() &&
         unconfirmed.size() < kMostMessages && bytes < kMostBytes;
}

std::string MQTTSink::late() const {
  return client.shown + " has not confirmed " + std::to_string(missing()) +
         (missing() == 1 ? " message" : " messages") + " within 30 s";
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

//===--- messages -------------------------------------------------------------===//

/// A message of QoS 0 may be confirmed before this returns; nobody asks for it.
int MQTTSink::publish(const std::string &to, std::string_view body, int qos, uint64_t number) {
  int id = 0;
  int wrong = client.lib->mosquitto_publish(client.handle, &id, to.c_str(), int(body.size()),
                                            body.data(), qos, retains);
  if (wrong != MOSQ_ERR_SUCCESS || qos == 0)
    return wrong;
  Sent &message = unconfirmed[id] = {number, body.size(), qos, {}, {}};
  if (control) {
    message.topic = to;
    message.body = body;
  }
  return wrong;
}

void MQTTSink::cannotSend(const std::string &to, int wrong) {
  const char *reason = client.lib->mosquitto_strerror(wrong);
  std::string why = "cannot send to the topic " + to + ": " + reason;
  failures->value.fetch_add(1, std::memory_order_relaxed);
  warnings.warn(home, desc, why, reason);
  errors.add(why);
}

/// Below 0: there is no connection.
int32_t MQTTSink::send(const std::string &to, std::string_view body, int qos) {
  int wrong = publish(to, body, qos, sent + 1);
  if (wrong == MOSQ_ERR_NO_CONN || wrong == MOSQ_ERR_CONN_LOST)
    return -1;
  if (wrong != MOSQ_ERR_SUCCESS) {
    cannotSend(to, wrong);
    return 0;
  }
  ++sent;
  bytes += qos > 0 ? body.size() : 0;
  return 0;
}

} // namespace sluice::mqtt
