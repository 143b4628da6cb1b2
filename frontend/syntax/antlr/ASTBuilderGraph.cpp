//===- ASTBuilderGraph.cpp - composites and operator invocations -----------===//
#include "frontend/syntax/antlr/ASTBuilder.h"
#include "frontend/syntax/antlr/ErrorStrategy.h"

using namespace sluice;
using namespace sluice::grammar;

ast::Annotation GraphBuilder::annotation(P::AnnotationContext *node) {
  ast::Annotation annotation;
  annotation.name = ident(node->ID()->getSymbol());
  annotation.range = range(node);
  for (P::KeyValueContext *entry : node->keyValue())
    annotation.entries.push_back(
        {ident(entry->getStart()), ExprBuilder(*this).expr(entry->expr())});
  return annotation;
}

//===--- composites --------------------------------------------------------===//

ast::Composite *GraphBuilder::compositeDecl(P::CompositeDeclContext *node) {
  auto *composite = context.make<ast::Composite>();
  composite->range = range(node);
  composite->doc = docBefore(node);
  Children c(node);
  while (auto *note = c.rule<P::AnnotationContext>())
    composite->annotations.push_back(annotation(note));
  composite->isPublic = c.take(P::PUBLIC);
  c.take(P::COMPOSITE);
  composite->name = ident(c.token());
  if (auto *ports = c.rule<P::SignatureContext>())
    signature(ports, *composite);
  while (auto *clause = c.find<P::CompositeClauseContext>())
    compositeClause(clause, *composite);
  return composite;
}

void GraphBuilder::signature(P::SignatureContext *node, ast::Composite &composite) {
  for (P::PortListContext *list : node->portList()) {
    Children c(list);
    antlr4::Token *word = c.token();
    auto &ports = word->getType() == P::OUTPUT ? composite.outputs : composite.inputs;
    if (!ports.empty())
      error(range(word), Diag::err_ports_twice, {word->getText()});
    for (P::PortDeclContext *port : list->portDecl())
      ports.push_back(portDecl(port));
  }
}

ast::PortDecl GraphBuilder::portDecl(P::PortDeclContext *node) {
  Children c(node);
  auto *type = c.rule<P::StreamTypeContext>();
  return {type ? TypeBuilder(*this).streamType(type) : nullptr, ident(c.token())};
}

void GraphBuilder::compositeClause(P::CompositeClauseContext *node, ast::Composite &composite) {
  Children c(node);
  ast::Ident word = ident(c.token());
  composite.clauses.push_back({word.text, word.range});
  while (!c.done()) {
    if (auto *param = c.rule<P::FormalContext>())
      composite.formals.push_back(formal(param));
    else if (auto *type = c.rule<P::InnerTypeContext>())
      composite.types.push_back(TypeBuilder(*this).innerType(type));
    else if (auto *op = c.rule<P::InvocationContext>())
      composite.graph.push_back(invocation(op));
    else if (auto *config = c.rule<P::SettingContext>())
      composite.config.push_back(setting(config));
  }
}

static ast::FormalMode modeOf(size_t token) {
  switch (token) {
  case SPLParser::ATTRIBUTE:
    return ast::FormalMode::Attribute;
  case SPLParser::EXPRESSION:
    return ast::FormalMode::Expression;
  case SPLParser::FUNCTION:
    return ast::FormalMode::Function;
  case SPLParser::OPERATOR:
    return ast::FormalMode::Operator;
  default:
    return ast::FormalMode::Type;
  }
}

ast::Formal GraphBuilder::formal(P::FormalContext *node) {
  Children c(node);
  ast::Formal formal;
  formal.range = range(node);
  auto *mode = c.rule<P::FormalModeContext>();
  formal.mode = modeOf(mode->start->getType());
  formal.type = mode->type() ? TypeBuilder(*this).type(mode->type()) : nullptr;
  formal.name = ident(c.token());
  formal.hasDefault = c.take(P::COLON);
  if (formal.hasDefault)
    formal.value = actual(c.rule<P::ActualContext>());
  return formal;
}

ast::Actual GraphBuilder::actual(P::ActualContext *node) {
  Children c(node);
  ast::Actual actual;
  actual.range = range(node);
  if (auto *builtin = c.rule<P::BuiltinTypeContext>()) {
    actual.type = TypeBuilder(*this).builtinType(builtin);
    return actual;
  }
  actual.values = ExprBuilder(*this).exprs(c);
  if (actual.values.size() == 1)
    actual.type = nameAsType(actual.values[0]);
  return actual;
}

