//===- KafkaConsumer.cpp - com.ibm.streamsx.kafka::KafkaConsumer ----------===//
//
// The thread of the source takes messages out of librdkafka's queue and waits at a descriptor while
// there are none. All callbacks run on this thread. A thread that waits in the graph does not ask
// for messages, so the longest time between two questions is a day; that the process lives Kafka
// hears from a thread of librdkafka.
//
//===----------------------------------------------------------------------===//
#include "toolkits/kafka/operators/KafkaConsumer/KafkaConsumer.h"
#include "sluice/recovery.h"
#include "stdlib/native/jobs/Names.h"
#include "toolkits/kafka/native/Settings.h"
#include "toolkits/kafka/native/Values.h"
#include <algorithm>
#include <mutex>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace sluice::kafka {
constexpr int kPatience = 5000; // ms for which it waits for an answer of Kafka's

//===--- at the start ---------------------------------------------------------===//

int32_t KafkaConsumer::layOut() {
  static constexpr struct {
    Part part;
    const char *parameter, *name;
  } parts[] = {
      {Part::Message, "outputMessageAttributeName", "message"},
      {Part::Key, "outputKeyAttributeName", "key"},
      {Part::Topic, "outputTopicAttributeName", "topic"},
      {Part::Partition, "outputPartitionAttributeName", "partition"},
      {Part::Offset, "outputOffsetAttributeName", "offset"},
      {Part::Timestamp, "outputTimestampAttributeName", "messageTimestamp"},
  };
  const TypeDesc &type = *desc->outTypes[0];
  for (auto [part, parameter, name] : parts) {
    std::string attribute = text(parameter, name);
    const Field *field = fieldOf(type, attribute);
    if (!field && (part == Part::Message || param(parameter)))
      return sl_error(ctx, "the output has no attribute %s, which %s names", attribute.c_str(),
                      parameter);
    if (!field)
      continue;
    bool isBytes = part == Part::Message || part == Part::Key;
    Kind kind = field->type->kind;
    bool isGood = isBytes                   ? isMessageType(*field->type)
                  : part == Part::Topic     ? kind == Kind::RString
                  : part == Part::Partition ? kind == Kind::Int32 || kind == Kind::UInt32
                                            : kind == Kind::Int64 || kind == Kind::UInt64;
    if (!isGood)
      return sl_error(ctx, "the attribute %s, which %s names, must be %s", attribute.c_str(),
                      parameter,
                      isBytes                   ? kMessageTypes
                      : part == Part::Topic     ? "an rstring"
                      : part == Part::Partition ? "an int32 or a uint32"
                                                : "an int64 or a uint64");
    columns.push_back({field, part});
  }
  tuple.resize(type.size / 8 + 1);
  return 0;
}

int32_t KafkaConsumer::open() {
  std::string missing;
  if (!(lib = library(missing)))
    return sl_error(ctx, "%s", missing.c_str());
  if (param("$control"))
    control = ControlPort::of(*this);
  beginnings.isControlled = control != nullptr;
  if (layOut() || beginnings.open())
    return 1;
  malformed =
      sl_make_metric(ctx, desc, "nDroppedMalformedMessages",
                     "messages that are no value of the attribute's type", MetricKind::Counter, 0);
  rebalances = sl_make_metric(ctx, desc, "nPartitionRebalances",
                              "how often partitions were dealt out", MetricKind::Counter, 0);
  assigned = sl_make_metric(ctx, desc, "nAssignedPartitions", "partitions that it reads",
                            MetricKind::Gauge, 0);
  commitEvery = uint64_t(number("commitCount", 0));
  checkpoints = sl_makes_checkpoints(ctx);
  if (hasRole(*desc, RecoveryRole::Triggers))
    triggerEvery = uint64_t(number("triggerCount", 0));
  return connect();
}

/// Of this operator of this program of this user.
static std::string groupOf(const char *program, const char *op) {
  return "sluice-" + std::to_string(getuid()) + "-" + program + "-" + op;
}

