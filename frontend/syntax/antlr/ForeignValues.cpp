//===- ForeignValues.cpp - literals and values of other languages ----------===//
//
// Literals that another language has and SPL has not, and what makes a value there.
//
//===----------------------------------------------------------------------===//
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/ErrorStrategy.h"
#include "frontend/syntax/antlr/Tokens.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Parser;
using antlr4::Token;
using P = SPLParser;

/// `x in (1, 2)` and `= (1, 2)`: values in parentheses that are no arguments.
bool ErrorStrategy::explainValues(Parser *parser, Token *found) {
  if (found->getType() != P::COMMA || parser->getContext()->getRuleIndex() == P::RuleInvocation)
    return false;
  Token *open = previous(parser, found);
  for (unsigned depth = 0; open != &start && (depth || open->getType() != P::LPAREN);
       open = previous(parser, open)) {
    size_t type = open->getType();
    if (type == P::SEMI || type == P::LBRACE || type == P::RBRACE)
      return false;
    depth += type == P::RPAREN;
    depth -= type == P::LPAREN;
  }
  Token *before = previous(parser, open);
  static constexpr size_t starts[] = {P::SEMI, P::LBRACE, P::RBRACE, P::IN,    P::ASSIGN,
                                      P::EQ,   P::NE,     P::RETURN, P::COMMA, P::LBRACKET,
                                      P::PLUS, P::COLON,  P::PERCENT};
  bool isArgument =
      before->getType() == P::LPAREN && previous(parser, before)->getType() == P::ID; // f((1, 2))
  if (!(isArgument || llvm::is_contained(starts, before->getType())) ||
      next(parser, open)->getType() == P::STREAM) // (stream<int32 x> A, ...
    return false;
  if (before->getType() == P::PERCENT) // "%d" % (a, b)
    addForeign(before, found, "write `\"x is \" + (rstring) x`");
  else
    addForeign(open, found, "a list is written `[1, 2]`, a set `{1, 2}`, a tuple `{name = 1}`");
  return true;
}

bool sluice::grammar::endsType(const Token *token) {
  static constexpr size_t types[] = {
      P::BOOLEAN,   P::INT8,      P::INT16,      P::INT32,   P::INT64,     P::UINT8,
      P::UINT16,    P::UINT32,    P::UINT64,     P::FLOAT32, P::FLOAT64,   P::RSTRING,
      P::USTRING,   P::TIMESTAMP, P::BLOB,       P::XML,     P::COMPLEX32, P::COMPLEX64,
      P::DECIMAL32, P::DECIMAL64, P::DECIMAL128, P::GT};
  return token && llvm::is_contained(types, token->getType());
}

/// `f"text"`, `r"text"` and the like.
bool ErrorStrategy::explainPrefix(Token *prefix, Token *string) {
  if (prefix->getType() != P::ID || string->getType() != P::STRING || !touch(prefix, string))
    return false;
  std::string letter = llvm::StringRef(prefix->getText()).lower();
  if (letter == "u")
    addForeign(prefix, string, "write `" + string->getText() + "u`");
  else if (letter == "r")
    addForeign(prefix, string,
               "write `\"text\"` without `" + prefix->getText() + "`, and `\\\\` for a backslash");
  else if (letter == "b" || letter == "l")
    addForeign(prefix, string, "write `\"text\"` without `" + prefix->getText() + "`");
  else if (letter.size() <= 2)
    addForeign(prefix, string, "write `\"x is \" + (rstring) x`");
  else // println"text")
    add(rangeOf(file, string), Diag::err_expected, {"`(`", "`" + string->getText() + "`"});
  return true;
}

/// `"text" (rstring) x` and `"text" x`: the `+` is missing between the two.
bool ErrorStrategy::explainNoPlus(Parser *parser, Token *found) {
  Token *last = previous(parser, found), *left = last;
  bool isCast = last->getType() == P::LPAREN && endsType(found) &&
                next(parser, found)->getType() == P::RPAREN;
  if (isCast)
    left = previous(parser, last);
  else if (found->getType() != P::ID && found->getType() != P::STRING)
    return false;
  // `file "a"` lacks a `:`, `x "a"` a `=`.
  static constexpr size_t items[] = {P::RuleParamItem,  P::RuleSetting,    P::RuleOutputItem,
                                     P::RuleAssignment, P::RuleDeclarator, P::RuleFormal};
  if (left == parser->getContext()->getStart() &&
      llvm::is_contained(items, parser->getContext()->getRuleIndex()))
    return false;
  size_t behind = next(parser, found)->getType();
  if (behind == P::COLON || behind == P::ASSIGN) // `file : "a" format : csv`
    return false;
  bool isText =
      left->getType() == P::STRING || (found->getType() == P::STRING && left->getType() == P::ID);
  if (!isText || touch(left, found) || left->getLine() != found->getLine())
    return false;
  Range value = rangeOf(file, isCast ? last : found, isCast ? next(parser, found) : found);
  addForeign(left, isCast ? next(parser, found) : found,
             "`+` joins two texts: `" + left->getText() + " + " +
                 text.slice(value.begin, value.end) + "`");
  return true;
}

/// `(rstring s) { return s; }` and `(rstring s) -> s` as a value.
bool ErrorStrategy::explainLambda(Parser *parser, Token *found) {
  Token *type = previous(parser, found), *open = previous(parser, type);
  size_t behind = next(parser, found)->getType();
  Token *close = next(parser, found), *body = next(parser, close);
  bool isBody =
      body->getType() == P::LBRACE || body->getType() == P::MINUS || body->getType() == P::ASSIGN;
  bool isParameter = found->getType() == P::ID && endsType(type) && open->getType() == P::LPAREN &&
                     (behind == P::COMMA || (behind == P::RPAREN && isBody));
  if (!isParameter || parser->getContext()->getRuleIndex() != P::RuleUnary)
    return false;
  addForeign(
      open, found,
      "a function has a name, and stands outside of composites: `rstring f(rstring s) { ... }`");
  return true;
}

/// `f"text"`, `int32[] a`, `rstring[] a` and `int32 a[3]`.
bool ErrorStrategy::explainForeignLiteral(Parser *parser, Token *found, Token *last) {
  if (explainPrefix(last, found) || explainLambda(parser, found))
    return true;
  bool isType = endsType(previous(parser, last)) || next(parser, found)->getType() == P::ID;
  if (found->getType() == P::RBRACKET && last->getType() == P::LBRACKET && isType) {
    add(rangeOf(file, last), Diag::err_array, {});
    return true;
  }
  if (found->getType() == P::LBRACKET && next(parser, found)->getType() == P::RBRACKET &&
      parser->getContext()->getRuleIndex() == P::RuleDeclarator) { // Order[] orders
    add(rangeOf(file, found), Diag::err_array, {});
    return true;
  }
  bool isDeclaration =
      endsType(last) || (last->getType() == P::ID && endsType(previous(parser, last)));
  if (found->getType() != P::LBRACKET || !isDeclaration || last->getLine() != found->getLine())
    return false;
  add(rangeOf(file, found), Diag::err_array, {});
  return true;
}
