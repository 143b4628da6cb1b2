//===- Settings.cpp - parameters of both operators of MQTT ----------------===//
#include "runtime/base/os.h"
#include "stdlib/native/connect/Configuration.h"
#include "stdlib/native/jobs/Names.h"
#include "toolkits/mqtt/native/Client.h"
#include "value/Value.h"
#include <sys/epoll.h>
#include <sys/timerfd.h>

namespace sluice::mqtt {

bool isData(const Field &field) {
  return field.type->kind == Kind::RString || field.type->kind == Kind::Blob;
}

const Field *attributeOf(const ParamOp &op, const TypeDesc &type, const char *parameter,
                         const char *name) {
  std::string wanted = op.text(parameter, name);
  if (!op.param(parameter) && type.count == 1 && isData(type.fields[0]))
    return &type.fields[0];
  for (uint32_t i = 0; i < type.count; ++i)
    if (type.fields[i].name == wanted)
      return &type.fields[i];
  return nullptr;
}

std::vector<std::string> listOf(const Param *param) {
  std::vector<std::string> result;
  for (size_t i = 0; param && i < param->values.size(); ++i) {
    std::string_view text = viewOf(*static_cast<const Str *>(param->values[i].value));
    for (size_t at = 0; at <= text.size();) {
      size_t end = std::min(text.find(',', at), text.size());
      std::string_view one = text.substr(at, end - at);
      while (one.starts_with(' '))
        one.remove_prefix(1);
      while (one.ends_with(' '))
        one.remove_suffix(1);
      result.emplace_back(one);
      at = end + 1;
    }
  }
  return result;
}

/// tcp://host:port, ssl://host:port.
int32_t Client::readAddress() {
  std::string uri = op->text("serverURI", "");
  size_t scheme = uri.find("://");
  std::string protocol = scheme == uri.npos ? "tcp" : uri.substr(0, scheme);
  isTls = protocol == "ssl" || protocol == "mqtts";
  if (!isTls && protocol != "tcp" && protocol != "mqtt")
    return sl_error(op->ctx, "serverURI: the protocol is tcp or ssl, not %s", protocol.c_str());
  std::string at = scheme == uri.npos ? uri : uri.substr(scheme + 3);
  while (at.ends_with('/'))
    at.pop_back();
  if (at.find('@') != at.npos)
    return sl_error(op->ctx, "serverURI has a user: userID and password say who");
  size_t colon = at.rfind(':');
  bool hasPort = colon != at.npos && at.find(']', colon) == at.npos;
  endpoint.host = hasPort ? at.substr(0, colon) : at;
  endpoint.port = hasPort ? at.substr(colon + 1) : isTls ? "8883" : "1883";
  if (endpoint.host.starts_with('[') && endpoint.host.ends_with(']'))
    endpoint.host = endpoint.host.substr(1, endpoint.host.size() - 2);
  if (endpoint.host.empty() || endpoint.port.find_first_not_of("0123456789") != at.npos)
    return sl_error(op->ctx, "serverURI is tcp://host:port or ssl://host:port");
  shown = toText(endpoint);
  return 0;
}

int32_t Client::readLogin() {
  Properties configuration;
  if (readConfiguration(*op, configuration))
    return 1;
  std::string user = op->text("userID", ""), password = op->text("password", "");
  for (auto [parameter, otherwise, to] :
       {std::tuple{"userPropName", "userID", &user}, {"passwordPropName", "password", &password}})
    if (auto found = configuration.find(op->text(parameter, otherwise));
        found != configuration.end())
      *to = found->second;
  if (!user.empty())
    lib->mosquitto_username_pw_set(handle, user.c_str(),
                                   password.empty() ? nullptr : password.c_str());
  return 0;
}

int32_t Client::readTls() {
  if (!isTls)
    return 0;
  std::string files[2];
  size_t next = 0;
  for (const char *parameter : {"trustStore", "keyStore"}) {
    std::string &file = files[next++];
    file = op->text(parameter, "");
    if (file.ends_with(".jks") || file.ends_with(".JKS") || file.ends_with(".p12"))
      return sl_error(op->ctx,
                      "%s: %s is a store of Java, and libmosquitto needs a PEM file: keytool "
                      "-importkeystore -srckeystore STORE.jks -destkeystore store.p12 "
                      "-deststoretype pkcs12; openssl pkcs12 -in store.p12 -out store.pem -nodes",
                      parameter, file.c_str());
    if (!file.empty() && !file.starts_with("/"))
      file = sl_app_dir(op->ctx) + ("/" + file);
  }
  const char *key = files[1].empty() ? nullptr : files[1].c_str();
  // Without a trustStore those authorities count that the system trusts.
  int result =
      lib->mosquitto_tls_set(handle, files[0].empty() ? nullptr : files[0].c_str(),
                             files[0].empty() ? "/etc/ssl/certs" : nullptr, key, key, nullptr);
  if (result == MOSQ_ERR_SUCCESS)
    result = lib->mosquitto_tls_opts_set(handle, 1, "tlsv1.2", nullptr); // certificates are checked
  if (result != MOSQ_ERR_SUCCESS)
    return sl_error(op->ctx, "trustStore or keyStore cannot be used: %s",
                    lib->mosquitto_strerror(result));
  return 0;
}

/// Of this process alone: two clients of one name throw each other out.
static std::string ownName(const ParamOp &op) {
  return "sluice-" + std::to_string(getpid()) + "-" + std::to_string(sl_now(op.ctx) % 1000000007) +
         "-" + op.desc->name;
}

int32_t Client::open(ParamOp &of) {
  op = &of;
  home = of.ctx;
  std::string missing;
  if (!(lib = library(missing)))
    return sl_error(op->ctx, "%s", missing.c_str());
  if (readAddress())
    return 1;
  std::string name = op->text("clientID", "");
  // A name is known to the broker again: it keeps what comes meanwhile.
  handle = lib->mosquitto_new((name.empty() ? ownName(of) : name).c_str(), name.empty(), this);
  if (!handle)
    return sl_error(op->ctx, "clientID is no name for a client of MQTT");
  if (readLogin() || readTls())
    return 1;
  setCallbacks();
  keepAlive = int(op->number("keepAliveInterval", 60));
  bound = int64_t(op->number("reconnectionBound", -1));
  backoff = Backoff(op->number("period", 10000) / 1000, uint64_t(getpid()) * 31);
  isConnectedMetric = sl_make_metric(op->ctx, op->desc, "isConnected",
                                     "whether there is a connection", MetricKind::Gauge, 0);
  lostMetric = sl_make_metric(op->ctx, op->desc, "nConnectionLost",
                              "connections that have broken off", MetricKind::Counter, 0);
  waits = epoll_create1(EPOLL_CLOEXEC);
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  epoll_event event = {};
  event.events = EPOLLIN;
  event.data.fd = timer;
  epoll_ctl(waits, EPOLL_CTL_ADD, timer, &event);
  return 0;
}

} // namespace sluice::mqtt
