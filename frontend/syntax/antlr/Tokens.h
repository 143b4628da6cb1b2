//===- Tokens.h - checks on tokens that the lexer leaves open ---*- C++ -*-===//
#pragma once
#include "antlr4-runtime.h"
#include "frontend/syntax/antlr/SyntaxTree.h"

namespace sluice::grammar {

/// The bytes of a token, or of all from one to another.
inline Range rangeOf(uint32_t file, const antlr4::Token *first, const antlr4::Token *last) {
  // An empty rule stops before it starts.
  uint32_t begin = first->getStartIndex(), end = last ? last->getStopIndex() + 1 : begin;
  return {file, begin, std::max(begin, end)};
}
inline Range rangeOf(uint32_t file, const antlr4::Token *token) {
  if (token->getType() == antlr4::Token::EOF)
    return {file, uint32_t(token->getStartIndex()), uint32_t(token->getStartIndex())};
  return rangeOf(file, token, token);
}

/// The tokens that are not blanks or comments, with the end of the file.
std::vector<antlr4::Token *> visibleTokens(antlr4::CommonTokenStream &);

/// A token in the words of a message.
std::string spelling(const antlr4::Token *, llvm::StringRef text);

/// The text of a keyword or a sign.
std::string literalOf(size_t type);
/// The bracket that closes `type`; 0 if it opens none.
size_t closerOf(size_t type);
bool isCloser(size_t type);

/// The type of the token before the current one; EOF at the first one, where LA(-1) would fail.
inline size_t typeBefore(antlr4::Parser *parser) {
  const antlr4::Token *last = parser->getTokenStream()->LT(-1);
  return last ? last->getType() : antlr4::Token::EOF;
}

/// The limit of nested brackets. Prediction takes long over more.
constexpr int maxNesting = 300;
/// The limit of nested rules of the grammar and of links in a chain of operators. It bounds the
/// recursion of functions that walk a tree.
constexpr int maxDepth = 2000;

/// Reports malformed tokens and makes them harmless for the parser. False if
/// it makes no sense to parse: brackets too deep, or the rest of the file
/// swallowed by a string or comment without end.
bool checkTokens(antlr4::CommonTokenStream &tokens, llvm::StringRef text, uint32_t file,
                 Problems &problems);

/// For a text that has an error: keywords in the place of the names in `{name = value}` are
/// reported, and read as names.
void readKeywordsAsNames(antlr4::CommonTokenStream &tokens, uint32_t file, Problems &problems);

/// Reports the first byte that is not UTF-8.
bool checkEncoding(llvm::StringRef text, uint32_t file, Problems &problems);

} // namespace sluice::grammar
