//===- HTTPRequestProcess.cpp - com.ibm.streamsx.inet.rest::HTTPRequestProcess -===//
//
// The source of requests; Answers.cpp has the sink of answers.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/connect/ControlPort.h"
#include "toolkits/inet/native/Address.h"
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/inet/operators/HTTPRequestProcess/Requests.h"
#include "toolkits/inet/operators/shared/Inbox.h"
#include "toolkits/inet/operators/shared/Serving.h"
#include "toolkits/json/native/Writer.h"
#include <algorithm>
#include <cctype>

namespace sluice::inet {
namespace {

constexpr std::string_view kBelow = "/analyze/0"; // of the context path

/// What a request says, and the attribute that gets it.
struct Part {
  const char *parameter, *name;
  std::string (*text)(const Asked &, const std::string &path);
  const Field *field = nullptr;
};

class HTTPRequestProcess : public ParamOp {
public:
  ~HTTPRequestProcess() { close(); }
  Saves saves() const override { return Saves::Stateless; }
  bool hasSavePoints() const override { return true; }
  bool finishes() const override { return true; }
  int32_t open() override;
  int32_t process() override;
  int32_t close() override;

private:
  int32_t layOut();
  bool take(const Asked &, int64_t key);
  int32_t submitLetter(const Letter &);
  std::string jsonOf(const Letter &) const;
  void fill(const Letter &, char *tuple);

  Inbox inbox;
  Serving serving;
  std::shared_ptr<Requests> requests;
  std::string path;
  const Field *json = nullptr, *key = nullptr, *header = nullptr; // json: without all others
  std::vector<Part> parts;
  std::vector<std::string> texts; // of the parts of the tuple that is submitted
};

std::string hostOf(const Asked &asked) {
  for (const auto &[name, value] : asked.headers)
    if (name.size() == 4 &&
        std::equal(name.begin(), name.end(), "host",
                   [](unsigned char a, char b) { return std::tolower(a) == b; }))
      return value;
  return "";
}

std::vector<Part> allParts() {
  return {
      {"requestAttributeName", "request",
       [](const Asked &a, const std::string &) { return a.body.empty() ? a.query : a.body; }},
      {"methodAttributeName", "method",
       [](const Asked &a, const std::string &) { return a.method; }},
      {"contentTypeAttributeName", "contentType",
       [](const Asked &a, const std::string &) { return a.contentType; }},
      {"contextPathAttributeName", "contextPath",
       [](const Asked &, const std::string &path) {
         return path.substr(0, path.size() - kBelow.size());
       }},
      {"pathInfoAttributeName", "pathInfo",
       [](const Asked &a, const std::string &path) {
         return decoded(std::string_view(a.path).substr(path.size()));
       }},
      {"urlAttributeName", "url",
       [](const Asked &a, const std::string &) {
         return (a.isSecure ? "https://" : "http://") + hostOf(a) + a.path;
       }},
  };
}

int32_t HTTPRequestProcess::layOut() {
  const TypeDesc &type = *desc->outTypes[0];
  parts = allParts();
  json = jsonPart(*this, type, "jsonAttributeName");
  if (json)
    return 0;
  for (Part &part : parts)
    if (findPart(*this, type, part.parameter, part.name, Shape::Text, part.field))
      return 1;
  std::erase_if(parts, [](const Part &part) { return !part.field; });
  return findPart(*this, type, "keyAttributeName", "key", Shape::Key, key) ||
         findPart(*this, type, "headerAttributeName", "header", Shape::Texts, header);
}

int32_t HTTPRequestProcess::open() {
  if (layOut() || inbox.open(ctx) || serving.open(*this))
    return 1;
  path = serving.pathOf("analyze", 0, "");
  path.pop_back(); // the slash
  requests = sharedBy<Requests>(*this);
  requests->open(*this, serving.at(), path);
  LaterHooks hooks;
  hooks.seconds = number("webTimeout", 15);
  hooks.asked = [this](const Asked &asked, int64_t number) { return take(asked, number); };
  hooks.expired = [all = requests](bool isLate) {
    if (isLate)
      count(all->expired);
    count(all->active, -1);
  };
  auto most = size_t(number("maxContentSize", 1000)) * 1000;
  return serving.serveInfo(*this, "output", 0, *desc->outTypes[0]) ||
         serving.serveLater(*this, path, most, std::move(hooks));
}

bool HTTPRequestProcess::take(const Asked &asked, int64_t number) {
  if (!inbox.hasRoom()) // nobody else fills it
    return false;
  count(requests->received);
  count(requests->active);
  return inbox.put({0, "", "", std::make_shared<Asked>(asked), number});
}

std::string HTTPRequestProcess::jsonOf(const Letter &letter) const {
  TextOut out;
  json::Writer writer(ctx, out, json::Times::Seconds, {});
  auto member = [&](const char *name, const std::string &text) {
    writer.string(name);
    out.put(':');
    writer.string(text);
  };
  out.put("{\"key\":" + std::to_string(letter.number));
  for (const Part &part : parts) {
    out.put(',');
    member(part.name, part.text(*letter.asked, path));
  }
  out.put(",\"header\":{");
  std::vector<std::string_view> known;
  for (const auto &[name, value] : letter.asked->headers) {
    if (std::find(known.begin(), known.end(), name) != known.end())
      continue;
    if (!known.empty())
      out.put(',');
    known.push_back(name);
    member(name.c_str(), value);
  }
  out.put("}}");
  return std::string(out.view());
}

void HTTPRequestProcess::fill(const Letter &letter, char *tuple) {
  texts.clear();
  if (json) {
    texts.push_back(jsonOf(letter));
    return setText(*json, texts[0], tuple, *ctx->scratch);
  }
  store(tuple + key->offset, letter.number);
  for (const Part &part : parts)
    texts.push_back(part.text(*letter.asked, path));
  for (size_t i = 0; i < parts.size(); ++i)
    setText(*parts[i].field, texts[i], tuple, *ctx->scratch);
  if (header)
    setMap(*header, letter.asked->headers, tuple, *ctx->scratch);
}

int32_t HTTPRequestProcess::submitLetter(const Letter &letter) {
  std::vector<uint64_t> bytes(desc->outTypes[0]->size / 8 + 1);
  ArenaCheckpoint before = arenaCheckpoint(ctx->scratch);
  fill(letter, reinterpret_cast<char *>(bytes.data()));
  int32_t result = submit(0, bytes.data());
  arenaRelease(ctx->scratch, before);
  return result ? result : sl_save_point(ctx);
}

int32_t HTTPRequestProcess::process() {
  return inbox.submitAll(
      ctx, [this](const Letter &letter) { return submitLetter(letter); },
      [this] { serving.close(); });
}

int32_t HTTPRequestProcess::close() {
  serving.close();
  if (requests)
    requests->close();
  return 0;
}

RegisterNative registered("com.ibm.streamsx.inet.rest::HTTPRequestProcess",
                          [] { return static_cast<NativeOp *>(new HTTPRequestProcess); });

} // namespace
} // namespace sluice::inet
