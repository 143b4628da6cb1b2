//===- Orders.cpp - what the control port of a consumer says --------------===//
#include "toolkits/kafka/operators/KafkaConsumer/Orders.h"
#include "simdjson/singleheader/simdjson.h"
#include "stdlib/native/connect/ControlPort.h"

namespace sluice::kafka {

std::string parseOrder(const std::string &json, Order &order) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  std::string_view action, topic;
  int64_t number;
  if (parser.parse(json).get(root))
    return "it is no JSON";
  if (root["action"].get(action) || (action != "ADD" && action != "REMOVE"))
    return "its action is neither ADD nor REMOVE";
  order.adds = action == "ADD";
  simdjson::dom::array list;
  if (!root["topics"].get(list))
    for (simdjson::dom::element each : list) {
      if (each["topic"].get(topic))
        return "a topic has no name";
      order.topics.emplace_back(topic);
    }
  if (!root["topicPartitionOffsets"].get(list))
    for (simdjson::dom::element each : list) {
      if (each["topic"].get(topic) || each["partition"].get(number))
        return "a partition has no topic or no number";
      Order::Part &part = order.parts.emplace_back();
      part.topic = topic;
      part.partition = int32_t(number);
      if (!each["offset"].get(number))
        part.offset = number;
      if (part.offset < Order::kDefault)
        return "there is no offset below -3";
    }
  return order.topics.empty() == order.parts.empty() ? "it has either topics or partitions" : "";
}

namespace {
RegisterNative registered("com.ibm.streamsx.kafka::KafkaConsumer.control",
                          [] { return static_cast<NativeOp *>(new ControlInput); });
} // namespace

} // namespace sluice::kafka
