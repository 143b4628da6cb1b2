//===- Topics.cpp - what MQTTSource is subscribed to ----------------------===//
#include "toolkits/mqtt/operators/MQTTSource/Topics.h"
#include "simdjson/singleheader/simdjson.h"
#include <set>

namespace sluice::mqtt {

static const std::string kTopic = "topic "; // of numbers in checkpoints: a topic follows

std::string Topics::obey(const std::string &message, const Change &change) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::array orders, names;
  if (parser.parse(message).get(root) || root["topic"].get(orders))
    return ""; // it says nothing of that
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
  return "";
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

} // namespace sluice::mqtt
