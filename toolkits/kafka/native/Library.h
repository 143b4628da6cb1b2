//===- Library.h - librdkafka, found when it is needed ----------*- C++ -*-===//
//
// Loaded when the first operator opens: programs without Kafka need no librdkafka, and programs for
// other targets link without that target's copy of it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/connect/Foreign.h"
#include <librdkafka/rdkafka.h>

namespace sluice::kafka {

/// The functions of librdkafka that are called.
#define SLUICE_RDKAFKA(X)                                                                          \
  X(rd_kafka_assign)                                                                               \
  X(rd_kafka_begin_transaction)                                                                    \
  X(rd_kafka_commit_queue)                                                                         \
  X(rd_kafka_commit_transaction)                                                                   \
  X(rd_kafka_committed)                                                                            \
  X(rd_kafka_conf_destroy)                                                                         \
  X(rd_kafka_conf_new)                                                                             \
  X(rd_kafka_conf_set)                                                                             \
  X(rd_kafka_conf_set_dr_msg_cb)                                                                   \
  X(rd_kafka_conf_set_error_cb)                                                                    \
  X(rd_kafka_conf_set_log_cb)                                                                      \
  X(rd_kafka_conf_set_opaque)                                                                      \
  X(rd_kafka_conf_set_rebalance_cb)                                                                \
  X(rd_kafka_consumer_close)                                                                       \
  X(rd_kafka_consumer_group_metadata_destroy)                                                      \
  X(rd_kafka_consumer_group_metadata_new)                                                          \
  X(rd_kafka_consumer_poll)                                                                        \
  X(rd_kafka_destroy)                                                                              \
  X(rd_kafka_destroy_flags)                                                                        \
  X(rd_kafka_err2name)                                                                             \
  X(rd_kafka_err2str)                                                                              \
  X(rd_kafka_error_code)                                                                           \
  X(rd_kafka_error_destroy)                                                                        \
  X(rd_kafka_error_string)                                                                         \
  X(rd_kafka_event_destroy)                                                                        \
  X(rd_kafka_event_error)                                                                          \
  X(rd_kafka_fatal_error)                                                                          \
  X(rd_kafka_flush)                                                                                \
  X(rd_kafka_incremental_assign)                                                                   \
  X(rd_kafka_incremental_unassign)                                                                 \
  X(rd_kafka_init_transactions)                                                                    \
  X(rd_kafka_message_destroy)                                                                      \
  X(rd_kafka_message_errstr)                                                                       \
  X(rd_kafka_message_timestamp)                                                                    \
  X(rd_kafka_metadata)                                                                             \
  X(rd_kafka_metadata_destroy)                                                                     \
  X(rd_kafka_new)                                                                                  \
  X(rd_kafka_offset_store)                                                                         \
  X(rd_kafka_offsets_for_times)                                                                    \
  X(rd_kafka_outq_len)                                                                             \
  X(rd_kafka_poll)                                                                                 \
  X(rd_kafka_poll_set_consumer)                                                                    \
  X(rd_kafka_produceva)                                                                            \
  X(rd_kafka_purge)                                                                                \
  X(rd_kafka_query_watermark_offsets)                                                              \
  X(rd_kafka_queue_destroy)                                                                        \
  X(rd_kafka_queue_get_consumer)                                                                   \
  X(rd_kafka_queue_io_event_enable)                                                                \
  X(rd_kafka_queue_new)                                                                            \
  X(rd_kafka_queue_poll)                                                                           \
  X(rd_kafka_rebalance_protocol)                                                                   \
  X(rd_kafka_send_offsets_to_transaction)                                                          \
  X(rd_kafka_subscribe)                                                                            \
  X(rd_kafka_topic_destroy)                                                                        \
  X(rd_kafka_topic_name)                                                                           \
  X(rd_kafka_topic_new)                                                                            \
  X(rd_kafka_topic_partition_list_add)                                                             \
  X(rd_kafka_topic_partition_list_destroy)                                                         \
  X(rd_kafka_topic_partition_list_new)                                                             \
  X(rd_kafka_unsubscribe)

struct Library {
  SLUICE_RDKAFKA(SLUICE_FOREIGN_POINTER)
};

/// Null if this system has no librdkafka.so.1 with all of them: `missing` says what to do.
const Library *library(std::string &missing);

} // namespace sluice::kafka
