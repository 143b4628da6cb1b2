//===- MissingNames.cpp - declarations without a name or a type ------------===//
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/ErrorStrategy.h"
#include "frontend/syntax/antlr/Tokens.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Parser;
using antlr4::Token;
using P = SPLParser;

std::string sluice::grammar::typeAndName(llvm::StringRef word, bool isName) {
  std::string behind = ("`" + word + " NAME`").str();
  return isName ? ("`TYPE " + word + "`, or " + behind + " if `" + word + "` is a type").str()
                : behind;
}

/// `int32 = 5;` and `mutable x = 5;`: the type or the name is missing.
bool ErrorStrategy::explainNoName(Parser *parser, Token *found) {
  size_t type = found->getType();
  auto *declaration = static_cast<antlr4::ParserRuleContext *>(parser->getContext()->parent);
  Token *first = declaration->getStart(), *last = previous(parser, found);
  if (first->getType() == P::MUTABLE)
    first = next(parser, first);
  if ((type != P::ASSIGN && type != P::SEMI) || last->getType() == P::COMMA)
    return false;
  Range range = rangeOf(file, first, last);
  add(range, Diag::err_variable_name,
      {typeAndName(text.slice(range.begin, range.end),
                   first == last && first->getType() == P::ID)});
  return true;
}

/// `public type T = int32 a;`
bool ErrorStrategy::explainPublicType(Parser *parser, Token *found) {
  Token *last = previous(parser, found);
  if (found->getType() != P::TYPE || last->getType() != P::PUBLIC)
    return false;
  addForeign(last, last, "all namespaces see a type: leave it out");
  return true;
}

/// `type T = int32 a; int32 b, int32 c;`: the second attribute reads as the head of a function.
bool ErrorStrategy::explainAliasEnd(Parser *parser, Token *found) {
  Token *end = previous(parser, parser->getContext()->getStart()), *first = end;
  bool isList = found->getType() == P::COMMA || found->getType() == P::SEMI;
  if (!isList || end->getType() != P::SEMI)
    return false;
  do
    first = previous(parser, first);
  while (first != &start && first->getType() != P::SEMI && first->getType() != P::RBRACE &&
         first->getType() != P::TYPE);
  if (first->getType() != P::TYPE)
    return false;
  add(rangeOf(file, end), Diag::err_comma, {"attributes", spelling(end, text)});
  return true;
}
