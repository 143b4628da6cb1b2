//===- Settings.cpp - how an operator sends requests ----------------------===//
#include "toolkits/inet/native/Settings.h"
#include "runtime/base/os.h"
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <utility>

namespace sluice::inet {

std::vector<std::string> textsOf(const ParamOp &op, std::string_view parameter) {
  std::vector<std::string> result;
  const Param *given = op.param(parameter);
  for (size_t i = 0; given && i < given->values.size(); ++i) {
    const ParamValue &value = given->values[i];
    if (value.type->kind == Kind::RString) {
      result.emplace_back(viewOf(*static_cast<const Str *>(value.value)));
    } else if (value.type->kind == Kind::List && value.type->elem->kind == Kind::RString) {
      const Seq &list = *static_cast<const Seq *>(value.value);
      for (uint32_t j = 0; j < list.len; ++j)
        result.emplace_back(viewOf(static_cast<const Str *>(list.data)[j]));
    }
  }
  return result;
}

bool isHeader(std::string_view text) {
  size_t colon = text.find(':');
  return colon != std::string_view::npos && colon > 0 &&
         text.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

/// The first of the parameters that is there.
static const char *oneOf(const ParamOp &op, std::initializer_list<const char *> names) {
  for (const char *name : names)
    if (op.param(name))
      return name;
  return *names.begin();
}

int32_t Settings::readHeaders(ParamOp &op) {
  for (std::string &header : textsOf(op, "extraHeaders")) {
    if (!isHeader(header))
      return sl_error(op.ctx, "extraHeaders: a header is \"Name: value\", in one line");
    headers.push_back(std::move(header));
  }
  return 0;
}

static bool isWord(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](unsigned char a, char b) { return std::tolower(a) == b; });
}

/// `basic` has the properties userid and password; STANDARD has HOST=user:password; OAUTH2 has
/// accessToken and authMethod.
int32_t Settings::readUsers(ParamOp &op) {
  std::string type = op.text("authenticationType", "");
  Properties properties;
  if (int32_t result = readPropertiesFile(op, "authenticationFile", properties))
    return result;
  const char *name = oneOf(op, {"authenticationProperty", "authenticationProperties"});
  for (const std::string &text : textsOf(op, name)) {
    size_t equals = text.find('=');
    if (equals == std::string::npos)
      return sl_error(op.ctx, "%s: a property is \"name=value\"", name);
    properties[text.substr(0, equals)] = text.substr(equals + 1);
  }
  if (isWord(type, "none") || (type.empty() && properties.empty()))
    return 0;
  if (isWord(type, "basic")) {
    if (!properties.contains("userid") || !properties.contains("password"))
      return sl_error(op.ctx, "authenticationType basic needs the properties userid and password, "
                              "in authenticationFile or authenticationProperty");
    users[kAnyHost] = {properties["userid"], properties["password"]};
    return 0;
  }
  if (isWord(type, "oauth2")) {
    if (properties.contains("accessToken"))
      token = properties["accessToken"];
    if (properties.contains("authMethod"))
      tokenType = properties["authMethod"];
    return 0;
  }
  if (!type.empty() && !isWord(type, "standard"))
    return sl_error(op.ctx, "authenticationType %s is not in this release", type.c_str());
  for (const auto &[host, user] : properties) {
    size_t colon = user.find(':');
    if (colon == std::string::npos)
      return sl_error(op.ctx, "the authentication property of %s must be \"user:password\"",
                      host.c_str());
    users[host] = {user.substr(0, colon), user.substr(colon + 1)};
  }
  return 0;
}

int32_t pemFile(ParamOp &op, const char *parameter, std::string &path) {
  path = op.text(parameter, "");
  if (path.empty())
    return 0;
  if (path.ends_with(".jks") || path.ends_with(".JKS"))
    return sl_error(op.ctx,
                    "%s: %s is a Java key store, which is not read here; as a PEM file it is: "
                    "keytool -importkeystore -srckeystore %s -destkeystore store.p12 "
                    "-deststoretype pkcs12; openssl pkcs12 -in store.p12 -out store.pem",
                    parameter, path.c_str(), path.c_str());
  if (!path.starts_with("/"))
    path = sl_app_dir(op.ctx) + ("/" + path);
  if (access(path.c_str(), R_OK))
    return sl_error(op.ctx, "%s: cannot read %s: %s", parameter, path.c_str(),
                    os::errorText(errno).c_str());
  return 0;
}

int32_t Settings::readTls(ParamOp &op) {
  acceptsAll = op.flag(oneOf(op, {"acceptAllCertificates", "sslAcceptAllCertificates"}), false);
  if (int32_t result = pemFile(op, oneOf(op, {"trustStore", "sslTrustStoreFile"}), authorities))
    return result;
  if (int32_t result = pemFile(op, oneOf(op, {"keyStore", "sslKeyStoreFile"}), certificate))
    return result;
  key = certificate;
  keyPassword = op.text(oneOf(op, {"keyPassword", "sslKeyPassword"}),
                        op.text(oneOf(op, {"keyStorePassword", "sslKeyStorePassword"}), ""));
  if (acceptsAll)
    sl_warn(
        op.ctx, op.desc,
        "it accepts all certificates, so whoever is in between can read and change what is sent");
  if (const char *file = getenv("SLUICE_CA_FILE"); file && authorities.empty())
    authorities = file;
  return 0;
}

int32_t Settings::read(ParamOp &op) {
  if (int32_t result = readHeaders(op))
    return result;
  if (int32_t result = readUsers(op))
    return result;
  if (int32_t result = readTls(op))
    return result;
  asksCompressed = !op.flag(oneOf(op, {"disableCompression", "disableContentCompression"}), false);
  followsRedirects = !op.flag("disableRedirectHandling", false);
  if (op.param("proxy"))
    proxy = op.text("proxy", "") + ":" + std::to_string(int(op.number("proxyPort", 8080)));
  return 0;
}

} // namespace sluice::inet
