//===- ASTBuilder.h - parse tree to AST -------------------------*- C++ -*-===//
//
// Reads a parse tree without errors. One method a grammar rule, in the order
// of SPL.g4; what the grammar accepts too much is refused here. Each part of the grammar
// has a builder, which is made where a node of it is read.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/SyntaxTree.h"
#include "frontend/syntax/antlr/Tokens.h"

namespace sluice::grammar {

struct Infix; // ASTBuilderExpr.cpp

/// Reads the children of a parse tree node from left to right.
class Children {
public:
  explicit Children(const antlr4::ParserRuleContext *context) : all(context->children) {}

  bool done() const { return next == all.size(); }
  /// The next child if it is a token, else null; without going on.
  antlr4::Token *peekToken() const {
    auto *leaf = done() ? nullptr : dynamic_cast<antlr4::tree::TerminalNode *>(all[next]);
    return leaf ? leaf->getSymbol() : nullptr;
  }
  bool at(size_t type) const {
    antlr4::Token *token = peekToken();
    return token && token->getType() == type;
  }
  /// Goes over the next child if it is this token.
  bool take(size_t type) {
    bool found = at(type);
    next += found;
    return found;
  }
  antlr4::Token *token() {
    antlr4::Token *token = peekToken();
    ++next;
    return token;
  }
  /// The next child if it is a node of rule T; goes over it.
  template <typename T> T *rule() {
    auto *node = done() ? nullptr : dynamic_cast<T *>(all[next]);
    next += node != nullptr;
    return node;
  }
  /// The next node of rule T; goes over it and the tokens before it.
  template <typename T> T *find() {
    while (peekToken())
      ++next;
    return rule<T>();
  }

private:
  const std::vector<antlr4::tree::ParseTree *> &all;
  size_t next = 0;
};

/// What the builders of all parts share.
struct BuilderBase {
  using P = SPLParser;

  ast::Path path(P::PathContext *);
  Range range(const antlr4::ParserRuleContext *node) const {
    return rangeOf(file, node->start, node->stop);
  }
  Range range(const antlr4::Token *token) const { return rangeOf(file, token); }
  static Range join(Range from, Range to) { return {from.file, from.begin, to.end}; }
  ast::Ident ident(const antlr4::Token *token) const {
    Range r = range(token);
    return {text.slice(r.begin, r.end), r};
  }
  /// The SPLDOC comment right before a node, with its delimiters; or empty.
  llvm::StringRef docBefore(const antlr4::ParserRuleContext *);
  template <typename T> T *makeExpr(ast::ExprKind kind, Range range, Range op = {}) {
    T *node = context.make<T>();
    node->kind = kind;
    node->range = range;
    node->opRange = op;
    return node;
  }
  template <typename T> T *makeStmt(ast::StmtKind kind) {
    T *node = context.make<T>();
    node->kind = kind;
    return node;
  }
  void error(Range range, Diag id, std::vector<std::string> args = {}) {
    problems.push_back({range, id, std::move(args), {}});
  }

  ASTContext &context;
  antlr4::CommonTokenStream &tokens;
  llvm::StringRef text;
  uint32_t file;
  bool toolkitFile;
  Problems &problems;
};

/// Types and type aliases.
class TypeBuilder : BuilderBase {
public:
  explicit TypeBuilder(const BuilderBase &base) : BuilderBase(base) {}

  ast::TypeNode *type(P::TypeContext *);
  ast::TypeNode *builtinType(P::BuiltinTypeContext *);
  ast::TypeNode *streamType(P::StreamTypeContext *);
  ast::TypeAlias typeAlias(P::TypeAliasContext *);
  ast::TypeAlias innerType(P::InnerTypeContext *);

private:
  ast::TypeNode *namedType(P::NamedTypeContext *);
  void tupleBody(P::TupleBodyContext *, ast::TypeNode &tuple);
  /// The right side of a type alias: a tuple body, or any type.
  ast::TypeNode *aliased(P::TupleBodyContext *);
};

/// Expressions.
class ExprBuilder : BuilderBase {
public:
  explicit ExprBuilder(const BuilderBase &base) : BuilderBase(base) {}

