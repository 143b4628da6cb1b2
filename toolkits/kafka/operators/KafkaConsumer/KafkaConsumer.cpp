//===- KafkaConsumer.cpp - com.ibm.streamsx.kafka::KafkaConsumer ----------===//
//
// The thread of the source takes messages out of librdkafka's queue and waits at a descriptor while
// there are none. All callbacks run on this thread. A thread that waits in the graph does not ask
// for messages, so the longest time between two questions is a day; that the process lives Kafka
// hears from a thread of librdkafka.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/os.h"
#include "sluice/metrics.h"
#include "stdlib/native/jobs/Names.h"
#include "toolkits/kafka/native/Settings.h"
#include "toolkits/kafka/native/Values.h"
#include "toolkits/kafka/operators/KafkaConsumer/Positions.h"
#include <algorithm>
#include <mutex>
#include <sys/eventfd.h>
#include <unistd.h>
#include <utility>

namespace sluice::kafka {
namespace {

constexpr int kPatience = 5000; // ms for which it asks where a group is

class KafkaConsumer : public ParamOp {
public:
  ~KafkaConsumer() { end(); }
  Saves saves() const override { return Saves::State; }
  bool hasSavePoints() const override { return true; }
  bool finishes() const override { return true; }
  int32_t open() override;
  int32_t process() override;
  int32_t close() override;
  void save(Saver &) override;
  int32_t restore(const Loader &) override;
  void committed() override;

private:
  enum class Part { Message, Key, Topic, Partition, Offset, Timestamp };
  struct Column {
    const Field *field;
    Part part;
  };

  int32_t layOut();
  int32_t checkStart();
  int32_t connect();
  int32_t begin();
  rd_kafka_topic_partition_list_t *topics(bool partitions);
  int32_t take(const rd_kafka_message_t &);
  int32_t trouble(const rd_kafka_message_t &);
  bool fill(const rd_kafka_message_t &);
  void startAt(rd_kafka_topic_partition_list_t &);
  void rebalance(rd_kafka_resp_err_t, rd_kafka_topic_partition_list_t &);
  void commitNow(bool waits);
  void warn(const std::string &);
  void end();

  const Library *lib = nullptr;
  rd_kafka_t *client = nullptr;
  rd_kafka_queue_t *queue = nullptr;
  int wakes = -1; // the descriptor that says that there are messages
  std::vector<Column> columns;
  std::vector<uint64_t> tuple;
  Positions positions;
  rd_kafka_topic_partition_list_t *saved = nullptr; // of the last checkpoint; as committed() says
  os::Lock lock;                                    // guards `saved`
  Start start = Start::Default;
  bool ownGroup = false; // nobody has named it
  bool hasBegun = false; // it had partitions before
  bool checkpoints = false;
  uint64_t commitEvery = 0, sinceCommit = 0;
  std::string said, fatal; // the last warning; why it cannot go on
  int64_t saidAt = 0;
  Metric *malformed = nullptr, *rebalances = nullptr, *assigned = nullptr;
};

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
    Kind wanted = part == Part::Topic       ? Kind::RString
                  : part == Part::Partition ? Kind::Int32
                                            : Kind::Int64;
    if (isBytes ? !isMessageType(*field->type) : field->type->kind != wanted)
      return sl_error(ctx, "the attribute %s, which %s names, must be %s", attribute.c_str(),
                      parameter,
                      isBytes                   ? kMessageTypes
                      : wanted == Kind::RString ? "an rstring"
                      : wanted == Kind::Int32   ? "an int32"
                                                : "an int64");
    columns.push_back({field, part});
  }
  tuple.resize(type.size / 8 + 1);
  return 0;
}

int32_t KafkaConsumer::checkStart() {
  static constexpr std::pair<std::string_view, Start> starts[] = {{"Default", Start::Default},
                                                                  {"Beginning", Start::Beginning},
                                                                  {"End", Start::End},
                                                                  {"Time", Start::Time},
                                                                  {"Offset", Start::Offset}};
  std::string name = text("startPosition", "Default");
  for (auto [text, value] : starts)
    if (name == text)
      start = value;
  if (!param("topic") == !param("pattern"))
    return sl_error(ctx, "KafkaConsumer needs one of the parameters topic and pattern");
  if (param("partition") && (param("pattern") || param("topic")->values.size() != 1))
    return sl_error(ctx, "with partition there must be one topic");
  if (start == Start::Time && !param("startTime"))
    return sl_error(ctx, "startPosition : Time needs startTime");
  if (start == Start::Offset &&
      (!param("partition") || !param("startOffset") ||
       param("partition")->values.size() != param("startOffset")->values.size()))
    return sl_error(ctx,
                    "startPosition : Offset needs partition and startOffset, with as many values");
  return 0;
}

