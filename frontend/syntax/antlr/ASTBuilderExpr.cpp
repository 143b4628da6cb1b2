//===- ASTBuilderExpr.cpp - expressions ------------------------------------===//
#include "frontend/syntax/antlr/ASTBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace sluice;
using namespace sluice::grammar;
using ast::BinaryOp;
using ast::ExprKind;

/// An infix operator: `op` where the form has one.
struct grammar::Infix {
  enum class Form { Plain, Dotted, Assign, Compound, OrElse, Conditional } form;
  BinaryOp op;
};
using Form = Infix::Form;

/// What the first token of an infix operator says; `>` alone is greater-than.
static Infix infixOf(size_t token) {
  using P = SPLParser;
  switch (token) {
  case P::STAR:
    return {Form::Plain, BinaryOp::Mul};
  case P::SLASH:
    return {Form::Plain, BinaryOp::Div};
  case P::PERCENT:
    return {Form::Plain, BinaryOp::Rem};
  case P::PLUS:
    return {Form::Plain, BinaryOp::Add};
  case P::MINUS:
    return {Form::Plain, BinaryOp::Sub};
  case P::SHL:
    return {Form::Plain, BinaryOp::Shl};
  case P::LT:
    return {Form::Plain, BinaryOp::Lt};
  case P::LE:
    return {Form::Plain, BinaryOp::Le};
  case P::GT:
    return {Form::Plain, BinaryOp::Gt};
  case P::EQ:
    return {Form::Plain, BinaryOp::Eq};
  case P::NE:
    return {Form::Plain, BinaryOp::Ne};
  case P::AMP:
    return {Form::Plain, BinaryOp::BitAnd};
  case P::CARET:
    return {Form::Plain, BinaryOp::BitXor};
  case P::PIPE:
    return {Form::Plain, BinaryOp::BitOr};
  case P::IN:
    return {Form::Plain, BinaryOp::In};
  case P::AMPAMP:
    return {Form::Plain, BinaryOp::And};
  case P::PIPEPIPE:
    return {Form::Plain, BinaryOp::Or};
  case P::DOTSTAR:
    return {Form::Dotted, BinaryOp::Mul};
  case P::DOTSLASH:
    return {Form::Dotted, BinaryOp::Div};
  case P::DOTPERCENT:
    return {Form::Dotted, BinaryOp::Rem};
  case P::DOTPLUS:
    return {Form::Dotted, BinaryOp::Add};
  case P::DOTMINUS:
    return {Form::Dotted, BinaryOp::Sub};
  case P::DOTSHL:
    return {Form::Dotted, BinaryOp::Shl};
  case P::DOTSHR:
    return {Form::Dotted, BinaryOp::Shr};
  case P::DOTLT:
    return {Form::Dotted, BinaryOp::Lt};
  case P::DOTLE:
    return {Form::Dotted, BinaryOp::Le};
  case P::DOTGT:
    return {Form::Dotted, BinaryOp::Gt};
  case P::DOTGE:
    return {Form::Dotted, BinaryOp::Ge};
  case P::DOTEQ:
    return {Form::Dotted, BinaryOp::Eq};
  case P::DOTNE:
    return {Form::Dotted, BinaryOp::Ne};
  case P::DOTAMP:
    return {Form::Dotted, BinaryOp::BitAnd};
  case P::DOTCARET:
    return {Form::Dotted, BinaryOp::BitXor};
  case P::DOTPIPE:
    return {Form::Dotted, BinaryOp::BitOr};
  case P::PLUSEQ:
    return {Form::Compound, BinaryOp::Add};
  case P::MINUSEQ:
    return {Form::Compound, BinaryOp::Sub};
  case P::STAREQ:
    return {Form::Compound, BinaryOp::Mul};
  case P::SLASHEQ:
    return {Form::Compound, BinaryOp::Div};
  case P::PERCENTEQ:
    return {Form::Compound, BinaryOp::Rem};
  case P::SHLEQ:
    return {Form::Compound, BinaryOp::Shl};
  case P::AMPEQ:
    return {Form::Compound, BinaryOp::BitAnd};
  case P::CARETEQ:
    return {Form::Compound, BinaryOp::BitXor};
  case P::PIPEEQ:
    return {Form::Compound, BinaryOp::BitOr};
  case P::ORELSE:
    return {Form::OrElse, BinaryOp::Or};
  case P::QUESTION:
    return {Form::Conditional, BinaryOp::Or};
  default:
    return {Form::Assign, BinaryOp::Or};
  }
}

std::vector<ast::Expr *> ExprBuilder::exprs(Children &c) {
  std::vector<ast::Expr *> all;
  while (auto *node = c.find<P::ExprContext>())
    all.push_back(expr(node));
  return all;
}

