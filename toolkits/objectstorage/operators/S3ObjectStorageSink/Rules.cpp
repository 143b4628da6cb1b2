//===- Rules.cpp - rules of com.ibm.streamsx.objectstorage.s3::S3ObjectStorageSink ---===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice::sema;

void sluice::sema::s3ObjectStorageSinkRules(OperatorRules &rules) { objectStorageSinkRules(rules); }
