//===- Digest.cpp - what a signature says of a body -----------------------===//
#include "toolkits/objectstorage/native/Digest.h"
#include "stdlib/native/connect/Foreign.h"
#include <openssl/sha.h>

namespace sluice::objectstorage {
namespace {

#define SLUICE_CRYPTO(X) X(SHA256)

struct Crypto {
  SLUICE_CRYPTO(SLUICE_FOREIGN_POINTER)
} lib;

} // namespace

bool hasDigests(std::string &missing) {
  static const std::string wrong =
      loadForeign({"libcrypto.so.3"}, "libssl3", {SLUICE_CRYPTO(SLUICE_FOREIGN_ENTRY)});
  missing = wrong;
  return wrong.empty();
}

std::string sha256(std::string_view bytes) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  lib.SHA256(reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size(), digest);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string result;
  for (unsigned char byte : digest)
    (result += kDigits[byte >> 4]) += kDigits[byte & 15];
  return result;
}

} // namespace sluice::objectstorage
