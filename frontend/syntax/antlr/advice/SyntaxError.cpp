//===- SyntaxError.cpp - where the parser cannot go on ---------------------===//
#include "frontend/syntax/antlr/advice/SyntaxError.h"
#include "frontend/diagnostics/Spelling.h"
#include "frontend/grammar/SPLParser.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::ParserRuleContext;
using antlr4::Token;
using P = SPLParser;

bool SyntaxError::isReportedBetween(const Token *from, const Token *to) const {
  uint32_t begin = tokens.range(from).begin, end = tokens.range(to).begin;
  return llvm::any_of(known, [&](const Problem &problem) {
    return problem.range.begin >= begin && problem.range.begin < end;
  });
}

Token *SyntaxError::statementStart() const {
  antlr4::tree::ParseTree *at = &context;
  while (at && static_cast<ParserRuleContext *>(at)->getRuleIndex() != P::RuleStatement)
    at = at->parent;
  return at ? static_cast<ParserRuleContext *>(at)->getStart() : nullptr;
}

Token *SyntaxError::declarationWord() const {
  for (antlr4::tree::ParseTree *at = &context; at; at = at->parent) {
    auto *rule = static_cast<ParserRuleContext *>(at);
    if (rule->getRuleIndex() == P::RuleBlock)
      return nullptr;
    if (rule->getRuleIndex() == P::RuleFunctionDecl) {
      Token *word = rule->getStart();
      while (word->getType() == P::PUBLIC || word->getType() == P::STATEFUL)
        word = next(word);
      return word;
    }
  }
  return nullptr;
}

void SyntaxError::noteKeyword(Problem &problem, const Token *word,
                              const std::vector<std::string> &keywords) const {
  if (word->getType() != P::ID)
    return;
  NearNames near(word->getText());
  near.offerAll(keywords);
  for (const std::string &keyword : near.best())
    problem.notes.push_back({tokens.range(word), Diag::note_did_you_mean, {keyword}, {}});
}

void SyntaxError::noteStatement(Problem &problem) const {
  Token *first = statementStart();
  Token *second = first && first != found ? next(first) : nullptr;
  // `retrun x;`, `esle f();`, `whlie (...) {`
  if (second && (second == found || next(second) == found || second->getType() == P::LPAREN))
    noteKeyword(problem, first, {"mutable", "return", "while", "for", "if", "else"});
}

std::string sluice::grammar::typeAndName(llvm::StringRef word, bool isName) {
  std::string behind = ("`" + word + " NAME`").str();
  return isName ? ("`TYPE " + word + "`, or " + behind + " if `" + word + "` is a type").str()
                : behind;
}

const std::vector<std::string> &sluice::grammar::clauseWords() {
  static const std::vector<std::string> words = {"output", "window", "logic", "config", "param"};
  return words;
}
