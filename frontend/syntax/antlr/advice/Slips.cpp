//===- Slips.cpp - advice on signs and words that are one too many ---------===//
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using P = SPLParser;

Answer advice::straySemicolon(const SyntaxError &e) {
  if (e.type() != P::SEMI)
    return std::nullopt;
  size_t last = e.last()->getType();
  bool begins = last == P::SEMI || last == P::LBRACE || last == P::RBRACE || last == Token::EOF;
  bool isStatement = e.expects(P::WHILE);
  if (!isStatement && (!begins || e.expects(P::SEMI)))
    return std::nullopt;
  return e.say(e.found, Diag::err_stray_semicolon);
}

/// Keywords behind which a list of items begins.
static bool isClause(size_t type) {
  return type == P::PARAM || type == P::TYPE || type == P::GRAPH || type == P::CONFIG ||
         type == P::LOGIC || type == P::WINDOW || type == P::OUTPUT || type == P::INPUT;
}

/// Rules in which the name behind a type is optional, and so never expected.
static bool mayNameType(size_t rule) {
  return rule == P::RuleBuiltinType || rule == P::RuleStreamType || rule == P::RuleFunctionDecl ||
         rule == P::RuleTypeAlias || rule == P::RuleInnerType;
}

bool advice::isKeywordAsName(const SyntaxError &e) {
  Token *before = e.last();
  if (!isKeyword(e.type()) || !e.hasLast() || before->getLine() != e.found->getLine())
    return false; // on a new line something new begins
  size_t last = before->getType();
  if (last == P::ID && e.previous(before)->getType() == P::TYPE) // type T int32 x;
    return false;
  if (mayNameType(e.rule()))
    return last == P::ID || last == P::GT || last == P::RBRACKET ||
           (isKeyword(last) && !isClause(last));
  return e.expects(P::ID) && !isClause(last) && last != P::SEMI && last != P::LBRACE &&
         last != P::RBRACE;
}

Answer advice::keywordAsName(const SyntaxError &e) {
  if (!isKeywordAsName(e))
    return std::nullopt;
  Answer answer = e.say(e.found, Diag::err_keyword_as_name, {e.found->getText()});
  e.noteStatement(*answer->problem);
  // `attribute = [k]` in an annotation: of the keys, `attributes` and the like are no keywords.
  if (e.behind()->getType() == P::ASSIGN && e.next(e.behind())->getType() == P::LBRACKET)
    answer->problem->notes.push_back(
        {e.tokens.range(e.found), Diag::note_did_you_mean, {e.found->getText() + "s"}, {}});
  return answer;
}

Answer advice::unaryPlus(const SyntaxError &e) {
  if (e.type() != P::PLUS || e.expects(P::STAR))
    return std::nullopt;
  Answer answer = e.say(e.found, Diag::err_unary_plus);
  Token *last = e.last(), *statement = e.statementStart();
  if (last->getType() == P::ASSIGN && touch(last, e.found) && statement &&
      e.next(statement) == last) // x =+ 1
    answer->problem->notes.push_back(
        {e.tokens.range(e.found), Diag::note_did_you_mean, {"+="}, {}});
  return answer;
}

/// Where an error stands between the `else` and the `if` before it in its block, or the start of
/// the block, the `else` belongs to what was not read.
Answer advice::elseWithoutIf(const SyntaxError &e) {
  if (e.type() != P::ELSE)
    return std::nullopt;
  Token *first = e.last();
  for (unsigned depth = 0; !e.tokens.isStart(first) && (depth || first->getType() != P::LBRACE);
       first = e.previous(first)) {
    depth += first->getType() == P::RBRACE;
    depth -= first->getType() == P::LBRACE;
    if (first->getType() == P::IF && depth == 0)
      break;
  }
  if (e.isReportedBetween(first, e.found))
    return Advice{};
  return e.say(e.found, Diag::err_else_without_if);
}

Answer advice::sinkWithoutName(const SyntaxError &e) {
  if (!e.expectsOnly(P::AS))
    return std::nullopt;
  return e.say(e.found, Diag::err_sink_without_name);
}

/// The reading began with `>`, which may be the half of `>>` or `>=`.
Answer advice::halfOperator(const SyntaxError &e) {
  if (e.reading->getType() != P::GT)
    return std::nullopt;
  return e.say(e.found, Diag::err_expected, {"a value", e.tokens.spell(e.found)});
}
