//===- TokenView.cpp - looking around among tokens -------------------------===//
#include "frontend/syntax/antlr/advice/TokenView.h"
#include "frontend/grammar/SPLParser.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using P = SPLParser;

bool sluice::grammar::isKeyword(size_t type) { return type >= P::AS && type <= P::XML; }

bool sluice::grammar::isWord(const Token *token) {
  return token && (token->getType() == P::ID || isKeyword(token->getType()));
}

bool sluice::grammar::endsType(const Token *token) {
  static constexpr size_t types[] = {
      P::BOOLEAN,   P::INT8,      P::INT16,      P::INT32,   P::INT64,     P::UINT8,
      P::UINT16,    P::UINT32,    P::UINT64,     P::FLOAT32, P::FLOAT64,   P::RSTRING,
      P::USTRING,   P::TIMESTAMP, P::BLOB,       P::XML,     P::COMPLEX32, P::COMPLEX64,
      P::DECIMAL32, P::DECIMAL64, P::DECIMAL128, P::GT};
  return token && llvm::is_contained(types, token->getType());
}

Token *TokenView::previous(const Token *token) const {
  for (size_t i = token->getTokenIndex(); i-- > 0;)
    if (tokens.get(i)->getChannel() == Token::DEFAULT_CHANNEL)
      return tokens.get(i);
  return &start;
}

Token *TokenView::next(const Token *token) const {
  size_t i = std::min(token->getTokenIndex() + 1, tokens.size() - 1);
  while (i + 1 < tokens.size() && tokens.get(i)->getChannel() != Token::DEFAULT_CHANNEL)
    ++i;
  return tokens.get(i);
}

Token *TokenView::closing(Token *open) const {
  Token *last = open;
  for (unsigned depth = 0; last->getType() != Token::EOF; last = next(last)) {
    depth += last->getType() == P::LPAREN;
    if (last->getType() == P::RPAREN && --depth == 0)
      break;
  }
  return last;
}

Token *TokenView::typeEnd(Token *first) const {
  if (endsType(first) && first->getType() != P::GT)
    return first;
  if (next(first)->getType() != P::LT || first->getType() == P::STREAM ||
      !genericType(first->getText()))
    return nullptr;
  unsigned depth = 0;
  for (Token *last = next(first); last->getLine() == first->getLine(); last = next(last)) {
    depth += last->getType() == P::LT;
    if (last->getType() == P::GT && --depth == 0)
      return last;
    if (last->getType() == Token::EOF)
      return nullptr;
  }
  return nullptr;
}

bool TokenView::beginsAttribute(Token *first) const {
  return typeEnd(first) || (first->getType() == P::ID && next(first)->getType() == P::ID);
}

bool TokenView::isFunctionHead(Token *open) const {
  Token *behind = next(closing(open)), *second = next(behind);
  bool isArrow = behind->getType() == P::MINUS && second->getType() == P::GT;
  return behind->getType() == P::LBRACE || isArrow ||
         (behind->getType() == P::COLON && endsType(second)); // f(int32 x): int32 {
}

bool TokenView::isAlias(Token *name) const {
  Token *last = next(name);
  if (name->getType() != P::ID || last->getType() != P::ASSIGN)
    return false;
  if (next(last)->getType() == P::ENUM)
    return true;
  while (!llvm::is_contained({P::SEMI, P::LPAREN, P::LBRACE, P::RBRACE}, last->getType()) &&
         last->getType() != Token::EOF)
    last = next(last);
  return last->getType() == P::SEMI;
}

bool TokenView::isStream(const Token *name) const {
  for (size_t i = 0; i + 1 < tokens.size(); ++i)
    if (tokens.get(i)->getType() == P::ID && tokens.get(i)->getText() == name->getText() &&
        previous(tokens.get(i))->getType() == P::GT)
      return true;
  return false;
}

bool sluice::grammar::beginsHandler(const Token *word, const Token *behind) {
  static constexpr size_t words[] = {P::ONTUPLE, P::ONPUNCT, P::PARAM, P::WINDOW,
                                     P::OUTPUT,  P::LOGIC,   P::CONFIG};
  std::string name = word->getText();
  return llvm::is_contained(words, word->getType()) ||
         ((name == "state" || name == "onProcess") && behind->getType() == P::COLON);
}

bool sluice::grammar::continuesForeign(const TokenView &tokens, const Token *word) {
  /// Behind the `}` of what has been skipped, these go on with it.
  static constexpr llvm::StringRef words[] = {"catch", "finally", "except", "elif",
                                              "elsif", "elseif",  "until",  "default"};
  Token *last = tokens.previous(word);
  if (word->getType() == P::WHILE) // do { ... } while (condition);
    return last->getType() == P::RBRACE && last->getLine() == word->getLine();
  return word->getType() == P::ID && llvm::is_contained(words, word->getText());
}