/// `name`, `a.b::name`, and either with `.member`; else null.
ast::TypeNode *GraphBuilder::nameAsType(const ast::Expr *expr) {
  const auto *member = llvm::dyn_cast<ast::MemberExpr>(expr);
  const auto *name = llvm::dyn_cast<ast::NameExpr>(member ? member->base : expr);
  if (!name)
    return nullptr;
  auto *type = context.make<ast::TypeNode>();
  type->kind = ast::TypeKind::Named;
  type->range = expr->range;
  type->path = name->path;
  type->name = name->name;
  if (member)
    type->member = member->name;
  return type;
}

ast::Setting GraphBuilder::setting(P::SettingContext *node) {
  Children c(node);
  ast::Setting setting;
  setting.range = range(node);
  setting.label = ident(c.token());
  setting.values = ExprBuilder(*this).exprs(c);
  return setting;
}

//===--- invocations -------------------------------------------------------===//

ast::Invocation *GraphBuilder::invocation(P::InvocationContext *node) {
  auto *op = context.make<ast::Invocation>();
  op->range = range(node);
  Children c(node);
  while (auto *note = c.rule<P::AnnotationContext>())
    op->annotations.push_back(annotation(note));
  results(c.rule<P::ResultsContext>(), *op);
  Children name(c.find<P::OperatorNameContext>());
  if (auto *ns = name.rule<P::PathContext>())
    op->path = path(ns);
  name.take(P::COLONCOLON);
  op->op = ident(name.token());
  while (auto *port = c.find<P::InPortContext>())
    op->inputs.push_back(inPort(port));
  while (auto *clause = c.find<P::OpClauseContext>())
    opClause(clause, *op);
  return op;
}

void GraphBuilder::results(P::ResultsContext *node, ast::Invocation &op) {
  for (P::OutPortContext *port : node->outPort())
    op.outputs.push_back(outPort(port));
  if (antlr4::tree::TerminalNode *alias = node->ID())
    op.alias = ident(alias->getSymbol());
}

ast::OutPort GraphBuilder::outPort(P::OutPortContext *node) {
  Children c(node);
  ast::OutPort port;
  port.type = TypeBuilder(*this).streamType(c.rule<P::StreamTypeContext>());
  port.stream = ident(c.token());
  if (c.take(P::AS))
    port.alias = ident(c.token());
  return port;
}

ast::InPort GraphBuilder::inPort(P::InPortContext *node) {
  Children c(node);
  ast::InPort port;
  port.range = range(node);
  auto *type = c.rule<P::StreamTypeContext>();
  port.type = type ? TypeBuilder(*this).streamType(type) : nullptr;
  do
    port.streams.push_back(ident(c.token()));
  while (c.take(P::COMMA));
  if (c.take(P::AS))
    port.alias = ident(c.token());
  return port;
}

/// `Out : x = 1`, for an output stream of the operator.
static bool isOutput(const ast::Invocation &op, llvm::StringRef name,
                     llvm::ArrayRef<const ast::Expr *> values) {
  return !values.empty() && llvm::isa<ast::AssignExpr>(values.front()) &&
         llvm::any_of(op.outputs, [&](const ast::OutPort &port) {
           return port.stream.text == name || port.alias.text == name;
         });
}

/// `param groupBy : n; Out : sum = Sum(n);`
void GraphBuilder::refuseOutputAsParam(const ast::Invocation &op) {
  for (const ast::ParamItem &param : op.params)
    if (isOutput(op, param.name.text, param.value.values))
      return (void)error(param.name.range, Diag::err_clause_missing,
                         {"output", "`" + param.name.text.str() + "`"});
}

/// `window In : tumbling, count(3); sortBy : n;`: the second is no window but a parameter or an
/// output, where neither its name is that of an input nor its value that of a window.
void GraphBuilder::refuseParamAsWindow(const ast::Invocation &op) {
  for (const ast::Setting &window : op.window) {
    bool isPort = llvm::any_of(op.inputs, [&](const ast::InPort &port) {
      return port.alias.text == window.label.text ||
             llvm::any_of(port.streams,
                          [&](const ast::Ident &s) { return s.text == window.label.text; });
    });
    bool isWindow = llvm::any_of(window.values, [](const ast::Expr *value) {
      auto *call = llvm::dyn_cast<ast::CallExpr>(value);
      auto *name = llvm::dyn_cast<ast::NameExpr>(call ? call->callee : value);
      static constexpr llvm::StringLiteral words[] = {
          "tumbling", "sliding", "partitioned", "timeInterval", "intervalDuration",
          "punct",    "count",   "time",        "delta"};
      return name && llvm::is_contained(words, name->name.text);
    });
    if (isPort || isWindow || &window == &op.window.front())
      continue;
    error(window.label.range, Diag::err_clause_missing,
          {isOutput(op, window.label.text, window.values) ? "output" : "param",
           "`" + window.label.text.str() + "`"});
    return;
  }
}

