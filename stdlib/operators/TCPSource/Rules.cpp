//===- Rules.cpp - rules of spl.adapter::TCPSource ------------------------===//
#include "stdlib/operators/FileSource/FormatRules.h"
#include "stdlib/operators/TCPSource/NetRules.h"

using namespace sluice;
using namespace sluice::sema;

/// The value is a tuple<int32 time, int32 probes, int32 interval>.
static void checkKeepAlive(OperatorRules &rules) {
  const typed::Parameter *param = rules.op.param("keepAlive");
  if (!param)
    return;
  constexpr llvm::StringRef wanted = "tuple<int32 time, int32 probes, int32 interval>";
  Type type = param->values.front()->type;
  if (type->str() != wanted)
    rules.report(param->range, Diag::err_param_type, "keepAlive", type->str(), wanted);
}

void sema::tcpSourceRules(OperatorRules &rules) {
  checkConnection(rules);
  checkKeepAlive(rules);
  llvm::StringRef format = rules.literalOf("format", "csv");
  checkSingleAttribute(rules, format, readAttributes(rules));
  checkFormat(rules, format);
  if (rules.literalOf("role", "") != "server")
    rules.paramError("maxConnections", Diag::err_param_needs, "role : server");
  if (format == "block" && !rules.has("blockSize"))
    rules.paramError("format", Diag::err_param_needs, "blockSize");
}
