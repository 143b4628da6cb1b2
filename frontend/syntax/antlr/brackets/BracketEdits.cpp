//===- BracketEdits.cpp - brackets that are added, left out or read as others ===//
#include "frontend/syntax/antlr/brackets/BracketEdits.h"
#include "frontend/grammar/SPLLexer.h"
#include "frontend/syntax/antlr/ErrorStrategy.h"
#include "frontend/syntax/antlr/Tokens.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using L = SPLLexer;

static std::string quoted(size_t bracket) { return "`" + literalOf(bracket) + "`"; }

BracketEdits::BracketEdits(std::vector<Token *> tokens, llvm::StringRef text, uint32_t file)
    : visible(std::move(tokens)), text(text), file(file) {
  for (size_t at = 0; at < visible.size(); ++at)
    firsts.push_back(at == 0 || line(at - 1) < line(at) ? at : firsts.back());
}

size_t BracketEdits::type(size_t at) const {
  if (at >= visible.size())
    return Token::EOF;
  auto found = retyped.find(at);
  return found == retyped.end() ? visible[at]->getType() : found->second;
}

Range BracketEdits::range(size_t at) const { return rangeOf(file, visible[at]); }

size_t BracketEdits::nextLine(size_t at) const {
  while (at < end() && !isLast(at))
    ++at;
  return std::min(at + 1, end());
}

bool BracketEdits::touchesLast(size_t at) const {
  return at > 0 && touch(visible[at - 1], visible[at]);
}

void BracketEdits::hide(size_t at) {
  report(range(at), at, at, Diag::err_bracket_extra, {visible[at]->getText()}, none);
  retyped[at] = 0;
}

void BracketEdits::hideOpening(size_t at) {
  report(range(at), at, at, Diag::err_bracket_open, {visible[at]->getText()}, none);
  retyped[at] = 0;
}

void BracketEdits::retype(size_t at, size_t as, size_t opening) {
  size_t first = opening == none ? at : opening, last = opening == none ? at + 1 : at;
  report(range(at), first, last, Diag::err_expected, {quoted(as), spelling(visible[at], text)},
         opening);
  retyped[at] = as;
}

void BracketEdits::insertCloser(size_t opening, size_t at) {
  size_t closer = closerOf(type(opening));
  Range where = range(at);
  if (at == end())
    where.begin = where.end = range(at - 1).end;
  size_t first = closer == L::RBRACE ? at - (at == end()) : opening;
  bool isOuter = visible[at]->getType() == closer && indent(at) < indent(opening);
  std::string found = isOuter ? "one that is indented less" : spelling(visible[at], text);
  report(where, first, at, Diag::err_expected, {quoted(closer), found}, opening);
  inserted.emplace(at, closer);
}

void BracketEdits::insertOpening(size_t head, size_t last) {
  uint32_t behind = range(head).end;
  report({file, behind, behind + 1}, head, last, Diag::err_expected_after,
         {"`{`", spelling(visible[head], text)}, none);
  inserted.emplace(head + 1, L::LBRACE);
}

/// A slip shows from the line of `first`.
void BracketEdits::report(Range where, size_t first, size_t last, Diag id,
                          std::vector<std::string> args, size_t opening) {
  Problem problem{where, id, std::move(args), {}};
  if (opening != none && (line(opening) < line(last) || last == end()))
    problem.notes.push_back(
        {range(opening), Diag::note_opened_here, {visible[opening]->getText()}, {}});
  slips.push_back({std::move(problem), range(firsts[first]).begin, range(last).end});
}

std::vector<std::unique_ptr<Token>> BracketEdits::repaired(const std::vector<Token *> &all) const {
  std::vector<std::unique_ptr<Token>> tokens;
  size_t at = 0;
  for (Token *token : all) {
    auto copy = std::make_unique<antlr4::CommonToken>(token);
    if (token == visible[at]) {
      auto [from, to] = inserted.equal_range(at);
      for (; from != to; ++from) {
        auto bracket = std::make_unique<antlr4::CommonToken>(*copy);
        bracket->setType(from->second);
        bracket->setText(literalOf(from->second));
        bracket->setStopIndex(copy->getStartIndex() - 1);
        if (at > 0)
          bracket->setLine(line(at - 1));
        tokens.push_back(std::move(bracket));
      }
      auto found = retyped.find(at);
      if (found != retyped.end() && found->second)
        copy->setType(found->second);
      else if (found != retyped.end())
        copy->setChannel(Token::HIDDEN_CHANNEL);
      ++at;
    }
    tokens.push_back(std::move(copy));
  }
  return tokens;
}
