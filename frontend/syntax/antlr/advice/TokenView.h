//===- TokenView.h - looking around among tokens ------------------*- C++ -*-===//
#pragma once
#include "antlr4-runtime.h"
#include "frontend/syntax/antlr/Tokens.h"

namespace sluice::grammar {

/// The tokens of a file that are no blanks and no comments, from any of them to both sides.
class TokenView {
public:
  using Token = antlr4::Token;
  TokenView(antlr4::TokenStream &tokens, llvm::StringRef text, uint32_t file)
      : text(text), file(file), tokens(tokens) {
    start.setTokenIndex(0);
    start.setStartIndex(0);
  }

  /// The token before `token`. Before the first one, and before `start` itself, that is `start`.
  Token *previous(const Token *token) const;
  /// The token behind `token`; the end for the end.
  Token *next(const Token *token) const;
  /// Whether it stands before the first token of the file.
  bool isStart(const Token *token) const { return token == &start; }

  Range range(const Token *first, const Token *last) const { return rangeOf(file, first, last); }
  Range range(const Token *token) const { return rangeOf(file, token); }
  llvm::StringRef textOf(const Token *first, const Token *last) const {
    Range all = range(first, last);
    return text.slice(all.begin, all.end);
  }
  /// The token in the words of a message.
  std::string spell(const Token *token) const { return spelling(token, text); }

  /// The `)` of the parentheses that begin with `open`; the end if there is none.
  Token *closing(Token *open) const;
  /// The last token of the type that begins with `first`, a word of SPL; null if none does.
  Token *typeEnd(Token *first) const;
  /// Whether a type begins here, or the name of one and that of an attribute.
  bool beginsAttribute(Token *first) const;
  /// Whether a body stands behind the parentheses, or `-> rstring {`.
  bool isFunctionHead(Token *open) const;
  /// `T = int32 x;` and `T = Name x, Other y;`: up to its `;` are only types and names.
  bool isAlias(Token *name) const;
  /// Whether `stream<...> NAME` declares a stream of this name.
  bool isStream(const Token *name) const;

  /// By its index in the file, blanks and comments included.
  Token *at(size_t index) const { return tokens.get(index); }
  size_t size() const { return tokens.size(); }

private:
  /// Stands before the first token, on no line, so that `previous` always finds a token.
  mutable antlr4::CommonToken start{antlr4::Token::EOF};
  llvm::StringRef text;
  uint32_t file;
  antlr4::TokenStream &tokens;
};

/// Whether no blank stands between them.
inline bool touch(const antlr4::Token *left, const antlr4::Token *right) {
  return left->getStopIndex() + 1 == right->getStartIndex();
}

bool isKeyword(size_t type);
/// A name or a keyword.
bool isWord(const antlr4::Token *);
/// Whether it is the last word of a type: `int32`, or `>` as in `list<int32>`.
bool endsType(const antlr4::Token *);

/// What SPL writes for a type with elements of another language, such as `List`; null if `name` is
/// none.
const char *genericType(llvm::StringRef name);

/// A word that begins a handler, or a clause behind the handlers.
bool beginsHandler(const antlr4::Token *word, const antlr4::Token *behind);
/// Whether `word` stands behind `}` and belongs to what ended there in another language.
bool continuesForeign(const TokenView &, const antlr4::Token *word);

} // namespace sluice::grammar
