//===- HTTPGetStream.cpp - com.ibm.streamsx.inet.http::HTTPGetStream ------===//
//
// Lines are submitted as libcurl has them, so what the program cannot take waits in the connection.
//
//===----------------------------------------------------------------------===//
#include "sluice/metrics.h"
#include "stdlib/native/connect/Retry.h"
#include "toolkits/inet/native/Address.h"
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/inet/native/Client.h"
#include "toolkits/inet/native/Lines.h"
#include "toolkits/inet/operators/shared/Responses.h"

namespace sluice::inet {
namespace {

class HTTPGetStream : public ParamOp {
public:
  Saves saves() const override { return Saves::State; }
  bool hasSavePoints() const override { return true; }
  int32_t open() override;
  int32_t process() override;
  void save(Saver &saver) override { saver.text("id", events.id); }
  int32_t restore(const Loader &) override;

private:
  int32_t layOut();
  bool take(const Answer &, std::string_view);
  bool line(std::string_view);
  bool submitText(std::string_view data, const Event *);
  int32_t exchange(std::string &problem);
  int32_t failed(const std::string &problem, bool &again);
  bool pause();

  Client client;
  Request request;
  std::string shown; // the URL
  const Field *data = nullptr, *type = nullptr, *id = nullptr;
  Responses errors;
  Lines lines;
  Events events;
  bool isEvents = false, hasErrors = false;
  std::string wrongBody; // the beginning of an answer that is none to be read
  int64_t retries = 0;   // since the last line
  int32_t result = 0;    // of what was submitted
  std::vector<uint64_t> tuple;
  Warnings warnings;
  Metric *connected = nullptr;
};

//===--- at the start ---------------------------------------------------------===//

int32_t HTTPGetStream::layOut() {
  const TypeDesc &out = *desc->outTypes[0];
  data = textField(ctx, out, "dataAttributeName", text("dataAttributeName", ""), "data");
  if (!data)
    return 1;
  isEvents = flag("events", false);
  for (auto [field, name] : {std::pair{&type, "event"}, {&id, "id"}}) {
    const Field *found = isEvents ? fieldOf(out, name) : nullptr;
    if (found && found != data && isText(*found->type))
      *field = found;
  }
  tuple.resize(out.size / 8 + 1);
  hasErrors = desc->outputs > 1;
  return hasErrors ? errors.open(ctx, *desc->outTypes[1]) : 0;
}

int32_t HTTPGetStream::open() {
  Settings settings;
  if (layOut() || settings.read(*this) || client.open(ctx, settings))
    return 1;
  request.url = text("url", "");
  shown = shownUrl(request.url);
  for (const std::string &pair : textsOf(*this, "postData")) {
    size_t equals = pair.find('=');
    if (equals == std::string::npos)
      return sl_error(ctx, "postData has \"name=value\"");
    request.method = "POST";
    request.contentType = "application/x-www-form-urlencoded";
    request.body += (request.body.empty() ? "" : "&") + formEncoded(pair.substr(0, equals)) + "=" +
                    formEncoded(pair.substr(equals + 1));
  }
  connected =
      sl_make_metric(ctx, desc, "isConnected", "1 while an answer comes", MetricKind::Gauge, 0);
  return 0;
}

int32_t HTTPGetStream::restore(const Loader &loader) {
  events.id = loader.text("id").value_or("");
  return 0;
}

//===--- what comes -----------------------------------------------------------===//

bool HTTPGetStream::submitText(std::string_view text, const Event *event) {
  auto *bytes = reinterpret_cast<char *>(tuple.data());
  memset(bytes, 0, tuple.size() * 8);
  ArenaCheckpoint before = arenaCheckpoint(ctx->scratch);
  setText(*data, text, bytes, *ctx->scratch);
  if (event && type)
    setText(*type, event->type, bytes, *ctx->scratch);
  if (event && id)
    setText(*id, event->id, bytes, *ctx->scratch);
  result = submit(0, bytes);
  arenaRelease(ctx->scratch, before);
  if (!result)
    result = sl_save_point(ctx);
  return result == 0;
}

bool HTTPGetStream::line(std::string_view text) {
  retries = 0;
  if (!isEvents)
    return submitText(text, nullptr);
  Event event;
  bool isWhole = events.line(text, event);
  return !events.isTooLong && (!isWhole || submitText(event.data, &event));
}

bool HTTPGetStream::take(const Answer &answer, std::string_view part) {
  if (answer.status != 200) {
    wrongBody += part.substr(0, 4096 - std::min<size_t>(wrongBody.size(), 4096));
    return true;
  }
  // relaxed: no order between metrics.
  connected->value.store(1, std::memory_order_relaxed);
  return lines.feed(part, [this](std::string_view text) { return line(text); }) &&
         !sl_is_shutdown(ctx);
}

//===--- connections ----------------------------------------------------------===//

/// One request. `problem`: why there was no whole answer; empty: the server has ended it.
int32_t HTTPGetStream::exchange(std::string &problem) {
  request.headers.clear();
  if (isEvents)
    request.headers.push_back("Accept: text/event-stream");
  if (!events.id.empty() && isHeader("a:" + events.id))
    request.headers.push_back("Last-Event-ID: " + events.id);
  wrongBody.clear();
  lines.clear();
  events.clear();
  Answer answer = client.run(
      ctx, request, 0, [this](const Answer &a, std::string_view part) { return take(a, part); });
  connected->value.store(0, std::memory_order_relaxed);
  errors.status = answer.status ? int32_t(answer.status) : -1;
  if (result || answer.isStopped || sl_is_shutdown(ctx))
    return result;
  if (lines.isTooLong())
    problem = "a line is longer than 16 MiB";
  else if (events.isTooLong)
    problem = "an event is longer than 16 MiB";
  else if (!answer.problem.empty())
    problem = answer.problem;
  else if (answer.status != 200)
    problem = "the server answers " + answer.statusLine;
  else
    lines.end([this](std::string_view text) { return line(text); });
  return result;
}

/// Waits before the next attempt. True: the program ends.
bool HTTPGetStream::pause() {
  double seconds = number("retryDelay", 30);
  for (int64_t i = 1; i < retries && flag("backoff", false) && seconds < 1e6; ++i)
    seconds *= 10;
  return sl_wait(ctx, seconds);
}

/// `again`: it is to ask again.
int32_t HTTPGetStream::failed(const std::string &problem, bool &again) {
  auto most = int64_t(number("maxRetries", 3));
  again = most < 0 || retries < most;
  std::string what = shown + ": " + problem;
  if (hasErrors) {
    errors.problem = problem;
    errors.body = wrongBody;
    std::vector<uint64_t> bytes(desc->outTypes[1]->size / 8 + 1);
    errors.fill(reinterpret_cast<char *>(bytes.data()));
    if (int32_t failed = submit(1, bytes.data()))
      return failed;
  }
  if (again)
    warnings.warn(ctx, desc, what + "; it tries again");
  else if (!hasErrors)
    return sl_error(ctx, "%s; it does not try again, as maxRetries says", what.c_str());
  else
    sl_warn(ctx, desc, "%s; it does not try again, as maxRetries says", what.c_str());
  ++retries;
  return 0;
}

int32_t HTTPGetStream::process() {
  while (!sl_is_shutdown(ctx)) {
    std::string problem;
    if (int32_t failure = exchange(problem))
      return failure;
    if (sl_is_shutdown(ctx))
      break;
    bool again = flag("retryOnClose", false);
    if (int32_t failure =
            problem.empty() ? submitPunct(0, PunctuationKind::Window) : failed(problem, again))
      return failure;
    if (problem.empty() && again) {
      auto most = int64_t(number("maxRetries", 3));
      again = most < 0 || retries++ < most;
    }
    if (!again || pause())
      break;
  }
  return 0;
}

RegisterNative registered("com.ibm.streamsx.inet.http::HTTPGetStream",
                          [] { return static_cast<NativeOp *>(new HTTPGetStream); });

} // namespace
} // namespace sluice::inet
