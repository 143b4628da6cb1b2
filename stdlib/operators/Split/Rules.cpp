//===- Rules.cpp - rules of spl.utility::Split ----------------------------===//
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

void sema::splitRules(OperatorRules &rules) {
  if (rules.has("index") && (rules.has("key") || rules.has("file")))
    rules.paramError(rules.has("file") ? "file" : "key", Diag::err_params_exclude, "index");
  else if (rules.has("file") && !rules.has("key"))
    rules.paramError("file", Diag::err_param_needs, "key");
  else if (!rules.has("index") && !rules.has("file"))
    rules.error(Diag::err_split_index);
  if (const typed::Parameter *index = rules.op.param("index")) {
    Type type = index->values.front()->type;
    bool list = type->kind == SplType::List;
    if (!(list ? type->args.front() : type)->isInteger())
      rules.report(index->values.front()->range, Diag::err_split_index_type, type->str());
  }
}
