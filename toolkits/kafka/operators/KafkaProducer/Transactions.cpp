//===- Transactions.cpp - rows that Kafka gets in transactions ------------===//
#include "toolkits/kafka/operators/KafkaProducer/Transactions.h"
#include "toolkits/kafka/operators/KafkaProducer/Message.h"
#include <algorithm>
#include <utility>

namespace sluice::kafka {

static constexpr int kStep = 50;       // ms between two looks whether it is to end
static constexpr int kAnswer = 10'000; // ms for an answer of Kafka's
static constexpr int kLook = 1000;     // the same, where it asks again

//===--- results --------------------------------------------------------------===//

/// What another attempt does not change.
static constexpr int kLasting[] = {RD_KAFKA_RESP_ERR__AUTHENTICATION,
                                   RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION,
                                   RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC,
                                   RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE,
                                   RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED,
                                   RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED,
                                   RD_KAFKA_RESP_ERR_INVALID_RECORD,
                                   RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP,
                                   RD_KAFKA_RESP_ERR_INVALID_TRANSACTION_TIMEOUT,
                                   RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE,
                                   RD_KAFKA_RESP_ERR_POLICY_VIOLATION,
                                   RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE,
                                   RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED,
                                   RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION,
                                   RD_KAFKA_RESP_ERR_TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
                                   RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART,
                                   RD_KAFKA_RESP_ERR_UNSUPPORTED_VERSION};

OutputResult Transactions::resultOf(int code, const std::string &why) const {
  if (!code)
    return {};
  bool lasts = std::find(std::begin(kLasting), std::end(kLasting), code) != std::end(kLasting);
  // That nothing answers in time has a better reason.
  bool isLate = code == RD_KAFKA_RESP_ERR__TIMED_OUT && !reason.empty();
  return {lasts ? OutputResult::Never : OutputResult::Again, isLate ? reason : why};
}

/// A call that gives an error to destroy.
template <typename Call> OutputResult Transactions::attempt(const char *what, const Call &call) {
  rd_kafka_error_t *error = call();
  lib->rd_kafka_poll(client, 0); // what is wrong with the connection
  if (!error)
    return {};
  if (refused.kind == OutputResult::Never) { // the reason for what follows from it
    lib->rd_kafka_error_destroy(error);
    return refused;
  }
  OutputResult result = resultOf(lib->rd_kafka_error_code(error),
                                 std::string(what) + ": " + lib->rd_kafka_error_string(error));
  lib->rd_kafka_error_destroy(error);
  return result;
}

//===--- the connection -------------------------------------------------------===//

OutputResult Transactions::connect(rd_kafka_type_t type, rd_kafka_t *&to) {
  Settings all = settings;
  all.set(type == RD_KAFKA_PRODUCER ? "transactional.id" : "group.id", name);
  if (type == RD_KAFKA_CONSUMER) // the number of a transaction that just ends is waited for
    all.set("isolation.level", "read_committed");
  rd_kafka_conf_t *conf = lib->rd_kafka_conf_new();
  lib->rd_kafka_conf_set_opaque(conf, this);
  lib->rd_kafka_conf_set_error_cb(conf, [](rd_kafka_t *, int code, const char *why, void *to) {
    auto &self = *static_cast<Transactions *>(to);
    self.reason = why;
    if (code == RD_KAFKA_RESP_ERR__AUTHENTICATION)
      self.refused = {OutputResult::Never, why};
    else
      self.warn(why);
  });
  lib->rd_kafka_conf_set_dr_msg_cb(conf, [](rd_kafka_t *, const rd_kafka_message_t *m, void *to) {
    auto &self = *static_cast<Transactions *>(to);
    if (m->err && self.refused.kind == OutputResult::Done)
      self.refused = self.resultOf(m->err, "Kafka did not take a message for the topic " +
                                               std::string(self.lib->rd_kafka_topic_name(m->rkt)) +
                                               ": " + self.lib->rd_kafka_err2str(m->err));
  });
  std::string wrong;
  to = makeClient(*lib, type, conf, all, wrong);
  return to ? OutputResult{} : OutputResult{OutputResult::Never, wrong};
}

OutputResult Transactions::begin(std::optional<uint64_t> &last, const os::Event &stop) {
  end();
  reason.clear();
  refused = {};
  OutputResult result = connect(RD_KAFKA_PRODUCER, client);
  if (result.kind == OutputResult::Done)
    result = awaitStart(stop);
  if (result.kind == OutputResult::Done)
    result = findTopic(stop);
  return result.kind == OutputResult::Done ? findLast(last) : result;
}

/// What was begun before is over then: committed, or never.
OutputResult Transactions::awaitStart(const os::Event &stop) {
  OutputResult result{OutputResult::Again, "the program ends"};
  for (int left = kAnswer; left > 0 && !stop.raised(); left -= kStep) {
    result = attempt("Kafka's coordinator of transactions",
                     [&] { return lib->rd_kafka_init_transactions(client, kStep); });
    if (result.kind != OutputResult::Again || !reason.empty())
      break;
  }
  return result;
}

/// Kafka makes the topic, if it makes topics that are asked for.
OutputResult Transactions::findTopic(const os::Event &stop) {
  rd_kafka_topic_t *topic = lib->rd_kafka_topic_new(client, place.c_str(), nullptr);
  rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR_NO_ERROR;
  for (int left = kAnswer; left > 0; left -= kStep) {
    const struct rd_kafka_metadata *data = nullptr;
    error = lib->rd_kafka_metadata(client, 0, topic, &data, kLook);
    if (!error && data->topic_cnt)
      error = data->topics[0].err;
    if (data)
      lib->rd_kafka_metadata_destroy(data);
    bool isMade = error == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART ||
                  error == RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE;
    bool isLate = error == RD_KAFKA_RESP_ERR__TIMED_OUT;
    left -= isLate ? kLook : 0;
    if ((!isMade && !isLate) || stop.sleep(kStep * 1'000'000LL))
      break;
  }
  lib->rd_kafka_topic_destroy(topic);
  OutputResult result = resultOf(error, "the topic " + place + ": " + lib->rd_kafka_err2str(error));
  if (error == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART)
    result.kind = OutputResult::Again; // somebody may make it
  return result;
}

OutputResult Transactions::findLast(std::optional<uint64_t> &last) {
  rd_kafka_t *reader = nullptr;
  if (OutputResult result = connect(RD_KAFKA_CONSUMER, reader); result.kind != OutputResult::Done)
    return result;
  rd_kafka_topic_partition_list_t *list = lib->rd_kafka_topic_partition_list_new(1);
  auto *part = lib->rd_kafka_topic_partition_list_add(list, place.c_str(), 0);
  rd_kafka_resp_err_t error = lib->rd_kafka_committed(reader, list, kAnswer);
  if (!error)
    error = part->err;
  if (!error && part->offset >= 0)
    last = uint64_t(part->offset);
  lib->rd_kafka_topic_partition_list_destroy(list);
  lib->rd_kafka_destroy_flags(reader, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
  return resultOf(error, std::string("what was sent last: ") + lib->rd_kafka_err2str(error));
}

void Transactions::end() {
  if (!client)
    return;
  lib->rd_kafka_purge(client, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
  lib->rd_kafka_destroy(std::exchange(client, nullptr));
}

//===--- one transaction ------------------------------------------------------===//

OutputResult Transactions::commit(uint64_t number, const OutputRows &rows, const os::Event &stop) {
  OutputResult result =
      attempt("a transaction", [&] { return lib->rd_kafka_begin_transaction(client); });
  if (result.kind == OutputResult::Done)
    result = sendAll(rows, stop);
  if (result.kind == OutputResult::Done)
    result = mark(number);
  if (result.kind == OutputResult::Done)
    result = attempt("the end of a transaction",
                     [&] { return lib->rd_kafka_commit_transaction(client, kAnswer); });
  return result;
}

/// Until Kafka has confirmed them, but for the end of the transaction.
OutputResult Transactions::sendAll(const OutputRows &rows, const os::Event &stop) {
  OutputResult result = send(rows, stop);
  while (result.kind == OutputResult::Done && lib->rd_kafka_outq_len(client)) {
    if (stop.raised())
      return {OutputResult::Again, "the program ends"};
    lib->rd_kafka_flush(client, kStep);
    result = refused;
  }
  return result;
}

OutputResult Transactions::send(const OutputRows &rows, const os::Event &stop) {
  std::string_view left = rows.bytes(), row;
  Message message;
  while (OutputRows::take(left, row)) {
    if (!message.fromRow(row))
      return {OutputResult::Never, "a row of the checkpoint is no message"};
    for (;;) {
      rd_kafka_error_t *error = message.produce(*lib, client, nullptr);
      if (!error)
        break;
      rd_kafka_resp_err_t code = lib->rd_kafka_error_code(error);
      std::string why = lib->rd_kafka_error_string(error);
      lib->rd_kafka_error_destroy(error);
      if (code != RD_KAFKA_RESP_ERR__QUEUE_FULL)
        return resultOf(code,
                        "cannot send to the topic " + std::string(message.topic) + ": " + why);
      if (stop.raised())
        return {OutputResult::Again, "the program ends"};
      lib->rd_kafka_poll(client, kStep);
      if (refused.kind != OutputResult::Done)
        return refused;
    }
  }
  return {};
}

/// The offset that is the number.
OutputResult Transactions::mark(uint64_t number) {
  rd_kafka_topic_partition_list_t *list = lib->rd_kafka_topic_partition_list_new(1);
  lib->rd_kafka_topic_partition_list_add(list, place.c_str(), 0)->offset = int64_t(number);
  rd_kafka_consumer_group_metadata_t *group =
      lib->rd_kafka_consumer_group_metadata_new(name.c_str());
  OutputResult result = attempt("the number of a transaction", [&] {
    return lib->rd_kafka_send_offsets_to_transaction(client, list, group, kAnswer);
  });
  lib->rd_kafka_consumer_group_metadata_destroy(group);
  lib->rd_kafka_topic_partition_list_destroy(list);
  return result;
}

} // namespace sluice::kafka
