//===- KafkaProducer.cpp - com.ibm.streamsx.kafka::KafkaProducer ----------===//
#include "toolkits/kafka/native/Values.h"
#include "toolkits/kafka/operators/KafkaProducer/DirectSending.h"
#include "toolkits/kafka/operators/KafkaProducer/TransactionalSending.h"

namespace sluice::kafka {
namespace {

class KafkaProducer : public ParamOp {
public:
  Saves saves() const override {
    if (desc->outputs)
      return Saves::no("what it has not yet submitted to its output is not saved");
    return isTransactional() ? Saves::State : Saves::Stateless;
  }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind kind) override {
    return isFinal(kind) ? sending->finish() : 0;
  }
  std::string persist() override { return sending->persist(); }
  void save(Saver &saver) override { sending->save(saver); }
  std::string sync() override { return sending->sync(); }
  int32_t restore(const Loader &) override;
  void committed() override { sending->committed(); }
  int32_t close() override { return sending ? sending->close() : 0; }

private:
  bool isTransactional() const { return text("consistentRegionPolicy", "") == "Transactional"; }
  void choose();
  int32_t layOut();
  const Field *attribute(const char *parameter, const char *name, bool &isWrong);
  Message messageOf(const void *tuple, char (&keyBytes)[8], char (&bytes)[8]) const;

  std::unique_ptr<Sending> sending;
  std::vector<std::string> topics;
  const Field *topic = nullptr, *key = nullptr, *message = nullptr, *partition = nullptr,
              *timestamp = nullptr;
  uint64_t flushEvery = 0, sinceFlush = 0;
};

//===--- at the start ---------------------------------------------------------===//

/// The attribute that a parameter names, or that is called `name`; null: there is none.
const Field *KafkaProducer::attribute(const char *parameter, const char *name, bool &isWrong) {
  const TypeDesc &type = *desc->inTypes[0];
  std::vector<uint32_t> given = attributes(parameter);
  const Field *field = given.empty() ? fieldOf(type, name) : &type.fields[given[0]];
  if (param(parameter) && given.empty()) {
    sl_error(ctx, "%s must be an attribute", parameter);
    isWrong = true;
  }
  return field;
}

int32_t KafkaProducer::layOut() {
  bool isWrong = false;
  message = attribute("messageAttribute", "message", isWrong);
  key = attribute("keyAttribute", "key", isWrong);
  partition = attribute("partitionAttribute", "partition", isWrong);
  timestamp = attribute("timestampAttribute", "messageTimestamp", isWrong);
  if (!param("topic"))
    topic = attribute("topicAttribute", "topic", isWrong);
  if (isWrong)
    return 1;
  if (!message)
    return sl_error(ctx, "the input has no attribute message, and messageAttribute names no other");
  for (const Field *field : {message, key})
    if (field && !isMessageType(*field->type))
      return sl_error(ctx, "the attribute %s must be %s", field->name, kMessageTypes);
  // One that only happens to be called so has another meaning.
  if (partition && partition->type->kind != Kind::Int32)
    partition = nullptr;
  if (timestamp && timestamp->type->kind != Kind::Int64)
    timestamp = nullptr;
  if (const Param *given = param("topic"))
    for (const ParamValue &value : given->values)
      topics.emplace_back(viewOf(*static_cast<const Str *>(value.value)));
  if (topics.empty() && (!topic || topic->type->kind != Kind::RString))
    return sl_error(ctx, "nothing says where to: topic and topicAttribute are missing, and the "
                         "input has no attribute `rstring topic`");
  return 0;
}

void KafkaProducer::choose() {
  if (sending)
    return;
  if (isTransactional())
    sending = std::make_unique<TransactionalSending>(*this, text("topic", ""));
  else
    sending = std::make_unique<DirectSending>(*this);
}

int32_t KafkaProducer::restore(const Loader &loader) {
  bool waits = false;
  loader.numbers("count ", [&](std::string_view, int64_t rows) { waits |= rows != 0; });
  if (waits && !isTransactional())
    return sl_error(ctx, "the checkpoint has messages that wait for a transaction: it goes on with "
                         "consistentRegionPolicy : Transactional only");
  choose();
  return sending->restore(loader);
}

int32_t KafkaProducer::open() {
  std::string missing;
  const Library *lib = library(missing);
  if (!lib)
    return sl_error(ctx, "%s", missing.c_str());
  choose();
  flushEvery = uint64_t(number("flush", 0));
  Settings settings;
  if (layOut() || settings.read(*this))
    return 1;
  settings.byDefault("partitioner", "murmur2_random"); // as Java's producer
  settings.byDefault("queue.buffering.max.kbytes", "32768");
  settings.byDefault("reconnect.backoff.max.ms", "1000");
  return sending->open(*lib, settings);
}

//===--- tuples ---------------------------------------------------------------===//

/// But for the topic. Points to the tuple, or to the bytes given.
Message KafkaProducer::messageOf(const void *tuple, char (&keyBytes)[8], char (&bytes)[8]) const {
  auto *at = static_cast<const char *>(tuple);
  Message result;
  result.body = bytesOf(*message, tuple, bytes);
  if (key)
    result.key = bytesOf(*key, tuple, keyBytes);
  if (partition)
    result.partition = load<int32_t>(at + partition->offset);
  if (timestamp)
    result.timestamp = load<int64_t>(at + timestamp->offset);
  return result;
}

int32_t KafkaProducer::tuple(uint32_t, const void *tuple) {
  char keyBytes[8], bytes[8];
  Message given = messageOf(tuple, keyBytes, bytes);
  std::string named;
  if (topics.empty()) {
    named =
        viewOf(*reinterpret_cast<const Str *>(static_cast<const char *>(tuple) + topic->offset));
    given.topic = named.c_str();
    if (int32_t result = sending->send(given))
      return result;
  }
  for (const std::string &name : topics) {
    given.topic = name.c_str();
    if (int32_t result = sending->send(given))
      return result;
  }
  if (flushEvery && ++sinceFlush >= flushEvery) {
    sinceFlush = 0;
    if (int32_t result = sending->flush())
      return result;
  }
  return sending->sent(tuple);
}

RegisterNative registered("com.ibm.streamsx.kafka::KafkaProducer",
                          [] { return static_cast<NativeOp *>(new KafkaProducer); });

} // namespace
} // namespace sluice::kafka
