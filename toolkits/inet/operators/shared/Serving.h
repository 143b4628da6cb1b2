//===- Serving.h - an operator at a web server ------------------*- C++ -*-===//
#pragma once
#include "stdlib/native/Params.h"
#include "toolkits/inet/server/Server.h"

namespace sluice::inet {

/// The server of an operator, as its parameters say: port, host, context, contextResourceBase,
/// keyStore, keyPassword, trustStore.
class Serving {
public:
  ~Serving();
  /// Handler return values.
  int32_t open(ParamOp &);
  /// The path of a port: "/OPERATOR/ports/KIND/INDEX/WHAT".
  std::string pathOf(const char *kind, uint32_t index, const char *what) const;
  /// Serves a path. Handler return values.
  int32_t serve(ParamOp &, const std::string &path, size_t mostBody, AnswerFn);
  int32_t serveLater(ParamOp &, const std::string &path, size_t mostBody, LaterHooks);
  int32_t serveClients(ParamOp &, const std::string &path, ClientHooks, std::shared_ptr<Clients> &);
  /// Serves what a port is: names and types of its attributes, as JSON.
  int32_t serveInfo(ParamOp &, const char *kind, uint32_t index, const TypeDesc &);
  const std::shared_ptr<Server> &at() const { return server; }
  /// Ends all of that.
  void close();

private:
  std::shared_ptr<Server> server;
  std::string prefix;
  std::vector<std::string> paths;
};

} // namespace sluice::inet