ast::Expr *ExprBuilder::expr(P::ExprContext *node) {
  // Chains of infix operators lean to the left: no recursion along them.
  llvm::SmallVector<P::ExprContext *> chain;
  for (; node->children.size() > 1; node = static_cast<P::ExprContext *>(node->children[0]))
    chain.push_back(node);
  ast::Expr *left = unary(node->unary());
  if (chain.size() > maxDepth) {
    error(left->range, Diag::err_too_deep);
    return left;
  }
  for (P::ExprContext *link : llvm::reverse(chain))
    left = infix(left, link);
  return left;
}

/// Reads the tokens of an operator, which may be the parts of `>>`, `>=` or `>>=`.
Infix ExprBuilder::infixOperator(Children &c, Range &op) {
  antlr4::Token *first = c.token();
  op = range(first);
  Infix infix = infixOf(first->getType());
  std::string spelling = first->getText();
  while (antlr4::Token *next = c.peekToken()) {
    bool isAssign = next->getType() == P::ASSIGN;
    if (isAssign && infix.op == BinaryOp::Shr)
      infix.form = Form::Compound;
    else
      infix.op = isAssign ? BinaryOp::Ge : BinaryOp::Shr;
    op = join(op, range(next));
    spelling += next->getText();
    c.token();
  }
  if (op.end - op.begin > spelling.size())
    error(op, Diag::err_split_operator, {spelling});
  return infix;
}

ast::Expr *ExprBuilder::infix(ast::Expr *left, P::ExprContext *node) {
  Children c(node);
  c.rule<P::ExprContext>();
  Range op;
  Infix infix = infixOperator(c, op);
  ast::Expr *right = expr(c.rule<P::ExprContext>());
  Range all = range(node);
  switch (infix.form) {
  case Form::OrElse: {
    if (llvm::isa<ast::OrElseExpr>(left))
      error(op, Diag::err_chained_orelse);
    auto *e = makeExpr<ast::OrElseExpr>(ExprKind::OrElse, all, op);
    e->lhs = left, e->rhs = right;
    return e;
  }
  case Form::Conditional: {
    auto *e = makeExpr<ast::ConditionalExpr>(ExprKind::Conditional, all, op);
    e->cond = left, e->then = right;
    e->otherwise = expr(c.find<P::ExprContext>());
    return e;
  }
  case Form::Assign:
  case Form::Compound: {
    auto *e = makeExpr<ast::AssignExpr>(ExprKind::Assign, all, op);
    e->compound = infix.form == Form::Compound;
    e->op = infix.op, e->lhs = left, e->rhs = right;
    return e;
  }
  case Form::Plain:
  case Form::Dotted: {
    auto *e = makeExpr<ast::BinaryExpr>(ExprKind::Binary, all, op);
    e->dotted = infix.form == Form::Dotted;
    e->op = infix.op, e->lhs = left, e->rhs = right;
    return e;
  }
  }
  llvm_unreachable("unknown form");
}

ast::Expr *ExprBuilder::unary(P::UnaryContext *node) {
  Children c(node);
  if (auto *inner = c.rule<P::PostfixContext>())
    return postfix(inner);
  antlr4::Token *op = c.token();
  if (auto *target = c.rule<P::TypeContext>()) {
    auto *e = makeExpr<ast::CastExpr>(ExprKind::Cast, range(node), range(op));
    e->type = TypeBuilder(*this).type(target);
    e->operand = unary(c.find<P::UnaryContext>());
    return e;
  }
  auto *e = makeExpr<ast::UnaryExpr>(ExprKind::Unary, range(node), range(op));
  switch (op->getType()) {
  case P::BANG:
    e->op = ast::UnaryOp::Not;
    break;
  case P::MINUS:
    e->op = ast::UnaryOp::Neg;
    break;
  case P::TILDE:
    e->op = ast::UnaryOp::BitNot;
    break;
  case P::INC:
    e->op = ast::UnaryOp::PreInc;
    break;
  default:
    e->op = ast::UnaryOp::PreDec;
    break;
  }
  e->operand = unary(c.rule<P::UnaryContext>());
  return e;
}

ast::Expr *ExprBuilder::postfix(P::PostfixContext *node) {
  Children c(node);
  ast::Expr *e = primary(c.rule<P::PrimaryContext>());
  while (auto *op = c.rule<P::PostfixOpContext>())
    e = postfixOp(e, op);
  return e;
}

