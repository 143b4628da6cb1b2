//===- Message.h - a message that is to be sent -----------------*- C++ -*-===//
#pragma once
#include "toolkits/kafka/native/Library.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::kafka {

/// Points to the bytes of others.
struct Message {
  const char *topic = "";
  std::string_view body;
  std::optional<std::string_view> key;
  std::optional<int32_t> partition;
  std::optional<int64_t> timestamp; // ms since 1970

  /// Puts it into librdkafka's queue, with `mark` for who hears of it. Null, or an error to
  /// destroy.
  rd_kafka_error_t *produce(const Library &, rd_kafka_t *, void *mark) const;

  /// As bytes, of which fromRow() makes it again.
  void toRow(std::string &) const;
  /// False: the bytes are none of a message.
  bool fromRow(std::string_view);
};

} // namespace sluice::kafka
