//===- Rules.cpp - rules of com.ibm.streamsx.objectstorage::ObjectStorageSink ---===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::objectStorageSinkRules(OperatorRules &rules) {
  const typed::Parameter *format = rules.op.param("storageFormat");
  auto *text = format ? llvm::dyn_cast<typed::ConstExpr>(format->values.front().get()) : nullptr;
  if (text && text->text() != "raw")
    rules.notYet(format->range, "storageFormat `" + text->text().str() + "`");
  if (!rules.has("objectName") && !rules.has("objectNameAttribute"))
    rules.report(rules.op.range, Diag::err_missing_param, "objectName", rules.op.kind);
  if (rules.has("objectName"))
    rules.paramError("objectNameAttribute", Diag::err_params_exclude, "objectName");
}
