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
