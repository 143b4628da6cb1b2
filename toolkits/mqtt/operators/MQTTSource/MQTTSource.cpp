//===- MQTTSource.cpp - com.ibm.streamsx.mqtt::MQTTSource -----------------===//
//
// A message is submitted in the callback that brings it. The broker hears of it in the next step:
// then sl_await_readable() has handed on what was submitted.
//
//===----------------------------------------------------------------------===//
#include "memory/Arena.h"
#include "stdlib/native/connect/ControlPort.h"
#include "toolkits/mqtt/native/Client.h"
#include "toolkits/mqtt/native/Errors.h"
#include "toolkits/mqtt/operators/MQTTSource/Topics.h"
#include "value/Text.h"
#include "value/Value.h"
#include <cstring>
#include <utility>

namespace sluice::mqtt {
namespace {

class MQTTSource : public ParamOp, private Client::Owner {
public:
  ~MQTTSource() { arenaFree(&arena); }
  Saves saves() const override { return param("$control") ? Saves::State : Saves::Stateless; }
  bool hasSavePoints() const override { return true; }
  bool finishes() const override { return true; }
  int32_t open() override;
  int32_t process() override;
  int32_t close() override;
  void save(Saver &) override;
  int32_t restore(const Loader &) override;

private:
  int32_t layOut();
  int32_t readTopics();
  void subscribe(const std::string &topic, int level);
  void obey();
  void connected() override;
  void arrived(const mosquitto_message &) override;
  void failed(const std::string &why) override { errors.add(why); }
  void put(const Field &, std::string_view);

  Ctx *home = nullptr; // for any thread
  Client client{*this};
  Errors errors;
  const Field *data = nullptr, *topic = nullptr;
  Topics topics;
  bool isRestored = false;              // the topics are those of a checkpoint
  std::shared_ptr<ControlPort> control; // null: there is none
  std::vector<uint64_t> tuple;
  Arena arena = {};
  int32_t ended = 0;   // what a submission has returned
  std::string refused; // why a topic cannot be subscribed to
};

int32_t MQTTSource::layOut() {
  const TypeDesc &type = *desc->outTypes[0];
  data = attributeOf(*this, type, "dataAttributeName", "data");
  if (!data || !isData(*data))
    return sl_error(ctx,
                    "the output needs an rstring or blob: the attribute data, the only one, or "
                    "that which dataAttributeName names");
  if (param("topicOutAttrName")) {
    std::string name = text("topicOutAttrName", "");
    for (uint32_t i = 0; i < type.count; ++i)
      if (type.fields[i].name == name)
        topic = &type.fields[i];
    if (!topic || (topic->type->kind != Kind::RString && topic->type->kind != Kind::UString))
      return sl_error(ctx, "topicOutAttrName: the output has no rstring or ustring %s",
                      name.c_str());
  }
  tuple.resize(type.size / 8 + 1);
  return errors.open(*this, 1);
}

int32_t MQTTSource::readTopics() {
  std::vector<std::string> names = listOf(param("topics"));
  std::vector<int> levels;
  if (const Param *given = param("qos"))
    for (const ParamValue &value : given->values)
      levels.push_back(int(numberOf(value)));
  for (const std::string &level : listOf(param("qosStr")))
    levels.push_back(level.size() == 1 ? level[0] - '0' : -1);
  if (levels.size() <= 1)
    levels.resize(names.size(), levels.empty() ? 0 : levels[0]);
  if (levels.size() != names.size())
    return sl_error(ctx, "there are %zu topics, and %zu values of qos", names.size(),
                    levels.size());
  for (int level : levels)
    if (level < 0 || level > 2)
      return sl_error(ctx, "qos is 0, 1 or 2");
  for (size_t i = 0; i < names.size() && !isRestored; ++i)
    topics.levels[names[i]] = levels[i];
  if (param("$control"))
    control = ControlPort::of(*this);
  return 0;
}

void MQTTSource::save(Saver &saver) {
  obey(); // no other checkpoint has what was taken before this one
  topics.save(saver);
  client.save(saver);
}

int32_t MQTTSource::restore(const Loader &loader) {
  topics.restore(loader);
  client.restore(loader);
  isRestored = param("$control") != nullptr;
  return 0;
}

int32_t MQTTSource::open() {
  home = ctx;
  client.answersLater = true;
  return layOut() || readTopics() || client.open(*this);
}

/// Below 0: it is unsubscribed. Any thread: process() ends with what is wrong.
void MQTTSource::subscribe(const std::string &name, int level) {
  const Library &lib = *client.lib;
  int wrong = level < 0 ? lib.mosquitto_unsubscribe(client.handle, nullptr, name.c_str())
                        : lib.mosquitto_subscribe(client.handle, nullptr, name.c_str(), level);
  if (wrong)
    refused = std::string("cannot ") + (level < 0 ? "unsubscribe " : "subscribe to ") + name +
              ": " + lib.mosquitto_strerror(wrong);
}

void MQTTSource::connected() {
  for (const auto &[name, level] : topics.levels)
    subscribe(name, level);
}

/// Does what the control port says, each order as a whole or not at all. Any thread.
void MQTTSource::obey() {
  while (std::optional<std::string> message = control ? control->take() : std::nullopt) {
    Properties changes;
    bool hasMoved = false;
    Topics after = topics;
    std::vector<std::pair<std::string, int>> subscriptions;
    std::string wrong = configOf(*message, changes);
    if (wrong.empty())
      wrong = after.obey(*message, [&](const std::string &name, int level) {
        subscriptions.emplace_back(name, level);
      });
    if (wrong.empty())
      wrong = client.move(changes, hasMoved);
    if (!wrong.empty()) {
      sl_warn(home, desc, "the control port: %s; that is left out", wrong.c_str());
      errors.add("the control port: " + wrong);
      continue;
    }
    topics = std::move(after);
    for (const auto &[name, level] : subscriptions)
      if (client.isConnected()) // else connected() does it
        subscribe(name, level);
  }
}

void MQTTSource::put(const Field &field, std::string_view bytes) {
  auto *to = reinterpret_cast<Str *>(reinterpret_cast<char *>(tuple.data()) + field.offset);
  size_t most = field.type->bound ? field.type->bound : bytes.size();
  *to = strView(bytes.data(), std::min(bytes.size(), most));
  if (field.type->kind != Kind::Blob)
    (void)textValue(field.type, to, arena); // cuts it; fails for xml only
}

void MQTTSource::arrived(const mosquitto_message &message) {
  if (ended)
    return;
  memset(tuple.data(), 0, desc->outTypes[0]->size);
  put(*data, {static_cast<const char *>(message.payload), size_t(message.payloadlen)});
  if (topic)
    put(*topic, message.topic);
  ended = submit(0, tuple.data());
  arenaReset(&arena);
}

int32_t MQTTSource::process() {
  while (!sl_await_readable(ctx, client.descriptor())) {
    obey(); // which may leave the broker: all was handed on
    bool goesOn = client.step();
    if (int32_t result = ended ? ended : errors.submit(*this))
      return result;
    if (!refused.empty())
      return sl_error(ctx, "%s", refused.c_str());
    if (!goesOn)
      return sl_error(ctx, "%s", client.problem().c_str());
    if (int32_t result = sl_save_point(ctx))
      return result;
  }
  return 0;
}

int32_t MQTTSource::close() {
  client.close();
  return 0;
}

RegisterNative registered("com.ibm.streamsx.mqtt::MQTTSource",
                          [] { return static_cast<NativeOp *>(new MQTTSource); });

} // namespace
} // namespace sluice::mqtt
