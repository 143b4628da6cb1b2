//===- Rules.cpp - rules of spl.adapter::DirectoryScan --------------------===//
#include "stdlib/rules/Rules.h"
#include "frontend/sema/graph/OperatorRules.h"

using namespace sluice;
using namespace sluice::sema;

/// What is not assigned is the name of the file.
void sema::directoryScanRules(OperatorRules &rules) {
  const auto &out = rules.op.outputs.front();
  std::vector<std::string> missing;
  for (auto [value, attribute] : llvm::zip(out.values, rules.outputType(0)->attributes))
    if (llvm::isa<typed::SuppliedExpr>(*value) && attribute.second->kind != SplType::RString)
      missing.push_back("`" + attribute.first + "`");
  if (!missing.empty())
    rules.report(rules.outputRange(0), Diag::err_output_missing, llvm::join(missing, ", "),
                 out.name);
  if (const typed::Parameter *names = rules.op.param("pattern"))
    pattern(rules.diags, *names->values.front());
}