  /// All `expr` among the children that are left.
  std::vector<ast::Expr *> exprs(Children &);
  ast::Expr *expr(P::ExprContext *);

private:
  Infix infixOperator(Children &, Range &op);
  ast::Expr *infix(ast::Expr *left, P::ExprContext *);
  ast::Expr *unary(P::UnaryContext *);
  ast::Expr *postfix(P::PostfixContext *);
  ast::Expr *postfixOp(ast::Expr *base, P::PostfixOpContext *);
  ast::Expr *subscript(ast::Expr *base, P::SubscriptContext *);
  ast::Expr *qualified(ast::Expr *base, ast::Ident name);
  ast::Expr *literal(antlr4::Token *, ast::ExprKind);
  ast::Expr *primary(P::PrimaryContext *);
  ast::Expr *brace(Children &, Range);
};

/// Statements.
class StmtBuilder : BuilderBase {
public:
  explicit StmtBuilder(const BuilderBase &base) : BuilderBase(base) {}

  ast::Block *block(P::BlockContext *);
  ast::Stmt *statement(P::StatementContext *);

private:
  ast::Stmt *ifStatement(Children &);
  ast::Stmt *forStatement(Children &);
  ast::Stmt *whileStatement(Children &);
  ast::Stmt *jump(Children &, ast::StmtKind);
  void refuseForeignDecl(const ast::Expr *);
  ast::Stmt *exprStatement(P::ExprContext *);
  ast::DeclStmt *localDecl(P::LocalDeclContext *);
};

/// Composites and invocations.
class GraphBuilder : BuilderBase {
public:
  explicit GraphBuilder(const BuilderBase &base) : BuilderBase(base) {}

  ast::Composite *compositeDecl(P::CompositeDeclContext *);

private:
  ast::Annotation annotation(P::AnnotationContext *);
  void signature(P::SignatureContext *, ast::Composite &);
  ast::PortDecl portDecl(P::PortDeclContext *);
  void compositeClause(P::CompositeClauseContext *, ast::Composite &);
  ast::Formal formal(P::FormalContext *);
  ast::Actual actual(P::ActualContext *);
  ast::TypeNode *nameAsType(const ast::Expr *);
  ast::Setting setting(P::SettingContext *);
  ast::Invocation *invocation(P::InvocationContext *);
  void results(P::ResultsContext *, ast::Invocation &);
  ast::OutPort outPort(P::OutPortContext *);
  ast::InPort inPort(P::InPortContext *);
  void refuseOutputAsParam(const ast::Invocation &);
  void refuseParamAsWindow(const ast::Invocation &);
  void opClause(P::OpClauseContext *, ast::Invocation &);
  ast::LogicItem logicItem(P::LogicItemContext *);
  void stateItem(ast::LogicItem &, ast::Stmt *body);
  ast::OutputItem outputItem(P::OutputItemContext *);
};

/// Files, functions and operator models.
class ASTBuilder : BuilderBase {
public:
  explicit ASTBuilder(const BuilderBase &base) : BuilderBase(base) {}

  ast::Unit *unit(SPLParser::UnitContext *);

private:
  void declaration(P::DeclarationContext *, ast::Unit &);
  ast::UseDecl useDecl(P::UseDeclContext *);
  ast::Function *functionDecl(P::FunctionDeclContext *);
  void functionHead(Children &, ast::Function &);
  void checkFunction(const ast::Function &);
  ast::FunctionParam parameter(P::ParameterContext *);
  ast::OperatorModelDecl *operatorModel(P::OperatorModelContext *);
  void modelClause(P::ModelClauseContext *, ast::OperatorModelDecl &);
  ast::ModelItem modelItem(P::ModelItemContext *);
  ast::ModelWord modelWord(P::ModelWordContext *);
};

} // namespace sluice::grammar
