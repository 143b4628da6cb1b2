//===- Rules.cpp - rules of spl.adapter::UDPSource ------------------------===//
#include "stdlib/operators/FileSource/FormatRules.h"
#include "stdlib/operators/TCPSource/NetRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::udpSourceRules(OperatorRules &rules) {
  checkPort(rules);
  llvm::StringRef format = rules.literalOf("format", "csv");
  checkSingleAttribute(rules, format, readAttributes(rules));
  checkFormat(rules, format);
}
