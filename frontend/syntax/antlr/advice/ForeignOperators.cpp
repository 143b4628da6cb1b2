//===- ForeignOperators.cpp - advice on signs and calls of other languages -===//
#include "frontend/diagnostics/ForeignStatements.h"
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"
#include "frontend/syntax/antlr/advice/Foreign.h"
#include "llvm/ADT/StringExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using llvm::StringRef;
using P = SPLParser;

/// Pairs of tokens that another language reads as one.
static const Foreign operators[] = {
    {"=>", "write `>=` to compare, `:` between a key and its value; " NO_LAMBDAS},
    {"->", "write `.` before the name of an attribute; " NO_LAMBDAS},
    {":=", "write `=`"},
    {"<>", "write `!=`"},
    {"=<", "write `<=`"},
    {"===", "write `==`"},
    {"!==", "write `!=`"},
    {"**", "write `${power}(x, y)`"},
    {"..", "write `${numbers}(low, high)`, or one `.` before the name of a member"},
};

Answer advice::orElse(const SyntaxError &e) {
  if (e.last()->getType() != P::PRESENT)
    return std::nullopt;
  return e.foreign(e.last(), "`x ?: 1` is 1 where `x` has no value, and `x??` whether it has one");
}

/// `=>` and the like, of which `found` is the first or the second half, and `list<>`.
Answer advice::foreignOperator(const SyntaxError &e) {
  if (!e.hasLast())
    return std::nullopt;
  size_t index = e.found->getTokenIndex();
  for (size_t first : {index - 1, index}) {
    if (first + 1 >= e.tokens.size())
      continue;
    Token *left = e.tokens.at(first), *right = e.tokens.at(first + 1);
    if (!touch(left, right))
      continue;
    Token *type = e.previous(left);
    bool isEmpty = left->getType() == P::LT && right->getType() == P::GT;
    if (const char *known = isEmpty ? genericType(type->getText()) : nullptr)
      return e.foreign(type, right, known);
    if (const Foreign *known = entryOf(operators, e.tokens.textOf(left, right))) {
      bool isResult = e.rule() == P::RuleFunctionDecl && known->text == "->";
      return e.foreign(left, right, isResult ? foreignStatement("function") : known->instead);
    }
  }
  return std::nullopt;
}

Answer advice::annotationValue(const SyntaxError &e) {
  Token *last = e.last(), *before = e.previous(e.previous(last));
  bool isBareName = last->getType() == P::ID && e.previous(before)->getType() == P::AT &&
                    (e.type() == P::RPAREN || e.type() == P::COMMA);
  bool isValue = before->getType() == P::AT && last->getType() == P::LPAREN;
  if (!isBareName && !isValue)
    return std::nullopt;
  return e.foreign(isBareName ? last : e.found,
                   "each value of an annotation has a name, as in `@parallel(width = 2)`");
}

/// `= A.filter(x)`, and `= a.b.Operator(...)`.
Answer advice::chain(const SyntaxError &e) {
  Token *last = e.last(), *dot = e.previous(last), *before = e.previous(dot);
  if (e.type() != P::LPAREN || dot->getType() != P::DOT)
    return std::nullopt;
  if (!llvm::isUpper(last->getText()[0]))
    return e.foreign(before, last, queryAdvice);
  return e.foreign(e.first(), last,
                   "write `" + e.tokens.textOf(e.first(), before) + "::" + last->getText() + "`");
}

Answer advice::countAll(const SyntaxError &e) {
  Token *last = e.last(), *word = e.previous(last);
  if (e.type() != P::STAR || last->getType() != P::LPAREN || !isWord(word))
    return std::nullopt;
  return e.foreign(word, e.found, "write `${counted}()`");
}

/// `Sum(x) as total` and `total = Sum(x) as total`.
Answer advice::renamedValue(const SyntaxError &e) {
  if (!e.hasLast())
    return std::nullopt;
  if (e.rule() == P::RuleAssignment && e.type() == P::LPAREN)
    return e.foreign(e.first(), e.found, "write `attribute = " + e.first()->getText() + "(...)`");
  if (e.rule() != P::RuleOutputItem || !StringRef(e.found->getText()).equals_insensitive("as"))
    return std::nullopt;
  return e.foreign(e.found, "the name of the attribute stands before `=`");
}

Answer advice::castAs(const SyntaxError &e) {
  if (!e.hasLast() || !StringRef(e.found->getText()).equals_insensitive("as"))
    return std::nullopt;
  return e.foreign(e.found, "a cast stands in parentheses: `(int32) value`");
}
