//===- Control.h - messages about clients -----------------------*- C++ -*-===//
#pragma once
#include "toolkits/inet/server/Server.h"

namespace sluice::inet {

/// What all clients are told: `status` is OPEN, CLOSE or COUNT.
inline SharedMessage controlMessage(const char *status, const std::string &value) {
  std::string text =
      std::string("{\"control\":{\"status\":\"") + status + "\",\"value\":\"" + value + "\"}}";
  return std::make_shared<const Message>(Message{std::move(text), false});
}

} // namespace sluice::inet
