//===- Library.h - libcurl, found when it is needed -------------*- C++ -*-===//
//
// Loaded when the first operator opens: programs that send no requests need no libcurl.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/connect/Foreign.h"
#include <curl/curl.h>

namespace sluice::inet {

/// The functions of libcurl that are called.
#define SLUICE_CURL(X)                                                                             \
  X(curl_easy_cleanup)                                                                             \
  X(curl_easy_getinfo)                                                                             \
  X(curl_easy_init)                                                                                \
  X(curl_easy_reset)                                                                               \
  X(curl_easy_setopt)                                                                              \
  X(curl_easy_strerror)                                                                            \
  X(curl_global_init)                                                                              \
  X(curl_multi_add_handle)                                                                         \
  X(curl_multi_cleanup)                                                                            \
  X(curl_multi_info_read)                                                                          \
  X(curl_multi_init)                                                                               \
  X(curl_multi_remove_handle)                                                                      \
  X(curl_multi_setopt)                                                                             \
  X(curl_multi_socket_action)                                                                      \
  X(curl_slist_append)                                                                             \
  X(curl_slist_free_all)                                                                           \
  X(curl_version_info)

struct Library {
  SLUICE_CURL(SLUICE_FOREIGN_POINTER)
};

/// Null if this system has no libcurl.so.4 with all of them: `missing` says what to do.
const Library *library(std::string &missing);

} // namespace sluice::inet
