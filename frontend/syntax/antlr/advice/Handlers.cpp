//===- Handlers.cpp - advice on handlers without braces --------------------===//
//
// `onTuple S : f(); g();`: the second statement stands where the next handler or clause is
// expected. It is reported, and all up to the next of these is skipped (ErrorStrategy), with the
// `}` of a handler whose `{` was forgotten.
//
//===----------------------------------------------------------------------===//
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using P = SPLParser;

/// Whether a statement that belongs to no braces ends before `first`.
static bool isBehindStatement(const TokenView &tokens, Token *first) {
  Token *last = tokens.previous(first);
  if (last->getType() != P::RBRACE)
    return last->getType() == P::SEMI;
  unsigned depth = 0;
  for (; !tokens.isStart(last); last = tokens.previous(last)) {
    depth += last->getType() == P::RBRACE;
    if (last->getType() == P::LBRACE && --depth == 0)
      break;
  }
  return !tokens.isStart(last) &&
         tokens.previous(last)->getType() != P::COLON; // else the handler ends here
}

bool advice::isBehindHandlerError(const SyntaxError &e, Token *found) {
  auto *rule = &e.context;
  if (rule->getRuleIndex() == P::RuleLogicItem)
    rule = static_cast<antlr4::ParserRuleContext *>(rule->parent);
  static constexpr size_t others[] = {P::RBRACE, P::STREAM, P::LPAREN, P::AT,        P::COMPOSITE,
                                      P::GRAPH,  P::TYPE,   P::PUBLIC, P::NAMESPACE, P::USE};
  if (!rule || rule->getRuleIndex() != P::RuleOpClause ||
      llvm::is_contained(others, found->getType()) || rule->getStart()->getType() != P::LOGIC ||
      beginsHandler(found, e.next(found)))
    return false;
  Token *first = e.previous(found);
  while (first != rule->getStart() && !e.tokens.isStart(first) &&
         !beginsHandler(first, e.next(first)))
    first = e.previous(first);
  return e.isReportedBetween(first, found);
}

/// `state : mutable int32 a = 0; mutable int32 b = 0;` and `onTuple S : f(); if (...) g();`.
Answer advice::state(const SyntaxError &e) {
  static constexpr size_t starts[] = {P::MUTABLE, P::IF,    P::FOR,      P::WHILE, P::RETURN,
                                      P::INC,     P::DEC,   P::BREAK,    P::LIST,  P::SET,
                                      P::MAP,     P::TUPLE, P::OPTIONAL, P::ENUM,  P::CONTINUE};
  bool begins = llvm::is_contained(starts, e.type()) || e.tokens.typeEnd(e.found);
  Answer answer;
  if (begins && e.last()->getType() == P::LOGIC) // logic mutable int32 n = 0;
    answer = e.say(e.found, Diag::err_clause_missing, {"state :", "`" + e.found->getText() + "`"});
  else if (begins && e.first()->getType() == P::LOGIC && isBehindStatement(e.tokens, e.found))
    answer = e.say(e.found, Diag::err_statement_braces);
  if (answer)
    answer->skipsHandler = true;
  return answer;
}

/// `onTuple S : f(); g();`, `l[0] = 1;`, `t.x = 1;` and `Name x = 1;`, whose first word reads as
/// that of a handler.
Answer advice::statements(const SyntaxError &e) {
  static constexpr size_t seconds[] = {P::LPAREN,     P::ASSIGN, P::LBRACKET, P::DOT,
                                       P::COLONCOLON, P::INC,    P::DEC,      P::PLUSEQ,
                                       P::MINUSEQ,    P::STAREQ, P::SLASHEQ,  P::PERCENTEQ,
                                       P::SHLEQ,      P::AMPEQ,  P::PIPEEQ,   P::CARETEQ};
  Token *first = e.first();
  size_t behind = e.behind()->getType();
  bool isVariable =
      e.type() == P::ID && (behind == P::ASSIGN || behind == P::SEMI || behind == P::COMMA);
  if (first->getType() != P::ID || e.last() != first ||
      !(isVariable || llvm::is_contained(seconds, e.type())) || !isBehindStatement(e.tokens, first))
    return std::nullopt;
  Answer answer = Advice{};
  if (!isBehindHandlerError(e, first))
    answer = e.say(first, Diag::err_statement_braces);
  answer->skipsHandler = true;
  return answer;
}
