//===- Statements.cpp - advice on branches, loops and calls ----------------===//
#include "frontend/diagnostics/ForeignStatements.h"
#include "frontend/diagnostics/ForeignTypes.h"
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using llvm::StringRef;
using P = SPLParser;

static const char *const oneVariable =
    "a loop has one variable: `for (rstring key in map)`, with `map[key]`";

/// What to write for `If (condition)`, a keyword of a statement in other letters; else empty.
static std::string hintOnCase(const Token *word) {
  std::string lower = StringRef(word->getText()).lower();
  bool isKeyword = llvm::is_contained({"if", "while", "for", "return"}, lower);
  return isKeyword ? "write `" + lower + "`, in lower case" : "";
}

/// `elif (condition)` and `If (condition)`, and a statement on the next line.
Answer advice::branch(const SyntaxError &e) {
  static constexpr StringRef words[] = {"elif",    "elsif",  "elseif", "unless",
                                        "foreach", "switch", "until",  "catch"};
  Token *word = e.statementStart();
  if (!e.hasLast() || !word || word->getType() != P::ID)
    return std::nullopt;
  std::string hint = hintOnCase(word);
  if (hint.empty() && !llvm::is_contained(words, word->getText()))
    return std::nullopt;
  Token *open = e.next(word);
  if (open->getType() != P::LPAREN || e.tokens.closing(open) != e.last())
    return std::nullopt;
  return e.foreign(word, hint.empty() ? foreignStatement(word->getText()) : StringRef(hint));
}

Answer advice::condition(const SyntaxError &e) {
  size_t type = e.first()->getType();
  if (!e.expectsOnly(P::LPAREN) || (type != P::IF && type != P::WHILE))
    return std::nullopt;
  return e.say(e.found, Diag::err_condition_bare, {e.first()->getText()});
}

static Answer counting(const SyntaxError &e, const std::string &head) {
  return e.say(e.found, Diag::err_counting_loop, {head + " in ${numbers}(n))"});
}

/// `for i in list {`, `for (i in list) {`, `for (k, v in map)` and `for (i = 0; ...`.
Answer advice::loopHead(const SyntaxError &e) {
  if (e.first()->getType() != P::FOR)
    return std::nullopt;
  if (e.expectsOnly(P::IN) && e.type() == P::COMMA)
    return e.foreign(e.found, oneVariable);
  if (e.expectsOnly(P::ID) && e.type() == P::ASSIGN)
    return counting(e, "for (int32 " + e.last()->getText());
  bool noType = e.expectsOnly(P::ID) && e.type() == P::IN;
  if (!e.expectsOnly(P::LPAREN) && !noType)
    return std::nullopt;
  Token *name = noType ? e.last() : e.found, *last = name;
  auto goesOn = [&](Token *token) {
    return token->getType() != P::IN && token->getType() != Token::EOF &&
           token->getLine() == name->getLine();
  };
  while (goesOn(e.next(last)))
    last = e.next(last);
  if (noType && endsType(name)) // for (int32 in list)
    return e.say(name, Diag::err_variable_name, {typeAndName(name->getText(), false)});
  bool isTyped = name != last && e.next(last)->getType() == P::IN;
  return e.say(e.found, Diag::err_for_head,
               {isTyped ? e.tokens.textOf(name, last).str() : "TYPE " + name->getText()});
}

/// `for (int i` as SPL writes it.
static std::string headInSpl(const SyntaxError &e) {
  Token *first = e.first(), *name = e.last();
  StringRef known = foreignType(e.next(e.next(first))->getText());
  if (known.empty())
    return e.tokens.textOf(first, name).str();
  bool isType = known.consume_front("`") && known.consume_back("`");
  return "for (" + (isType ? known.str() : "int32") + " " + name->getText();
}

/// `for (int32 i = 0; ...` and `for (int32 i : list)`.
Answer advice::countingLoop(const SyntaxError &e) {
  if ((e.type() != P::ASSIGN && e.type() != P::COLON) || !e.expectsOnly(P::IN))
    return std::nullopt;
  if (e.type() == P::ASSIGN)
    return counting(e, headInSpl(e));
  return e.say(e.found, Diag::err_for_colon, {headInSpl(e)});
}

Answer advice::loopPair(const SyntaxError &e) {
  Token *last = e.last();
  if (e.type() != P::LPAREN || last->getType() != P::LPAREN ||
      e.previous(last)->getType() != P::FOR)
    return std::nullopt;
  return e.foreign(e.found, oneVariable);
}

/// An expression is expected, and no statement.
Answer advice::ifValue(const SyntaxError &e) {
  if (e.type() != P::IF || e.expects(P::WHILE))
    return std::nullopt;
  return e.foreign(e.found, "write `condition ? value : otherwise`");
}

/// `println x + 1;`, which reads as the declaration of `x`.
Answer advice::bareCall(const SyntaxError &e) {
  Token *first = e.first();
  std::string name = first->getText();
  bool isCall = llvm::is_contained({"submit", "assert", "block"}, StringRef(name));
  if (!StringRef(name).starts_with("print") && !isCall)
    return std::nullopt;
  return e.foreign(first, e.next(first), "write `" + name + "(...)`");
}

Answer advice::bareCallBehindWord(const SyntaxError &e) {
  return e.next(e.reading) == e.found ? bareCall(e) : std::nullopt;
}