int32_t KafkaConsumer::connect() {
  Settings settings;
  if (int32_t result = settings.read(*this))
    return result;
  if (param("groupId"))
    settings.set("group.id", text("groupId", ""));
  beginnings.ownGroup = !settings.has("group.id");
  settings.byDefault("group.id", groupOf(programName(ctx), desc->name));
  if (flag("staticGroupMember", false))
    settings.byDefault("group.instance.id", groupOf(programName(ctx), desc->name));
  if (beginnings.ownGroup && !param("partition") && ctx->replica->region >= 0)
    return sl_error(ctx,
                    "KafkaConsumer needs groupId in a parallel region, where each channel is a "
                    "member of the group");
  // It asks where a partition begins, and hears of a position that Kafka has not any more.
  const std::string &reset = settings.properties["auto.offset.reset"];
  beginnings.isEarliest = reset == "earliest" || reset == "smallest" || reset == "beginning";
  settings.set("auto.offset.reset", "error");
  settings.set("enable.auto.offset.store", "false");
  settings.set("enable.auto.commit", checkpoints || commitEvery ? "false" : "true");
  settings.set("auto.commit.interval.ms",
               std::to_string(uint64_t(std::max(1.0, number("commitPeriod", 5) * 1000))));
  settings.byDefault("max.poll.interval.ms", "86400000");
  settings.byDefault("queued.max.messages.kbytes", "16384");
  settings.byDefault("reconnect.backoff.max.ms", "1000");
  rd_kafka_conf_t *conf = lib->rd_kafka_conf_new();
  lib->rd_kafka_conf_set_opaque(conf, this);
  lib->rd_kafka_conf_set_error_cb(conf, [](rd_kafka_t *, int error, const char *why, void *op) {
    auto &self = *static_cast<KafkaConsumer *>(op);
    if (error == RD_KAFKA_RESP_ERR__AUTHENTICATION)
      self.fatal = why;
    self.warn(why);
  });
  lib->rd_kafka_conf_set_rebalance_cb(
      conf, [](rd_kafka_t *, rd_kafka_resp_err_t what, rd_kafka_topic_partition_list_t *list,
               void *op) { static_cast<KafkaConsumer *>(op)->rebalance(what, *list); });
  std::string wrong;
  client = makeClient(*lib, RD_KAFKA_CONSUMER, conf, settings, wrong);
  if (!client)
    return sl_error(ctx, "%s", wrong.c_str());
  lib->rd_kafka_poll_set_consumer(client);
  beginnings.begin(*lib, client);
  queue = lib->rd_kafka_queue_get_consumer(client);
  wakes = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  static constexpr uint64_t kOne = 1;
  lib->rd_kafka_queue_io_event_enable(queue, wakes, &kOne, sizeof kOne);
  if (control)
    control->wakeBy(wakes);
  return 0;
}

//===--- where partitions begin -----------------------------------------------===//

/// Topics, or a pattern; or the partitions of the only topic.
rd_kafka_topic_partition_list_t *KafkaConsumer::topics(bool partitions) {
  rd_kafka_topic_partition_list_t *list = lib->rd_kafka_topic_partition_list_new(1);
  if (partitions) {
    for (const ParamValue &value : param("partition")->values)
      lib->rd_kafka_topic_partition_list_add(list, text("topic", "").c_str(),
                                             int32_t(numberOf(value)));
  } else if (param("pattern")) {
    std::string pattern = text("pattern", "");
    lib->rd_kafka_topic_partition_list_add(
        list, (pattern.starts_with("^") ? pattern : "^" + pattern).c_str(), RD_KAFKA_PARTITION_UA);
  } else {
    for (const ParamValue &value : param("topic")->values)
      lib->rd_kafka_topic_partition_list_add(
          list, std::string(viewOf(*static_cast<const Str *>(value.value))).c_str(),
          RD_KAFKA_PARTITION_UA);
  }
  return list;
}

void KafkaConsumer::rebalance(rd_kafka_resp_err_t what, rd_kafka_topic_partition_list_t &list) {
  bool comes = what == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS && beginnings.find(list, positions);
  bool goes = what == RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS;
  bool inParts = std::string_view(lib->rd_kafka_rebalance_protocol(client)) == "COOPERATIVE";
  rebalances->value.fetch_add(1, std::memory_order_relaxed);
  if (goes && !checkpoints && !closes)
    commitNow(); // the next member begins there
  if (goes)
    positions.leave(list);
  if (!inParts || (!comes && !goes)) {
    if (rd_kafka_resp_err_t error = lib->rd_kafka_assign(client, comes ? &list : nullptr))
      warn(lib->rd_kafka_err2str(error));
  } else if (rd_kafka_error_t *error = comes ? lib->rd_kafka_incremental_assign(client, &list)
                                             : lib->rd_kafka_incremental_unassign(client, &list)) {
    warn(lib->rd_kafka_error_string(error));
    lib->rd_kafka_error_destroy(error);
  }
  int64_t parts = comes ? list.cnt : goes ? -int64_t(list.cnt) : 0;
  assigned->value.fetch_add(parts, std::memory_order_relaxed);
}

