//===- Attributes.cpp - advice on lists of attributes and parameters -------===//
#include "frontend/diagnostics/ForeignTypes.h"
#include "frontend/diagnostics/Spelling.h"
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using P = SPLParser;

namespace {

/// Whether the word before `found` is a name that may be the first one of an attribute.
bool isFirstName(const SyntaxError &e) {
  size_t opening = e.previous(e.last())->getType(); // `type T = id int32, name rstring`
  return e.last()->getType() == P::ID &&
         (opening == P::ASSIGN || opening == P::COMMA || opening == P::LT || opening == P::LPAREN);
}

bool beginsType(const Token *token) { return endsType(token) && token->getType() != P::GT; }

Answer typeComesFirst(const SyntaxError &e, const Token *name, const Token *type) {
  return e.foreign(name, type,
                   "the type comes first: `" + type->getText() + " " + name->getText() + "`");
}

Answer optionalMark(const SyntaxError &e) { // int32? x
  if (e.type() != P::QUESTION || !(endsType(e.last()) || e.last()->getType() == P::ID))
    return std::nullopt;
  return e.foreign(e.last(), e.found, "write `optional<" + e.last()->getText() + ">`");
}

Answer namedElement(const SyntaxError &e) { // list<int32 x>
  size_t start = e.first()->getType();
  bool hasOneType = start == P::LIST || start == P::SET || start == P::OPTIONAL;
  if (!hasOneType || e.type() != P::ID || e.previous(e.last())->getType() != P::LT ||
      !endsType(e.last()))
    return std::nullopt;
  return e.foreign(e.last(), e.found,
                   "elements have one type: write `tuple<" + e.last()->getText() + " " +
                       e.found->getText() + ", ...>` for one with attributes");
}

Answer misspeltMutable(const SyntaxError &e) { // f(mutabel int32 x)
  size_t opening = e.previous(e.last())->getType();
  bool isParameter = opening == P::LPAREN || opening == P::COMMA;
  if (!isParameter || e.last()->getType() != P::ID || e.rule() == P::RuleTupleBody ||
      !beginsType(e.found) || !isNear(e.last()->getText(), "mutable"))
    return std::nullopt;
  return e.foreign(e.last(), "write `mutable`");
}

Answer finalParameter(const SyntaxError &e) { // f(final rstring s)
  std::string word = e.last()->getText();
  if ((word != "final" && word != "const") || !isFirstName(e) || !e.tokens.typeEnd(e.found))
    return std::nullopt;
  return e.foreign(e.last(), "leave it out: what is not `mutable` does not change");
}

Answer typeBehindName(const SyntaxError &e) { // x int32
  if (!isFirstName(e) || !beginsType(e.found))
    return std::nullopt;
  return typeComesFirst(e, e.last(), e.found);
}

Answer sizedType(const SyntaxError &e) { // varchar(20)
  if (e.last()->getType() != P::ID || e.type() != P::LPAREN)
    return std::nullopt;
  std::string name = e.last()->getText();
  if (foreignType(name).empty())
    return std::nullopt;
  return e.foreign(e.last(), e.found, "write " + foreignType(name));
}

Answer typeBehindColon(const SyntaxError &e) { // x : int32
  if (e.last()->getType() != P::ID || e.type() != P::COLON || !endsType(e.behind()))
    return std::nullopt;
  return typeComesFirst(e, e.last(), e.behind());
}

/// Whether `found` begins a type, behind that of an attribute or an element.
bool isNextType(const SyntaxError &e) {
  Token *behind = e.behind();
  return (e.type() != P::GT && (endsType(e.found) || e.type() == P::LIST)) ||
         (behind->getType() == P::LT && e.tokens.typeEnd(e.found)); // `int32 n map<K, V> m`
}

Answer missingComma(const SyntaxError &e) { // stream<int32 n rstring s>, map<rstring int32>
  Token *last = e.last(), *before = e.previous(last);
  bool isName = last->getType() == P::ID;
  bool isTuple = isFirstName(e) && e.type() == P::TUPLE; // `type T = Base tuple<...>`
  // `Level` in `int32 sensor Level now`; on another line a `;` may be missing.
  bool isNamed = isName && e.type() == P::ID && e.behind()->getType() == P::ID &&
                 last->getLine() == e.found->getLine();
  bool isAttribute = endsType(before) || isTuple;
  if (isNamed && before->getType() == P::ID) { // `Level now Level then`
    size_t opening = e.previous(before)->getType();
    isAttribute = opening == P::LT || opening == P::COMMA || opening == P::ASSIGN;
  }
  bool isKey = e.first()->getType() == P::MAP && endsType(last); // else it is a bad name
  if (!(isNamed || isNextType(e)) || !(isName ? isAttribute : isKey))
    return std::nullopt;
  return e.say(e.found, Diag::err_comma,
               {isName && !isTuple ? "attributes" : "types", e.tokens.spell(e.found)});
}

/// Then a `;` is missing before it.
bool isFunctionHead(const SyntaxError &e) {
  return e.behind()->getType() == P::ID && e.next(e.behind())->getType() == P::LPAREN;
}

} // namespace

Answer advice::attribute(const SyntaxError &e) {
  Token *before = e.previous(e.last());
  if (e.tokens.isStart(before) || before->getType() == P::TYPE)
    return std::nullopt;
  if (Answer answer = firstOf({optionalMark, namedElement}, e))
    return answer;
  if (isFunctionHead(e))
    return std::nullopt;
  return firstOf(
      {misspeltMutable, finalParameter, typeBehindName, sizedType, typeBehindColon, missingComma},
      e);
}
