//===- MQTTSink.cpp - com.ibm.streamsx.mqtt::MQTTSink ---------------------===//
//
// A thread of the process (FlushTimer) keeps the connection while no tuples come; what waits for
// confirmations drives it as well.
//
//===----------------------------------------------------------------------===//
#include "toolkits/mqtt/operators/MQTTSink/MQTTSink.h"
#include "value/Value.h"
#include <algorithm>
#include <utility>

namespace sluice::mqtt {

constexpr int64_t kPeriod = os::kNanos / 20; // of the timer

//===--- at the start ---------------------------------------------------------===//

int32_t MQTTSink::layOut() {
  const TypeDesc &type = *desc->inTypes[0];
  auto named = [&](const char *parameter) -> const Field * {
    std::string name = text(parameter, "");
    for (uint32_t i = 0; i < type.count; ++i)
      if (type.fields[i].name == name)
        return &type.fields[i];
    return nullptr;
  };
  data = attributeOf(*this, type, "dataAttributeName", "data");
  if (!data || !isData(*data))
    return sl_error(ctx, "the input needs an rstring or blob: the attribute data, the only one, or "
                         "that which dataAttributeName names");
  topicField = named("topicAttributeName");
  if (bool(param("topic")) == bool(param("topicAttributeName")))
    return sl_error(ctx, "one of topic and topicAttributeName is needed");
  if (param("topicAttributeName") && (!topicField || (topicField->type->kind != Kind::RString &&
                                                      topicField->type->kind != Kind::UString)))
    return sl_error(ctx, "topicAttributeName: the input has no rstring or ustring %s",
                    text("topicAttributeName", "").c_str());
  qosField = named("qosAttributeName");
  if (param("qosAttributeName") && (!qosField || qosField->type->kind != Kind::Int32))
    return sl_error(ctx, "qosAttributeName: the input has no int32 %s",
                    text("qosAttributeName", "").c_str());
  level = int(number("qos", 0));
  if (level < 0 || level > 2)
    return sl_error(ctx, "qos is 0, 1 or 2");
  return errors.open(*this, 0);
}

int32_t MQTTSink::open() {
  home = ctx;
  topic = text("topic", "");
  retains = flag("retain", false);
  if (layOut() || client.open(*this))
    return 1;
  failures = sl_make_metric(ctx, desc, "nFailedMessages", "messages that cannot be sent",
                            MetricKind::Counter, 0);
  if (param("$control"))
    control = ControlPort::of(*this);
  FlushTimer::shared().add(this, kPeriod);
  isTimed = true;
  return 0;
}

//===--- tuples ---------------------------------------------------------------===//

int32_t MQTTSink::tuple(uint32_t, const void *tuple) {
  auto *at = static_cast<const char *>(tuple);
  os::Held held(lock);
  std::string to =
      topicField ? std::string(viewOf(*reinterpret_cast<const Str *>(at + topicField->offset)))
                 : topic;
  int qos = qosField ? load<int32_t>(at + qosField->offset) : level;
  std::string_view body = viewOf(*reinterpret_cast<const Str *>(at + data->offset));
  do
    while (!hasRoom())
      if (int32_t result = wait())
        return result;
  while (send(to, body, qos) < 0);
  return errors.submit(*this);
}

int32_t MQTTSink::punct(uint32_t, PunctuationKind kind) {
  if (!isFinal(kind))
    return 0;
  os::Held held(lock);
  return finish();
}

int32_t MQTTSink::finish() {
  if (std::exchange(hasEnded, true))
    return 0;
  while ((missing() || client.wantsToWrite()) && !gaveUp) {
    if (steps > kSteps)
      return sl_error(ctx, "%s: what it has not is lost", late().c_str());
    steps += !isReady(client.descriptor());
    drive();
  }
  return gaveUp && missing() ? sl_error(ctx, "%s", client.problem().c_str()) : 0;
}

int32_t MQTTSink::close() {
  if (isTimed)
    FlushTimer::shared().remove(this);
  isTimed = false;
  os::Held held(lock);
  int32_t result = client.handle ? finish() : 0;
  client.close();
  return result;
}

//===--- what outlives this process -------------------------------------------===//

/// Waits until all messages up to number `upTo` are confirmed. Why they are not; or empty.
std::string MQTTSink::await(uint64_t upTo, bool forever) {
  auto isLeft = [&] {
    auto isMeant = [&](const Sent &message) { return message.number <= upTo; };
    return std::any_of(again.begin(), again.end(), isMeant) ||
           std::any_of(unconfirmed.begin(), unconfirmed.end(),
                       [&](const auto &entry) { return isMeant(entry.second); });
  };
  os::Held held(lock);
  for (int waited = 0; isLeft() && !gaveUp;) {
    if (waited > kSteps)
      return late();
    int descriptor = client.descriptor();
    lock.unlock();
    waited += !isReady(descriptor) && (!forever || sl_is_shutdown(home));
    lock.lock();
    drive();
  }
  return isLeft() ? client.problem() : "";
}

std::string MQTTSink::persist() { return await(~uint64_t(0), true); }

void MQTTSink::save(Saver &saver) {
  os::Held held(lock);
  obey(); // no other checkpoint has what was taken before this one
  saved = sent;
  client.save(saver);
}

int32_t MQTTSink::restore(const Loader &loader) {
  client.restore(loader);
  return 0;
}

std::string MQTTSink::sync() { return await(saved, false); }

RegisterNative registered("com.ibm.streamsx.mqtt::MQTTSink",
                          [] { return static_cast<NativeOp *>(new MQTTSink); });

} // namespace sluice::mqtt
