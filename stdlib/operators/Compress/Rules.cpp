//===- Rules.cpp - rules of spl.utility::Compress -------------------------===//
#include "stdlib/operators/Compress/BlobRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::compressRules(OperatorRules &rules) { checkBlobs(rules, "compressionInput"); }
