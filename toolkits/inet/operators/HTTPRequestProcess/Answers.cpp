//===- Answers.cpp - the answers that an HTTPRequestProcess gives ---------===//
#include "simdjson/singleheader/simdjson.h"
#include "stdlib/native/connect/ControlPort.h"
#include "stdlib/native/connect/Retry.h"
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/inet/native/Settings.h"
#include "toolkits/inet/operators/HTTPRequestProcess/Requests.h"
#include "value/Table.h"
#include <algorithm>
#include <array>
#include <cctype>

namespace sluice::inet {
namespace {

struct Answer {
  int64_t key = 0, status = 0;
  std::string body, contentType, reason;
  Headers headers;
};

class Answers : public ParamOp {
public:
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t close() override;

private:
  bool read(const void *tuple, Answer &) const;
  Reply replyTo(Answer &&);

  std::shared_ptr<Requests> requests;
  const Field *json = nullptr; // without all others
  const Field *key = nullptr, *body = nullptr, *status = nullptr, *reason = nullptr,
              *contentType = nullptr, *header = nullptr;
  Warnings warnings;
};

int32_t Answers::open() {
  const TypeDesc &type = *desc->inTypes[0];
  requests = sharedBy<Requests>(*this);
  json = jsonPart(*this, type, "responseJsonAttributeName");
  return !json &&
         (findPart(*this, type, "keyAttributeName", "key", Shape::Key, key) ||
          findPart(*this, type, "responseAttributeName", "response", Shape::Text, body) ||
          findPart(*this, type, "responseStatusAttributeName", "status", Shape::Status, status) ||
          findPart(*this, type, "statusMessageAttributeName", "statusMessage", Shape::Text,
                   reason) ||
          findPart(*this, type, "responseContentTypeAttributeName", "contentType", Shape::Text,
                   contentType) ||
          findPart(*this, type, "responseHeaderAttributeName", "header", Shape::Texts, header));
}

const void *at(const Field &field, const void *tuple) {
  return static_cast<const char *>(tuple) + field.offset;
}

std::string textAt(const Field &field, const void *tuple) {
  return std::string(viewOf(*static_cast<const Str *>(at(field, tuple))));
}

/// False: it has no key.
bool readJson(std::string_view text, Answer &answer) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  if (parser.parse(text.data(), text.size()).get(root) || root["key"].get(answer.key))
    return false;
  auto member = [&](const char *name, std::string &to) {
    if (std::string_view value; !root[name].get(value))
      to = value;
  };
  member("response", answer.body);
  member("contentType", answer.contentType);
  member("statusMessage", answer.reason);
  if (root["status"].get(answer.status))
    answer.status = 0;
  simdjson::dom::object headers;
  if (!root["header"].get(headers))
    for (auto [name, value] : headers)
      if (std::string_view one; !value.get(one))
        answer.headers.emplace_back(name, one);
  return true;
}

bool Answers::read(const void *tuple, Answer &answer) const {
  if (json)
    return readJson(viewOf(*static_cast<const Str *>(at(*json, tuple))), answer);
  answer.key = load<int64_t>(at(*key, tuple));
  if (body)
    answer.body = textAt(*body, tuple);
  if (status)
    answer.status = load<int32_t>(at(*status, tuple));
  if (reason)
    answer.reason = textAt(*reason, tuple);
  if (contentType)
    answer.contentType = textAt(*contentType, tuple);
  if (!header)
    return true;
  const Seq &map = *static_cast<const Seq *>(at(*header, tuple));
  for (uint32_t slot = 0; slot < map.len; ++slot) {
    const char *entry = elementAt(header->type, &map, slot);
    answer.headers.emplace_back(
        viewOf(*reinterpret_cast<const Str *>(entry)),
        viewOf(*reinterpret_cast<const Str *>(entry + header->type->valueOffset)));
  }
  return true;
}

/// Those that the server itself gives.
bool isOwnHeader(std::string name) {
  static constexpr std::array kOwn = {"content-length", "transfer-encoding", "connection",
                                      "keep-alive",     "upgrade",           "trailer"};
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  return std::find(kOwn.begin(), kOwn.end(), name) != kOwn.end();
}

/// As RFC 9110 has names: no separators.
bool isName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) || (c && strchr("!#$%&'*+-.^_`|~", c));
  });
}

Reply Answers::replyTo(Answer &&answer) {
  if (answer.status && (answer.status < 200 || answer.status > 599)) {
    warnings.warn(ctx, desc, "an answer has a status that is none of 200 to 599");
    return {500, "text/plain", "the answer of the program has no status of HTTP\n"};
  }
  Reply reply = {answer.status ? unsigned(answer.status) : 200, "text/html; charset=utf-8",
                 std::move(answer.body)};
  bool isLine = isHeader("reason:" + answer.reason) && answer.reason.size() <= Server::kMostHeader;
  if (isLine)
    reply.reason = std::move(answer.reason);
  else
    warnings.warn(ctx, desc, "a statusMessage of an answer is no line of text, and is left out");
  if (!answer.contentType.empty())
    answer.headers.emplace(answer.headers.begin(), "Content-Type", std::move(answer.contentType));
  for (auto &[name, value] : answer.headers) {
    if (isOwnHeader(name))
      continue;
    if (isName(name) && isHeader(name + ":" + value) &&
        std::max(name.size(), value.size()) <= Server::kMostHeader)
      reply.headers.emplace_back(std::move(name), std::move(value));
    else
      warnings.warn(ctx, desc, "a header of an answer cannot be one, and is left out");
  }
  return reply;
}

int32_t Answers::tuple(uint32_t, const void *tuple) {
  Answer answer;
  if (!read(tuple, answer)) {
    count(requests->keyless);
    warnings.warn(ctx, desc, "an answer is no JSON object with a number `key`");
    return 0;
  }
  int64_t number = answer.key;
  if (!requests->answer(number, replyTo(std::move(answer)))) {
    count(requests->unknown);
    return 0;
  }
  count(requests->responded);
  count(requests->active, -1);
  return 0;
}

/// All answers have come.
int32_t Answers::close() {
  if (requests)
    requests->close();
  return 0;
}

RegisterNative registered("com.ibm.streamsx.inet.rest::HTTPRequestProcess.control",
                          [] { return static_cast<NativeOp *>(new Answers); });

} // namespace
} // namespace sluice::inet
