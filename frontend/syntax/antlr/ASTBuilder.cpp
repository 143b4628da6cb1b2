//===- ASTBuilder.cpp - files, functions, operator models ------------------===//
#include "frontend/syntax/antlr/ASTBuilder.h"
#include "frontend/diagnostics/ForeignStatements.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::grammar;

//===--- files -------------------------------------------------------------===//

ast::Unit *ASTBuilder::unit(P::UnitContext *node) {
  auto *unit = context.make<ast::Unit>();
  unit->file = file;
  unit->range = {file, 0, uint32_t(text.size())};
  Children c(node);
  if (auto *ns = c.rule<P::NamespaceDeclContext>())
    unit->ns = path(Children(ns).find<P::PathContext>());
  while (auto *use = c.rule<P::UseDeclContext>())
    unit->uses.push_back(useDecl(use));
  while (auto *decl = c.rule<P::DeclarationContext>())
    declaration(decl, *unit);
  return unit;
}

void ASTBuilder::declaration(P::DeclarationContext *node, ast::Unit &unit) {
  Children c(node);
  if (auto *composite = c.rule<P::CompositeDeclContext>())
    unit.composites.push_back(GraphBuilder(*this).compositeDecl(composite));
  else if (auto *function = c.rule<P::FunctionDeclContext>())
    unit.functions.push_back(functionDecl(function));
  else if (auto *model = c.rule<P::OperatorModelContext>())
    unit.operators.push_back(operatorModel(model));
  else if (auto *alias = c.rule<P::TypeAliasContext>()) {
    auto *type = context.make<ast::TypeAlias>();
    *type = TypeBuilder(*this).typeAlias(alias);
    unit.types.push_back(type);
  }
}

ast::UseDecl ASTBuilder::useDecl(P::UseDeclContext *node) {
  Children c(node);
  ast::UseDecl use;
  use.range = range(node);
  use.path = path(c.find<P::PathContext>());
  c.take(P::COLONCOLON);
  if (!c.take(P::STAR))
    use.name = ident(c.token());
  return use;
}

ast::Path BuilderBase::path(P::PathContext *node) {
  ast::Path path;
  path.range = range(node);
  for (antlr4::tree::TerminalNode *part : node->ID())
    path.parts.push_back(ident(part->getSymbol()));
  return path;
}

llvm::StringRef BuilderBase::docBefore(const antlr4::ParserRuleContext *node) {
  llvm::StringRef doc;
  size_t first = node->start->getTokenIndex();
  if (first == 0)
    return doc;
  for (antlr4::Token *hidden : tokens.getHiddenTokensToLeft(first, antlr4::Token::HIDDEN_CHANNEL)) {
    llvm::StringRef comment = ident(hidden).text;
    if (comment.starts_with("/**") && comment != "/**/")
      doc = comment;
  }
  return doc;
}

//===--- functions ---------------------------------------------------------===//

ast::Function *ASTBuilder::functionDecl(P::FunctionDeclContext *node) {
  auto *function = context.make<ast::Function>();
  function->range = range(node);
  function->doc = docBefore(node);
  Children c(node);
  functionHead(c, *function);
  auto *result = c.rule<P::ResultTypeContext>();
  Children r(result);
  if (auto *resultType = r.rule<P::TypeContext>()) {
    function->result = TypeBuilder(*this).type(resultType);
  } else {
    function->result = context.make<ast::TypeNode>();
    function->result->kind = ast::TypeKind::Void;
    function->result->range = range(result);
  }
  function->name = ident(c.token());
  while (auto *param = c.find<P::ParameterContext>())
    function->params.push_back(parameter(param));
  while (auto *fact = c.find<P::ModelWordContext>())
    function->facts.push_back(modelWord(fact));
  if (auto *body = c.find<P::BlockContext>())
    function->body = StmtBuilder(*this).block(body);
  checkFunction(*function);
  return function;
}

/// Type variables and modifiers.
void ASTBuilder::functionHead(Children &c, ast::Function &function) {
  if (auto *vars = c.rule<P::TypeVarsContext>()) {
    for (P::TypeVarContext *var : vars->typeVar())
      function.typeVars.push_back({ident(var->typeClass()->start), ident(var->stop)});
  }
  if (auto *bounds = c.rule<P::BoundVarsContext>())
    for (antlr4::tree::TerminalNode *id : bounds->ID())
      function.boundVars.push_back(ident(id->getSymbol()));
  while (antlr4::Token *modifier = c.peekToken()) {
    function.isPublic |= modifier->getType() == P::PUBLIC;
    function.isStateful |= modifier->getType() == P::STATEFUL;
    c.token();
  }
}

