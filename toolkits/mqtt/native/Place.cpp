//===- Place.cpp - where a broker is --------------------------------------===//
#include "toolkits/mqtt/native/Place.h"
#include "simdjson/singleheader/simdjson.h"
#include <algorithm>
#include <cctype>

namespace sluice::mqtt {

static std::string valueOf(const Properties &from, const char *name) {
  auto found = from.find(name);
  return found == from.end() ? "" : found->second;
}

/// tcp://host:port, ssl://host:port.
std::string Place::readUri(std::string uri) {
  size_t scheme = uri.find("://");
  std::string protocol = scheme == uri.npos ? "tcp" : uri.substr(0, scheme);
  isTls = protocol == "ssl" || protocol == "mqtts";
  if (!isTls && protocol != "tcp" && protocol != "mqtt")
    return "serverURI: the protocol is tcp or ssl, not " + protocol;
  std::string at = scheme == uri.npos ? uri : uri.substr(scheme + 3);
  while (at.ends_with('/'))
    at.pop_back();
  if (at.find('@') != at.npos)
    return "serverURI has a user: userID and password say who";
  size_t colon = at.rfind(':');
  bool hasPort = colon != at.npos && at.find(']', colon) == at.npos;
  endpoint.host = hasPort ? at.substr(0, colon) : at;
  endpoint.port = hasPort ? at.substr(colon + 1) : isTls ? "8883" : "1883";
  if (endpoint.host.starts_with('[') && endpoint.host.ends_with(']'))
    endpoint.host = endpoint.host.substr(1, endpoint.host.size() - 2);
  if (endpoint.host.empty() || endpoint.port.find_first_not_of("0123456789") != at.npos)
    return "serverURI is tcp://host:port or ssl://host:port";
  return "";
}

std::string Place::read(const Properties &from, const std::string &folder) {
  std::string wrong = readUri(valueOf(from, "serverURI"));
  for (auto [name, file] : {std::pair("trustStore", &trust), std::pair("keyStore", &key)}) {
    *file = valueOf(from, name);
    bool isJava = file->ends_with(".jks") || file->ends_with(".JKS") || file->ends_with(".p12");
    if (isTls && isJava && wrong.empty())
      wrong = std::string(name) + ": " + *file +
              " is a store of Java, and libmosquitto needs a PEM file: keytool -importkeystore "
              "-srckeystore STORE.jks -destkeystore store.p12 -deststoretype pkcs12; openssl "
              "pkcs12 -in store.p12 -out store.pem -nodes";
    if (!file->empty() && !file->starts_with("/"))
      *file = folder + "/" + *file;
  }
  return wrong;
}

/// As IBM's operators compare names.
static bool isSame(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

std::string configOf(const std::string &message, Properties &to) {
  simdjson::dom::parser parser;
  simdjson::dom::element root;
  simdjson::dom::object config;
  std::string wrong;
  if (parser.parse(message).get(root) || root["mqttConfig"].get(config))
    return ""; // it says nothing of that
  for (auto [key, value] : config) {
    std::string_view text, name = key;
    auto known = std::find_if(std::begin(Place::kNames), std::end(Place::kNames), [&](auto *one) {
      return isSame(name, std::string("connection.") + one);
    });
    if (known == std::end(Place::kNames) || value.get(text))
      wrong = "mqttConfig has no " + std::string(name);
    else if (text.empty() && known == std::begin(Place::kNames))
      wrong = "connection.serverURI is empty";
    else
      to[*known] = text;
  }
  return wrong;
}

} // namespace sluice::mqtt
