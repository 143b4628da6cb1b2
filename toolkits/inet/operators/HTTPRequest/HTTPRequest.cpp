//===- HTTPRequest.cpp - com.ibm.streamsx.inet.http::HTTPRequest ----------===//
#include "sluice/leftout.h"
#include "sluice/metrics.h"
#include "toolkits/inet/native/Address.h"
#include "toolkits/inet/native/Bodies.h"
#include "toolkits/inet/operators/HTTPRequest/Outputs.h"
#include "toolkits/inet/operators/shared/Attempts.h"
#include <algorithm>

namespace sluice::inet {
namespace {

class HTTPRequest : public ParamOp {
public:
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind) override;

private:
  const Field *attribute(std::initializer_list<const char *> parameters) const;
  int32_t layOut();
  int32_t layOutBody();
  std::string valueOf(const Field *, const void *tuple, const std::string &otherwise) const;
  std::string urlOf(const void *tuple, const std::string &method) const;
  void countFailure(const std::string &shown, const std::string &why);

  Client client;
  Outputs outputs;
  Attempts attempts;
  Warnings warnings;
  const Field *url = nullptr, *method = nullptr, *contentType = nullptr, *arguments = nullptr,
              *body = nullptr, *token = nullptr, *tokenType = nullptr;
  std::string fixedUrl, fixedMethod, fixedContentType;
  Fields fields; // the request attributes
  bool asArguments = false;
  Metric *failures = nullptr;
};

const Field *HTTPRequest::attribute(std::initializer_list<const char *> parameters) const {
  for (const char *parameter : parameters)
    for (uint32_t number : attributes(parameter))
      return &desc->inTypes[0]->fields[number];
  return nullptr;
}

int32_t HTTPRequest::layOutBody() {
  const TypeDesc &type = *desc->inTypes[0];
  if (!param("requestAttributes")) {
    const Field *others[] = {url, method, contentType, arguments, body, token, tokenType};
    for (const Field *field : allOf(type))
      if (std::find(std::begin(others), std::end(others), field) == std::end(others))
        fields.push_back(field);
    return 0;
  }
  for (const std::string &name : textsOf(*this, "requestAttributes")) {
    const Field *field = fieldOf(type, name);
    if (!field && !name.empty())
      return sl_error(ctx, "requestAttributes: the input has no attribute %s", name.c_str());
    if (field)
      fields.push_back(field);
  }
  return 0;
}

int32_t HTTPRequest::layOut() {
  url = attribute({"url"});
  method = attribute({"method"});
  contentType = attribute({"contentType"});
  arguments = attribute({"requestUrlArguments", "requestUrlArgumentsAttribute"});
  body = attribute({"requestBody", "requestBodyAttribute", "requestBodyAttributeBin"});
  token = attribute({"accessTokenAttribute"});
  tokenType = attribute({"tokenTypeAttribute"});
  fixedUrl = text("fixedUrl", "");
  fixedMethod = text("fixedMethod", "");
  fixedContentType = text("fixedContentType", kJson);
  asArguments = flag("requestAttributesAsUrlArguments", false);
  attempts.most = flag("disableAutomaticRetries", false) ? 0 : 3;
  return layOutBody();
}

int32_t HTTPRequest::open() {
  Settings settings;
  if (settings.read(*this))
    return 1;
  if (double milliseconds = number("connectionTimeout", 0))
    settings.connectSeconds = milliseconds / 1000;
  failures = sl_make_metric(ctx, desc, "nFailedRequests", "requests that got no status below 400",
                            MetricKind::Counter, 0);
  return layOut() || outputs.open(*this) || client.open(ctx, settings);
}

std::string HTTPRequest::valueOf(const Field *field, const void *tuple,
                                 const std::string &otherwise) const {
  if (field && field->type->kind == Kind::Blob)
    return std::string(
        viewOf(*reinterpret_cast<const Str *>(static_cast<const char *>(tuple) + field->offset)));
  return field ? textOf(*field, tuple) : otherwise;
}

/// With the arguments that the tuple adds.
std::string HTTPRequest::urlOf(const void *tuple, const std::string &verb) const {
  std::string result = valueOf(url, tuple, fixedUrl);
  std::string added = valueOf(arguments, tuple, "");
  if (added.empty() && asArguments && verb == "GET" && !fields.empty())
    added = asForm(fields, tuple);
  for (char &c : added)
    c = c == ' ' ? '+' : c;
  if (!added.empty())
    result += (result.find('?') == std::string::npos ? "?" : "&") + added;
  return result;
}

void HTTPRequest::countFailure(const std::string &shown, const std::string &why) {
  failures->value.fetch_add(1, std::memory_order_relaxed); // no order between metrics
  if (desc->outputs)
    return;
  sl_leaves_out(ctx, desc, LeftOut::Unsent, 1);
  warnings.warn(ctx, desc, shown + ": " + why + "; the tuple is dropped");
}

int32_t HTTPRequest::tuple(uint32_t, const void *tuple) {
  static constexpr const char *kMethods[] = {"GET",    "HEAD",    "POST",  "PUT", "PATCH",
                                             "DELETE", "OPTIONS", "TRACE", "NONE"};
  Request request;
  request.method = valueOf(method, tuple, fixedMethod);
  if (std::find(std::begin(kMethods), std::end(kMethods), request.method) == std::end(kMethods))
    return sl_error(ctx, "\"%.40s\" is no method of HTTP", request.method.c_str());
  Answer answer;
  if (request.method != "NONE") {
    request.url = urlOf(tuple, request.method);
    request.onlyOnce = !isIdempotent(request.method);
    request.contentType = valueOf(contentType, tuple, fixedContentType);
    request.token = valueOf(token, tuple, "");
    request.tokenType = valueOf(tokenType, tuple, "");
    for (const std::string *part : {&request.contentType, &request.token, &request.tokenType})
      if (!isHeader("a:" + *part))
        return sl_error(ctx, "a line end, or a byte 0, cannot be in a header");
    request.body = valueOf(body, tuple, "");
    if (request.body.empty() && request.method == "POST")
      request.body = bodyOf(ctx, fields, tuple, request.contentType);
    std::string shown = shownUrl(request.url);
    answer = tryAgain(*this, client, request, attempts, warnings, shown);
    if (std::string why = diagnosis(answer); !why.empty())
      countFailure(shown, why);
  }
  return desc->outputs ? outputs.submit(*this, tuple, answer) : 0;
}

int32_t HTTPRequest::punct(uint32_t, PunctuationKind kind) {
  return desc->outputs && !isFinal(kind) ? submitPunct(0, kind) : 0;
}

RegisterNative registered("com.ibm.streamsx.inet.http::HTTPRequest",
                          [] { return static_cast<NativeOp *>(new HTTPRequest); });

} // namespace
} // namespace sluice::inet
