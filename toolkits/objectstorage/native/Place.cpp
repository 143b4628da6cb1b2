//===- Place.cpp - where objects are, and how to get in -------------------===//
#include "toolkits/objectstorage/native/Place.h"
#include "simdjson/singleheader/simdjson.h"
#include "stdlib/native/connect/Configuration.h"
#include "toolkits/inet/native/Address.h"

namespace sluice::objectstorage {

static constexpr const char *kCosEndpoint = "s3.us.cloud-object-storage.appdomain.cloud";
static constexpr const char *kS3Endpoint = "s3.amazonaws.com";
static constexpr const char *kTokens = "https://iam.cloud.ibm.com/identity/token";
static constexpr const char *kConfiguration = "cos", *kProperty = "cos.creds";

/// The region that signatures name: `s3.REGION.amazonaws.com` has it; others take any.
static std::string regionOf(const std::string &endpoint) {
  constexpr std::string_view kBegin = "s3.", kEnd = ".amazonaws.com";
  if (endpoint.size() > kBegin.size() + kEnd.size() && endpoint.starts_with(kBegin) &&
      endpoint.ends_with(kEnd))
    return endpoint.substr(kBegin.size(), endpoint.size() - kBegin.size() - kEnd.size());
  return "us-east-1";
}

/// `PROTOCOL://BUCKET/`, or the parameter bucket.
int32_t Place::readBucket(ParamOp &op) {
  std::string uri = op.text("objectStorageURI", "");
  bucket = op.text("bucket", "");
  if (!op.param("bucket")) {
    size_t colon = uri.find("://");
    bucket = colon == uri.npos ? "" : uri.substr(colon + 3);
    if (bucket.ends_with("/"))
      bucket.pop_back();
  }
  if (bucket.empty() || bucket.find('/') != bucket.npos)
    return sl_error(op.ctx, "%s, not \"%s\"",
                    op.param("bucket") ? "bucket is a name"
                                       : "objectStorageURI is PROTOCOL://BUCKET/",
                    op.param("bucket") ? bucket.c_str() : inet::shownUrl(uri).c_str());
  return 0;
}

/// IBM's credentials as JSON: cos_hmac_keys, or apikey and resource_instance_id.
int32_t Place::readCredentials(ParamOp &op, const std::string &json) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  std::string_view text;
  if (parser.parse(json).get(root))
    return sl_error(op.ctx, "the credentials are no JSON");
  auto take = [&](simdjson::dom::element from, const char *name, std::string &to) {
    if (!from[name].get(text))
      to = text;
  };
  simdjson::dom::element keys;
  if (!root["cos_hmac_keys"].get(keys)) {
    take(keys, "access_key_id", key);
    take(keys, "secret_access_key", secret);
  } else {
    take(root, "apikey", apiKey);
    take(root, "resource_instance_id", instance);
  }
  return 0;
}

int32_t Place::readKeys(ParamOp &op) {
  bool isS3 = op.param("bucket");
  key = op.text(isS3 ? "accessKeyID" : "objectStorageUser", "");
  secret = op.text(isS3 ? "secretAccessKey" : "objectStoragePassword", "");
  apiKey = op.text("IAMApiKey", "");
  instance = op.text("IAMServiceInstanceId", "");
  tokenEndpoint = op.text("IAMTokenEndpoint", kTokens);
  std::string json = op.text("credentials", "");
  if (json.empty() && key.empty() && apiKey.empty()) {
    std::string name = op.text("appConfigName", kConfiguration);
    AppConfig config = appConfig(name);
    if (!config.problem.empty())
      return sl_error(op.ctx, "%s", config.problem.c_str());
    if (config.properties && config.properties->contains(kProperty))
      json = config.properties->find(kProperty)->second;
  }
  if (!json.empty() && readCredentials(op, json))
    return 1;
  if (apiKey.empty() && (key.empty() || secret.empty()))
    return sl_error(op.ctx,
                    "%s needs a key: %s, IAMApiKey, credentials, or the property %s of the "
                    "application configuration %s",
                    endpoint.c_str(),
                    isS3 ? "accessKeyID and secretAccessKey"
                         : "objectStorageUser and objectStoragePassword",
                    kProperty, kConfiguration);
  return 0;
}

bool Place::setEndpoint(std::string host, bool isEncrypted) {
  endpoint = std::move(host);
  scheme = isEncrypted ? "https://" : "http://";
  for (const char *given : {"https://", "http://"})
    if (endpoint.starts_with(given)) {
      scheme = given;
      endpoint.erase(0, scheme.size());
    }
  while (endpoint.ends_with("/"))
    endpoint.pop_back();
  region = regionOf(endpoint);
  return !endpoint.empty() && endpoint.find_first_of("/@?#") == endpoint.npos;
}

int32_t Place::read(ParamOp &op) {
  const char *usual = op.param("bucket") ? kS3Endpoint : kCosEndpoint;
  if (!setEndpoint(op.text("endpoint", usual), op.flag("sslEnabled", true)))
    return sl_error(op.ctx, "endpoint is a host, or HOST:PORT");
  region = op.text("region", region);
  if (readBucket(op) || readKeys(op))
    return 1;
  shown = scheme + endpoint + "/" + bucket;
  return 0;
}

std::string Place::urlOf(const std::string &name) const {
  std::string url = scheme + endpoint + "/" + inet::encoded(bucket); // no bucket: all of them
  for (size_t begin = 0; begin < name.size();) {
    size_t end = std::min(name.find('/', begin), name.size());
    url += "/" + inet::encoded(name.substr(begin, end - begin));
    begin = end + 1;
    if (end + 1 == name.size())
      url += "/"; // the name ends with it
  }
  return url;
}

} // namespace sluice::objectstorage
