//===- Options.h - the command line of sluice-console -----------*- C++ -*-===//
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace sluice::console {

/// Where a server listens.
struct Endpoint {
  std::string address = "127.0.0.1";
  uint16_t port = 0; // 0: a free one
};

struct Options {
  int job = 0;                     // 0: there is none, but a trace
  std::string trace;               // a file; empty: there is none
  std::optional<Endpoint> page;    // of the console
  std::optional<Endpoint> metrics; // of /metrics alone
  bool mayPause = false, mayTap = false, mayListen = false;
  std::string tokenFile; // empty: it makes a token
  std::string host;      // by which a proxy reaches the page; empty: none does
  bool stays = false;    // it was started by hand, and ends by hand
};

/// Empty, or what is wrong.
std::string parseOptions(int argc, char **argv, Options &);

} // namespace sluice::console
