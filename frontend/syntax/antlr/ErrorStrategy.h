//===- ErrorStrategy.h - syntax errors in the words of SPL ------*- C++ -*-===//
//
// Inside an item (statement, parameter, invocation, ...) recovery is ANTLR's:
// drop or insert one token. If that does not help, the rest of the item is
// skipped, up to `;` or over `{...}`: ANTLR's own choice, any token that some
// enclosing rule may go on with, is nearly every token in SPL.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "antlr4-runtime.h"
#include "frontend/diagnostics/Spelling.h"
#include "frontend/syntax/antlr/SyntaxTree.h"
#include "llvm/ADT/Twine.h"

namespace sluice::grammar {

class ErrorStrategy final : public antlr4::DefaultErrorStrategy {
public:
  ErrorStrategy(llvm::StringRef text, uint32_t file, Problems &problems)
      : text(text), file(file), problems(problems), badTokens(problems.size()) {
    start.setTokenIndex(0);
    start.setStartIndex(0);
  }

  // ErrorRecovery.cpp
  void sync(antlr4::Parser *) override;
  antlr4::Token *recoverInline(antlr4::Parser *) override;
  void recover(antlr4::Parser *, std::exception_ptr) override;

protected:
  antlr4::Token *singleTokenDeletion(antlr4::Parser *) override;
  // ErrorStrategy.cpp
  void reportNoViableAlternative(antlr4::Parser *, const antlr4::NoViableAltException &) override;
  void reportInputMismatch(antlr4::Parser *, const antlr4::InputMismatchException &) override;
  void reportUnwantedToken(antlr4::Parser *) override;
  void reportMissingToken(antlr4::Parser *) override;

private:
  using Expected = antlr4::misc::IntervalSet;
  /// Skips the rest of the item that began with `first`. False if it has no
  /// end of its own: the file or the list ends, or another item begins.
  bool skipItem(antlr4::Parser *, antlr4::Token *first);
  void skipSignature(antlr4::Parser *);
  void skipUnexpectedItems(antlr4::Parser *, const Expected &expected);
  void skipAttributes(antlr4::Parser *);
  void readSemicolonsAsCommas(antlr4::Parser *);
  std::vector<antlr4::Token *> semicolonsTo(antlr4::Parser *, antlr4::Token *first, size_t closer);
  /// The one place that words a syntax error.
  void explain(antlr4::Parser *, antlr4::Token *found, const Expected &expected);
  /// Asks whether `word`, in whose place a keyword was expected, is a misspelt one.
  /// The same for the first word of the statement that `found` is in.
  antlr4::Token *statementStart(antlr4::Parser *);
  void addNoteOnStatement(antlr4::Parser *, antlr4::Token *found);
  void addNoteOnPlural(antlr4::Parser *, antlr4::Token *found);
  void addNoteOnKeyword(antlr4::Token *word, const std::vector<std::string> &keywords);
  /// Errors with a message of their own; false if there is none.
  bool explainSpecial(antlr4::Parser *, antlr4::Token *found, const Expected &expected);
  // Shapes.cpp
  bool explainShape(antlr4::Parser *, antlr4::Token *found, const Expected &expected);
  bool explainResults(antlr4::Parser *, antlr4::Token *found);
  bool explainBareCall(antlr4::Parser *);
  bool explainOutputs(antlr4::Parser *, antlr4::Token *found);
  bool explainArgument(antlr4::Parser *, antlr4::Token *found);
  bool explainClauseColon(antlr4::Parser *, antlr4::Token *found);
  bool explainComposite(antlr4::Parser *, antlr4::Token *found);
  bool explainFormal(antlr4::Parser *, antlr4::Token *found);
  bool explainPublicType(antlr4::Parser *, antlr4::Token *found);
  bool explainAliasEnd(antlr4::Parser *, antlr4::Token *found);
  bool explainGlobal(antlr4::Parser *, antlr4::Token *found);
  bool isFunctionHead(antlr4::Parser *, antlr4::Token *open);
  antlr4::Token *closing(antlr4::Parser *, antlr4::Token *open);
  bool explainLoopPair(antlr4::Parser *, antlr4::Token *found);
  bool explainPort(antlr4::Parser *, antlr4::Token *found);
  bool explainIf(antlr4::Token *found, const Expected &expected);
  bool explainFunction(antlr4::Parser *, antlr4::Token *found);
  bool explainLocalFunction(antlr4::Parser *, antlr4::Token *found);
  bool explainAlias(antlr4::Parser *, antlr4::Token *found);
  bool explainTypedAssignment(antlr4::Parser *, antlr4::Token *found);
  bool isAlias(antlr4::Parser *, antlr4::Token *name);
  bool beginsAttribute(antlr4::Parser *, antlr4::Token *first);
  bool isStream(antlr4::Parser *, antlr4::Token *name);
  bool explainNoGraph(antlr4::Parser *, antlr4::Token *found);
  bool explainNoParentheses(antlr4::Parser *, antlr4::Token *found);
  bool explainNoClause(antlr4::Parser *, antlr4::Token *found);
  bool explainNoColon(antlr4::Parser *, antlr4::Token *found);
  bool explainNoItemEnd(antlr4::Parser *, antlr4::Token *found);
  bool explainNoPort(antlr4::Parser *, antlr4::Token *found);
  // TypeShapes.cpp
  bool explainAttribute(antlr4::Parser *, antlr4::Token *found);
  bool explainBraces(antlr4::Parser *, antlr4::Token *found);
  antlr4::Token *typeEnd(antlr4::Parser *, antlr4::Token *first);
  // MissingNames.cpp
  bool explainNoName(antlr4::Parser *, antlr4::Token *found);
  // MissingBraces.cpp
  bool explainState(antlr4::Parser *, antlr4::Token *found);
  bool explainStatements(antlr4::Parser *, antlr4::Token *found);
  bool isBehindStatement(antlr4::Parser *, antlr4::Token *first);
  bool isBehindHandlerError(antlr4::Parser *, antlr4::Token *found);
  bool closesHandler(antlr4::Parser *, antlr4::Token *close);
  void skipHandler(antlr4::Parser *);
  // ForeignValues.cpp
  bool explainValues(antlr4::Parser *, antlr4::Token *found);
  bool explainPrefix(antlr4::Token *prefix, antlr4::Token *string);
  bool explainNoPlus(antlr4::Parser *, antlr4::Token *found);
  bool explainLambda(antlr4::Parser *, antlr4::Token *found);
  bool explainForeignLiteral(antlr4::Parser *, antlr4::Token *found, antlr4::Token *last);
  // StatementHeads.cpp
  bool explainModifier(antlr4::Parser *, antlr4::Token *found);
  bool explainBranch(antlr4::Parser *, antlr4::Token *found);
  bool explainHead(antlr4::Parser *, antlr4::Token *found, const Expected &expected);
  // ForeignWords.cpp
  bool explainForeign(antlr4::Parser *, antlr4::Token *found, const Expected &expected);
  bool explainForeignOperator(antlr4::Parser *, antlr4::Token *found);
  bool explainForeignType(antlr4::Parser *, antlr4::Token *found);
  bool explainMisspeltType(antlr4::Parser *, antlr4::Token *word);
  bool explainForeignShape(antlr4::Parser *, antlr4::Token *found);
  bool explainTypeCall(antlr4::Parser *, antlr4::Token *found);
  bool explainElements(antlr4::Parser *, antlr4::Token *found, const Expected &expected);
  bool explainAs(antlr4::Parser *, antlr4::Token *found);
  void addForeign(const antlr4::Token *first, const antlr4::Token *last,
                  const llvm::Twine &instead);
  bool explainLeading(antlr4::Parser *, antlr4::Token *found);
  bool explainQuery(antlr4::Parser *, antlr4::Token *found);
  bool explainInfix(antlr4::Parser *, antlr4::Token *word);
  std::string loopHead(antlr4::Parser *, antlr4::Token *found);
  bool continuesForeign(antlr4::Parser *, antlr4::Token *);
  antlr4::Token *declarationWord(antlr4::Parser *);
  antlr4::Token *previous(antlr4::Parser *, antlr4::Token *);
  antlr4::Token *next(antlr4::Parser *, antlr4::Token *);
  // ErrorStrategy.cpp
  bool isBehindError(antlr4::Parser *, antlr4::Token *found);
  bool explainConstant(antlr4::Parser *, antlr4::Token *found);
  bool explainHeadWord(antlr4::Parser *, antlr4::Token *found);
  void explainUse(antlr4::Parser *, antlr4::Token *found);
  bool explainWrongWord(antlr4::Parser *, antlr4::Token *found, const Expected &expected);
  bool isStraySemicolon(antlr4::Parser *, const Expected &expected);
  bool isLateHead(antlr4::Parser *, antlr4::Token *found);
  bool isKeywordAsName(antlr4::Parser *, antlr4::Token *found, const Expected &expected);
  void add(Range range, Diag id, std::vector<std::string> args = {});
  void addNoteOnOpening(antlr4::Parser *, const Expected &expected);

  /// Stands before the first token, on no line, so that `previous` always finds a token.
  antlr4::CommonToken start{antlr4::Token::EOF};
  llvm::StringRef text;
  uint32_t file;
  Problems &problems;
  size_t badTokens; // the first of `problems`
  size_t lastRecovery = INVALID_INDEX;
  bool inHandler = false;  // among the statements of a handler without braces, which are skipped
  bool lacksBrace = false; // where a line begins with what does not belong in the braces
};

/// What SPL writes for a type with elements of another language, such as `List`; null if `name` is
/// none.
const char *genericType(llvm::StringRef name);

/// How a declaration is written of which only `word` is there: a type or, if `isName`, either.
std::string typeAndName(llvm::StringRef word, bool isName);

/// Whether no blank stands between them.
bool touch(const antlr4::Token *left, const antlr4::Token *right);

/// Whether it is the last word of a type: `int32`, or `>` as in `list<int32>`.
bool endsType(const antlr4::Token *);

/// "an expression", "`;` or a name", ...
std::string describe(const antlr4::misc::IntervalSet &expected);

} // namespace sluice::grammar
