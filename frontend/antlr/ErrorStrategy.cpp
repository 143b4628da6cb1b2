//===- ErrorStrategy.cpp - syntax errors in the words of SPL ---------------===//
#include "frontend/antlr/ErrorStrategy.h"
#include "frontend/antlr/Tokens.h"
#include "frontend/grammar/SPLParser.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Parser;
using antlr4::Token;
using P = SPLParser;

static bool isKeyword(size_t type) { return type >= P::AS && type <= P::XML; }

/// Keywords behind which a list of items begins.
static bool isClause(size_t type) {
  return type == P::PARAM || type == P::TYPE || type == P::GRAPH || type == P::CONFIG ||
         type == P::LOGIC || type == P::WINDOW || type == P::OUTPUT || type == P::INPUT;
}

static size_t before(Parser *parser) { return parser->getTokenStream()->LA(-1); }

void ErrorStrategy::add(Range range, Diag id, std::vector<std::string> args) {
  problems.push_back({range, id, std::move(args), {}});
}

std::string ErrorStrategy::spelling(Token *token) const {
  if (token->getType() == Token::EOF)
    return "the end of the file";
  Range range = rangeOf(file, token);
  llvm::StringRef word = text.slice(range.begin, range.end);
  if (word.size() > 40 || word.contains('\n'))
    return "a string";
  return "`" + word.str() + "`";
}

//===--- recovery that ANTLR cannot know -----------------------------------===//

bool ErrorStrategy::isStraySemicolon(Parser *parser, const Expected &expected) {
  size_t last = before(parser);
  return (last == P::SEMI || last == P::LBRACE || last == P::RBRACE) &&
         !expected.contains(size_t(P::SEMI));
}

bool ErrorStrategy::isKeywordAsName(Parser *parser, Token *found, const Expected &expected) {
  return isKeyword(found->getType()) && expected.contains(size_t(P::ID)) &&
         !isClause(before(parser)) && before(parser) != P::SEMI &&
         before(parser) != P::LBRACE && before(parser) != P::RBRACE;
}

void ErrorStrategy::sync(Parser *parser) {
  // Drop stray `;` where the loop over items looks for the next one.
  while (!inErrorRecoveryMode(parser) && parser->getTokenStream()->LA(1) == P::SEMI) {
    if (!isStraySemicolon(parser, parser->getExpectedTokens()))
      break;
    add(rangeOf(file, parser->getCurrentToken()), Diag::err_stray_semicolon);
    parser->consume();
  }
  DefaultErrorStrategy::sync(parser);
}

Token *ErrorStrategy::recoverInline(Parser *parser) {
  Token *found = parser->getCurrentToken();
  if (!isKeywordAsName(parser, found, getExpectedTokens(parser)))
    return DefaultErrorStrategy::recoverInline(parser);
  if (!inErrorRecoveryMode(parser))
    add(rangeOf(file, found), Diag::err_keyword_as_name, {parser->getCurrentToken()->getText()});
  parser->consume();
  return found;
}

//===--- messages ----------------------------------------------------------===//

bool ErrorStrategy::explainSpecial(Parser *parser, Token *found, const Expected &expected) {
  Range range = rangeOf(file, found);
  size_t type = found->getType();
  if (type == P::SEMI && isStraySemicolon(parser, expected)) {
    add(range, Diag::err_stray_semicolon);
    return true;
  }
  if (isKeywordAsName(parser, found, expected)) {
    add(range, Diag::err_keyword_as_name, {text.slice(range.begin, range.end).str()});
    return true;
  }
  if (type == P::PLUS && expected.contains(size_t(P::MINUS)) && !expected.contains(size_t(P::STAR))) {
    add(range, Diag::err_unary_plus);
    return true;
  }
  if (type == P::ELSE && expected.contains(size_t(P::WHILE))) {
    add(range, Diag::err_else_without_if);
    return true;
  }
  if (parser->getContext()->getRuleIndex() == P::RuleResults && expected.contains(size_t(P::AS)) &&
      expected.size() == 1) {
    add(range, Diag::err_sink_without_name);
    return true;
  }
  return false;
}

