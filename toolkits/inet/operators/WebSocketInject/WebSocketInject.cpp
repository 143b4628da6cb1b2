//===- WebSocketInject.cpp - com.ibm.streamsx.inet.wsserver::WebSocketInject -===//
#include "sluice/leftout.h"
#include "sluice/metrics.h"
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/inet/operators/shared/Control.h"
#include "toolkits/inet/operators/shared/Inbox.h"
#include "toolkits/inet/operators/shared/Serving.h"

namespace sluice::inet {
namespace {

class WebSocketInject : public ParamOp {
public:
  ~WebSocketInject() { finish(); }
  Saves saves() const override { return Saves::Stateless; }
  bool hasSavePoints() const override { return true; }
  bool finishes() const override { return true; }
  int32_t open() override;
  int32_t process() override;
  int32_t close() override;

private:
  int32_t layOut();
  ClientHooks hooks();
  bool receive(Message &&, const std::string &who);
  int32_t submitLetter(const Letter &);
  void finish();

  Inbox inbox;
  Serving serving;
  std::shared_ptr<Clients> clients;
  const Field *message = nullptr, *sender = nullptr;
  bool isBinary = false;
  int64_t ackEvery = 0, messages = 0;
  Metric *connected = nullptr, *received = nullptr;
};

int32_t WebSocketInject::layOut() {
  const TypeDesc &type = *desc->outTypes[0];
  std::string name = text("messageAttributeName", type.count == 1 ? type.fields[0].name : "");
  if (name.empty())
    return sl_error(ctx, "the output has several attributes: messageAttributeName is missing");
  message = fieldOf(type, name);
  isBinary = message && message->type->kind == Kind::Blob;
  if (!message || (!isBinary && !isText(*message->type)))
    return sl_error(ctx, "the output needs an attribute %s that is an rstring, a ustring or a blob",
                    name.c_str());
  name = text("senderIdAttributeName", "");
  sender = name.empty() ? nullptr : fieldOf(type, name);
  if (!name.empty() && (!sender || !isText(*sender->type)))
    return sl_error(ctx, "the output needs an attribute %s that is an rstring or a ustring",
                    name.c_str());
  ackEvery = int64_t(number("ackCount", 0));
  return 0;
}

int32_t WebSocketInject::open() {
  connected = sl_make_metric(ctx, desc, "nClientsConnected", "clients that are there",
                             MetricKind::Gauge, 0);
  received = sl_make_metric(ctx, desc, "nMessagesReceived", "messages that clients have sent",
                            MetricKind::Counter, 0);
  return layOut() || inbox.open(ctx) || serving.open(*this) ||
         serving.serveClients(*this, serving.pathOf("output", 0, "wsinject"), hooks(), clients) ||
         serving.serveInfo(*this, "output", 0, *desc->outTypes[0]);
}

ClientHooks WebSocketInject::hooks() {
  bool tells = flag("enableConnectionControlMessages", true);
  ClientHooks result;
  result.changed = [this, tells](Clients &all, const std::string &who, bool isThere) {
    connected->value.fetch_add(isThere ? 1 : -1, std::memory_order_relaxed); // no order
    if (tells)
      all.send(controlMessage(isThere ? "OPEN" : "CLOSE", "R:" + who));
  };
  result.received = [this](Message &&text, const std::string &who) {
    return receive(std::move(text), who);
  };
  return result;
}

/// The last message that found room may leave none: the client is read on when there is.
bool WebSocketInject::receive(Message &&text, const std::string &who) {
  received->value.fetch_add(1, std::memory_order_relaxed); // no order between metrics
  if (text.isBinary != isBinary) {
    sl_leaves_out(ctx, desc, LeftOut::Invalid, 1);
    return true;
  }
  inbox.put({0, std::move(text.text), who}, /*always=*/true);
  return inbox.hasRoom();
}

int32_t WebSocketInject::submitLetter(const Letter &letter) {
  std::vector<uint64_t> bytes(desc->outTypes[0]->size / 8 + 1);
  auto *tuple = reinterpret_cast<char *>(bytes.data());
  ArenaCheckpoint before = arenaCheckpoint(ctx->scratch);
  if (isBinary) {
    Str blob = strView(letter.text.data(), letter.text.size());
    memcpy(tuple + message->offset, &blob, sizeof blob);
  } else {
    setText(*message, letter.text, tuple, *ctx->scratch);
  }
  if (sender)
    setText(*sender, letter.who, tuple, *ctx->scratch);
  int32_t result = submit(0, tuple);
  arenaRelease(ctx->scratch, before);
  if (ackEvery && ++messages % ackEvery == 0)
    clients->send(controlMessage("COUNT", std::to_string(messages)));
  return result;
}

int32_t WebSocketInject::process() {
  bool ends = false;
  for (Letter letter;;) {
    bool wasFull = false;
    if (inbox.take(letter, &wasFull)) {
      if (wasFull)
        clients->readOn();
      if (int32_t result = submitLetter(letter))
        return result;
      if (int32_t result = sl_save_point(ctx))
        return result;
    } else if (ends) {
      return 0;
    } else if (inbox.await(ctx)) {
      ends = true; // what has come is submitted
      clients->end(0);
    }
  }
}

int32_t WebSocketInject::close() {
  finish();
  return 0;
}

void WebSocketInject::finish() {
  if (!clients)
    return;
  clients->end(0);
  clients.reset();
  serving.close();
}

RegisterNative registered("com.ibm.streamsx.inet.wsserver::WebSocketInject",
                          [] { return static_cast<NativeOp *>(new WebSocketInject); });

} // namespace
} // namespace sluice::inet
