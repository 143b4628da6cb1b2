//===- Controlled.cpp - what the control port of KafkaConsumer changes ----===//
#include "toolkits/kafka/operators/KafkaConsumer/KafkaConsumer.h"

namespace sluice::kafka {

/// Reads the partitions whose positions are known, and no others.
int32_t KafkaConsumer::assign() {
  rd_kafka_topic_partition_list_t *list = positions.list(*lib);
  rd_kafka_resp_err_t error = lib->rd_kafka_assign(client, list);
  assigned->value.store(list ? list->cnt : 0, std::memory_order_relaxed);
  if (list)
    lib->rd_kafka_topic_partition_list_destroy(list);
  return error ? sl_error(ctx, "cannot read: %s", lib->rd_kafka_err2str(error)) : 0;
}

/// Is a member of the group for these topics, and no others.
int32_t KafkaConsumer::subscribe() {
  rd_kafka_topic_partition_list_t *list = lib->rd_kafka_topic_partition_list_new(1);
  for (const std::string &topic : controlledTopics)
    lib->rd_kafka_topic_partition_list_add(list, topic.c_str(), RD_KAFKA_PARTITION_UA);
  rd_kafka_resp_err_t error =
      list->cnt ? lib->rd_kafka_subscribe(client, list) : lib->rd_kafka_unsubscribe(client);
  lib->rd_kafka_topic_partition_list_destroy(list);
  return error ? sl_error(ctx, "cannot read: %s", lib->rd_kafka_err2str(error)) : 0;
}

/// Goes on with what it was told before a checkpoint.
int32_t KafkaConsumer::beginControlled() {
  if (controlled == Controlled::Topics)
    return controlledTopics.empty() ? 0 : subscribe();
  if (controlled == Controlled::Nothing)
    return 0;
  positions.takeAll();
  return assign();
}

int32_t KafkaConsumer::follow(const Order &order, std::string &wrong) {
  Controlled kind = order.parts.empty() ? Controlled::Topics : Controlled::Parts;
  if (controlled != Controlled::Nothing && controlled != kind) {
    wrong = "it reads either topics or partitions";
    return 0;
  }
  controlled = kind;
  for (const std::string &topic : order.topics)
    order.adds ? void(controlledTopics.insert(topic)) : void(controlledTopics.erase(topic));
  if (kind == Controlled::Topics)
    return subscribe();
  rd_kafka_topic_partition_list_t *list =
      lib->rd_kafka_topic_partition_list_new(int(order.parts.size()));
  for (const Order::Part &part : order.parts) {
    auto *place = lib->rd_kafka_topic_partition_list_add(list, part.topic.c_str(), part.partition);
    place->offset = part.offset;
  }
  bool goesOn = true;
  if (order.adds)
    goesOn = beginnings.findFrom(*list, positions);
  else if (checkpoints || commitNow())
    positions.forget(*list);
  lib->rd_kafka_topic_partition_list_destroy(list);
  return goesOn ? assign() : 0;
}

/// Does what the control port says.
int32_t KafkaConsumer::obey() {
  while (std::optional<std::string> message = control ? control->take() : std::nullopt) {
    Order order;
    std::string wrong = parseOrder(*message, order);
    if (int32_t result = wrong.empty() ? follow(order, wrong) : 0)
      return result;
    if (!wrong.empty())
      sl_warn(ctx, desc, "the control port: %s; the tuple is left out", wrong.c_str());
  }
  return 0;
}

} // namespace sluice::kafka
