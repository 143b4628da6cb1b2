//===- ErrorStrategy.cpp - reports of syntax errors ------------------------===//
#include "frontend/syntax/antlr/ErrorStrategy.h"
#include "frontend/grammar/SPLParser.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Parser;
using antlr4::Token;
using P = SPLParser;

/// How many syntax errors of a file are reported.
static constexpr size_t maxErrors = 30;

void ErrorStrategy::add(Problem problem) {
  Range range = problem.range;
  // A bad token makes the rest of its line suspect.
  for (const Problem &bad : llvm::ArrayRef(problems).take_front(badTokens)) {
    auto [from, to] = std::minmax(bad.range.begin, range.begin);
    if (!text.slice(from, to).contains('\n'))
      return;
  }
  // What follows a word of another language on its line belongs to it.
  for (const Problem &known : llvm::ArrayRef(problems).drop_front(badTokens))
    if ((known.id == Diag::err_foreign || known.id == Diag::err_array) &&
        known.range.end <= range.begin && !text.slice(known.range.end, range.begin).contains('\n'))
      return;
  while (problem.id == Diag::err_foreign && problems.size() > badTokens) {
    uint32_t later = problems.back().range.begin;
    if (later < range.end || text.slice(range.end, later).contains('\n'))
      break;
    problems.pop_back();
  }
  if (problems.size() < badTokens + maxErrors)
    problems.push_back(std::move(problem));
}

SyntaxError ErrorStrategy::errorAt(Parser *parser, Token *found, const Expected &expected,
                                   Occasion occasion) const {
  return {occasion, *parser->getContext(), view, found, found, expected, problems, lacksBrace};
}

bool ErrorStrategy::follow(Answer advice) {
  if (!advice)
    return false;
  if (advice->problem)
    add(std::move(*advice->problem));
  for (Token *semicolon : advice->separators)
    static_cast<antlr4::WritableToken *>(semicolon)->setType(P::COMMA);
  inHandler |= advice->skipsHandler;
  lacksBrace |= advice->lacksBrace;
  return true;
}

void ErrorStrategy::explain(Parser *parser, Token *found, const Expected &expected) {
  follow(advise(errorAt(parser, found, expected)));
}

void ErrorStrategy::reportNoViableAlternative(Parser *parser,
                                              const antlr4::NoViableAltException &e) {
  Token *found = e.getOffendingToken();
  Expected expected = parser->getExpectedTokens();
  if (found == e.getStartToken())
    return explain(parser, found, expected);
  SyntaxError error = errorAt(parser, found, expected, Occasion::NoReading);
  error.reading = e.getStartToken();
  follow(advise(error));
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

void ErrorStrategy::reportMissingToken(Parser *parser) { reportUnwantedToken(parser); }
