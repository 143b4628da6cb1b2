//===- Items.cpp - one syntax error for each item --------------------------===//
#include "frontend/syntax/antlr/brackets/Items.h"
#include "frontend/grammar/SPLLexer.h"
#include "frontend/syntax/antlr/Tokens.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using L = SPLLexer;

/// The braces that hold items and not the parts of a value: behind `)` or a name, or with a `;` or
/// such braces directly in them.
static std::set<const Token *> findBlocks(const std::vector<Token *> &visible) {
  std::set<const Token *> blocks;
  std::vector<const Token *> open;
  const Token *last = nullptr;
  auto mark = [&] {
    if (!open.empty() && open.back()->getType() == L::LBRACE)
      blocks.insert(open.back());
  };
  for (const Token *token : visible) {
    if (closerOf(token->getType())) {
      open.push_back(token);
      if (last && (last->getType() == L::RPAREN || last->getType() == L::ID))
        mark();
    } else if (token->getType() == L::SEMI) {
      mark();
    } else if (!open.empty() && token->getType() == closerOf(open.back()->getType())) {
      bool isBlock = blocks.count(open.back());
      open.pop_back();
      if (isBlock)
        mark();
    }
    last = token;
  }
  return blocks;
}

/// What is said where a token does not fit, and it is not known what was meant.
static bool isGuess(Diag id) {
  static constexpr Diag guesses[] = {
      Diag::err_expected,         Diag::err_expected_after,  Diag::err_unexpected,
      Diag::err_keyword_as_name,  Diag::err_unary_plus,      Diag::err_global_operator,
      Diag::err_global_statement, Diag::err_global_variable, Diag::err_inner_function};
  return llvm::is_contained(guesses, id);
}

Items::Items(antlr4::CommonTokenStream &tokens, llvm::StringRef text) : text(text) {
  std::vector<Token *> visible = visibleTokens(tokens);
  std::set<const Token *> blocks = findBlocks(visible);
  std::vector<std::pair<const Token *, size_t>> open; // with the item in which it is
  auto inItems = [&] { return open.empty() || blocks.count(open.back().first); };
  bool begins = true;
  for (const Token *token : visible) {
    uint32_t at = token->getStartIndex();
    if (begins)
      items.push_back({at, at, at});
    size_t type = token->getType();
    begins = inItems() && (type == L::SEMI || type == L::RBRACE);
    if (closerOf(type)) {
      if (Item &item = items.back(); item.bracket == item.begin)
        item.bracket = at;
      open.emplace_back(token, items.size() - 1);
      begins = type == L::LBRACE && inItems();
    } else if (!open.empty() && type == closerOf(open.back().first->getType())) {
      items[open.back().second].end = at;
      open.pop_back();
    }
  }
}

size_t Items::itemOf(uint32_t at) const {
  return llvm::partition_point(items, [&](const Item &item) { return item.begin <= at; }) -
         items.begin();
}

bool Items::isOneLine(uint32_t from, uint32_t to) const {
  return !text.slice(from, to).contains('\n');
}

/// Whether nothing but blanks stands before it in its line.
bool Items::isFirst(Range range) const {
  llvm::StringRef before = text.take_front(range.begin);
  return before.substr(before.rfind('\n') + 1).trim().empty();
}

static void sortByPlace(Problems &problems) {
  llvm::stable_sort(
      problems, [](const Problem &a, const Problem &b) { return a.range.begin < b.range.begin; });
}

Problems Items::firstOfEach(Problems found) const {
  sortByPlace(found);
  Problems first;
  size_t last = 0;   // the item of the problem before
  uint32_t lost = 0; // up to here it is not known what the parser reads
  for (Problem &problem : found) {
    size_t item = itemOf(problem.range.begin);
    bool isEnded = first.empty() || first.back().id == Diag::err_expected_after;
    bool isUnsure = problem.range.begin < lost ||
                    (!isEnded && isOneLine(first.back().range.begin, problem.range.begin));
    if ((item == last && !isEnded) || (isGuess(problem.id) && isUnsure))
      continue;
    last = item;
    if (item > 0 && problem.range.begin <= items[item - 1].bracket)
      lost = std::max(lost, items[item - 1].end);
    first.push_back(std::move(problem));
  }
  return first;
}

Problems Items::join(std::vector<BracketSlip> slips, Problems found, Problems repaired) const {
  sortByPlace(found);
  llvm::stable_sort(slips,
                    [](const BracketSlip &a, const BracketSlip &b) { return a.begin < b.begin; });
  Problems joined;
  size_t next = 0;       // the items before it are told
  bool isExcess = false; // a bracket closes nothing, and so may those that close what is around it
  for (const BracketSlip &slip : slips) {
    bool isExtra = slip.problem.id == Diag::err_bracket_extra && isFirst(slip.problem.range);
    if (isExtra && std::exchange(isExcess, true))
      continue;
    size_t from = itemOf(slip.begin), to = itemOf(slip.end);
    auto isThere = [&](const Problem &problem) {
      return problem.range.begin >= slip.begin && itemOf(problem.range.begin) <= to;
    };
    llvm::erase_if(repaired, isThere);
    auto known = llvm::find_if(found, isThere);
    if (from >= next)
      joined.push_back(known == found.end() ? slip.problem : *known);
    next = std::max(next, to + 1);
  }
  llvm::append_range(joined, repaired);
  return firstOfEach(std::move(joined));
}
