//===- Library.cpp - libcurl, found when it is needed ---------------------===//
#include "toolkits/inet/native/Library.h"

namespace sluice::inet {

/// The first version that has CURLOPT_PROTOCOLS_STR.
static constexpr unsigned kOldest = 0x075500;

static std::string load(Library &lib) {
  std::string wrong =
      loadForeign({"libcurl.so.4"}, "libcurl4", {SLUICE_CURL(SLUICE_FOREIGN_ENTRY)});
  if (!wrong.empty())
    return wrong;
  const curl_version_info_data *found = lib.curl_version_info(CURLVERSION_NOW);
  if (found->version_num < kOldest)
    return std::string("libcurl.so.4 is of version ") + found->version +
           ", and 7.85 is needed: apt install libcurl4";
  return lib.curl_global_init(CURL_GLOBAL_ALL) ? "libcurl.so.4 does not start" : "";
}

const Library *library(std::string &missing) {
  static Library lib;
  static const std::string wrong = load(lib);
  missing = wrong;
  return wrong.empty() ? &lib : nullptr;
}

} // namespace sluice::inet
