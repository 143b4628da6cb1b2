//===- Beginnings.cpp - where a consumer begins to read -------------------===//
#include "toolkits/kafka/operators/KafkaConsumer/Beginnings.h"
#include <utility>

namespace sluice::kafka {

static constexpr int kPatience = 5000;    // ms until it asks again
static constexpr int64_t kBeginning = -2; // the offset that means it

int32_t Beginnings::open() {
  static constexpr std::pair<std::string_view, Start> starts[] = {{"Default", Start::Default},
                                                                  {"Beginning", Start::Beginning},
                                                                  {"End", Start::End},
                                                                  {"Time", Start::Time},
                                                                  {"Offset", Start::Offset}};
  std::string name = op.text("startPosition", op.text("startPositionStr", "Default"));
  bool isKnown = false;
  for (auto [text, value] : starts)
    if (name == text) {
      start = value;
      isKnown = true;
    }
  if (!isKnown)
    return sl_error(op.ctx, "startPositionStr is Beginning, End, Default, Time or Offset, not %s",
                    name.c_str());
  if (isControlled && (op.param("topic") || op.param("pattern") || op.param("partition")))
    return sl_error(op.ctx, "with a control port there is neither topic nor pattern nor partition");
  if (!isControlled && !op.param("topic") == !op.param("pattern"))
    return sl_error(op.ctx, "KafkaConsumer needs one of the parameters topic and pattern");
  if (op.param("partition") && (op.param("pattern") || op.param("topic")->values.size() != 1))
    return sl_error(op.ctx, "with partition there must be one topic");
  if (start == Start::Time && !op.param("startTime"))
    return sl_error(op.ctx, "startPosition : Time needs startTime");
  if (start == Start::Offset &&
      (!op.param("partition") || !op.param("startOffset") ||
       op.param("partition")->values.size() != op.param("startOffset")->values.size()))
    return sl_error(op.ctx,
                    "startPosition : Offset needs partition and startOffset, with as many values");
  return 0;
}

/// Asks Kafka something until it answers. False: the program ends before.
template <typename Ask> bool Beginnings::ask(const Ask &question) {
  for (;;) {
    rd_kafka_resp_err_t error = question();
    if (!error)
      return true;
    warn(lib->rd_kafka_err2str(error));
    if (sl_wait(op.ctx, 0.1))
      return false;
  }
}

/// The first failure of a list, or of its partitions.
static rd_kafka_resp_err_t firstError(rd_kafka_resp_err_t error,
                                      const rd_kafka_topic_partition_list_t &list) {
  for (int i = 0; !error && i < list.cnt; ++i)
    error = list.elems[i].err;
  return error;
}

/// The offset of the first message, or that behind the last one.
bool Beginnings::findEnd(rd_kafka_topic_partition_t &part, bool first) {
  int64_t low = 0, high = 0;
  bool answered = ask([&] {
    return lib->rd_kafka_query_watermark_offsets(client, part.topic, part.partition, &low, &high,
                                                 kPatience);
  });
  part.offset = first ? low : high;
  return answered;
}

/// The offset at startTime; below 0: all messages are older.
bool Beginnings::findTime(rd_kafka_topic_partition_t &part) {
  rd_kafka_topic_partition_list_t *one = lib->rd_kafka_topic_partition_list_new(1);
  auto *place = lib->rd_kafka_topic_partition_list_add(one, part.topic, part.partition);
  bool answered = ask([&] {
    place->offset = int64_t(op.number("startTime", 0));
    return firstError(lib->rd_kafka_offsets_for_times(client, one, kPatience), *one);
  });
  part.offset = place->offset;
  lib->rd_kafka_topic_partition_list_destroy(one);
  return answered;
}

/// Gives partitions of which nothing is known their offsets, as startPosition says.
bool Beginnings::findNew(rd_kafka_topic_partition_list_t &list, const Positions &positions) {
  bool first = start == Start::Beginning || (start == Start::Default && isEarliest);
  for (int i = 0; i < list.cnt; ++i) {
    auto &part = list.elems[i];
    if (part.offset >= 0 || positions.knows(part))
      continue;
    if (start == Start::Offset)
      part.offset = int64_t(numberOf(op.param("startOffset")->values[size_t(i)]));
    else if (start == Start::Time && !findTime(part))
      return false;
    if (part.offset < 0 && !findEnd(part, first))
      return false;
  }
  return true;
}

bool Beginnings::find(rd_kafka_topic_partition_list_t &list, Positions &positions) {
  for (int i = 0; i < list.cnt; ++i)
    list.elems[i].offset = RD_KAFKA_OFFSET_INVALID;
  bool wanted = start == Start::Default || (!ownGroup && start != Start::Offset);
  auto committed = [&] {
    return firstError(lib->rd_kafka_committed(client, &list, kPatience), list);
  };
  if ((std::exchange(hasBegun, true) || wanted) && !ask(committed))
    return false;
  if (!findNew(list, positions))
    return false;
  positions.take(list);
  return true;
}

bool Beginnings::findFrom(rd_kafka_topic_partition_list_t &list, Positions &positions) {
  rd_kafka_topic_partition_list_t *open = lib->rd_kafka_topic_partition_list_new(list.cnt);
  bool answered = true;
  for (int i = 0; i < list.cnt && answered; ++i) {
    auto &part = list.elems[i];
    if (part.offset < kBeginning)
      lib->rd_kafka_topic_partition_list_add(open, part.topic, part.partition);
    else if (part.offset < 0)
      answered = findEnd(part, part.offset == kBeginning);
  }
  answered = answered && (!open->cnt || find(*open, positions));
  if (answered)
    positions.take(list); // `open` is there already, with its offsets
  lib->rd_kafka_topic_partition_list_destroy(open);
  return answered;
}

} // namespace sluice::kafka
