//===- ASTBuilderType.cpp - types and type aliases -------------------------===//
#include "frontend/syntax/antlr/ASTBuilder.h"

using namespace sluice;
using namespace sluice::grammar;
using ast::TypeKind;

ast::TypeNode *ASTBuilder::type(P::TypeContext *node) {
  Children c(node);
  if (auto *named = c.rule<P::NamedTypeContext>())
    return namedType(named);
  return builtinType(c.rule<P::BuiltinTypeContext>());
}

ast::TypeNode *ASTBuilder::namedType(P::NamedTypeContext *node) {
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

static TypeKind kindOf(size_t token) {
  using P = SPLParser;
  switch (token) {
  case P::BOOLEAN:
    return TypeKind::Boolean;
  case P::INT8:
    return TypeKind::Int8;
  case P::INT16:
    return TypeKind::Int16;
  case P::INT32:
    return TypeKind::Int32;
  case P::INT64:
    return TypeKind::Int64;
  case P::UINT8:
    return TypeKind::UInt8;
  case P::UINT16:
    return TypeKind::UInt16;
  case P::UINT32:
    return TypeKind::UInt32;
  case P::UINT64:
    return TypeKind::UInt64;
  case P::FLOAT32:
    return TypeKind::Float32;
  case P::FLOAT64:
    return TypeKind::Float64;
  case P::DECIMAL32:
    return TypeKind::Decimal32;
  case P::DECIMAL64:
    return TypeKind::Decimal64;
  case P::DECIMAL128:
    return TypeKind::Decimal128;
  case P::COMPLEX32:
    return TypeKind::Complex32;
  case P::COMPLEX64:
    return TypeKind::Complex64;
  case P::TIMESTAMP:
    return TypeKind::Timestamp;
  case P::BLOB:
    return TypeKind::Blob;
  case P::USTRING:
    return TypeKind::UString;
  case P::RSTRING:
    return TypeKind::RString;
  case P::XML:
    return TypeKind::Xml;
  case P::ENUM:
    return TypeKind::Enum;
  case P::LIST:
    return TypeKind::List;
  case P::SET:
    return TypeKind::Set;
  case P::MAP:
    return TypeKind::Map;
  case P::OPTIONAL:
    return TypeKind::Optional;
  default:
    return TypeKind::Tuple;
  }
}

ast::TypeNode *ASTBuilder::builtinType(P::BuiltinTypeContext *node) {
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
      result->bound = expr(bound->expr());
    else if (c.at(P::ID))
      result->members.push_back(ident(c.token()));
    else if (c.at(P::STRING))
      result->schema = ident(c.token()).text;
    else
      c.token(); // punctuation
  }
  return result;
}

ast::TypeNode *ASTBuilder::streamType(P::StreamTypeContext *node) {
  auto *type = context.make<ast::TypeNode>();
  type->kind = TypeKind::Tuple;
  type->range = range(node);
  tupleBody(node->tupleBody(), *type);
  return type;
}

void ASTBuilder::tupleBody(P::TupleBodyContext *node, ast::TypeNode &tuple) {
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
  }
}

ast::TypeNode *ASTBuilder::aliased(P::TupleBodyContext *node) {
  std::vector<P::TupleItemContext *> items = node->tupleItem();
  if (items.size() == 1 && items[0]->children.size() == 1)
    return type(items[0]->type());
  auto *tuple = context.make<ast::TypeNode>();
  tuple->kind = TypeKind::Tuple;
  tuple->range = range(node);
  tupleBody(node, *tuple);
  return tuple;
}

ast::TypeAlias ASTBuilder::typeAlias(P::TypeAliasContext *node) {
  ast::TypeAlias alias;
  alias.name = ident(node->ID()->getSymbol());
  alias.type = aliased(node->tupleBody());
  alias.range = range(node);
  return alias;
}

ast::TypeAlias ASTBuilder::innerType(P::InnerTypeContext *node) {
  ast::TypeAlias alias;
  alias.name = ident(node->ID()->getSymbol());
  alias.type = aliased(node->tupleBody());
  alias.isStatic = Children(node).at(P::STATIC);
  alias.range = range(node);
  return alias;
}
