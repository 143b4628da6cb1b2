//===- Topics.cpp - what MQTTSource is subscribed to ----------------------===//
#include "toolkits/mqtt/operators/MQTTSource/Topics.h"
#include "simdjson/singleheader/simdjson.h"
#include "stdlib/native/connect/ControlPort.h"
#include "toolkits/json/native/Writer.h"
#include <set>

namespace sluice::mqtt {

static const std::string kTopic = "topic "; // of numbers in checkpoints: a topic follows

std::string Topics::obey(const std::string &message, const Change &change) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::array orders, names;
  simdjson::dom::object config;
  if (parser.parse(message).get(root) || root["topic"].get(orders))
    return "it has no attribute topic";
  for (simdjson::dom::element order : orders) {
    std::string_view action, name;
    int64_t level = 0;
    if (order["action"].get(action) || order["topics"].get(names) || order["qos"].get(level))
      return "a description has no action, topics or qos";
    if (level < 0 || level > 2)
      return "qos is 0, 1 or 2";
    std::set<std::string> meant;
    for (simdjson::dom::element each : names)
      if (!each.get(name))
        meant.emplace(name);
    for (auto it = levels.begin(); it != levels.end();)
      if ((action == "REMOVE" && meant.contains(it->first)) ||
          (action == "REPLACE" && !meant.contains(it->first))) {
        change(it->first, -1);
        it = levels.erase(it);
      } else {
        ++it;
      }
    for (const std::string &topic : meant)
      if (action != "REMOVE" && (action != "UPDATE" || levels.contains(topic))) {
        levels[topic] = int(level);
        change(topic, int(level));
      }
  }
  bool isElsewhere = !root["mqttConfig"].get(config) && config.begin() != config.end();
  return isElsewhere ? "another server by mqttConfig is not in this release" : "";
}

void Topics::save(Saver &saver) const {
  for (const auto &[topic, level] : levels)
    saver.number(kTopic + topic, level);
}

void Topics::restore(const Loader &loader) {
  loader.numbers(kTopic, [this](std::string_view topic, int64_t level) {
    levels[std::string(topic)] = int(level);
  });
}

namespace {

class Control : public ControlInput {
  std::string check(const TypeDesc &) override { return ""; }
  std::string messageOf(const void *tuple) override {
    TextOut out;
    json::Writer(ctx, out, json::Times::Seconds, {}).value(desc->inTypes[0], tuple);
    return std::string(out.view());
  }
};

RegisterNative registered("com.ibm.streamsx.mqtt::MQTTSource.control",
                          [] { return static_cast<NativeOp *>(new Control); });

} // namespace
} // namespace sluice::mqtt
