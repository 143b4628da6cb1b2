//===- SyntaxError.h - where the parser cannot go on --------------*- C++ -*-===//
//
// What a piece of advice sees, and what it answers. Advice changes nothing: ErrorStrategy does what
// it says.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/syntax/antlr/advice/TokenView.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"

namespace sluice::grammar {

/// When advice is asked for.
enum class Occasion : unsigned {
  Mismatch = 1,  // the token is none of those that the grammar allows here
  NoReading = 2, // of several readings none goes on with it
  Inline = 4,    // the grammar allows one token alone, before a repair is tried
};

/// What is said of an error, and what the parser does then.
struct Advice {
  std::optional<Problem> problem;               // none: the mistake was reported before
  std::vector<antlr4::Token *> separators = {}; // each `;` of these is read as a `,`
  bool skipsHandler = false;                    // the statements of a handler without braces
  bool lacksBrace = false;                      // a `}` is missing before the token
};
/// None if the advice does not fit the error.
using Answer = std::optional<Advice>;

struct SyntaxError {
  using Token = antlr4::Token;
  Occasion occasion;
  antlr4::ParserRuleContext &context; // of the rule that failed
  const TokenView &tokens;
  Token *found;   // where the parser failed
  Token *reading; // where the readings began of which none goes on; else `found`
  const antlr4::misc::IntervalSet &expected;
  llvm::ArrayRef<Problem> known; // the problems of the file until now
  bool lacksBrace;               // a `}` was reported as missing

  size_t type() const { return found->getType(); }
  size_t rule() const { return context.getRuleIndex(); }
  /// The first token of the rule.
  Token *first() const { return context.getStart(); }
  Token *last() const { return tokens.previous(found); }
  Token *behind() const { return tokens.next(found); }
  Token *previous(const Token *token) const { return tokens.previous(token); }
  Token *next(const Token *token) const { return tokens.next(token); }
  bool hasLast() const { return !tokens.isStart(last()); }

  bool expects(size_t type) const { return expected.contains(type); }
  bool expectsOnly(size_t type) const { return expected.size() == 1 && expects(type); }
  /// Whether a problem is known between the starts of the two.
  bool isReportedBetween(const Token *from, const Token *to) const;

  /// The first token of the innermost statement that is being read; null if none is.
  Token *statementStart() const;
  /// The first word of a declaration whose head is being read: that of `public class A`; else null.
  Token *declarationWord() const;

  Answer say(const Token *first, const Token *last, Diag id,
             std::vector<std::string> args = {}) const {
    return Advice{Problem{tokens.range(first, last), id, std::move(args), {}}};
  }
  Answer say(const Token *token, Diag id, std::vector<std::string> args = {}) const {
    return Advice{Problem{tokens.range(token), id, std::move(args), {}}};
  }
  /// That another language writes it so, and what to write `instead`.
  Answer foreign(const Token *first, const Token *last, const llvm::Twine &instead) const {
    return say(first, last, Diag::err_foreign, {tokens.textOf(first, last).str(), instead.str()});
  }
  Answer foreign(const Token *token, const llvm::Twine &instead) const {
    return foreign(token, token, instead);
  }

  /// Asks whether `word`, in whose place a keyword was expected, is a misspelt one.
  void noteKeyword(Problem &, const Token *word, const std::vector<std::string> &keywords) const;
  /// The same for the first word of the statement that `found` is in.
  void noteStatement(Problem &) const;
};

/// How a declaration is written of which only `word` is there: a type or, if `isName`, either.
std::string typeAndName(llvm::StringRef word, bool isName);
/// "an expression", "`;` or a name", ...
std::string describe(const antlr4::misc::IntervalSet &expected);
/// The words that begin the clauses of an operator.
const std::vector<std::string> &clauseWords();

/// The first advice of the table that fits. None only on the occasion `Inline`.
Answer advise(const SyntaxError &);

} // namespace sluice::grammar
