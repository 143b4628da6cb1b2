//===- Attempts.h - requests of a sink, tried again -------------*- C++ -*-===//
#pragma once
#include "stdlib/native/connect/Retry.h"
#include "toolkits/inet/native/Client.h"

namespace sluice::inet {

/// How often and when an operator tries again.
struct Attempts {
  int64_t most = 3;     // after the first one; below 0: always
  double seconds = -1;  // between them; below 0: 0.1, doubled
  bool onlySafe = true; // requests that the server may have seen only if their method is idempotent
};

/// Whether it makes no difference if the server sees the request twice.
inline bool isIdempotent(const std::string &method) {
  return method != "POST" && method != "PATCH";
}

/// Sends a request until an answer comes, or it has been tried as often as it may.
Answer tryAgain(ParamOp &, Client &, const Request &, const Attempts &, Warnings &,
                const std::string &shown);

constexpr double kPatience = 30; // s, for which an operator sends once the program is to end

} // namespace sluice::inet
