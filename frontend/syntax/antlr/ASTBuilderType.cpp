//===- ASTBuilderType.cpp - types and type aliases -------------------------===//
#include "frontend/syntax/antlr/ASTBuilder.h"

using namespace sluice;
using namespace sluice::grammar;
using ast::TypeKind;

ast::TypeNode *TypeBuilder::type(P::TypeContext *node) {
  Children c(node);
  if (auto *named = c.rule<P::NamedTypeContext>())
    return namedType(named);
  return builtinType(c.rule<P::BuiltinTypeContext>());
}

ast::TypeNode *TypeBuilder::namedType(P::NamedTypeContext *node) {
  Children c(node);
  auto *type = context.make<ast::TypeNode>();
  type->kind = TypeKind::Named;
  type->range = range(node);
  if (auto *ns = c.rule<P::PathContext>())
    type->path = path(ns);
  c.take(P::COLONCOLON);
  type->name = ident(c.token());
  if (c.take(P::DOT))
    type->member = ident(c.token());
  return type;
}

/// The kind that a keyword begins. A token that Kinds.def does not have is no type.
static TypeKind kindOf(size_t token) {
  switch (token) {
#define SPL_KIND(name, keyword, token, ...)                                                        \
  case SPLParser::token:                                                                           \
    return TypeKind::name;
#include "sluice/Kinds.def"
  }
  llvm_unreachable("the grammar has a type that Kinds.def has not");
}

ast::TypeNode *TypeBuilder::builtinType(P::BuiltinTypeContext *node) {
  Children c(node);
  auto *result = context.make<ast::TypeNode>();
  result->range = range(node);
  result->kind = kindOf(c.token()->getType());
  while (!c.done()) {
    if (auto *arg = c.rule<P::TypeContext>())
      result->args.push_back(type(arg));
    else if (auto *body = c.rule<P::TupleBodyContext>())
      tupleBody(body, *result);
    else if (auto *bound = c.rule<P::BoundContext>())
      result->bound = ExprBuilder(*this).expr(bound->expr());
    else if (c.at(P::ID))
      result->members.push_back(ident(c.token()));
    else if (c.at(P::STRING))
      result->schema = ident(c.token()).text;
    else
      c.token(); // punctuation
  }
  return result;
}

ast::TypeNode *TypeBuilder::streamType(P::StreamTypeContext *node) {
  auto *type = context.make<ast::TypeNode>();
  type->kind = TypeKind::Tuple;
  type->range = range(node);
  tupleBody(node->tupleBody(), *type);
  return type;
}

void TypeBuilder::tupleBody(P::TupleBodyContext *node, ast::TypeNode &tuple) {
  bool reported = false;
  for (P::TupleItemContext *item : node->tupleItem()) {
    Children c(item);
    ast::TypeNode *part = type(c.rule<P::TypeContext>());
    if (!c.done())
      tuple.attributes.push_back({part, ident(c.token())});
    else
      tuple.extendees.push_back(part);
    bool isTuple = part->kind == TypeKind::Named || part->kind == TypeKind::Tuple;
    bool mixed = !tuple.attributes.empty() && !tuple.extendees.empty();
    if (reported || (!mixed && (tuple.extendees.empty() || isTuple)))
      continue;
    reported = true;
    bool isExtendee = !tuple.extendees.empty() && tuple.extendees.back() == part;
    error(range(item), isExtendee && !isTuple ? Diag::err_tuple_extendee : Diag::err_tuple_mixed);
    if (isExtendee && part->kind == TypeKind::Named && part->path.parts.empty() &&
        part->member.text.empty() && !tuple.attributes.empty()) { // `int32 x, y`
      Range type = tuple.attributes.back().type->range;
      problems.back().notes.push_back(
          {range(item),
           Diag::note_attribute_type,
           {part->name.text.str(), text.slice(type.begin, type.end).str()},
           {}});
    }
  }
}

ast::TypeNode *TypeBuilder::aliased(P::TupleBodyContext *node) {
  std::vector<P::TupleItemContext *> items = node->tupleItem();
  if (items.size() == 1 && items[0]->children.size() == 1)
    return type(items[0]->type());
  auto *tuple = context.make<ast::TypeNode>();
  tuple->kind = TypeKind::Tuple;
  tuple->range = range(node);
  tupleBody(node, *tuple);
  return tuple;
}

ast::TypeAlias TypeBuilder::typeAlias(P::TypeAliasContext *node) {
  ast::TypeAlias alias;
  alias.name = ident(node->ID()->getSymbol());
  alias.type = aliased(node->tupleBody());
  alias.range = range(node);
  return alias;
}

ast::TypeAlias TypeBuilder::innerType(P::InnerTypeContext *node) {
  ast::TypeAlias alias;
  alias.name = ident(node->ID()->getSymbol());
  alias.type = aliased(node->tupleBody());
  alias.isStatic = Children(node).at(P::STATIC);
  alias.range = range(node);
  return alias;
}