int32_t KafkaConsumer::open() {
  const char *missing;
  if (!(lib = library(missing)))
    return sl_error(ctx, "%s", missing);
  if (layOut() || checkStart())
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
  ownGroup = !settings.has("group.id");
  settings.byDefault("group.id", groupOf(programName(ctx), desc->name));
  if (flag("staticGroupMember", false))
    settings.byDefault("group.instance.id", groupOf(programName(ctx), desc->name));
  settings.set("enable.auto.offset.store", "false");
  settings.set("enable.auto.commit", checkpoints || commitEvery ? "false" : "true");
  settings.set("auto.commit.interval.ms",
               std::to_string(uint64_t(std::max(1.0, number("commitPeriod", 5) * 1000))));
  settings.set("max.poll.interval.ms", "86400000");
  settings.byDefault("queued.max.messages.kbytes", "16384");
  settings.byDefault("reconnect.backoff.max.ms", "1000");
  rd_kafka_conf_t *conf = lib->rd_kafka_conf_new();
  lib->rd_kafka_conf_set_opaque(conf, this);
  lib->rd_kafka_conf_set_log_cb(conf, [](const rd_kafka_t *, int, const char *, const char *) {});
  lib->rd_kafka_conf_set_error_cb(conf, [](rd_kafka_t *, int error, const char *why, void *op) {
    auto &self = *static_cast<KafkaConsumer *>(op);
    if (error == RD_KAFKA_RESP_ERR__AUTHENTICATION)
      self.fatal = why;
    self.warn(why);
  });
  lib->rd_kafka_conf_set_rebalance_cb(
      conf, [](rd_kafka_t *, rd_kafka_resp_err_t what, rd_kafka_topic_partition_list_t *list,
               void *op) { static_cast<KafkaConsumer *>(op)->rebalance(what, *list); });
  client = makeClient(*this, *lib, RD_KAFKA_CONSUMER, conf, settings);
  if (!client)
    return 1;
  lib->rd_kafka_poll_set_consumer(client);
  queue = lib->rd_kafka_queue_get_consumer(client);
  wakes = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  static constexpr uint64_t kOne = 1;
  lib->rd_kafka_queue_io_event_enable(queue, wakes, &kOne, sizeof kOne);
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

/// Sets where the partitions begin: where this program was; else where the group was, unless it is
/// only this operator's, at the start, and something else is wanted; else as startPosition says.
void KafkaConsumer::startAt(rd_kafka_topic_partition_list_t &list) {
  if (!ownGroup || start == Start::Default || std::exchange(hasBegun, true))
    lib->rd_kafka_committed(client, &list, kPatience);
  bool asks = false;
  for (int i = 0; i < list.cnt; ++i) {
    auto &place = list.elems[i];
    if (place.offset >= 0)
      continue;
    if (start == Start::Beginning)
      place.offset = RD_KAFKA_OFFSET_BEGINNING;
    else if (start == Start::End)
      place.offset = RD_KAFKA_OFFSET_END;
    else if (start == Start::Offset)
      place.offset = int64_t(numberOf(param("startOffset")->values[size_t(i)]));
    asks |= start == Start::Time;
  }
  if (asks) { // of those without an offset
    rd_kafka_topic_partition_list_t *by = lib->rd_kafka_topic_partition_list_new(list.cnt);
    for (int i = 0; i < list.cnt; ++i)
      if (list.elems[i].offset < 0)
        lib->rd_kafka_topic_partition_list_add(by, list.elems[i].topic, list.elems[i].partition)
            ->offset = int64_t(number("startTime", 0));
    lib->rd_kafka_offsets_for_times(client, by, kPatience);
    for (int i = 0, k = 0; i < list.cnt; ++i)
      if (list.elems[i].offset < 0)
        list.elems[i].offset = by->elems[k++].offset;
    lib->rd_kafka_topic_partition_list_destroy(by);
  }
  positions.apply(list);
}

void KafkaConsumer::rebalance(rd_kafka_resp_err_t what, rd_kafka_topic_partition_list_t &list) {
  bool comes = what == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS;
  bool inParts = std::string_view(lib->rd_kafka_rebalance_protocol(client)) == "COOPERATIVE";
  rebalances->value.fetch_add(1, std::memory_order_relaxed);
  if (comes) {
    startAt(list);
  } else { // the next member begins there
    commitNow(true);
    positions.forget(list);
  }
  if (!inParts)
    lib->rd_kafka_assign(client, comes ? &list : nullptr);
  else if (rd_kafka_error_t *error = comes ? lib->rd_kafka_incremental_assign(client, &list)
                                           : lib->rd_kafka_incremental_unassign(client, &list))
    lib->rd_kafka_error_destroy(error);
  int64_t parts = comes ? list.cnt : -int64_t(list.cnt);
  assigned->value.fetch_add(parts, std::memory_order_relaxed);
}

int32_t KafkaConsumer::begin() {
  bool partitions = param("partition");
  rd_kafka_topic_partition_list_t *list = topics(partitions);
  if (partitions)
    startAt(*list);
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
    rd_kafka_message_t *message = lib->rd_kafka_consumer_poll(client, 0);
    if (!fatal.empty())
      return sl_error(ctx, "%s", fatal.c_str());
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
  }
  positions.passed(message, topic);
  if (!checkpoints)
    lib->rd_kafka_offset_store(message.rkt, message.partition, message.offset);
  if (commitEvery && ++sinceCommit >= commitEvery && !checkpoints)
    commitNow(false);
  return 0;
}

