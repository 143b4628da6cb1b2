//===- Functions.cpp - advice on functions and on what stands outside ------===//
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using P = SPLParser;

static bool isOneOf(size_t type, std::initializer_list<size_t> types) {
  return llvm::is_contained(types, type);
}

/// Operators, variables and statements, where a declaration is expected.
static Answer globalWord(const SyntaxError &e) {
  size_t type = e.type();
  if (isOneOf(type, {P::STREAM, P::LPAREN, P::GRAPH, P::PARAM, P::CONFIG}))
    return e.say(e.found, Diag::err_global_operator);
  if (type == P::MUTABLE)
    return e.say(e.found, Diag::err_global_variable);
  if (isOneOf(type, {P::IF, P::FOR, P::WHILE, P::RETURN}))
    return e.say(e.found, Diag::err_global_statement);
  return std::nullopt;
}

/// `println("x");` and `x = 3;` read as declarations, up to their second word.
Answer advice::global(const SyntaxError &e) {
  if (e.rule() == P::RuleUnit)
    return globalWord(e);
  Token *first = e.first();
  size_t type = e.type();
  if (first->getType() != P::ID || e.last() != first)
    return std::nullopt;
  if (type == P::ASSIGN && e.tokens.isAlias(first) && e.tokens.beginsAttribute(e.behind()))
    return e.say(first, Diag::err_clause_missing, {"type", "`" + first->getText() + "`"});
  if (type == P::LPAREN && e.tokens.isFunctionHead(e.found))
    return e.say(first, Diag::err_function_result, {first->getText()});
  if (isOneOf(type, {P::LPAREN, P::INC, P::DEC, P::PLUSEQ, P::MINUSEQ, P::STRING}) ||
      (type == P::ASSIGN && e.behind()->getType() >= P::ID))
    return e.say(first, Diag::err_global_statement);
  return std::nullopt;
}

/// `type T = int32 a; int32 b, int32 c;`: the second attribute reads as the head of a function.
Answer advice::aliasEnd(const SyntaxError &e) {
  Token *end = e.previous(e.first()), *first = end;
  bool isList = e.type() == P::COMMA || e.type() == P::SEMI;
  if (!isList || end->getType() != P::SEMI)
    return std::nullopt;
  do
    first = e.previous(first);
  while (!e.tokens.isStart(first) && first->getType() != P::SEMI && first->getType() != P::RBRACE &&
         first->getType() != P::TYPE);
  if (first->getType() != P::TYPE)
    return std::nullopt;
  return e.say(end, Diag::err_comma, {"attributes", e.tokens.spell(end)});
}

Answer advice::parameterDefault(const SyntaxError &e) {
  if (e.type() != P::ASSIGN)
    return std::nullopt;
  return e.foreign(e.found, "parameters of functions have no default: each call gives a value");
}

Answer advice::innerFunction(const SyntaxError &e) {
  bool isWord = e.type() == P::VOID || e.type() == P::ID;
  Token *type = isWord ? e.found : e.tokens.typeEnd(e.found);
  Token *name = type ? e.next(type) : nullptr, *open = name ? e.next(name) : nullptr;
  if (!name || name->getType() != P::ID || open->getType() != P::LPAREN ||
      !e.tokens.isFunctionHead(open))
    return std::nullopt;
  return e.say(name, Diag::err_inner_function, {name->getText()});
}

/// Among statements, where its head reads as the declaration of a variable.
Answer advice::localFunction(const SyntaxError &e) {
  Token *name = e.last();
  if (e.type() != P::LPAREN || name->getType() != P::ID || !e.tokens.isFunctionHead(e.found))
    return std::nullopt;
  return e.say(name, Diag::err_inner_function, {name->getText()});
}
