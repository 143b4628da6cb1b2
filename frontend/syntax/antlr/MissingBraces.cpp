//===- MissingBraces.cpp - handlers of several statements without braces ---===//
//
// `onTuple S : f(); g();`: the second statement stands where the next handler or clause is
// expected. It is reported, and all up to the next of these is skipped, with the `}` of a handler
// whose `{` was forgotten.
//
//===----------------------------------------------------------------------===//
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/ErrorStrategy.h"
#include "frontend/syntax/antlr/Tokens.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Parser;
using antlr4::Token;
using P = SPLParser;

/// Whether a statement that belongs to no braces ends before `first`.
bool ErrorStrategy::isBehindStatement(Parser *parser, Token *first) {
  Token *last = previous(parser, first);
  if (last->getType() != P::RBRACE)
    return last->getType() == P::SEMI;
  unsigned depth = 0;
  for (; last != &start; last = previous(parser, last)) {
    depth += last->getType() == P::RBRACE;
    if (last->getType() == P::LBRACE && --depth == 0)
      break;
  }
  return last != &start &&
         previous(parser, last)->getType() != P::COLON; // else the handler ends here
}

/// A word that begins a handler, or a clause behind the handlers.
static bool beginsNext(const Token *word, const Token *behind) {
  static constexpr size_t words[] = {P::ONTUPLE, P::ONPUNCT, P::PARAM, P::WINDOW,
                                     P::OUTPUT,  P::LOGIC,   P::CONFIG};
  std::string name = word->getText();
  return llvm::is_contained(words, word->getType()) ||
         ((name == "state" || name == "onProcess") && behind->getType() == P::COLON);
}

/// Whether the handler before `found`, which belongs to none, has an error: then its end was not
/// found, and `found` is another of its statements.
bool ErrorStrategy::isBehindHandlerError(Parser *parser, Token *found) {
  auto *rule = parser->getContext();
  if (rule->getRuleIndex() == P::RuleLogicItem)
    rule = static_cast<antlr4::ParserRuleContext *>(rule->parent);
  static constexpr size_t others[] = {P::RBRACE, P::STREAM, P::LPAREN, P::AT,        P::COMPOSITE,
                                      P::GRAPH,  P::TYPE,   P::PUBLIC, P::NAMESPACE, P::USE};
  if (!rule || rule->getRuleIndex() != P::RuleOpClause ||
      llvm::is_contained(others, found->getType()) || rule->getStart()->getType() != P::LOGIC ||
      beginsNext(found, next(parser, found)))
    return false;
  Token *first = previous(parser, found);
  while (first != rule->getStart() && first != &start && !beginsNext(first, next(parser, first)))
    first = previous(parser, first);
  uint32_t from = rangeOf(file, first).begin, to = rangeOf(file, found).begin;
  return llvm::any_of(problems, [&](const Problem &problem) {
    return problem.range.begin >= from && problem.range.begin < to;
  });
}

/// `state : mutable int32 a = 0; mutable int32 b = 0;` and `onTuple S : f(); if (...) g();`.
bool ErrorStrategy::explainState(Parser *parser, Token *found) {
  static constexpr size_t starts[] = {P::MUTABLE, P::IF,    P::FOR,      P::WHILE, P::RETURN,
                                      P::INC,     P::DEC,   P::BREAK,    P::LIST,  P::SET,
                                      P::MAP,     P::TUPLE, P::OPTIONAL, P::ENUM,  P::CONTINUE};
  bool inLogic = parser->getContext()->getStart()->getType() == P::LOGIC;
  bool begins = llvm::is_contained(starts, found->getType()) || typeEnd(parser, found);
  if (begins && previous(parser, found)->getType() == P::LOGIC) { // logic mutable int32 n = 0;
    add(rangeOf(file, found), Diag::err_clause_missing, {"state :", "`" + found->getText() + "`"});
    inHandler = true;
    return true;
  }
  if (!inLogic || !begins || !isBehindStatement(parser, found))
    return false;
  add(rangeOf(file, found), Diag::err_statement_braces, {});
  inHandler = true;
  return true;
}

/// `onTuple S : f(); g();`, `l[0] = 1;`, `t.x = 1;` and `Name x = 1;`, whose first word reads as
/// that of a handler.
bool ErrorStrategy::explainStatements(Parser *parser, Token *found) {
  static constexpr size_t seconds[] = {P::LPAREN,     P::ASSIGN, P::LBRACKET, P::DOT,
                                       P::COLONCOLON, P::INC,    P::DEC,      P::PLUSEQ,
                                       P::MINUSEQ,    P::STAREQ, P::SLASHEQ,  P::PERCENTEQ,
                                       P::SHLEQ,      P::AMPEQ,  P::PIPEEQ,   P::CARETEQ};
  Token *first = parser->getContext()->getStart();
  size_t behind = next(parser, found)->getType();
  bool isVariable =
      found->getType() == P::ID && (behind == P::ASSIGN || behind == P::SEMI || behind == P::COMMA);
  if (first->getType() != P::ID || previous(parser, found) != first ||
      !(isVariable || llvm::is_contained(seconds, found->getType())) ||
      !isBehindStatement(parser, first))
    return false;
  if (!isBehindHandlerError(parser, first))
    add(rangeOf(file, first), Diag::err_statement_braces, {});
  inHandler = true;
  return true;
}

/// Whether the `{` of this `}` is the forgotten one. Else it is that of the operator: only the
/// composite may end behind it, or another operator begin.
bool ErrorStrategy::closesHandler(Parser *parser, Token *close) {
  static constexpr size_t inComposite[] = {P::RBRACE, P::STREAM, P::LPAREN, P::AT, P::CONFIG};
  Token *behind = next(parser, close), *second = next(parser, behind);
  if (behind->getType() == P::RBRACE)
    return llvm::is_contained(inComposite, second->getType());
  return beginsNext(behind, second);
}

/// Skips the statements of a handler without braces.
void ErrorStrategy::skipHandler(Parser *parser) {
  auto *tokens = parser->getTokenStream();
  inHandler = false;
  for (unsigned depth = 0; tokens->LA(1) != Token::EOF; parser->consume()) {
    Token *token = tokens->LT(1);
    size_t type = token->getType();
    bool isNext = type == P::STREAM || type == P::COMPOSITE || beginsNext(token, tokens->LT(2));
    if (depth == 0 && isNext)
      break;
    if (type == P::RBRACE && depth == 0) {
      if (closesHandler(parser, token))
        parser->consume();
      break;
    }
    depth += type == P::LBRACE;
    depth -= type == P::RBRACE;
  }
  endErrorCondition(parser);
}
