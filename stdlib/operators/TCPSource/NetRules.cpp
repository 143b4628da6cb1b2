//===- NetRules.cpp - rules of operators with connections -----------------===//
#include "stdlib/operators/TCPSource/NetRules.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

void sema::checkPort(OperatorRules &rules) {
  constexpr StringRef what = "a number from 1 to 65535, or the name of a service";
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
  int64_t number = isText ? 1 : int64_t(constant->integer());
  if (isText ? constant->text().empty() : number < 1 || number > 65535)
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

void sema::checkConnection(OperatorRules &rules) {
  bool isServer = rules.literalOf("role", "") == "server";
  checkPort(rules);
  checkReconnection(rules);
  if (isServer)
    rules.paramError("address", Diag::err_param_needs, "role : client");
  else if (!rules.has("address") && !rules.has("name"))
    rules.paramError("role", Diag::err_param_needs, "address");
  if (!isServer)
    rules.paramError("interface", Diag::err_param_needs, "role : server");
}
