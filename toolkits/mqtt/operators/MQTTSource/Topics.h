//===- Topics.h - what MQTTSource is subscribed to --------------*- C++ -*-===//
#pragma once
#include "sluice/saved.h"
#include <functional>
#include <map>
#include <string>

namespace sluice::mqtt {

/// Topics, or patterns of them, and the QoS of each.
class Topics {
public:
  /// What changes: `level` is the QoS; below 0: it is unsubscribed.
  using Change = std::function<void(const std::string &topic, int level)>;

  std::map<std::string, int> levels;

  /// Does what a message of the control port (Control.cpp) says of topics. What is wrong with it;
  /// empty: nothing.
  std::string obey(const std::string &message, const Change &);
  void save(Saver &) const;
  void restore(const Loader &);
};

} // namespace sluice::mqtt
