//===- Consequences.cpp - errors that follow from others -------------------===//
//
// Behind an error it is a guess where the parser goes on. So one error of a statement or a clause
// is reported, and none of the body whose head has one. Where the braces of a declaration do not
// match, nothing in it is sure behind the first error.
//
//===----------------------------------------------------------------------===//
#include "frontend/syntax/antlr/Consequences.h"
#include "frontend/grammar/SPLLexer.h"
#include "frontend/syntax/antlr/Tokens.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using L = SPLLexer;
using llvm::StringRef;

namespace {
/// A declaration of the file. It begins at the start of a line, as all that is in it does not.
struct Segment {
  uint32_t begin = 0;
  bool matches = true; // its braces do
  bool isReported = false;
  int open = 0; // braces
};
} // namespace

static std::vector<Segment> segmentsOf(const std::vector<Token *> &tokens) {
  std::vector<Segment> result(1);
  for (Token *token : tokens) {
    size_t type = token->getType();
    if (token->getChannel() != Token::DEFAULT_CHANNEL || type == Token::EOF)
      continue;
    bool isBrace = type == L::LBRACE || type == L::RBRACE;
    if (token->getCharPositionInLine() == 0 && !isBrace)
      result.emplace_back().begin = token->getStartIndex();
    Segment &segment = result.back();
    segment.open += (type == L::LBRACE) - (type == L::RBRACE);
    segment.matches &= segment.open >= 0;
  }
  for (Segment &segment : result)
    segment.matches &= segment.open == 0;
  return result;
}

/// The blanks at the start of the line that has `at`.
static StringRef indentation(StringRef text, uint32_t at) {
  size_t start = text.rfind('\n', at);
  StringRef line = text.drop_front(start == StringRef::npos ? 0 : start + 1);
  return line.take_while([](char c) { return c == ' ' || c == '\t'; });
}

/// Notes the first `}` behind `begin` that is not indented as the line of its `{`: a brace may be
/// missing, or too many, between them.
static void noteIndentation(const std::vector<Token *> &tokens, uint32_t begin, StringRef text,
                            uint32_t file, Problem &problem) {
  std::vector<Token *> open;
  for (Token *token : tokens) {
    bool closes = token->getType() == L::RBRACE;
    if (token->getStartIndex() < begin || (token->getType() != L::LBRACE && !closes))
      continue;
    if (!closes) {
      open.push_back(token);
      continue;
    }
    if (open.empty())
      return;
    Range from = rangeOf(file, open.back()), to = rangeOf(file, token);
    bool isLine = open.back()->getLine() == token->getLine();
    open.pop_back();
    if (isLine || indentation(text, from.begin) == indentation(text, to.begin))
      continue;
    problem.notes.push_back({to, Diag::note_brace_indent, {}, {}});
    problem.notes.push_back({from, Diag::note_brace_open, {}, {}});
    return;
  }
}

/// Whether the text from `begin` to `end` stays in one statement, or in its body.
static bool isOneStatement(const std::vector<Token *> &tokens, uint32_t begin, uint32_t end) {
  int braces = 0, parentheses = 0;
  for (Token *token : tokens) {
    if (token->getStartIndex() < begin)
      continue;
    if (token->getStartIndex() >= end)
      break;
    size_t type = token->getType();
    parentheses += (type == L::LPAREN) - (type == L::RPAREN);
    braces += (type == L::LBRACE) - (type == L::RBRACE);
    if (type == L::LBRACE && parentheses < 0) // the list of ports was skipped, and the body read
      return false;
    bool ends = type == L::RBRACE || (type == L::SEMI && parentheses <= 0);
    if (ends && braces <= 0)
      return false;
  }
  return true;
}

/// What is said where a token does not fit, and it is not known what was meant.
static bool isGuess(Diag id) {
  return id == Diag::err_expected || id == Diag::err_expected_after || id == Diag::err_unexpected ||
         id == Diag::err_keyword_as_name || id == Diag::err_unary_plus ||
         id == Diag::err_global_operator || id == Diag::err_global_statement ||
         id == Diag::err_global_variable || id == Diag::err_inner_function;
}

namespace {
class Filter {
public:
  Filter(const std::vector<Token *> &tokens, StringRef text, uint32_t file)
      : tokens(tokens), text(text), file(file), segments(segmentsOf(tokens)) {}

  /// In the order of the text.
  void see(Problem problem) {
    Segment &segment = segmentOf(problem.range.begin);
    uint32_t place = problem.range.begin;
    bool isOnLine = !kept.empty() && isOneLine(kept.back().range.begin, place);
    if (isOnLine || (isGuess(problem.id) && isConsequence(place, segment)))
      return;
    if (!segment.matches && !segment.isReported)
      noteIndentation(tokens, segment.begin, text, file, problem);
    segment.isReported = true;
    kept.push_back(std::move(problem));
  }
  Problems take() { return std::move(kept); }

private:
  static bool isLost(const Segment &segment) { return !segment.matches && segment.isReported; }
  Segment &segmentOf(uint32_t place) {
    auto behind = llvm::partition_point(segments, [&](auto &s) { return s.begin <= place; });
    return *std::prev(behind);
  }
  bool isOneLine(uint32_t from, uint32_t to) const { return !text.slice(from, to).contains('\n'); }
  bool isConsequence(uint32_t place, const Segment &segment) const {
    // The brace that is missing before a declaration was reported.
    bool isHead = &segment != &segments.front() && isLost(*std::prev(&segment)) &&
                  isOneLine(segment.begin, place);
    if (isLost(segment) || isHead)
      return true;
    if (kept.empty())
      return false;
    uint32_t last = kept.back().range.begin;
    bool isEnded = kept.back().id == Diag::err_expected_after; // with a `;` that is missing
    return !isEnded && isOneStatement(tokens, last, place);
  }

  const std::vector<Token *> &tokens;
  StringRef text;
  uint32_t file;
  std::vector<Segment> segments;
  Problems kept;
};
} // namespace

void sluice::grammar::dropConsequences(antlr4::CommonTokenStream &stream, StringRef text,
                                       uint32_t file, Problems &problems, size_t first) {
  std::vector<Token *> tokens = stream.getTokens();
  auto begin = problems.begin() + first;
  std::stable_sort(begin, problems.end(), [](const Problem &a, const Problem &b) {
    return a.range.begin < b.range.begin;
  });
  Filter filter(tokens, text, file);
  std::for_each(begin, problems.end(), [&](Problem &problem) { filter.see(std::move(problem)); });
  problems.erase(begin, problems.end());
  llvm::append_range(problems, filter.take());
}