/// `def f(x) { ... }`: a word of another language reads as the type of the result.
static bool isForeignHead(const ast::Function &function) {
  const ast::TypeNode *result = function.result;
  bool isWord = result->kind == ast::TypeKind::Named && result->path.parts.empty();
  return isWord && !foreignStatement(result->name.text).empty() &&
         llvm::any_of(function.params, [](auto &param) { return param.name.text.empty(); });
}

/// Prototypes and type variables are for toolkit files; functions with a body name their formals.
void ASTBuilder::checkFunction(const ast::Function &function) {
  std::string name = function.name.text.str();
  if (!function.body && !toolkitFile)
    error(function.name.range, Diag::err_function_without_body, {name});
  if (function.body && !function.typeVars.empty() && !toolkitFile)
    error(function.typeVars[0].name.range, Diag::err_type_variables);
  else if (function.body && !function.boundVars.empty())
    error(function.boundVars[0].range, Diag::err_type_variables);
  if (!function.body)
    return;
  if (isForeignHead(function)) {
    std::string word = function.result->name.text.str();
    return error(function.result->range, Diag::err_foreign, {word, foreignStatement(word).str()});
  }
  for (const ast::FunctionParam &param : function.params)
    if (param.name.text.empty()) // of several the first
      return error(param.type->range, Diag::err_parameter_without_name,
                   {name, text.slice(param.type->range.begin, param.type->range.end).str()});
}

ast::FunctionParam ASTBuilder::parameter(P::ParameterContext *node) {
  Children c(node);
  ast::FunctionParam param;
  param.isMutable = c.take(P::MUTABLE);
  param.type = TypeBuilder(*this).type(c.rule<P::TypeContext>());
  if (!c.done())
    param.name = ident(c.token());
  return param;
}

//===--- operator models ---------------------------------------------------===//

ast::OperatorModelDecl *ASTBuilder::operatorModel(P::OperatorModelContext *node) {
  auto *model = context.make<ast::OperatorModelDecl>();
  model->range = range(node);
  model->doc = docBefore(node);
  Children c(node);
  model->isPublic = c.take(P::PUBLIC);
  if (!toolkitFile)
    error(range(c.peekToken()), Diag::err_operator_model);
  c.take(P::OPERATOR);
  model->name = ident(c.token());
  while (auto *clause = c.find<P::ModelClauseContext>())
    modelClause(clause, *model);
  return model;
}

void ASTBuilder::modelClause(P::ModelClauseContext *node, ast::OperatorModelDecl &model) {
  Children c(node);
  size_t word = c.token()->getType();
  auto &items = word == P::INPUT    ? model.inputs
                : word == P::OUTPUT ? model.outputs
                : word == P::PARAM  ? model.params
                                    : model.flags;
  while (auto *item = c.rule<P::ModelItemContext>())
    items.push_back(modelItem(item));
  while (auto *decl = c.rule<P::FunctionDeclContext>()) {
    ast::Function *prototype = functionDecl(decl);
    if (prototype->body)
      error(prototype->body->range, Diag::err_prototype_expected);
    model.outputFunctions.push_back(prototype);
  }
}

ast::ModelItem ASTBuilder::modelItem(P::ModelItemContext *node) {
  Children c(node);
  ast::ModelItem item;
  item.range = range(node);
  item.name = ident(c.token());
  while (auto *word = c.find<P::ModelWordContext>())
    item.words.push_back(modelWord(word));
  return item;
}

ast::ModelWord ASTBuilder::modelWord(P::ModelWordContext *node) {
  Children c(node);
  ast::ModelWord word;
  word.word = ident(c.rule<P::ModelNameContext>()->start);
  word.type = nullptr;
  if (c.take(P::LT))
    word.type = TypeBuilder(*this).type(c.rule<P::TypeContext>());
  for (antlr4::tree::TerminalNode *id : node->ID())
    word.list.push_back(ident(id->getSymbol()));
  return word;
}
