//===- HTTPPost.cpp - com.ibm.streamsx.inet.http::HTTPPost ----------------===//
#include "sluice/leftout.h"
#include "toolkits/inet/native/Address.h"
#include "toolkits/inet/native/Bodies.h"
#include "toolkits/inet/operators/shared/Attempts.h"
#include "toolkits/inet/operators/shared/Responses.h"

namespace sluice::inet {
namespace {

class HTTPPost : public ParamOp {
public:
  Saves saves() const override { return Saves::Stateless; }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind) override;

private:
  int32_t layOut();

  Client client;
  Request request;
  std::string shown; // the URL
  Fields fields;
  Copies copies;
  Responses responses;
  Attempts attempts;
  Warnings warnings;
};

int32_t HTTPPost::layOut() {
  const TypeDesc &type = *desc->inTypes[0];
  bool isTuple = request.contentType == kJson || request.contentType == kForm;
  if (!isTuple && (type.count != 1 || param("postAttributes")))
    return sl_error(ctx, "the content type %s needs an input with one attribute",
                    request.contentType.c_str());
  for (const std::string &name : textsOf(*this, "postAttributes")) {
    const Field *field = fieldOf(type, name);
    if (!field)
      return sl_error(ctx, "postAttributes: the input has no attribute %s", name.c_str());
    fields.push_back(field);
  }
  if (fields.empty())
    fields = allOf(type);
  if (!desc->outputs)
    return 0;
  copies = Copies(type, *desc->outTypes[0]);
  return responses.open(ctx, *desc->outTypes[0]);
}

int32_t HTTPPost::open() {
  Settings settings;
  if (settings.read(*this))
    return 1;
  settings.connectSeconds = number("connectionTimeout", 60);
  request.method = "POST";
  request.url = text("url", "");
  request.contentType = text("headerContentType", kForm);
  if (!isHeader("a:" + request.contentType))
    return sl_error(ctx, "headerContentType: a line end cannot be in a header");
  shown = shownUrl(request.url);
  attempts = {int64_t(number("maxRetries", 3)), number("retryDelay", 3), /*onlySafe=*/false};
  return layOut() || client.open(ctx, settings);
}

int32_t HTTPPost::tuple(uint32_t, const void *tuple) {
  request.body = bodyOf(ctx, fields, tuple, request.contentType);
  Answer answer = tryAgain(*this, client, request, attempts, warnings, shown);
  bool isThere = answer.problem.empty();
  std::string why = !isThere               ? answer.problem
                    : answer.status >= 400 ? "the server answers " + answer.statusLine
                                           : "";
  if (!desc->outputs) {
    if (why.empty())
      return 0;
    sl_leaves_out(ctx, desc, LeftOut::Unsent, 1);
    warnings.warn(ctx, desc, shown + ": " + why + "; the tuple is dropped");
    return 0;
  }
  std::vector<uint64_t> bytes(desc->outTypes[0]->size / 8 + 1);
  auto *out = reinterpret_cast<char *>(bytes.data());
  copies.copy(tuple, out);
  responses.status = isThere ? int32_t(answer.status) : -1;
  responses.problem = why;
  responses.body = isThere ? std::move(answer.body) : "";
  responses.fill(out);
  return submit(0, out);
}

int32_t HTTPPost::punct(uint32_t, PunctuationKind kind) {
  return desc->outputs && !isFinal(kind) ? submitPunct(0, kind) : 0;
}

RegisterNative registered("com.ibm.streamsx.inet.http::HTTPPost",
                          [] { return static_cast<NativeOp *>(new HTTPPost); });

} // namespace
} // namespace sluice::inet
