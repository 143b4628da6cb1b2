//===- Rules.cpp - rules of spl.adapter::UDPSink --------------------------===//
#include "stdlib/operators/FileSource/FormatRules.h"
#include "stdlib/operators/TCPSource/NetRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::udpSinkRules(OperatorRules &rules) {
  checkPort(rules);
  llvm::StringRef format = rules.literalOf("format", "csv");
  checkSingleAttribute(rules, format, writtenTypes(rules));
  checkFormat(rules, format);
}
