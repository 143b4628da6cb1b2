//===- ForeignValues.cpp - advice on values of other languages -------------===//
//
// Literals that another language has and SPL has not, and what makes a value there.
//
//===----------------------------------------------------------------------===//
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using P = SPLParser;

/// The `(` that is open before `found`, in its statement; null if none is.
static Token *openParenthesis(const SyntaxError &e) {
  Token *open = e.last();
  for (unsigned depth = 0; !e.tokens.isStart(open) && (depth || open->getType() != P::LPAREN);
       open = e.previous(open)) {
    size_t type = open->getType();
    if (type == P::SEMI || type == P::LBRACE || type == P::RBRACE)
      return nullptr;
    depth += type == P::RPAREN;
    depth -= type == P::LPAREN;
  }
  return open;
}

/// `x in (1, 2)` and `= (1, 2)`: values in parentheses that are no arguments.
Answer advice::values(const SyntaxError &e) {
  if (e.type() != P::COMMA || e.rule() == P::RuleInvocation || !e.hasLast())
    return std::nullopt;
  Token *open = openParenthesis(e);
  if (!open)
    return std::nullopt;
  Token *before = e.previous(open);
  static constexpr size_t starts[] = {P::SEMI, P::LBRACE, P::RBRACE, P::IN,    P::ASSIGN,
                                      P::EQ,   P::NE,     P::RETURN, P::COMMA, P::LBRACKET,
                                      P::PLUS, P::COLON,  P::PERCENT};
  bool isArgument =
      before->getType() == P::LPAREN && e.previous(before)->getType() == P::ID; // f((1, 2))
  if (!(isArgument || llvm::is_contained(starts, before->getType())) ||
      e.next(open)->getType() == P::STREAM) // (stream<int32 x> A, ...
    return std::nullopt;
  if (before->getType() == P::PERCENT) // "%d" % (a, b)
    return e.foreign(before, e.found, "write `\"x is \" + (rstring) x`");
  return e.foreign(open, e.found,
                   "a list is written `[1, 2]`, a set `{1, 2}`, a tuple `{name = 1}`");
}

/// `f"text"`, `r"text"` and the like.
Answer advice::prefix(const SyntaxError &e) {
  Token *prefix = e.last(), *string = e.found;
  if (prefix->getType() != P::ID || string->getType() != P::STRING || !touch(prefix, string))
    return std::nullopt;
  std::string written = prefix->getText(), letter = llvm::StringRef(written).lower();
  if (letter == "u")
    return e.foreign(prefix, string, "write `" + string->getText() + "u`");
  if (letter == "r")
    return e.foreign(prefix, string,
                     "write `\"text\"` without `" + written + "`, and `\\\\` for a backslash");
  if (letter == "b" || letter == "l")
    return e.foreign(prefix, string, "write `\"text\"` without `" + written + "`");
  if (letter.size() <= 2)
    return e.foreign(prefix, string, "write `\"x is \" + (rstring) x`");
  return e.say(string, Diag::err_expected, // println"text")
               {"`(`", "`" + string->getText() + "`"});
}

/// `"text" (rstring) x` and `"text" x`: the `+` is missing between the two.
Answer advice::noPlus(const SyntaxError &e) {
  Token *last = e.last(), *left = last;
  bool isCast =
      last->getType() == P::LPAREN && endsType(e.found) && e.behind()->getType() == P::RPAREN;
  if (isCast)
    left = e.previous(last);
  else if (e.type() != P::ID && e.type() != P::STRING)
    return std::nullopt;
  // `file "a"` lacks a `:`, `x "a"` a `=`.
  static constexpr size_t items[] = {P::RuleParamItem,  P::RuleSetting,    P::RuleOutputItem,
                                     P::RuleAssignment, P::RuleDeclarator, P::RuleFormal};
  if (left == e.first() && llvm::is_contained(items, e.rule()))
    return std::nullopt;
  size_t behind = e.behind()->getType();
  if (behind == P::COLON || behind == P::ASSIGN) // `file : "a" format : csv`
    return std::nullopt;
  bool isText = left->getType() == P::STRING || (e.type() == P::STRING && left->getType() == P::ID);
  if (!isText || touch(left, e.found) || left->getLine() != e.found->getLine())
    return std::nullopt;
  Token *end = isCast ? e.behind() : e.found;
  return e.foreign(left, end,
                   "`+` joins two texts: `" + left->getText() + " + " +
                       e.tokens.textOf(isCast ? last : e.found, end) + "`");
}

/// `(rstring s) { return s; }` and `(rstring s) -> s` as a value.
Answer advice::lambda(const SyntaxError &e) {
  Token *type = e.last(), *open = e.previous(type);
  Token *close = e.behind(), *body = e.next(close);
  bool isBody =
      body->getType() == P::LBRACE || body->getType() == P::MINUS || body->getType() == P::ASSIGN;
  bool isParameter = e.type() == P::ID && endsType(type) && open->getType() == P::LPAREN &&
                     (close->getType() == P::COMMA || (close->getType() == P::RPAREN && isBody));
  if (!isParameter || e.rule() != P::RuleUnary)
    return std::nullopt;
  return e.foreign(
      open, e.found,
      "a function has a name, and stands outside of composites: `rstring f(rstring s) { ... }`");
}

/// `int32[] a`, `rstring[] a` and `int32 a[3]`.
Answer advice::array(const SyntaxError &e) {
  Token *last = e.last();
  bool isType = endsType(e.previous(last)) || e.behind()->getType() == P::ID;
  if (e.type() == P::RBRACKET && last->getType() == P::LBRACKET && isType)
    return e.say(last, Diag::err_array);
  if (e.type() != P::LBRACKET || !e.hasLast())
    return std::nullopt;
  if (e.behind()->getType() == P::RBRACKET && e.rule() == P::RuleDeclarator) // Order[] orders
    return e.say(e.found, Diag::err_array);
  bool isDeclaration = endsType(last) || (last->getType() == P::ID && endsType(e.previous(last)));
  if (!isDeclaration || last->getLine() != e.found->getLine())
    return std::nullopt;
  return e.say(e.found, Diag::err_array);
}
