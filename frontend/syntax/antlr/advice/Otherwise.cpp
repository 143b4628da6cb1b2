//===- Otherwise.cpp - what is said where no advice fits -------------------===//
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using P = SPLParser;

static bool isOnNewLine(const SyntaxError &e) {
  return e.hasLast() && e.type() != Token::EOF && e.last()->getLine() < e.found->getLine();
}

/// What ends a line is missing there, not where the next line begins.
Answer advice::missingAtLineEnd(const SyntaxError &e) {
  bool semicolon = e.expects(P::SEMI);
  bool isNext = (e.type() == P::COMPOSITE || e.type() == P::GRAPH) && e.expects(P::INT32);
  if (!isOnNewLine(e) || !(semicolon || e.expected.size() == 1 || isNext))
    return std::nullopt;
  Range end = e.tokens.range(e.last());
  bool isBody = e.rule() == P::RuleFunctionDecl;
  std::string missing = semicolon ? isBody ? "`{`" : "`;`" : describe(e.expected);
  Problem problem{{end.file, end.end, end.end + 1},
                  Diag::err_expected_after,
                  {missing, e.tokens.spell(e.last())},
                  {}};
  if (semicolon && e.last()->getType() == P::RPAREN) // whlie (...)
    e.noteStatement(problem);
  return Advice{problem};
}

/// The words among the tokens.
static std::vector<std::string> keywordsOf(const antlr4::misc::IntervalSet &tokens) {
  std::vector<std::string> result;
  for (ssize_t type : tokens.toList())
    if (isKeyword(type))
      result.push_back(literalOf(type));
  return result;
}

/// At a missing closing bracket, shows the one that it should close.
static void noteOpening(const SyntaxError &e, Problem &problem) {
  bool atEnd = e.type() == Token::EOF;
  bool atNewLine = e.hasLast() && e.last()->getLine() < e.found->getLine();
  if (!e.expects(P::RPAREN) && !e.expects(P::RBRACKET) &&
      !((atEnd || atNewLine) && e.expects(P::RBRACE)))
    return;
  unsigned depth = 0;
  for (size_t i = e.found->getTokenIndex(); i-- > 0;) {
    Token *token = e.tokens.at(i);
    depth += isCloser(token->getType());
    if (!closerOf(token->getType()) || depth-- > 0)
      continue;
    if (atEnd || token->getLine() != e.found->getLine())
      problem.notes.push_back(
          {e.tokens.range(token), Diag::note_opened_here, {token->getText()}, {}});
    return;
  }
}

Answer advice::otherExpected(const SyntaxError &e) {
  bool closes = e.expects(P::RBRACE);
  if (e.type() == Token::EOF && closes && e.lacksBrace)
    return Advice{}; // it is missing where that was reported
  Range range = e.tokens.range(e.found);
  if (e.type() == Token::EOF && e.hasLast())
    range.begin = range.end = e.tokens.range(e.last()).end;
  bool isItem =
      e.rule() == P::RuleParamItem || e.rule() == P::RuleOutputItem || e.rule() == P::RuleSetting;
  bool isValues = isItem && e.expectsOnly(P::SEMI) && e.type() != P::COLON;
  Problem problem{range,
                  Diag::err_expected,
                  {isValues ? "`,` or `;`" : describe(e.expected), e.tokens.spell(e.found)},
                  {}};
  noteOpening(e, problem);
  e.noteStatement(problem);
  // Behind a `param` clause a misspelt word of another clause reads as the name of a parameter.
  if (e.expects(P::COLON) && e.hasLast())
    e.noteKeyword(problem, e.last(), clauseWords());
  else
    e.noteKeyword(problem, e.found, keywordsOf(e.expected));
  Advice advice{problem};
  advice.lacksBrace = isOnNewLine(e) && closes;
  return advice;
}

/// What the user was writing, by the rule in which it went wrong.
static const char *ruleInWords(size_t rule) {
  switch (rule) {
  case P::RuleExpr:
  case P::RuleUnary:
  case P::RulePostfix:
  case P::RulePostfixOp:
  case P::RulePrimary:
  case P::RuleSubscript:
  case P::RuleEntry:
    return "an expression";
  case P::RuleStatement:
  case P::RuleBlock:
  case P::RuleBlockItem:
  case P::RuleLocalDecl:
    return "a statement";
  case P::RuleInvocation:
  case P::RuleResults:
  case P::RuleOutPort:
  case P::RuleOperatorName:
    return "an operator invocation";
  case P::RuleInPort:
    return "the inputs of an operator";
  case P::RuleOpClause:
  case P::RuleLogicItem:
    return "the clauses of an operator";
  case P::RuleCompositeDecl:
  case P::RuleSignature:
    return "a composite";
  case P::RuleCompositeClause:
  case P::RuleFormal:
    return "the clauses of a composite";
  case P::RuleFunctionDecl:
  case P::RuleParameter:
    return "a function";
  case P::RuleType:
  case P::RuleNamedType:
  case P::RuleBuiltinType:
  case P::RuleTupleBody:
  case P::RuleTupleItem:
    return "a type";
  default:
    return "a declaration";
  }
}

/// Several readings, none goes on here: what each expects is not known.
Answer advice::unexpected(const SyntaxError &e) {
  Answer answer =
      e.say(e.found, Diag::err_unexpected, {e.tokens.spell(e.found), ruleInWords(e.rule())});
  e.noteStatement(*answer->problem);
  return answer;
}
