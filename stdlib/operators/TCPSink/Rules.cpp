//===- Rules.cpp - rules of spl.adapter::TCPSink --------------------------===//
#include "stdlib/operators/FileSource/FormatRules.h"
#include "stdlib/operators/TCPSource/NetRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::tcpSinkRules(OperatorRules &rules) {
  checkConnection(rules);
  llvm::StringRef format = rules.literalOf("format", "csv");
  checkSingleAttribute(rules, format, writtenTypes(rules));
  checkFormat(rules, format);
  bool isDynamic = rules.literalOf("closeMode", "never") == "dynamic";
  if (isDynamic && rules.literalOf("role", "") == "server")
    rules.paramError("closeMode", Diag::err_param_needs, "role : client");
  for (llvm::StringRef name : {"address", "port"}) {
    const typed::Parameter *param = rules.op.param(name);
    if (param && !isDynamic && readsTuple(*param->values.front()))
      rules.paramError(name, Diag::err_param_needs, "closeMode : dynamic");
  }
}