/// What comes in the place of a message.
int32_t KafkaConsumer::trouble(const rd_kafka_message_t &message) {
  char why[512];
  if (lib->rd_kafka_fatal_error(client, why, sizeof why))
    return sl_error(ctx, "%s", why);
  if (message.err == RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED ||
      message.err == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED)
    return sl_error(ctx, "%s", lib->rd_kafka_message_errstr(&message));
  warn(lib->rd_kafka_message_errstr(&message));
  return 0;
}

/// Warns once, and of the same at most once a minute.
void KafkaConsumer::warn(const std::string &why) {
  int64_t now = sl_now(ctx);
  if (why == said && now - saidAt < 60 * os::kNanos)
    return;
  said = why;
  saidAt = now;
  sl_warn(ctx, desc, "%s; it tries again", why.c_str());
}

//===--- positions ------------------------------------------------------------===//

void KafkaConsumer::commitNow(bool waits) {
  sinceCommit = 0;
  if (positions.empty())
    return;
  rd_kafka_topic_partition_list_t *list = positions.list(*lib);
  lib->rd_kafka_commit(client, list, waits ? 0 : 1);
  lib->rd_kafka_topic_partition_list_destroy(list);
}

void KafkaConsumer::save(Saver &saver) {
  positions.save(saver);
  std::lock_guard guard(lock);
  if (saved)
    lib->rd_kafka_topic_partition_list_destroy(saved);
  saved = positions.empty() ? nullptr : positions.list(*lib);
}

int32_t KafkaConsumer::restore(const Loader &loader) {
  positions.restore(loader);
  return 0;
}

/// For others to see: this program goes on from its checkpoint.
void KafkaConsumer::committed() {
  std::lock_guard guard(lock);
  if (client && saved)
    lib->rd_kafka_commit(client, saved, 1);
}

int32_t KafkaConsumer::close() {
  end();
  return 0;
}

void KafkaConsumer::end() {
  if (!client)
    return;
  if (!checkpoints)
    commitNow(true);
  lib->rd_kafka_consumer_close(client);
  lib->rd_kafka_queue_destroy(queue);
  std::lock_guard guard(lock);
  if (saved)
    lib->rd_kafka_topic_partition_list_destroy(std::exchange(saved, nullptr));
  lib->rd_kafka_destroy(std::exchange(client, nullptr));
  ::close(wakes);
}

RegisterNative registered("com.ibm.streamsx.kafka::KafkaConsumer",
                          [] { return static_cast<NativeOp *>(new KafkaConsumer); });

} // namespace
} // namespace sluice::kafka
