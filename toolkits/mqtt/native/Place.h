//===- Place.h - where a broker is ------------------------------*- C++ -*-===//
#pragma once
#include "stdlib/native/jobs/AppConfig.h"
#include "stdlib/native/net/Endpoint.h"

namespace sluice::mqtt {

/// Where a broker is, and the files that TLS needs to get there.
struct Place {
  /// Parameters of the operators; the control port has them as `connection.NAME`.
  static constexpr const char *kNames[] = {"serverURI", "trustStore", "keyStore",
                                           "keyStorePassword"};
  /// Reads them; relative names begin in `folder`. What is wrong, or empty.
  std::string read(const Properties &, const std::string &folder);

  net::Endpoint endpoint;
  bool isTls = false;
  std::string trust, key; // PEM files; empty: none

private:
  std::string readUri(std::string uri);
};

/// What the attribute mqttConfig of a control port has in it, by the names above. `message` is what
/// a Control makes of the tuple. What is wrong, or empty.
std::string configOf(const std::string &message, Properties &to);

} // namespace sluice::mqtt
