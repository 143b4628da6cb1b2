//===- BracketEdits.h - the tokens of a file, and their repair ---*- C++ -*-===//
#pragma once
#include "frontend/syntax/antlr/brackets/Brackets.h"
#include <map>

namespace sluice::grammar {

/// The visible tokens of a file, named by their place among them, and what has to become of its
/// brackets. Each edit reports a slip.
class BracketEdits {
public:
  BracketEdits(std::vector<antlr4::Token *> visible, llvm::StringRef text, uint32_t file);

  std::vector<std::unique_ptr<antlr4::Token>> repaired(const std::vector<antlr4::Token *> &) const;

  std::vector<BracketSlip> slips;

protected:
  static constexpr size_t none = -1;

  size_t end() const { return visible.size() - 1; } // the end of the file
  /// What it is read as: 0 where it is left out, the end before the first token.
  size_t type(size_t at) const;
  size_t line(size_t at) const { return visible[at]->getLine(); }
  size_t column(size_t at) const { return visible[at]->getCharPositionInLine(); }
  /// That of its line.
  size_t indent(size_t at) const { return column(firsts[at]); }
  bool isFirst(size_t at) const { return firsts[at] == at; }
  bool isLast(size_t at) const { return at == end() || line(at) < line(at + 1); }
  /// The first token of the next line.
  size_t nextLine(size_t at) const;
  bool touchesLast(size_t at) const;

  /// `at` closes nothing.
  void hide(size_t at);
  /// `at`, which opens nothing.
  void hideOpening(size_t at);
  /// Reads a bracket as one of another kind, which closes `opening` if it is one.
  void retype(size_t at, size_t as, size_t opening);
  /// The bracket that closes `opening` is missing before `at`.
  void insertCloser(size_t opening, size_t at);
  /// A `{` is missing behind the token `head`. This shows up to `last`.
  void insertOpening(size_t head, size_t last);

private:
  Range range(size_t at) const;
  void report(Range, size_t first, size_t last, Diag id, std::vector<std::string> args,
              size_t opening);

  std::vector<antlr4::Token *> visible;
  llvm::StringRef text;
  uint32_t file;
  std::vector<size_t> firsts;             // of the line of each token
  std::multimap<size_t, size_t> inserted; // the types of brackets before a token
  std::map<size_t, size_t> retyped;       // 0: there is none
};

} // namespace sluice::grammar
