//===- NetRules.cpp - rules of operators with connections -----------------===//
#include "stdlib/operators/TCPSource/NetRules.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

void sema::checkPort(OperatorRules &rules, int64_t least) {
  std::string what =
      llvm::formatv("a number from {0} to 65535, or the name of a service", least).str();
  const typed::Parameter *port = rules.op.param("port");
  if (!port) {
    if (!rules.has("name"))
      rules.report(rules.op.range, Diag::err_missing_param, "port", rules.op.kind);
    return;
  }
  const typed::Expr &value = *port->values.front();
  if (!value.type->inClass("integral") && value.type->kind != SplType::RString)
    return rules.report(value.range, Diag::err_param_takes, "port", what, value.type->str());
  auto *constant = llvm::dyn_cast<typed::ConstExpr>(&value);
  if (!constant)
    return;
  bool isText = value.type->kind == SplType::RString;
  int64_t number = isText ? least : int64_t(constant->integer());
  if (isText ? constant->text().empty() : number < least || number > 65535)
    rules.report(value.range, Diag::err_param_takes, "port", what,
                 isText ? "" : std::to_string(number));
}

static void checkReconnection(OperatorRules &rules) {
  bool isBounded = rules.literalOf("reconnectionPolicy", "InfiniteRetry") == "BoundedRetry";
  if (isBounded && !rules.has("reconnectionBound"))
    rules.paramError("reconnectionPolicy", Diag::err_param_needs, "reconnectionBound");
  if (!isBounded)
    rules.paramError("reconnectionBound", Diag::err_param_needs,
                     "reconnectionPolicy : BoundedRetry");
}

static void checkName(OperatorRules &rules) {
  const typed::Parameter *name = rules.op.param("name");
  auto *constant = name ? llvm::dyn_cast<typed::ConstExpr>(name->values.front().get()) : nullptr;
  if (constant && constant->text().empty())
    rules.report(constant->range, Diag::err_param_takes, "name", "the name of a server", "");
}

/// The platform gives a server with a name a port, and a client with one all that it needs.
void sema::checkConnection(OperatorRules &rules) {
  bool isServer = rules.literalOf("role", "") == "server", isNamed = rules.has("name");
  checkPort(rules, isServer && isNamed ? 0 : 1);
  checkName(rules);
  checkReconnection(rules);
  if (!isServer && isNamed)
    for (StringRef other : {"address", "port"})
      rules.paramError(other, Diag::err_params_exclude, "name");
  if (isServer)
    rules.paramError("address", Diag::err_param_needs, "role : client");
  else if (!rules.has("address") && !isNamed)
    rules.paramError("role", Diag::err_param_needs, "address");
  if (!isServer)
    rules.paramError("interface", Diag::err_param_needs, "role : server");
}
