//===- ErrorStrategy.h - syntax errors in the words of SPL ------*- C++ -*-===//
//
// Recovery is ANTLR's (drop or insert one token, else skip to a token that an
// enclosing rule can go on with); messages are ours, and so are a few
// recoveries that ANTLR cannot know: stray `;`, keywords as names.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "antlr4-runtime.h"
#include "frontend/antlr/SyntaxTree.h"

namespace sluice::grammar {

class ErrorStrategy final : public antlr4::DefaultErrorStrategy {
public:
  ErrorStrategy(llvm::StringRef text, uint32_t file, Problems &problems)
      : text(text), file(file), problems(problems) {}

  void sync(antlr4::Parser *) override;
  antlr4::Token *recoverInline(antlr4::Parser *) override;

protected:
  void reportNoViableAlternative(antlr4::Parser *, const antlr4::NoViableAltException &) override;
  void reportInputMismatch(antlr4::Parser *, const antlr4::InputMismatchException &) override;
  void reportUnwantedToken(antlr4::Parser *) override;
  void reportMissingToken(antlr4::Parser *) override;

private:
  using Expected = antlr4::misc::IntervalSet;
  /// The one place that words a syntax error.
  void explain(antlr4::Parser *, antlr4::Token *found, const Expected &expected);
  /// Errors with a message of their own; false if there is none.
  bool explainSpecial(antlr4::Parser *, antlr4::Token *found, const Expected &expected);
  bool isStraySemicolon(antlr4::Parser *, const Expected &expected);
  bool isKeywordAsName(antlr4::Parser *, antlr4::Token *found, const Expected &expected);
  void add(Range range, Diag id, std::vector<std::string> args = {});
  void addNoteOnOpening(antlr4::Parser *, const Expected &expected);
  std::string spelling(antlr4::Token *) const;

  llvm::StringRef text;
  uint32_t file;
  Problems &problems;
};

/// "an expression", "`;` or a name", ...
std::string describe(const antlr4::misc::IntervalSet &expected);

} // namespace sluice::grammar
