//===- WrongOperator.cpp - what the braces say is meant for another operator ----===//
//
// `Functor` for `Aggregate`: the window, the parameters and the output functions would each make
// an error of the one mistake.
//
//===----------------------------------------------------------------------===//
#include "frontend/sema/graph/OperatorCheck.h"
#include "frontend/syntax/ASTWalk.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

/// The functions that the output clause calls, that are none, and that other operators have.
static std::vector<StringRef> functionsOfOthers(const ast::Invocation &invocation,
                                                ModuleTable &modules, const ast::Unit *unit,
                                                const typed::OperatorModel &model) {
  std::vector<StringRef> found;
  auto isOthers = [&](StringRef name) {
    return llvm::none_of(model.functions, [&](auto *own) { return own->name == name; }) &&
           modules.findFunctions(unit, "", name).empty() &&
           !modules.withOutputFunction(name).empty();
  };
  for (const ast::OutputItem &item : invocation.outputClause)
    for (const ast::OutputItem::Assignment &assignment : item.assignments)
      ast::visitExprs(assignment.value, [&](const ast::Expr &e) {
        auto *call = llvm::dyn_cast<ast::CallExpr>(&e);
        const ast::NameExpr *callee = call ? plainName(call->callee) : nullptr;
        if (callee && callee->path.parts.empty() && isOthers(callee->name.text))
          found.push_back(callee->name.text);
        return true;
      });
  return found;
}

bool OperatorCheck::isWrongOperator() {
  std::vector<std::string> wrong;
  auto takesWindow = [&](const ast::Setting &item) {
    auto port = llvm::find_if(ports, [&](const PortView &view) {
      return llvm::is_contained(view.labels, item.label.text);
    });
    return port == ports.end() || model.input(port - ports.begin()).window != Model::Window::None;
  };
  if (!llvm::all_of(invocation.window, takesWindow))
    wrong.push_back("window");
  auto takesParam = [&](const ast::ParamItem &item) {
    NearNames near(item.name.text);
    near.offerAll(paramNames());
    return model.param(item.name.text, ports.size()) || !near.best().empty();
  };
  if (auto other = llvm::find_if_not(invocation.params, takesParam);
      other != invocation.params.end())
    wrong.push_back(("parameter `" + other->name.text + "`").str());
  std::vector<StringRef> functions =
      functionsOfOthers(invocation, graph.modules, inst.def.unit, model);
  if (!functions.empty())
    wrong.push_back(("output function `" + functions.front() + "`").str());
  if (wrong.size() < 2)
    return false;
  std::string last = wrong.back();
  wrong.pop_back();
  auto error = diags.report(invocation.op.range, Diag::err_wrong_operator, name(),
                            llvm::join(wrong, ", no ") + " and no " + last);
  if (!functions.empty())
    diags.note(error, invocation.op.range, Diag::note_did_you_mean,
               graph.modules.withOutputFunction(functions.front()).front());
  return true;
}