ast::Expr *ExprBuilder::postfixOp(ast::Expr *base, P::PostfixOpContext *node) {
  Children c(node);
  antlr4::Token *op = c.token();
  Range all = join(base->range, range(node));
  auto postfix = [&](ast::PostfixOp kind) {
    auto *e = makeExpr<ast::PostfixExpr>(ExprKind::Postfix, all, range(op));
    e->op = kind, e->operand = base;
    return e;
  };
  switch (op->getType()) {
  case P::LPAREN: {
    auto *e = makeExpr<ast::CallExpr>(ExprKind::Call, all, range(op));
    e->callee = base, e->args = exprs(c);
    return e;
  }
  case P::DOT: {
    auto *e = makeExpr<ast::MemberExpr>(ExprKind::Member, all, range(op));
    e->base = base, e->name = ident(c.token());
    return e;
  }
  case P::COLONCOLON:
    return qualified(base, ident(c.token()));
  case P::LBRACKET: {
    ast::Expr *e = subscript(base, c.rule<P::SubscriptContext>());
    e->range = all, e->opRange = range(op);
    return e;
  }
  case P::INC:
    return postfix(ast::PostfixOp::Inc);
  case P::DEC:
    return postfix(ast::PostfixOp::Dec);
  case P::BANG:
    return postfix(ast::PostfixOp::Unwrap);
  default:
    return postfix(ast::PostfixOp::Present);
  }
}

ast::Expr *ExprBuilder::subscript(ast::Expr *base, P::SubscriptContext *node) {
  Children c(node);
  auto *first = c.rule<P::ExprContext>();
  if (!c.take(P::COLON)) {
    auto *e = makeExpr<ast::SubscriptExpr>(ExprKind::Subscript, {});
    e->base = base, e->index = expr(first);
    return e;
  }
  auto *e = makeExpr<ast::SliceExpr>(ExprKind::Slice, {});
  e->base = base, e->lo = first ? expr(first) : nullptr;
  auto *last = c.rule<P::ExprContext>();
  e->hi = last ? expr(last) : nullptr;
  return e;
}

/// `a.b::name`, where `a.b` has been read as members of a value.
ast::Expr *ExprBuilder::qualified(ast::Expr *base, ast::Ident name) {
  auto *e = makeExpr<ast::NameExpr>(ExprKind::Name, join(base->range, name.range));
  e->name = name;
  e->path.range = base->range;
  while (auto *member = llvm::dyn_cast<ast::MemberExpr>(base)) {
    e->path.parts.push_back(member->name);
    base = member->base;
  }
  auto *first = llvm::dyn_cast<ast::NameExpr>(base);
  if (first && first->path.parts.empty())
    e->path.parts.push_back(first->name);
  else
    error(e->path.range, Diag::err_qualified_expr);
  std::reverse(e->path.parts.begin(), e->path.parts.end());
  return e;
}

ast::Expr *ExprBuilder::literal(antlr4::Token *token, ExprKind kind) {
  auto *e = makeExpr<ast::LiteralExpr>(kind, range(token));
  e->text = ident(token).text;
  return e;
}

ast::Expr *ExprBuilder::primary(P::PrimaryContext *node) {
  Children c(node);
  antlr4::Token *first = c.token();
  switch (first->getType()) {
  case P::LPAREN: {
    auto *e = makeExpr<ast::ParenExpr>(ExprKind::Paren, range(node));
    e->inner = expr(c.rule<P::ExprContext>());
    return e;
  }
  case P::ID: {
    auto *e = makeExpr<ast::NameExpr>(ExprKind::Name, range(node));
    e->name = ident(first);
    return e;
  }
  case P::LBRACKET: {
    auto *e = makeExpr<ast::ListExpr>(ExprKind::List, range(node));
    e->elements = exprs(c);
    return e;
  }
  case P::LBRACE:
    return brace(c, range(node));
  case P::INT:
    return literal(first, ExprKind::Int);
  case P::HEX:
    return literal(first, ExprKind::Hex);
  case P::FLOAT:
    return literal(first, ExprKind::Float);
  case P::STRING:
    return literal(first, ExprKind::String);
  case P::XMLTEXT:
    return literal(first, ExprKind::Xml);
  case P::TRUE:
    return literal(first, ExprKind::True);
  case P::FALSE:
    return literal(first, ExprKind::False);
  default:
    return literal(first, ExprKind::Null);
  }
}

ast::Expr *ExprBuilder::brace(Children &c, Range all) {
  auto *e = makeExpr<ast::BraceExpr>(ExprKind::Brace, all);
  while (auto *entry = c.find<P::EntryContext>()) {
    Children parts(entry);
    ast::Expr *key = expr(parts.rule<P::ExprContext>());
    parts.take(P::COLON);
    auto *value = parts.rule<P::ExprContext>();
    e->entries.push_back({key, value ? expr(value) : nullptr});
  }
  return e;
}
