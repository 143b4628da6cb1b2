//===- Items.h - one syntax error for each item ------------------*- C++ -*-===//
#pragma once
#include "frontend/syntax/antlr/brackets/Brackets.h"

namespace sluice::grammar {

/// What the parser may report of one slip: of the problems in an item (a statement, a clause, the
/// head of a block), the first one is left. An item ends with its `;`, `{` or `}`, or where it is
/// known that one is missing.
class Items {
public:
  /// The brackets of the tokens match.
  explicit Items(antlr4::CommonTokenStream &);

  /// Of `found`, the problems of a parser, those that are the first of their item.
  Problems firstOfEach(Problems found) const;
  /// For a file whose brackets do not match: `found` are the problems of its tokens, `repaired`
  /// those of the tokens with brackets that match. A slip is told by the first problem of `found`
  /// in its items, if there is one.
  Problems join(std::vector<BracketSlip>, Problems found, Problems repaired) const;

private:
  size_t itemOf(uint32_t at) const;

  std::vector<uint32_t> starts; // of the items
};

} // namespace sluice::grammar
