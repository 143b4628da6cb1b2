//===- Appended.cpp - arguments that the compiler adds ----------*- C++ -*-===//
#include "frontend/sema/expr/call/Calls.h"

using namespace sluice;
using namespace sluice::sema;

/// Two more arguments say where the function is called.
void Calls::appendLocation(std::vector<ExprPtr> &args, Range call) {
  llvm::StringRef path = sema.diags.path(call.file);
  args.push_back(
      makeText(path.rsplit('/').second.empty() ? path.str() : path.rsplit('/').second.str(), call));
  args.push_back(makeInt(sema.diags.lineAndColumn(call).first, types.get(SplType::UInt32), call));
}

/// One more argument says where messages are.
void Calls::appendToolkits(std::vector<ExprPtr> &args, Range call) {
  std::vector<ExprPtr> texts;
  for (std::string &text : sema.modules->toolkitsWithMessages())
    texts.push_back(makeText(std::move(text), call));
  args.push_back(std::make_unique<typed::AggregateExpr>(types.list(types.get(SplType::RString)),
                                                        call, std::move(texts)));
}
