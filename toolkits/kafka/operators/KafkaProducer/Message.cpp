//===- Message.cpp - a message that is to be sent -------------------------===//
#include "toolkits/kafka/operators/KafkaProducer/Message.h"
#include <cstring>

namespace sluice::kafka {

rd_kafka_error_t *Message::produce(const Library &lib, rd_kafka_t *client, void *mark) const {
  rd_kafka_vu_t parts[8];
  size_t count = 0;
  auto part = [&](rd_kafka_vtype_t type) -> rd_kafka_vu_t & {
    parts[count].vtype = type;
    return parts[count++];
  };
  part(RD_KAFKA_VTYPE_TOPIC).u.cstr = topic;
  part(RD_KAFKA_VTYPE_VALUE).u.mem = {const_cast<char *>(body.data()), body.size()};
  part(RD_KAFKA_VTYPE_MSGFLAGS).u.i = RD_KAFKA_MSG_F_COPY;
  part(RD_KAFKA_VTYPE_OPAQUE).u.ptr = mark;
  if (key)
    part(RD_KAFKA_VTYPE_KEY).u.mem = {const_cast<char *>(key->data()), key->size()};
  if (partition)
    part(RD_KAFKA_VTYPE_PARTITION).u.i32 = *partition;
  if (timestamp)
    part(RD_KAFKA_VTYPE_TIMESTAMP).u.i64 = *timestamp;
  return lib.rd_kafka_produceva(client, parts, count);
}

//===--- rows -----------------------------------------------------------------===//

// What it has, the partition, the time, the length of the key; then the topic with a zero byte, the
// key, the message.
namespace {
struct Head {
  uint8_t hasKey, hasPartition, hasTimestamp, unused;
  int32_t partition;
  int64_t timestamp;
  uint32_t keyBytes, unusedToo;
};
static_assert(sizeof(Head) == 24);
} // namespace

void Message::toRow(std::string &row) const {
  Head head{key.has_value(),       partition.has_value(), timestamp.has_value(),           0,
            partition.value_or(0), timestamp.value_or(0), uint32_t(key ? key->size() : 0), 0};
  row.assign(reinterpret_cast<const char *>(&head), sizeof head);
  row.append(topic, strlen(topic) + 1);
  row.append(key.value_or(std::string_view()));
  row += body;
}

bool Message::fromRow(std::string_view row) {
  Head head;
  if (row.size() < sizeof head)
    return false;
  memcpy(&head, row.data(), sizeof head);
  row.remove_prefix(sizeof head);
  size_t end = row.find('\0');
  if (end == row.npos || head.keyBytes > row.size() - end - 1)
    return false;
  *this = {};
  topic = row.data();
  row.remove_prefix(end + 1);
  if (head.hasKey)
    key = row.substr(0, head.keyBytes);
  body = row.substr(head.keyBytes);
  if (head.hasPartition)
    partition = head.partition;
  if (head.hasTimestamp)
    timestamp = head.timestamp;
  return true;
}

} // namespace sluice::kafka
