//===- Functions.cpp - functions of com.ibm.streamsx.inet.http ------------===//
#include "stdlib/native/Library.h"
#include "toolkits/inet/native/Address.h"
#include "toolkits/inet/native/Client.h"
#include <algorithm>
#include <map>
#include <memory>

using namespace sluice;
using namespace sluice::inet;

static Str keep(Ctx *ctx, std::string_view text) { return keepText(ctx, text.data(), text.size()); }

SL(urlEncode, r)(Ctx *ctx, Str *result, const Str *text) {
  *result = keep(ctx, encoded(viewOf(*text)));
  return 0;
}

SL(urlDecode, r)(Ctx *ctx, Str *result, const Str *text) {
  *result = keep(ctx, decoded(viewOf(*text)));
  return 0;
}

/// What a program shows of itself, as the functions have it: files, their types, and the password.
struct Identity {
  explicit Identity(const Seq &list) {
    std::string *parts[] = {&certificate, &certificateType, &key, &keyType, &password};
    for (uint32_t i = 0; i < list.len && i < std::size(parts); ++i)
      *parts[i] = viewOf(listData<Str>(list)[i]);
  }
  auto operator<=>(const Identity &) const = default;

  std::string certificate, certificateType, key, keyType, password;
};

/// The client of this thread for a program that shows itself so. Null: there is none, as sl_error
/// has said.
static Client *ownClient(Ctx *ctx, const Identity &identity) {
  constexpr size_t kMost = 16;
  thread_local std::map<Identity, std::unique_ptr<Client>> all;
  if (auto found = all.find(identity); found != all.end())
    return found->second.get();
  Settings settings;
  if (const char *file = getenv("SLUICE_CA_FILE"))
    settings.authorities = file;
  settings.certificate = identity.certificate;
  settings.certificateType = identity.certificateType;
  settings.key = identity.key.empty() ? identity.certificate : identity.key;
  settings.keyType = identity.key.empty() ? identity.certificateType : identity.keyType;
  settings.keyPassword = identity.password;
  auto client = std::make_unique<Client>(Waiting::Holds);
  if (client->open(ctx, settings))
    return nullptr;
  if (all.size() >= kMost)
    all.clear();
  return (all[identity] = std::move(client)).get();
}

constexpr double kPatience = 30; // s, for which it goes on once the program is to end

/// The body and the headers of an answer.
SL(exchangeHTTP, rrLrrrrLriii)(Ctx *ctx, Seq *result, const Str *method, const Str *url,
                               const Seq *headers, const Str *user, const Str *password,
                               const Str *data, const Seq *certificate, int32_t requestTimeout,
                               int32_t connectionTimeout, int32_t *error) {
  Client *client = ownClient(ctx, Identity(*certificate));
  if (!client)
    return 1;
  Request request;
  request.method = viewOf(*method);
  request.url = viewOf(*url);
  request.user = viewOf(*user);
  request.password = viewOf(*password);
  request.body = viewOf(*data);
  request.seconds = std::max(0, requestTimeout);
  request.connectSeconds = std::max(0, connectionTimeout);
  request.contentType = "application/x-www-form-urlencoded";
  for (uint32_t i = 0; i < headers->len; ++i) {
    std::string_view header = viewOf(listData<Str>(*headers)[i]);
    if (!isHeader(header))
      return sl_error(ctx, "a header is \"Name: value\", in one line");
    request.headers.emplace_back(header);
  }
  Answer answer = client->run(ctx, request, kPatience);
  *error = answer.code ? answer.code : answer.status >= 400 ? int32_t(answer.status) : 0;
  *result = scratchList(ctx, 1 + answer.headers.size(), sizeof(Str));
  Str *parts = listData<Str>(*result);
  *parts = keep(ctx, answer.body);
  for (const std::string &header : answer.headers)
    *++parts = keep(ctx, header);
  return 0;
}
