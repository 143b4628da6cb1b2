//===- DirectSending.cpp - messages that are sent as they come ------------===//
#include "toolkits/kafka/operators/KafkaProducer/DirectSending.h"
#include "sluice/ending.h"
#include <utility>

namespace sluice::kafka {

static constexpr int kStep = 20; // ms that it waits at once for what is not confirmed
static constexpr int kPatience = 30 * 1000 / kStep, kStill = 5 * 1000 / kStep; // such steps
static constexpr double kPause = 0.002; // s, while librdkafka's queue is full

int32_t DirectSending::open(const Library &library, const Settings &given) {
  lib = &library;
  home = op.ctx;
  if (op.desc->outputs) {
    outcomes = std::make_unique<Outcomes>(op);
    if (int32_t result = outcomes->open())
      return result;
  }
  Settings settings = given;
  const std::string &acks = settings.properties.try_emplace("acks", "all").first->second;
  settings.byDefault("enable.idempotence", acks == "all" || acks == "-1" ? "true" : "false");
  if (!settings.has("delivery.timeout.ms"))
    settings.byDefault("message.timeout.ms", "0"); // as long as it takes
  rd_kafka_conf_t *conf = lib->rd_kafka_conf_new();
  lib->rd_kafka_conf_set_opaque(conf, this);
  lib->rd_kafka_conf_set_error_cb(conf, [](rd_kafka_t *, int code, const char *why, void *self) {
    static_cast<DirectSending *>(self)->error(code, why);
  });
  lib->rd_kafka_conf_set_dr_msg_cb(conf, [](rd_kafka_t *, const rd_kafka_message_t *m, void *to) {
    static_cast<DirectSending *>(to)->heard(*m);
  });
  std::string wrong;
  client = makeClient(*lib, RD_KAFKA_PRODUCER, conf, settings, wrong);
  return client ? 0 : sl_error(op.ctx, "%s", wrong.c_str());
}

/// Of the connection, or of all that is to come.
void DirectSending::error(int code, const char *why) {
  char text[512];
  if (code == RD_KAFKA_RESP_ERR__FATAL)
    lib->rd_kafka_fatal_error(client, text, sizeof text);
  if (code == RD_KAFKA_RESP_ERR__FATAL || code == RD_KAFKA_RESP_ERR__AUTHENTICATION) {
    os::Held held(lock);
    fatal = code == RD_KAFKA_RESP_ERR__FATAL ? text : why;
  } else {
    warnings.warn(home, op.desc, std::string(why) + "; it tries again");
  }
}

//===--- messages -------------------------------------------------------------===//

void DirectSending::heard(const rd_kafka_message_t &message) {
  if (message.err)
    refused(message._private, lib->rd_kafka_topic_name(message.rkt), message.err);
  confirmations.heard(message._private);
}

/// Before confirmations hear of it.
void DirectSending::refused(void *mark, const char *topic, rd_kafka_resp_err_t error) {
  const char *why = lib->rd_kafka_err2str(error);
  if (outcomes)
    outcomes->refused(Confirmations::setOf(mark), topic, lib->rd_kafka_err2name(error), why);
  else
    confirmations.failed(topic, why);
}

int32_t DirectSending::send(const Message &message) {
  lib->rd_kafka_poll(client, 0);
  if (std::string why = broken(); !why.empty())
    return sl_error(op.ctx, "%s", why.c_str());
  void *mark = confirmations.sent();
  for (;;) {
    rd_kafka_error_t *error = message.produce(*lib, client, mark);
    if (!error)
      return 0;
    rd_kafka_resp_err_t code = lib->rd_kafka_error_code(error);
    lib->rd_kafka_error_destroy(error);
    int32_t result = 0;
    if (code != RD_KAFKA_RESP_ERR__QUEUE_FULL)
      refused(mark, message.topic, code);
    else if (!(result = makeRoom()))
      continue;
    confirmations.heard(mark);
    return result;
  }
}

int32_t DirectSending::sent(const void *tuple) {
  if (!outcomes)
    return 0;
  outcomes->keep(confirmations.cut(), tuple);
  return outcomes->submit(confirmations);
}

/// What it cannot go on for; empty: nothing.
std::string DirectSending::broken() const {
  if (confirmations.hasFailed())
    return confirmations.failure();
  os::Held held(lock);
  return fatal;
}

std::string DirectSending::late(uint64_t left) const {
  std::string text =
      "Kafka has not confirmed " + std::to_string(left) + (left == 1 ? " message" : " messages");
  // relaxed: as mayWait() says.
  bool isAway = gaveUp.load(std::memory_order_relaxed) == confirmations.heardOf();
  return text + (isAway ? ", and nothing at all for 5 s" : " within 30 s");
}

/// Whether to wait another step: for 30 s. Where the program was asked to end nobody waits for a
/// Kafka that has confirmed nothing for 5 s, neither here nor in a later call, until it does.
bool DirectSending::mayWait(Wait &wait) {
  if (++wait.steps > kPatience)
    return false;
  if (!sl_is_asked_to_end(home))
    return true;
  uint64_t heard = confirmations.heardOf();
  wait.still = heard == wait.heard ? wait.still + 1 : 0;
  wait.heard = heard;
  if (wait.still > kStill)
    gaveUp.store(heard, std::memory_order_relaxed); // a number that nothing else depends on
  return gaveUp.load(std::memory_order_relaxed) != heard;
}

/// Waits a little for messages to be confirmed. Handler return values.
int32_t DirectSending::makeRoom() {
  bool ends = sl_wait(op.ctx, kPause) || sl_is_asked_to_end(home);
  lib->rd_kafka_poll(client, ends ? kStep : 0);
  std::string why = broken();
  if (why.empty() && ends && !mayWait(forRoom))
    why = late(confirmations.left()) + ": they may be lost";
  return why.empty() ? 0 : sl_error(op.ctx, "%s", why.c_str());
}

int32_t DirectSending::flush() {
  while (confirmations.left())
    if (int32_t result = makeRoom())
      return result;
  return 0;
}

//===--- what outlives this process -------------------------------------------===//

/// Waits until all up to a set are confirmed, as long as it may; `forever`: as long as the program
/// runs. Why they are not; or empty.
std::string DirectSending::await(uint64_t set, bool forever) {
  auto left = [&] { return confirmations.leftUpTo(set); };
  Wait wait;
  while (left() && ((forever && !sl_is_asked_to_end(home)) || mayWait(wait))) {
    if (std::string why = broken(); !why.empty())
      return why;
    lib->rd_kafka_flush(client, kStep);
  }
  std::string why = broken();
  return !why.empty() ? why : left() ? late(left()) : "";
}

std::string DirectSending::persist() { return await(confirmations.cut(), true); }

std::string DirectSending::sync() { return await(saved, false); }

int32_t DirectSending::finish() {
  if (std::exchange(hasEnded, true) || !client)
    return 0;
  std::string why = await(UINT64_MAX, false);
  if (why.empty())
    return outcomes ? outcomes->submit(confirmations) : 0;
  return sl_error(op.ctx, "%s: what Kafka has not is lost", why.c_str());
}

int32_t DirectSending::close() {
  int32_t result = finish();
  end();
  return result;
}

void DirectSending::end() {
  if (client)
    lib->rd_kafka_destroy(std::exchange(client, nullptr));
}

} // namespace sluice::kafka
