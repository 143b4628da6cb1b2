//===- Functions.cpp - functions of com.ibm.streamsx.objectstorage.s3 -----===//
#include "runtime/base/os.h"
#include "stdlib/native/Library.h"
#include "toolkits/objectstorage/native/Bucket.h"
#include "toolkits/objectstorage/native/Elements.h"

using namespace sluice;
using namespace sluice::objectstorage;

/// What initializeS3() has said, for all threads.
static os::Lock lock;
static Place given; // guarded by it

SL(initializeS3, rrr)(Ctx *ctx, uint8_t *result, const Str *key, const Str *secret,
                      const Str *endpoint) {
  Place place;
  place.key = viewOf(*key);
  place.secret = viewOf(*secret);
  if (!place.setEndpoint(std::string(viewOf(*endpoint)), /*isEncrypted=*/true))
    return sl_error(ctx, "initialize: the endpoint is a host, or HOST:PORT");
  os::Held held(lock);
  given = std::move(place);
  *result = 1;
  return 0;
}

/// The keys of a page of a list, and where the next one begins.
static std::string addKeys(const std::string &page, std::vector<std::string> &keys) {
  std::string next;
  for (Element &element : elementsOf(page))
    if (element.name == "Key" || element.name == "Name")
      keys.push_back(std::move(element.text));
    else if (element.name == "NextContinuationToken")
      next = std::move(element.text);
  return next;
}

/// Sends a request. The first text is what the server says is wrong, or empty; the names of a list
/// follow.
SL(askS3, rrr)(Ctx *ctx, Seq *result, const Str *method, const Str *bucketName, const Str *key) {
  Place place;
  {
    os::Held held(lock);
    place = given;
  }
  if (place.key.empty())
    return sl_error(ctx, "initialize() says where the objects are: it has to be called before");
  place.bucket = viewOf(*bucketName);
  Bucket bucket(inet::Waiting::Holds);
  if (bucket.open(ctx, place))
    return 1;
  std::vector<std::string> texts(1);
  std::string verb(viewOf(*method)), next;
  do {
    Bucket::Query query;
    if (!next.empty())
      query.emplace_back("continuation-token", next);
    if (verb == "GET" && !place.bucket.empty())
      query.emplace_back("list-type", "2");
    Reply reply = bucket.askOnce(bucket.request(verb.c_str(), std::string(viewOf(*key)), query));
    texts[0] = reply.problem;
    next = reply.isDone() && verb == "GET" ? addKeys(reply.answer.body, texts) : "";
  } while (!next.empty());
  *result = scratchList(ctx, uint32_t(texts.size()), sizeof(Str));
  for (size_t i = 0; i < texts.size(); ++i)
    listData<Str>(*result)[i] = keepText(ctx, texts[i].data(), texts[i].size());
  return 0;
}
