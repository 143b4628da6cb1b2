//===- OperatorRules.cpp - rules that a model cannot say ------------------===//
#include "frontend/sema/graph/OperatorRules.h"
#include "frontend/sema/graph/OperatorCheck.h"
#include "llvm/ADT/StringSet.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

const typed::Parameter *typed::Operator::param(StringRef wanted) const {
  for (const typed::Parameter &p : params)
    if (p.name == wanted)
      return &p;
  return nullptr;
}

StringRef OperatorRules::literalOf(StringRef param, StringRef otherwise) const {
  const typed::Parameter *p = op.param(param);
  return p && !p->values.empty() ? llvm::cast<typed::ConstExpr>(*p->values.front()).text()
                                 : otherwise;
}

Range OperatorRules::partOf(const typed::ConstExpr &text, size_t at, size_t size) const {
  Range range = text.range;
  StringRef written = diags.text(range);
  if (written.size() != text.text().size() + 2 ||
      written.substr(1, text.text().size()) != text.text())
    return range;
  range.begin += 1 + at;
  range.end = range.begin + std::max<size_t>(size, 1);
  return range;
}

std::optional<Range> OperatorRules::outputClause(unsigned port) const {
  const ast::OutPort &out = invocation.outputs[port];
  for (const ast::OutputItem &item : invocation.outputClause)
    if (item.port.text == out.stream.text || item.port.text == out.alias.text)
      return item.port.range;
  return std::nullopt;
}

void OperatorRules::typeError(StringRef param, Type wanted, StringRef expected) {
  const typed::Expr &value = *op.param(param)->values.front();
  auto error = diags.report(value.range, Diag::err_param_type, param, value.type->str(), expected);
  graph.sema.noteConversion(error, value, wanted, graph.scopes.newScope(nullptr));
}

void OperatorRules::checkPartitioning(unsigned port, StringRef param) {
  const typed::InputPort &input = op.inputs[port];
  if (!input.window)
    return; // reported
  if (input.window->partitioned && !has(param))
    report(input.window->range, Diag::err_window_partition_by, param);
  else if (!input.window->partitioned)
    paramError(param, Diag::err_window_not_partitioned, input.name);
  checkKey(param, "all tuples are one partition");
}

void OperatorRules::checkKey(StringRef param, StringRef meaning) {
  const typed::Parameter *p = op.param(param);
  if (!p || p->values.empty())
    return;
  auto isLiteral = [](auto &value) { return llvm::isa<typed::ConstExpr>(*value); };
  if (!llvm::all_of(p->values, isLiteral))
    return;
  auto warning = diags.report(p->values.front()->range, Diag::warn_constant_key, param, meaning);
  for (const typed::ExprPtr &value : p->values) {
    StringRef text = value->type->kind == SplType::RString
                         ? llvm::cast<typed::ConstExpr>(*value).text()
                         : StringRef();
    if (llvm::any_of(inputs, [&](auto &port) { return port.type->attribute(text); }))
      diags.note(warning, value->range, Diag::note_without_quotes, text);
  }
}

void OperatorRules::sameTypes(StringRef param, StringRef other) {
  const typed::Parameter *first = op.param(param), *second = op.param(other);
  if (!first || !second)
    return;
  if (first->values.size() != second->values.size())
    return paramError(other, Diag::err_param_count, second->values.size(), param,
                      first->values.size());
  for (const auto &[a, b] : llvm::zip(first->values, second->values))
    if (a->type != b->type)
      report(b->range, Diag::err_param_same_type, other, b->type->str(), param, a->type->str());
}

void OperatorRules::checkEach(StringRef name) {
  auto nameOf = [&](unsigned port) { return (name + llvm::Twine(port)).str(); };
  unsigned given = 0, ports = inputs.size();
  while (given < ports && !has(nameOf(given)))
    ++given;
  for (unsigned port = 0; port < ports && given < ports; ++port)
    if (!has(nameOf(port)))
      return error(Diag::err_operator_param, nameOf(port), inputs[port].name);
    else
      sameTypes(nameOf(port), nameOf(given));
  for (unsigned port = 0; port < ports; ++port)
    checkKey(nameOf(port), "all tuples are one partition");
}

bool sema::readsTuple(const typed::Expr &e) {
  return anyExpr(e, [](const typed::Expr &part) { return tuplePort(part).has_value(); });
}

static bool readsState(const typed::Expr &e) {
  return anyExpr(e, [](const typed::Expr &part) {
    auto *read = llvm::dyn_cast<typed::VarExpr>(&part);
    return read && read->var->kind == typed::Variable::State;
  });
}

//===--- one invocation -----------------------------------------------------===//

void OperatorCheck::rules() {
  using Rules = void (*)(OperatorRules &);
  static constexpr std::pair<StringRef, Rules> all[] = {
#define RULES(kind, function) {kind, function},
#include "stdlib/operators/Operators.def"
  };
  for (auto [kind, check] : all)
    if (kind == op.kind) {
      OperatorRules rules(graph, invocation, op, ports, planned);
      check(rules);
    }
}

void OperatorCheck::nativeLimits() {
  for (const typed::Parameter &param : op.params) {
    std::optional<Model::Param> declared = model.param(param.name, ports.size());
    if (declared && declared->carried)
      continue;
    for (const typed::ExprPtr &value : param.values)
      if (readsTuple(*value) || readsState(*value))
        notYet(param.range,
               llvm::formatv("parameter `{0}` of operator `{1}` that depends on {2}", param.name,
                             name(), readsTuple(*value) ? "the tuple" : "state")
                   .str());
  }
  // Logic stands before its port, and state is of one operator.
  llvm::StringSet<> labels;
  auto isState = [](const ast::LogicItem &item) { return item.kind == ast::LogicKind::State; };
  bool hasState = llvm::any_of(invocation.logic, isState);
  for (const ast::LogicItem &item : invocation.logic)
    if (!isState(item) && ports.empty())
      notYet(item.range, "logic of operator `" + name() + "` without input ports");
    else if (!isState(item) && labels.insert(item.label.text).second && labels.size() > 1 &&
             hasState)
      notYet(item.range, "logic of operator `" + name() + "` with state, at several input ports");
}

/// `onArrival`: output functions that evaluate their arguments for each tuple may stand in `e`.
void OperatorCheck::historyLimit(const typed::Expr &e, bool onArrival, const std::string &where) {
  if (llvm::isa<typed::HistoryExpr>(e))
    notYet(e.range, "stream history (`Port[k]`) in " + where);
  auto *call = llvm::dyn_cast<typed::OutputFnExpr>(&e);
  if (!onArrival || !call || !call->algebra)
    forEachOperand(e, [&](const typed::Expr &part) { historyLimit(part, onArrival, where); });
}

/// An operator with one input port evaluates parameters, and the arguments of functions that
/// summarise its window, when a tuple comes.
void OperatorCheck::historyLimits() {
  if (ports.size() > 1)
    for (const typed::Parameter &param : op.params)
      for (const typed::ExprPtr &value : param.values)
        historyLimit(*value, false, "a parameter of an operator with several input ports");
  bool hasWindow = llvm::any_of(op.inputs, [](auto &port) { return port.window.has_value(); });
  for (const typed::OutputPort &port : op.outputs)
    for (const typed::ExprPtr &value : port.values) {
      if (!value)
        continue;
      if (ports.size() > 1)
        historyLimit(*value, false, "an assignment of an operator with several input ports");
      else if (hasWindow)
        historyLimit(*value, true, "an expression that is evaluated when the window fires");
    }
}
