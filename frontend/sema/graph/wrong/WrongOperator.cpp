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
    return !model.hasFunction(name) && modules.findFunctions(unit, "", name).empty() &&
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

static bool takesWindows(const typed::OperatorModel &model, unsigned ports) {
  return llvm::any_of(llvm::seq<unsigned>(0, ports), [&](unsigned port) {
    return model.input(port).window != typed::OperatorModel::Window::None;
  });
}

/// Whether the operator takes the ports, logic, windows and parameters of the invocation, and has
/// the functions.
static bool takes(const typed::OperatorModel &model, const ast::Invocation &invocation,
                  llvm::ArrayRef<StringRef> functions) {
  size_t ports = invocation.inputs.size();
  if (!portCount(model.inputs).fits(ports) ||
      !portCount(model.outputs).fits(invocation.outputs.size()) ||
      (!invocation.logic.empty() && model.handlers == typed::OperatorModel::Handlers::None))
    return false;
  auto hasParam = [&](const ast::ParamItem &item) {
    return model.param(item.name.text, ports).has_value();
  };
  auto hasFunction = [&](StringRef name) { return model.hasFunction(name); };
  return (invocation.window.empty() || takesWindows(model, ports)) &&
         llvm::all_of(invocation.params, hasParam) && llvm::all_of(functions, hasFunction);
}

bool OperatorCheck::isWrongOperator() {
  std::vector<StringRef> functions =
      functionsOfOthers(invocation, graph.modules, inst.def.unit, model);
  if (functions.empty() || ports.empty())
    return false;
  std::vector<std::string> wrong;
  if (!invocation.window.empty() && !takesWindows(model, ports.size()))
    wrong.push_back("window");
  for (const ast::ParamItem &item : invocation.params)
    if (!model.param(item.name.text, ports.size()))
      wrong.push_back(("parameter `" + item.name.text + "`").str());
  if (wrong.empty())
    return false;
  for (const std::string &other : graph.modules.withOutputFunction(functions.front()))
    for (const OperatorDef &def : graph.modules.findOperators(inst.def.unit, "", other)) {
      const Model *meant = def.model ? graph.model(def) : nullptr;
      if (!meant || !takes(*meant, invocation, functions))
        continue;
      auto error = diags.report(invocation.op.range, Diag::err_wrong_operator, name(),
                                llvm::join(wrong, ", no ") + " and no output function `" +
                                    functions.front() + "`");
      diags.note(error, invocation.op.range, Diag::note_did_you_mean, other);
      return true;
    }
  return false;
}
