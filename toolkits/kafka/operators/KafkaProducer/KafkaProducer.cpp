//===- KafkaProducer.cpp - com.ibm.streamsx.kafka::KafkaProducer ----------===//
//
// librdkafka copies a message into its queue and sends it from a thread of its own. What became of
// it the operator hears in rd_kafka_poll and rd_kafka_flush, on whatever thread calls them.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/os.h"
#include "toolkits/kafka/native/Settings.h"
#include "toolkits/kafka/native/Values.h"
#include "toolkits/kafka/operators/KafkaProducer/Confirmations.h"
#include <mutex>
#include <utility>

namespace sluice::kafka {
namespace {

constexpr int kStep = 20;                    // ms that it waits at once for what is not confirmed
constexpr int kPatience = 30 * 1000 / kStep; // such steps
constexpr double kPause = 0.002;             // s, while librdkafka's queue is full

class KafkaProducer : public ParamOp {
public:
  ~KafkaProducer() { end(); }
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind) override;
  int32_t close() override;
  std::string persist() override;
  void save(Saver &) override;
  std::string sync() override;

private:
  int32_t layOut();
  const Field *attribute(const char *parameter, const char *name, bool &isWrong);
  int32_t connect();
  int32_t send(const char *topic, const void *tuple);
  int32_t makeRoom();
  template <typename Left> std::string await(Left left, bool forever = false);
  std::string broken() const;
  void error(const char *why);
  int32_t finish();
  void end();