void GraphBuilder::opClause(P::OpClauseContext *node, ast::Invocation &op) {
  Children c(node);
  bool isWindow = c.at(P::WINDOW);
  ast::Ident word = ident(c.token());
  op.clauses.push_back({word.text, word.range});
  while (!c.done()) {
    if (auto *item = c.rule<P::LogicItemContext>())
      op.logic.push_back(logicItem(item));
    else if (auto *item = c.rule<P::SettingContext>())
      (isWindow ? op.window : op.config).push_back(setting(item));
    else if (auto *item = c.rule<P::ParamItemContext>())
      op.params.push_back({ident(item->ID()->getSymbol()), actual(item->actual())});
    else if (auto *item = c.rule<P::OutputItemContext>())
      op.outputClause.push_back(outputItem(item));
  }
  if (isWindow)
    refuseParamAsWindow(op);
  refuseOutputAsParam(op);
}

ast::LogicItem GraphBuilder::logicItem(P::LogicItemContext *node) {
  Children c(node);
  ast::LogicItem item;
  item.range = range(node);
  antlr4::Token *first = c.token();
  ast::Stmt *body = StmtBuilder(*this).statement(node->statement());
  if (first->getType() != P::ID) {
    item.kind = first->getType() == P::ONTUPLE ? ast::LogicKind::OnTuple : ast::LogicKind::OnPunct;
    item.label = ident(c.token());
    item.body = body;
    return item;
  }
  item.kind = first->getText() == "state" ? ast::LogicKind::State : ast::LogicKind::OnProcess;
  if (item.kind == ast::LogicKind::State)
    stateItem(item, body);
  else if (first->getText() == "onProcess")
    item.body = body;
  else if (first->getText() == "placement" || first->getText() == "threadedPort")
    error(range(first), Diag::err_clause_missing, {"config", "`" + first->getText() + "`"});
  else
    error(range(first), Diag::err_logic_item, {first->getText()});
  return item;
}

/// `x` of `x = 0;`, if no variable of `states` is called so; else null.
static const ast::NameExpr *undeclaredName(const ast::Stmt *stmt,
                                           llvm::ArrayRef<ast::DeclStmt *> states) {
  auto *statement = llvm::dyn_cast<ast::ExprStmt>(stmt);
  auto *assign = statement ? llvm::dyn_cast<ast::AssignExpr>(statement->expr) : nullptr;
  auto *name = assign && !assign->compound ? llvm::dyn_cast<ast::NameExpr>(assign->lhs) : nullptr;
  if (!name || !name->path.parts.empty())
    return nullptr;
  for (const ast::DeclStmt *state : states)
    for (const ast::Declarator &declarator : state->declarators)
      if (declarator.name.text == name->name.text)
        return nullptr;
  return name;
}

void GraphBuilder::stateItem(ast::LogicItem &item, ast::Stmt *body) {
  auto *block = llvm::dyn_cast<ast::Block>(body);
  for (ast::Stmt *stmt : block ? block->body : std::vector<ast::Stmt *>{body}) {
    if (auto *decl = llvm::dyn_cast<ast::DeclStmt>(stmt))
      item.states.push_back(decl);
    else if (const ast::NameExpr *name = undeclaredName(stmt, item.states))
      error(name->range, Diag::err_variable_name, {typeAndName(name->name.text, true)});
    else
      error(stmt->range, Diag::err_state_not_declaration);
  }
}

ast::OutputItem GraphBuilder::outputItem(P::OutputItemContext *node) {
  ast::OutputItem item;
  item.port = ident(node->ID()->getSymbol());
  for (P::AssignmentContext *assignment : node->assignment())
    item.assignments.push_back(
        {ident(assignment->ID()->getSymbol()), ExprBuilder(*this).expr(assignment->expr())});
  return item;
}
