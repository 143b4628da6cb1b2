//===- Place.h - where objects are, and how to get in -----------*- C++ -*-===//
#pragma once
#include "stdlib/native/Params.h"
#include <string>

namespace sluice::objectstorage {

/// A bucket of a server that speaks S3, as the parameters of an operator say.
struct Place {
  /// Handler return values.
  int32_t read(ParamOp &);
  /// From an endpoint, HOST or HOST:PORT or a URL of these. False: it is none.
  bool setEndpoint(std::string, bool isEncrypted);
  /// The URL of an object; of the bucket, if `key` is empty.
  std::string urlOf(const std::string &key) const;

  std::string scheme, endpoint, bucket, region;
  std::string key, secret;                     // that sign requests; or
  std::string apiKey, tokenEndpoint, instance; // of IBM's IAM, which gives tokens for it
  std::string shown;                           // for messages

private:
  int32_t readBucket(ParamOp &);
  int32_t readKeys(ParamOp &);
  int32_t readCredentials(ParamOp &, const std::string &json);
};

} // namespace sluice::objectstorage