int32_t KafkaConsumer::begin() {
  if (control)
    return beginControlled();
  bool partitions = param("partition");
  rd_kafka_topic_partition_list_t *list = topics(partitions);
  if (partitions && !beginnings.find(*list, positions)) {
    lib->rd_kafka_topic_partition_list_destroy(list);
    return 0;
  }
  rd_kafka_resp_err_t error =
      partitions ? lib->rd_kafka_assign(client, list) : lib->rd_kafka_subscribe(client, list);
  if (partitions)
    assigned->value.store(list->cnt, std::memory_order_relaxed);
  lib->rd_kafka_topic_partition_list_destroy(list);
  return error ? sl_error(ctx, "cannot begin to read: %s", lib->rd_kafka_err2str(error)) : 0;
}

//===--- messages -------------------------------------------------------------===//

int32_t KafkaConsumer::process() {
  if (int32_t result = begin())
    return result;
  while (!sl_is_shutdown(ctx)) {
    if (int32_t result = obey())
      return result;
    rd_kafka_message_t *message = lib->rd_kafka_consumer_poll(client, 0);
    if (!fatal.empty()) {
      if (message)
        lib->rd_kafka_message_destroy(message);
      return sl_error(ctx, "%s", fatal.c_str());
    }
    if (!message) {
      uint64_t woken;
      if (sl_await_readable(ctx, wakes))
        break;
      (void)!read(wakes, &woken, sizeof woken);
      continue;
    }
    int32_t result = message->err ? trouble(*message) : take(*message);
    lib->rd_kafka_message_destroy(message);
    if (!result)
      result = sl_save_point(ctx);
    if (result)
      return result;
  }
  return 0;
}

/// Fills the tuple. False: the message is none of its type.
bool KafkaConsumer::fill(const rd_kafka_message_t &message) {
  auto *bytes = reinterpret_cast<char *>(tuple.data());
  memset(bytes, 0, desc->outTypes[0]->size);
  std::string_view body{static_cast<const char *>(message.payload), message.len};
  std::string_view key{static_cast<const char *>(message.key), message.key_len};
  rd_kafka_timestamp_type_t kind;
  for (auto [field, part] : columns)
    switch (part) {
    case Part::Message:
      if (message.payload && !setBytes(*field, body, bytes))
        return false;
      break;
    case Part::Key:
      if (message.key && !setBytes(*field, key, bytes))
        return false;
      break;
    case Part::Topic:
      setBytes(*field, lib->rd_kafka_topic_name(message.rkt), bytes);
      break;
    case Part::Partition:
      setNumber(*field, message.partition, bytes);
      break;
    case Part::Offset:
      setNumber(*field, message.offset, bytes);
      break;
    case Part::Timestamp:
      setNumber(*field, lib->rd_kafka_message_timestamp(&message, &kind), bytes);
      break;
    }
  return true;
}

int32_t KafkaConsumer::take(const rd_kafka_message_t &message) {
  const char *topic = lib->rd_kafka_topic_name(message.rkt);
  if (!fill(message)) {
    if (malformed->value.fetch_add(1, std::memory_order_relaxed) == 0)
      sl_warn(ctx, desc,
              "message %lld of partition %d of %s is no value of its attribute's type: it is left "
              "out, and others like it (nDroppedMalformedMessages)",
              static_cast<long long>(message.offset), message.partition, topic);
  } else if (int32_t result = submit(0, tuple.data())) {
    return result;
  } else if (triggerEvery && ++sinceTrigger >= triggerEvery) {
    sinceTrigger = 0;
    sl_ask_checkpoint(ctx); // at the save point behind this message
  }
  positions.passed(message, topic);
  if (!checkpoints)
    lib->rd_kafka_offset_store(message.rkt, message.partition, message.offset);
  if (commitEvery && ++sinceCommit >= commitEvery && !checkpoints)
    commitNow();
  return 0;
}

