//===- ErrorStrategy.h - where parsing goes on after an error ---*- C++ -*-===//
//
// Inside an item (statement, parameter, invocation, ...) recovery is ANTLR's:
// drop or insert one token. If that does not help, the rest of the item is
// skipped, up to `;` or over `{...}`: ANTLR's own choice, any token that some
// enclosing rule may go on with, is nearly every token in SPL.
//
// What is said of an error stands in `advice/`.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/syntax/antlr/advice/SyntaxError.h"

namespace sluice::grammar {

class ErrorStrategy final : public antlr4::DefaultErrorStrategy {
public:
  /// Adds the errors behind the first of `problems`, which are those of tokens.
  ErrorStrategy(antlr4::TokenStream &tokens, llvm::StringRef text, uint32_t file,
                Problems &problems)
      : view(tokens, text, file), text(text), problems(problems), badTokens(problems.size()) {}

  void sync(antlr4::Parser *) override;
  antlr4::Token *recoverInline(antlr4::Parser *) override;
  void recover(antlr4::Parser *, std::exception_ptr) override;

protected:
  antlr4::Token *singleTokenDeletion(antlr4::Parser *) override;
  void reportNoViableAlternative(antlr4::Parser *, const antlr4::NoViableAltException &) override;
  void reportInputMismatch(antlr4::Parser *, const antlr4::InputMismatchException &) override;
  void reportUnwantedToken(antlr4::Parser *) override;
  void reportMissingToken(antlr4::Parser *) override;

private:
  using Expected = antlr4::misc::IntervalSet;
  // ErrorRecovery.cpp
  /// Skips the rest of the item that began with `first`. False if it has no
  /// end of its own: the file or the list ends, or another item begins.
  bool skipItem(antlr4::Parser *, antlr4::Token *first);
  void skipUnexpectedItems(antlr4::Parser *, const Expected &expected);
  void skipAttributes(antlr4::Parser *);
  void skipHandler(antlr4::Parser *);
  /// Whether the `{` of this `}` is the forgotten one of a handler.
  bool closesHandler(antlr4::Token *close) const;
  void readSemicolonsAsCommas(antlr4::Parser *);
  std::vector<antlr4::Token *> semicolonsTo(antlr4::Token *first, size_t closer) const;

  // ErrorStrategy.cpp
  SyntaxError errorAt(antlr4::Parser *, antlr4::Token *found, const Expected &expected,
                      Occasion = Occasion::Mismatch) const;
  /// Reports what is wrong at `found`.
  void explain(antlr4::Parser *, antlr4::Token *found, const Expected &expected);
  /// Does what the advice says. False if there is none.
  bool follow(Answer);
  /// Adds the problem if no other explains it.
  void add(Problem);

  TokenView view;
  llvm::StringRef text;
  Problems &problems;
  size_t badTokens; // the first of `problems`
  size_t lastRecovery = INVALID_INDEX;
  bool inHandler = false;  // among the statements of a handler without braces, which are skipped
  bool lacksBrace = false; // where a line begins with what does not belong in the braces
};

} // namespace sluice::grammar
