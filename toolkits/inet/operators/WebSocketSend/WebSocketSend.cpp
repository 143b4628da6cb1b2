//===- WebSocketSend.cpp - com.ibm.streamsx.inet.wsserver::WebSocketSend --===//
#include "sluice/leftout.h"
#include "sluice/metrics.h"
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/inet/operators/shared/Control.h"
#include "toolkits/inet/operators/shared/Serving.h"
#include "toolkits/json/native/Writer.h"

namespace sluice::inet {
namespace {

constexpr double kPatience = 5; // s, for clients to take what waits for them at the end

class WebSocketSend : public ParamOp {
public:
  ~WebSocketSend() { finish(); }
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind) override;
  int32_t close() override;

private:
  void finish();

  Serving serving;
  std::shared_ptr<Clients> clients;
  const Field *text = nullptr, *binary = nullptr; // neither: the tuple
  Metric *connected = nullptr, *sent = nullptr, *dropped = nullptr;
};

int32_t WebSocketSend::open() {
  const TypeDesc &type = *desc->inTypes[0];
  for (uint32_t number : attributes("textMessage"))
    text = &type.fields[number];
  if (param("textMessage") && (!text || !isText(*text->type)))
    return sl_error(ctx, "textMessage must be an attribute that is an rstring or a ustring");
  if (param("binaryMessageAttributeName")) {
    binary = fieldOf(type, ParamOp::text("binaryMessageAttributeName", ""));
    if (!binary || binary->type->kind != Kind::Blob)
      return sl_error(ctx, "binaryMessageAttributeName must name an attribute that is a blob");
  }
  connected = sl_make_metric(ctx, desc, "nClientsConnected", "clients that are there",
                             MetricKind::Gauge, 0);
  sent = sl_make_metric(ctx, desc, "nMessagesSent", "messages that clients were sent",
                        MetricKind::Counter, 0);
  dropped = sl_make_metric(ctx, desc, "nMessagesDropped", "messages that clients were too slow for",
                           MetricKind::Counter, 0);
  bool tells = flag("enableConnectionControlMessages", true);
  ClientHooks hooks;
  // relaxed: no order between metrics.
  hooks.changed = [this, tells](Clients &all, const std::string &who, bool isThere) {
    connected->value.fetch_add(isThere ? 1 : -1, std::memory_order_relaxed);
    if (tells)
      all.send(controlMessage(isThere ? "OPEN" : "CLOSE", "R:" + who));
  };
  hooks.sent = [this](uint64_t count) {
    sent->value.fetch_add(int64_t(count), std::memory_order_relaxed);
  };
  hooks.dropped = [this](uint64_t count) {
    dropped->value.fetch_add(int64_t(count), std::memory_order_relaxed);
  };
  return serving.open(*this) ||
         serving.serveClients(*this, serving.pathOf("input", 0, "wssend"), std::move(hooks),
                              clients) ||
         serving.serveInfo(*this, "input", 0, type);
}

int32_t WebSocketSend::tuple(uint32_t, const void *tuple) {
  auto at = [&](const Field *field) {
    return viewOf(*reinterpret_cast<const Str *>(static_cast<const char *>(tuple) + field->offset));
  };
  Message message;
  if (text || binary) {
    message = {std::string(at(text ? text : binary)), binary != nullptr};
  } else {
    TextOut out;
    out.put("{\"tuple\":");
    json::Writer(ctx, out, json::Times::Seconds, {}).value(desc->inTypes[0], tuple);
    out.put('}');
    message.text = out.view();
  }
  clients->send(std::make_shared<const Message>(std::move(message)));
  return 0;
}

int32_t WebSocketSend::punct(uint32_t, PunctuationKind kind) {
  if (isFinal(kind))
    finish();
  return 0;
}

int32_t WebSocketSend::close() {
  finish();
  return 0;
}

void WebSocketSend::finish() {
  if (!clients)
    return;
  uint64_t unsent = clients->end(kPatience);
  int64_t lost = dropped->value.fetch_add(int64_t(unsent), std::memory_order_relaxed);
  lost += int64_t(unsent);
  if (lost)
    sl_warn(ctx, desc, "%lld messages were dropped, as clients were too slow",
            static_cast<long long>(lost));
  clients.reset();
  serving.close();
}

RegisterNative registered("com.ibm.streamsx.inet.wsserver::WebSocketSend",
                          [] { return static_cast<NativeOp *>(new WebSocketSend); });

} // namespace
} // namespace sluice::inet