/// What comes in the place of a message.
int32_t KafkaConsumer::trouble(const rd_kafka_message_t &message) {
  char why[512];
  if (lib->rd_kafka_fatal_error(client, why, sizeof why))
    return sl_error(ctx, "%s", why);
  if (message.err == RD_KAFKA_RESP_ERR__AUTO_OFFSET_RESET)
    return sl_error(ctx, "Kafka has not any more what comes next: %s",
                    lib->rd_kafka_message_errstr(&message));
  if (message.err == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED ||
      message.err == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED)
    return sl_error(ctx, "%s", lib->rd_kafka_message_errstr(&message));
  warn(lib->rd_kafka_message_errstr(&message));
  return 0;
}

void KafkaConsumer::warn(const std::string &why) {
  warnings.warn(ctx, desc, why + "; it tries again");
}

//===--- positions ------------------------------------------------------------===//

/// Commits what was submitted. False: Kafka has not confirmed it in time.
bool KafkaConsumer::commitNow() {
  sinceCommit = 0;
  rd_kafka_topic_partition_list_t *list = positions.list(*lib);
  if (!list)
    return true;
  rd_kafka_queue_t *answers = lib->rd_kafka_queue_new(client);
  rd_kafka_event_t *event = nullptr;
  if (!lib->rd_kafka_commit_queue(client, list, answers, nullptr, nullptr))
    event = lib->rd_kafka_queue_poll(answers, kPatience);
  bool good = event && !lib->rd_kafka_event_error(event);
  if (event)
    lib->rd_kafka_event_destroy(event);
  lib->rd_kafka_queue_destroy(answers);
  lib->rd_kafka_topic_partition_list_destroy(list);
  return good;
}

void KafkaConsumer::save(Saver &saver) {
  positions.save(saver);
  if (control) {
    std::string topics;
    for (const std::string &topic : controlledTopics)
      topics += topic + "\n";
    saver.number("controlled", int64_t(controlled));
    saver.text("controlled topics", topics);
  }
  std::lock_guard guard(lock);
  if (saved)
    lib->rd_kafka_topic_partition_list_destroy(saved);
  saved = positions.list(*lib);
}

int32_t KafkaConsumer::restore(const Loader &loader) {
  positions.restore(loader);
  controlled = Controlled(loader.number("controlled").value_or(0));
  std::string_view topics = loader.text("controlled topics").value_or("");
  for (size_t end; (end = topics.find('\n')) != topics.npos; topics.remove_prefix(end + 1))
    controlledTopics.emplace(topics.substr(0, end));
  return 0;
}

/// For others to see: this program goes on from its checkpoint.
void KafkaConsumer::committed() {
  std::lock_guard guard(lock);
  if (client && saved)
    lib->rd_kafka_commit_queue(client, saved, nullptr, nullptr, nullptr);
}

int32_t KafkaConsumer::close() {
  end();
  return 0;
}

/// Whether Kafka answers.
bool KafkaConsumer::isThere() {
  rd_kafka_topic_partition_list_t *list = positions.list(*lib);
  if (!list)
    return true;
  bool answers = !lib->rd_kafka_committed(client, list, kPatience);
  lib->rd_kafka_topic_partition_list_destroy(list);
  return answers;
}

/// It leaves the group only where Kafka answers. Elsewhere librdkafka would wait for the answer as
/// long as its session lasts: the client stays until the process ends, which it is about to.
void KafkaConsumer::end() {
  if (!client)
    return;
  closes = true;
  if (control)
    control->wakeBy(-1);
  bool answers = checkpoints ? isThere() : commitNow();
  if (answers)
    lib->rd_kafka_consumer_close(client); // calls rebalance()
  std::lock_guard guard(lock);
  if (saved)
    lib->rd_kafka_topic_partition_list_destroy(std::exchange(saved, nullptr));
  rd_kafka_t *ended = std::exchange(client, nullptr);
  if (!answers)
    return;
  lib->rd_kafka_queue_destroy(queue);
  lib->rd_kafka_destroy(ended);
  ::close(wakes);
}

static RegisterNative registered("com.ibm.streamsx.kafka::KafkaConsumer",
                                 [] { return static_cast<NativeOp *>(new KafkaConsumer); });

} // namespace sluice::kafka
