//===- Orders.h - what the control port of a consumer says ------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::kafka {

/// What is read from now on, or no longer.
struct Order {
  struct Part {
    std::string topic;
    int32_t partition = 0;
    int64_t offset = kDefault;
  };
  static constexpr int64_t kDefault = -3; // startPosition says where to begin

  bool adds = false;
  std::vector<std::string> topics;
  std::vector<Part> parts;
};

/// Reads the JSON of createMessageAddTopics() and the like. What is wrong with it; empty: nothing.
std::string parseOrder(const std::string &json, Order &);

} // namespace sluice::kafka