void ErrorStrategy::explain(Parser *parser, Token *found, const Expected &expected) {
  if (explainSpecial(parser, found, expected))
    return;
  Token *last = parser->getTokenStream()->LT(-1);
  bool newLine = last && last->getLine() < found->getLine();
  // What ends a line is missing there, not where the next line begins.
  if (newLine && expected.contains(size_t(P::SEMI))) {
    Range end = rangeOf(file, last);
    std::string word = text.slice(end.begin, end.end).str();
    add({file, end.end, end.end + 1}, Diag::err_expected_after, {"`;`", word});
    return;
  }
  add(rangeOf(file, found), Diag::err_expected, {describe(expected), spelling(found)});
  addNoteOnOpening(parser, expected);
}

/// At a missing closing bracket, shows the one that it should close.
void ErrorStrategy::addNoteOnOpening(Parser *parser, const Expected &expected) {
  auto *tokens = parser->getTokenStream();
  bool atEnd = tokens->LA(1) == Token::EOF;
  if (!expected.contains(size_t(P::RPAREN)) && !expected.contains(size_t(P::RBRACKET)) &&
      !(atEnd && expected.contains(size_t(P::RBRACE))))
    return;
  unsigned depth = 0;
  for (size_t i = tokens->index(); i-- > 0;) {
    Token *token = tokens->get(i);
    switch (token->getType()) {
    case P::RPAREN: case P::RBRACKET: case P::RBRACE:
      ++depth;
      break;
    case P::LPAREN: case P::LBRACKET: case P::LBRACE:
      if (depth-- > 0)
        break;
      if (atEnd || token->getLine() != tokens->LT(1)->getLine())
        problems.back().notes.push_back({rangeOf(file, token), Diag::note_opened_here,
                                         {token->getText()}, {}});
      return;
    default:
      break;
    }
  }
}

/// What the user was writing, by the rule in which it went wrong.
static const char *ruleInWords(size_t rule) {
  switch (rule) {
  case P::RuleExpr: case P::RuleUnary: case P::RulePostfix: case P::RulePostfixOp:
  case P::RulePrimary: case P::RuleSubscript: case P::RuleEntry: return "an expression";
  case P::RuleStatement: case P::RuleBlock: case P::RuleBlockItem: case P::RuleLocalDecl:
    return "a statement";
  case P::RuleInvocation: case P::RuleResults: case P::RuleOutPort: case P::RuleOperatorName:
    return "an operator invocation";
  case P::RuleInPort: return "the inputs of an operator";
  case P::RuleOpClause: case P::RuleLogicItem: return "the clauses of an operator";
  case P::RuleCompositeDecl: case P::RuleSignature: return "a composite";
  case P::RuleCompositeClause: case P::RuleFormal: return "the clauses of a composite";
  case P::RuleFunctionDecl: case P::RuleParameter: return "a function";
  case P::RuleType: case P::RuleNamedType: case P::RuleBuiltinType: case P::RuleTupleBody:
  case P::RuleTupleItem: return "a type";
  default: return "a declaration";
  }
}

void ErrorStrategy::reportNoViableAlternative(Parser *parser, const antlr4::NoViableAltException &e) {
  Token *found = e.getOffendingToken();
  if (found == e.getStartToken())
    return explain(parser, found, parser->getExpectedTokens());
  // Several readings, none goes on here: what each expects is not known.
  add(rangeOf(file, found), Diag::err_unexpected,
      {spelling(found), ruleInWords(parser->getContext()->getRuleIndex())});
}

void ErrorStrategy::reportInputMismatch(Parser *parser, const antlr4::InputMismatchException &e) {
  explain(parser, e.getOffendingToken(), e.getExpectedTokens());
}

void ErrorStrategy::reportUnwantedToken(Parser *parser) {
  if (inErrorRecoveryMode(parser))
    return;
  beginErrorCondition(parser);
  explain(parser, parser->getCurrentToken(), getExpectedTokens(parser));
}

void ErrorStrategy::reportMissingToken(Parser *parser) {
  if (inErrorRecoveryMode(parser))
    return;
  beginErrorCondition(parser);
  explain(parser, parser->getCurrentToken(), getExpectedTokens(parser));
}
