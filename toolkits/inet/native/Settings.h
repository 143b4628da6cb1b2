//===- Settings.h - how an operator sends requests --------------*- C++ -*-===//
#pragma once
#include "stdlib/native/connect/Configuration.h"
#include <map>
#include <string>
#include <vector>

namespace sluice::inet {

/// What all requests of an operator have in common, as its parameters say.
struct Settings {
  /// From the parameters that the operator has; those of the same meaning have several names.
  /// Handler return values.
  int32_t read(ParamOp &);

  std::vector<std::string> headers; // "Name: value"
  // For hosts; kAnyHost: for all others. Sent as basic authentication.
  static constexpr const char *kAnyHost = "ANY_HOST";
  struct User {
    std::string name, password;
  };
  std::map<std::string, User, std::less<>> users;
  std::string token, tokenType = "Bearer";                // of OAuth 2; empty: none
  bool acceptsAll = false;                                // certificates
  std::string authorities, certificate, key, keyPassword; // PEM files; empty: none
  std::string certificateType, keyType;                   // or of these types
  std::string proxy;                                      // HOST:PORT, or empty
  double connectSeconds = 60;
  bool asksCompressed = true, followsRedirects = true;
  const char *protocols = "http,https";

private:
  int32_t readHeaders(ParamOp &);
  int32_t readUsers(ParamOp &);
  int32_t readTls(ParamOp &);
};

/// A list of rstrings as values of a parameter.
std::vector<std::string> textsOf(const ParamOp &, std::string_view parameter);
/// A PEM file that a parameter names, relative to the application directory; empty: none. Handler
/// return values.
int32_t pemFile(ParamOp &, const char *parameter, std::string &path);
/// Whether the text can be a header: `Name: value`, without line ends.
bool isHeader(std::string_view);

} // namespace sluice::inet
