//===- Items.h - one syntax error for each item ------------------*- C++ -*-===//
#pragma once
#include "frontend/syntax/antlr/brackets/Brackets.h"

namespace sluice::grammar {

/// What the parser may report of one slip: of the problems in an item (a statement, a clause, the
/// head of a block), the first one is left, and of those in the body of a block whose head has one,
/// those that say what was meant. An item ends with its `;`, `{` or `}`, or where it is known that
/// one is missing.
class Items {
public:
  /// The brackets of the tokens match.
  Items(antlr4::CommonTokenStream &, llvm::StringRef text);

  /// Of `found`, the problems of a parser, those that are the first of their item.
  Problems firstOfEach(Problems found) const;
  /// For a file whose brackets do not match: `found` are the problems of its tokens, `repaired`
  /// those of the tokens with brackets that match. A slip is told by the first problem of `found`
  /// in its items, if there is one.
  Problems join(std::vector<BracketSlip>, Problems found, Problems repaired) const;

private:
  size_t itemOf(uint32_t at) const;
  bool isOneLine(uint32_t from, uint32_t to) const;
  bool isFirst(Range) const;

  struct Item {
    uint32_t begin;
    uint32_t bracket; // the first one that opens in it
    uint32_t end;     // of the last brackets that open in it: those of its body
  };
  std::vector<Item> items;
  llvm::StringRef text;
};

} // namespace sluice::grammar
