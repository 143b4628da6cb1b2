//===- Serving.cpp - an operator at a web server --------------------------===//
#include "toolkits/inet/operators/shared/Serving.h"
#include "sluice/metrics.h"
#include "stdlib/native/net/Listening.h"
#include "stdlib/native/net/Tls.h"
#include "toolkits/inet/native/Settings.h"
#include "toolkits/json/native/Writer.h"
#include <algorithm>

namespace sluice::inet {

Serving::~Serving() { close(); }

/// With `context` the last part of the operator's name, behind that; else all of it.
static std::string prefixOf(const ParamOp &op, const std::string &context) {
  std::string name = op.desc->name;
  if (!context.empty())
    return "/" + context + "/" + name.substr(name.rfind('.') + 1);
  std::replace(name.begin(), name.end(), '.', '/');
  return "/" + name;
}

/// TLS, if there is a keyStore. Handler return values.
static int32_t readTls(ParamOp &op, net::TlsSettings &security) {
  security.isServer = true;
  security.passwordName = "keyPassword";
  if (!op.param("keyStore")) {
    for (const char *name : {"certificateAlias", "keyStorePassword", "keyPassword", "trustStore",
                             "trustStorePassword"})
      if (op.param(name))
        return sl_error(op.ctx,
                        "%s needs keyStore, a file in the format PEM with the certificate "
                        "of the server and its key",
                        name);
    return 0;
  }
  for (auto [name, file] : {std::pair("keyStore", &security.certificate),
                            std::pair("trustStore", &security.authorities)}) {
    if (pemFile(op, name, *file))
      return 1;
    if (op.param(name) && file->empty())
      return sl_error(op.ctx, "%s names no file", name);
  }
  security.password = op.text("keyPassword", op.text("keyStorePassword", ""));
  if (op.param("trustStore"))
    security.clients = net::TlsSettings::Clients::Required;
  return 0;
}

int32_t Serving::open(ParamOp &op) {
  std::string host;
  auto port = int64_t(op.number("port", 8080));
  if (port < 0 || port > 65535)
    return sl_error(op.ctx, "port is a number from 0 to 65535");
  net::TlsSettings security;
  if (net::chooseAddress(op, "host", host) || readTls(op, security))
    return 1;
  std::string problem;
  server = Server::at(host, uint16_t(port), security, problem);
  if (!server)
    return sl_error(op.ctx, "cannot listen at %s: %s",
                    toText(net::Endpoint{host, std::to_string(port)}).c_str(), problem.c_str());
  sl_make_metric(op.ctx, op.desc, "serverPort", "the port of the web server", MetricKind::Gauge,
                 server->port());
  std::string context = op.text("context", "");
  prefix = prefixOf(op, context);
  if (std::string folder = op.text("contextResourceBase", ""); !folder.empty()) {
    if (!folder.starts_with("/"))
      folder = sl_app_dir(op.ctx) + ("/" + folder);
    server->serveFiles(context.empty() ? "" : "/" + context, folder);
  }
  return 0;
}

std::string Serving::pathOf(const char *kind, uint32_t index, const char *what) const {
  return prefix + "/ports/" + kind + "/" + std::to_string(index) + "/" + what;
}

int32_t Serving::serve(ParamOp &op, const std::string &path, size_t mostBody, AnswerFn answer) {
  if (!server->serve(path, mostBody, std::move(answer)))
    return sl_error(op.ctx, "another operator serves %s", path.c_str());
  paths.push_back(path);
  return 0;
}

int32_t Serving::serveLater(ParamOp &op, const std::string &path, size_t mostBody,
                            LaterHooks hooks) {
  if (!server->serveLater(path, mostBody, std::move(hooks)))
    return sl_error(op.ctx, "another operator serves %s", path.c_str());
  paths.push_back(path);
  return 0;
}

int32_t Serving::serveClients(ParamOp &op, const std::string &path, ClientHooks hooks,
                              std::shared_ptr<Clients> &clients) {
  clients = server->serveClients(path, std::move(hooks));
  if (!clients)
    return sl_error(op.ctx, "another operator serves %s", path.c_str());
  paths.push_back(path);
  return 0;
}

/// A type as SPL spells it, without the members of enumerations.
static std::string typeName(const TypeDesc &type) {
  static constexpr const char *kNames[] = {
#define SPL_KIND(name, keyword, ...) keyword,
#define SPL_KIND_LATER(...)
#include "sluice/Kinds.def"
  };
  std::string name = kNames[size_t(type.kind)];
  if (type.kind == Kind::List || type.kind == Kind::Set)
    return name + "<" + typeName(*type.elem) + ">";
  if (type.kind == Kind::Map)
    return name + "<" + typeName(*type.elem) + ", " + typeName(*type.value) + ">";
  if (type.kind == Kind::Optional)
    return name + "<" + typeName(*type.fields[1].type) + ">";
  if (type.kind != Kind::Tuple)
    return name;
  std::string fields;
  for (uint32_t i = 0; i < type.count; ++i)
    fields += (i ? ", " : "") + typeName(*type.fields[i].type) + " " + type.fields[i].name;
  return name + "<" + fields + ">";
}

int32_t Serving::serveInfo(ParamOp &op, const char *kind, uint32_t index, const TypeDesc &type) {
  TextOut out;
  json::Writer writer(op.ctx, out, json::Times::Seconds, {});
  out.put("{\"attributes\":[");
  for (uint32_t i = 0; i < type.count; ++i) {
    out.put(i ? ",{\"name\":" : "{\"name\":");
    writer.string(type.fields[i].name);
    out.put(",\"type\":");
    writer.string(typeName(*type.fields[i].type));
    out.put('}');
  }
  out.put("]}");
  Reply reply = {200, "application/json", std::string(out.view())};
  return serve(op, pathOf(kind, index, "info"), 0, [reply](const Asked &) { return reply; });
}

void Serving::close() {
  for (const std::string &path : std::exchange(paths, {}))
    server->stop(path);
  server.reset();
}

} // namespace sluice::inet
