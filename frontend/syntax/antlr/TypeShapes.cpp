//===- TypeShapes.cpp - syntax errors in the shape of types ----------------===//
#include "frontend/diagnostics/ForeignTypes.h"
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/ErrorStrategy.h"
#include "frontend/syntax/antlr/Tokens.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Parser;
using antlr4::Token;
using P = SPLParser;

/// The last token of the type that begins with `first`, a word of SPL; null if none does.
Token *ErrorStrategy::typeEnd(Parser *parser, Token *first) {
  if (endsType(first) && first->getType() != P::GT)
    return first;
  if (next(parser, first)->getType() != P::LT || first->getType() == P::STREAM ||
      !genericType(first->getText()))
    return nullptr;
  unsigned depth = 0;
  for (Token *last = next(parser, first); last->getLine() == first->getLine();
       last = next(parser, last)) {
    depth += last->getType() == P::LT;
    if (last->getType() == P::GT && --depth == 0)
      return last;
    if (last->getType() == Token::EOF)
      return nullptr;
  }
  return nullptr;
}

/// `stream<n : int32>`, `stream<int32 n rstring s>` and `map<rstring int32>`.
bool ErrorStrategy::explainAttribute(Parser *parser, Token *found) {
  Token *last = previous(parser, found), *behind = next(parser, found);
  Token *before = previous(parser, last);
  if (before == &start || before->getType() == P::TYPE)
    return false;
  bool isName = last->getType() == P::ID;
  size_t start = parser->getContext()->getStart()->getType();
  if (found->getType() == P::QUESTION && (endsType(last) || isName)) { // int32? x
    addForeign(last, found, "write `optional<" + last->getText() + ">`");
    return true;
  }
  bool hasOneType = start == P::LIST || start == P::SET || start == P::OPTIONAL;
  if (hasOneType && found->getType() == P::ID && before->getType() == P::LT && endsType(last)) {
    addForeign(last, found,
               "elements have one type: write `tuple<" + last->getText() + " " + found->getText() +
                   ", ...>` for one with attributes");
    return true;
  }
  if (behind->getType() == P::ID && next(parser, behind)->getType() == P::LPAREN)
    return false;                     // the head of a function: a `;` is missing
  size_t opening = before->getType(); // `type T = id int32, name rstring`
  bool isFirst =
      opening == P::ASSIGN || opening == P::COMMA || opening == P::LT || opening == P::LPAREN;
  bool isParameter = opening == P::LPAREN || opening == P::COMMA;
  if (isName && isParameter && parser->getContext()->getRuleIndex() != P::RuleTupleBody &&
      endsType(found) && found->getType() != P::GT && isNear(last->getText(), "mutable")) {
    addForeign(last, last, "write `mutable`"); // f(mutabel int32 x)
    return true;
  }
  bool isFinal = last->getText() == "final" || last->getText() == "const";
  if (isFinal && isFirst && typeEnd(parser, found)) { // f(final rstring s)
    addForeign(last, last, "leave it out: what is not `mutable` does not change");
    return true;
  }
  if (isName && isFirst && endsType(found) && found->getType() != P::GT) {
    addForeign(last, found,
               "the type comes first: `" + found->getText() + " " + last->getText() + "`");
    return true;
  }
  if (isName && found->getType() == P::LPAREN && !foreignType(last->getText()).empty()) {
    addForeign(last, found, ("write " + foreignType(last->getText())).str()); // varchar(20)
    return true;
  }
  if (isName && found->getType() == P::COLON && endsType(behind)) {
    addForeign(last, behind,
               "the type comes first: `" + behind->getText() + " " + last->getText() + "`");
    return true;
  }
  bool isTuple = isName && isFirst && found->getType() == P::TUPLE; // `type T = Base tuple<...>`
  bool isNamed = isName && found->getType() == P::ID && behind->getType() == P::ID &&
                 last->getLine() == found->getLine(); // else a `;` may be missing
  bool isType = found->getType() != P::GT && (endsType(found) || found->getType() == P::LIST);
  isType |= isNamed; // `Level` in `int32 sensor Level now`
  isType |= behind->getType() == P::LT && typeEnd(parser, found);     // `int32 n map<K, V> m`
  bool inMap = parser->getContext()->getStart()->getType() == P::MAP; // else it is a bad name
  bool isAttribute = endsType(before) || isTuple;
  if (isNamed && opening == P::ID) { // `Level now Level then`
    size_t first = previous(parser, before)->getType();
    isAttribute = first == P::LT || first == P::COMMA || first == P::ASSIGN;
  }
  if (!isType || !(isName ? isAttribute : inMap && endsType(last)))
    return false;
  add(rangeOf(file, found), Diag::err_comma,
      {isName && !isTuple ? "attributes" : "types", spelling(found, text)});
  return true;
}

/// `type Order { int32 x; }`, `type Order = { int32 x; };` and `type Order = {up, down};`.
bool ErrorStrategy::explainBraces(Parser *parser, Token *found) {
  for (antlr4::tree::ParseTree *at = parser->getContext(); at; at = at->parent) {
    size_t rule = static_cast<antlr4::ParserRuleContext *>(at)->getRuleIndex();
    if (rule != P::RuleTypeAlias && rule != P::RuleInnerType)
      continue;
    size_t second = next(parser, next(parser, found))->getType();
    bool isEnum = next(parser, found)->getType() == P::ID && second != P::ID;
    addForeign(found, found,
               isEnum ? "write `type Name = enum {a, b};`"
                      : "a type has no braces: `type Name = int32 x, rstring y;`");
    return true;
  }
  return false;
}
