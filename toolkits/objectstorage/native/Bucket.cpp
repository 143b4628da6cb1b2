//===- Bucket.cpp - requests of S3 ----------------------------------------===//
#include "toolkits/objectstorage/native/Bucket.h"
#include "simdjson/singleheader/simdjson.h"
#include "stdlib/native/xml/Reader.h"
#include "toolkits/inet/native/Address.h"
#include "toolkits/objectstorage/native/Digest.h"
#include "toolkits/objectstorage/native/Elements.h"
#include <thread>

namespace sluice::objectstorage {

static constexpr double kPatience = 30;        // s, for which it goes on once the program is to end
static constexpr size_t kShown = 200;          // bytes of an answer that messages show
static constexpr size_t kMostError = 64 << 10; // bytes of an answer that is an error

int32_t Bucket::open(ParamOp &op) {
  Place place;
  desc = op.desc;
  return place.read(op) || open(op.ctx, std::move(place));
}

int32_t Bucket::open(Ctx *owner, Place place) {
  ctx = owner;
  where = std::move(place);
  if (!xml::Reader::isThere())
    return sl_error(ctx, "libexpat.so.1 is missing: apt install libexpat1");
  if (std::string missing; !hasDigests(missing))
    return sl_error(ctx, "%s", missing.c_str());
  inet::Settings settings;
  settings.asksCompressed = false; // objects as they are
  settings.followsRedirects = false;
  if (const char *file = getenv("SLUICE_CA_FILE"))
    settings.authorities = file;
  return client.open(ctx, settings);
}

inet::Request Bucket::request(const char *method, const std::string &key,
                              const Query &query) const {
  inet::Request result;
  result.method = method;
  result.url = where.urlOf(key);
  char sign = '?';
  for (const auto &[name, value] : query) {
    result.url += sign + inet::encoded(name) + "=" + inet::encoded(value);
    sign = '&';
  }
  result.contentType = "application/octet-stream";
  return result;
}

/// Whether what the server says may pass.
static bool mayPass(const Reply &reply) {
  return reply.answer.status >= 500 || reply.answer.status == 429 ||
         reply.code == "RequestTimeout" || reply.code == "OperationAborted";
}

/// What an answer says.
static void judge(Reply &reply) {
  const inet::Answer &answer = reply.answer;
  if (!answer.problem.empty()) {
    reply.problem = answer.problem;
    reply.mayHelp = !answer.isStopped;
    return;
  }
  bool isGood = answer.status >= 200 && answer.status < 300;
  if (isGood && answer.body.find("<Error") == answer.body.npos) // which may follow a 200
    return;
  reply.code = textOf(answer.body, "Code");
  std::string message = textOf(answer.body, "Message");
  reply.problem = "the server answers " + answer.statusLine;
  if (!reply.code.empty())
    reply.problem += ": " + reply.code + ", " + message.substr(0, kShown);
  reply.mayHelp = mayPass(reply);
}

/// Signs the request, or gives it a token.
Reply Bucket::authorize(inet::Request &request) {
  if (where.apiKey.empty()) {
    request.region = where.region;
    request.user = where.key;
    request.password = where.secret;
    request.headers.push_back("x-amz-content-sha256: " + sha256(request.body));
    return {};
  }
  if (token.empty() || sl_now(ctx) >= tokenEnds) {
    inet::Request asks;
    asks.method = "POST";
    asks.url = where.tokenEndpoint;
    asks.contentType = "application/x-www-form-urlencoded";
    asks.headers = {"Accept: application/json"};
    asks.body = "grant_type=" + inet::formEncoded("urn:ibm:params:oauth:grant-type:apikey") +
                "&apikey=" + inet::formEncoded(where.apiKey);
    Reply reply;
    reply.answer = client.run(ctx, asks, kPatience);
    judge(reply);
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    std::string_view text;
    int64_t seconds = 0;
    if (reply.isDone() && (parser.parse(reply.answer.body).get(root) ||
                           root["access_token"].get(text) || root["expires_in"].get(seconds)))
      reply.problem = "the answer has no access_token";
    if (!reply.isDone()) {
      reply.problem = inet::shownUrl(where.tokenEndpoint) + ": " + reply.problem;
      return reply;
    }
    token = text;
    tokenEnds = sl_now(ctx) + seconds * 9 / 10 * os::kNanos;
  }
  request.token = token;
  return {};
}

Reply Bucket::askOnce(inet::Request request, const inet::TakeBody &take) {
  Reply reply = authorize(request);
  if (!reply.isDone())
    return reply;
  std::string error;
  auto sort = [&](const inet::Answer &answer, std::string_view part) {
    if (answer.status < 300)
      return take(answer, part);
    error += part;
    return error.size() <= kMostError;
  };
  reply.answer = client.run(ctx, request, kPatience, take ? sort : inet::TakeBody());
  if (take)
    reply.answer.body = std::move(error);
  judge(reply);
  if (reply.answer.status == 401) // the token has ended before its time
    reply.mayHelp = !std::exchange(token, {}).empty();
  return reply;
}

bool Bucket::pause(const std::string &why) {
  warnings.warn(ctx, desc, where.shown + ": " + why + "; it tries again");
  double seconds = backoff.next();
  if (waiting == inet::Waiting::GivesWay)
    return !sl_wait(ctx, seconds);
  constexpr double kStep = 0.05;
  for (; seconds > 0; seconds -= kStep) {
    std::this_thread::sleep_for(std::chrono::duration<double>(kStep));
    if (!sl_is_shutdown(ctx))
      continue;
    if (!endsAt)
      endsAt = sl_now(ctx) + int64_t(kPatience * double(os::kNanos));
    if (sl_now(ctx) >= endsAt)
      return false;
  }
  return true;
}

Reply Bucket::ask(const inet::Request &request) {
  for (;;) {
    Reply reply = askOnce(request);
    if (reply.isDone())
      backoff.reset();
    if (!reply.mayHelp || !pause(reply.problem))
      return reply;
  }
}

} // namespace sluice::objectstorage