  const Library *lib = nullptr;
  rd_kafka_t *client = nullptr;
  std::vector<std::string> topics;
  const Field *topic = nullptr, *key = nullptr, *message = nullptr, *partition = nullptr,
              *timestamp = nullptr;
  uint64_t flushEvery = 0, sinceFlush = 0;
  Confirmations confirmations;
  bool turned = false;     // the last checkpoint has a set of its own; by who makes it
  bool hasEnded = false;   // all was sent, or given up
  uint32_t steps = 0;      // that it has waited for room since the program is to end
  Ctx *home = nullptr;     // for any thread
  mutable os::Lock lock;   // guards what is below
  std::string said, fatal; // the last warning; why it cannot go on
  int64_t saidAt = 0;
};

//===--- at the start ---------------------------------------------------------===//

/// The attribute that a parameter names, or that is called `name`; null: there is none.
const Field *KafkaProducer::attribute(const char *parameter, const char *name, bool &isWrong) {
  const TypeDesc &type = *desc->inTypes[0];
  std::vector<uint32_t> given = attributes(parameter);
  const Field *field = given.empty() ? fieldOf(type, name) : &type.fields[given[0]];
  if (param(parameter) && given.empty()) {
    sl_error(ctx, "%s must be an attribute", parameter);
    isWrong = true;
  }
  return field;
}

int32_t KafkaProducer::layOut() {
  bool isWrong = false;
  message = attribute("messageAttribute", "message", isWrong);
  key = attribute("keyAttribute", "key", isWrong);
  partition = attribute("partitionAttribute", "partition", isWrong);
  timestamp = attribute("timestampAttribute", "messageTimestamp", isWrong);
  if (!param("topic"))
    topic = attribute("topicAttribute", "topic", isWrong);
  if (isWrong)
    return 1;
  if (!message)
    return sl_error(ctx, "the input has no attribute message, and messageAttribute names no other");
  for (const Field *field : {message, key})
    if (field && !isMessageType(*field->type))
      return sl_error(ctx, "the attribute %s must be %s", field->name, kMessageTypes);
  // One that only happens to be called so has another meaning.
  if (partition && partition->type->kind != Kind::Int32)
    partition = nullptr;
  if (timestamp && timestamp->type->kind != Kind::Int64)
    timestamp = nullptr;
  if (const Param *given = param("topic"))
    for (const ParamValue &value : given->values)
      topics.emplace_back(viewOf(*static_cast<const Str *>(value.value)));
  if (topics.empty() && (!topic || topic->type->kind != Kind::RString))
    return sl_error(ctx, "nothing says where to: topic and topicAttribute are missing, and the "
                         "input has no attribute `rstring topic`");
  return 0;
}

int32_t KafkaProducer::open() {
  const char *missing;
  if (!(lib = library(missing)))
    return sl_error(ctx, "%s", missing);
  flushEvery = uint64_t(number("flush", 0));
  home = ctx;
  return layOut() || connect();
}

int32_t KafkaProducer::connect() {
  Settings settings;
  if (int32_t result = settings.read(*this))
    return result;
  settings.byDefault("partitioner", "murmur2_random"); // as Java's producer
  const std::string &acks = settings.properties.try_emplace("acks", "all").first->second;
  settings.byDefault("enable.idempotence", acks == "all" || acks == "-1" ? "true" : "false");
  settings.byDefault("queue.buffering.max.kbytes", "32768");
  if (!settings.has("delivery.timeout.ms"))
    settings.byDefault("message.timeout.ms", "0"); // as long as it takes
  settings.byDefault("reconnect.backoff.max.ms", "1000");
  rd_kafka_conf_t *conf = lib->rd_kafka_conf_new();
  lib->rd_kafka_conf_set_opaque(conf, this);
  lib->rd_kafka_conf_set_log_cb(conf, [](const rd_kafka_t *, int, const char *, const char *) {});
  lib->rd_kafka_conf_set_error_cb(
      conf, [](rd_kafka_t *client, int error, const char *why, void *op) {
        auto &self = *static_cast<KafkaProducer *>(op);
        char text[512];
        if (error == RD_KAFKA_RESP_ERR__FATAL)
          self.lib->rd_kafka_fatal_error(client, text, sizeof text);
        if (error == RD_KAFKA_RESP_ERR__FATAL || error == RD_KAFKA_RESP_ERR__AUTHENTICATION) {
          std::lock_guard guard(self.lock);
          self.fatal = error == RD_KAFKA_RESP_ERR__FATAL ? text : why;
        } else {
          self.error(why);
        }
      });
  lib->rd_kafka_conf_set_dr_msg_cb(conf, [](rd_kafka_t *, const rd_kafka_message_t *m, void *op) {
    auto &self = *static_cast<KafkaProducer *>(op);
    self.confirmations.heard(*self.lib, *m);
  });
  client = makeClient(*this, *lib, RD_KAFKA_PRODUCER, conf, settings);
  return client ? 0 : 1;
}

/// Warns once, and of the same at most once a minute.
void KafkaProducer::error(const char *why) {
  std::lock_guard guard(lock);
  int64_t now = sl_now(home);
  if (why == said && now - saidAt < 60 * os::kNanos)
    return;
  said = why;
  saidAt = now;
  sl_warn(home, desc, "%s; it tries again", why);
}

//===--- tuples ---------------------------------------------------------------===//

int32_t KafkaProducer::tuple(uint32_t, const void *tuple) {
  lib->rd_kafka_poll(client, 0);
  if (std::string why = broken(); !why.empty())
    return sl_error(ctx, "%s", why.c_str());
  if (topics.empty()) {
    auto name =
        viewOf(*reinterpret_cast<const Str *>(static_cast<const char *>(tuple) + topic->offset));
    if (int32_t result = send(std::string(name).c_str(), tuple))
      return result;
  }
  for (const std::string &name : topics)
    if (int32_t result = send(name.c_str(), tuple))
      return result;
  if (flushEvery && ++sinceFlush >= flushEvery) {
    sinceFlush = 0;
    while (confirmations.leftOfAll())
      if (int32_t result = makeRoom())
        return result;
  }
  return 0;
}

/// Sends a message to one topic. While there is no room it waits.
int32_t KafkaProducer::send(const char *name, const void *tuple) {
  char keyBytes[8], bytes[8];
  std::string_view body = bytesOf(*message, tuple, bytes), head;
  if (key)
    head = bytesOf(*key, tuple, keyBytes);
  auto *at = static_cast<const char *>(tuple);
  void *mark = confirmations.sent();
  rd_kafka_vu_t parts[8];
  size_t count = 0;
  auto part = [&](rd_kafka_vtype_t type) -> rd_kafka_vu_t & {
    parts[count].vtype = type;
    return parts[count++];
  };
  part(RD_KAFKA_VTYPE_TOPIC).u.cstr = name;
  part(RD_KAFKA_VTYPE_VALUE).u.mem = {const_cast<char *>(body.data()), body.size()};
  part(RD_KAFKA_VTYPE_MSGFLAGS).u.i = RD_KAFKA_MSG_F_COPY;
  part(RD_KAFKA_VTYPE_OPAQUE).u.ptr = mark;
  if (key)
    part(RD_KAFKA_VTYPE_KEY).u.mem = {const_cast<char *>(head.data()), head.size()};
  if (partition)
    part(RD_KAFKA_VTYPE_PARTITION).u.i32 = load<int32_t>(at + partition->offset);
  if (timestamp)
    part(RD_KAFKA_VTYPE_TIMESTAMP).u.i64 = load<int64_t>(at + timestamp->offset);
  for (;;) {
    rd_kafka_error_t *error = lib->rd_kafka_produceva(client, parts, count);
    if (!error)
      return 0;
    rd_kafka_resp_err_t code = lib->rd_kafka_error_code(error);
    std::string why = lib->rd_kafka_error_string(error);
    lib->rd_kafka_error_destroy(error);
    int32_t result = code == RD_KAFKA_RESP_ERR__QUEUE_FULL
                         ? makeRoom()
                         : sl_error(ctx, "cannot send to the topic %s: %s", name, why.c_str());
    if (result) {
      confirmations.unsent(mark);
      return result;
    }
  }
}

/// What it cannot go on for; empty: nothing.
std::string KafkaProducer::broken() const {
  if (confirmations.hasFailed())
    return confirmations.failure();
  std::lock_guard guard(lock);
  return fatal;
}

static std::string late(int64_t left) {
  return "Kafka has not confirmed " + std::to_string(left) +
         (left == 1 ? " message" : " messages") + " within 30 s";
}

/// Waits a little for messages to be confirmed. Once the program is to end it waits no longer than
/// kPatience in all. Handler return values.
int32_t KafkaProducer::makeRoom() {
  bool ends = sl_wait(ctx, kPause);
  lib->rd_kafka_poll(client, ends ? kStep : 0);
  std::string why = broken();
  if (why.empty() && ends && ++steps > kPatience)
    why = late(confirmations.leftOfAll()) + ": they may be lost";
  return why.empty() ? 0 : sl_error(ctx, "%s", why.c_str());
}

/// Waits until left() is 0, for kPatience or as long as the program runs. Why it is not; or empty.
template <typename Left> std::string KafkaProducer::await(Left left, bool forever) {
  for (int step = 0; left() && step < kPatience; step += !forever || sl_is_shutdown(home)) {
    if (std::string why = broken(); !why.empty())
      return why;
    lib->rd_kafka_flush(client, kStep);
  }
  std::string why = broken();
  return !why.empty() ? why : left() ? late(left()) : "";
}

int32_t KafkaProducer::punct(uint32_t, PunctuationKind kind) {
  return isFinal(kind) ? finish() : 0;
}

int32_t KafkaProducer::finish() {
  if (std::exchange(hasEnded, true) || !client)
    return 0;
  std::string why = await([this] { return confirmations.leftOfAll(); });
  return why.empty() ? 0 : sl_error(ctx, "%s: what Kafka has not is lost", why.c_str());
}

//===--- what outlives this process -------------------------------------------===//

std::string KafkaProducer::persist() {
  return await([this] { return confirmations.leftOfAll(); }, true);
}

/// What comes is counted in the other set, if that is empty.
void KafkaProducer::save(Saver &) {
  turned = !confirmations.leftBefore();
  if (turned)
    confirmations.turn();
}

/// Where save() could not begin another set, what the checkpoint covers is not known: it is given
/// up, and the next one is whole.
std::string KafkaProducer::sync() {
  std::string why = await([this] { return confirmations.leftBefore(); });
  if (why.empty() && !turned)
    why = "Kafka has only now confirmed what was sent before the checkpoint that was given up";
  return why;
}

int32_t KafkaProducer::close() {
  int32_t result = finish();
  end();
  return result;
}

void KafkaProducer::end() {
  if (client)
    lib->rd_kafka_destroy(std::exchange(client, nullptr));
}

RegisterNative registered("com.ibm.streamsx.kafka::KafkaProducer",
                          [] { return static_cast<NativeOp *>(new KafkaProducer); });

} // namespace
} // namespace sluice::kafka
