//===- Invocations.cpp - advice on the heads of invocations ----------------===//
//
// What beginners leave out of an operator's invocation: the output streams, their type, the
// parentheses.
//
//===----------------------------------------------------------------------===//
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using llvm::StringRef;
using P = SPLParser;

/// `Custom(S) { ... }` and `F = Filter(S) { ... }`.
Answer advice::results(const SyntaxError &e) {
  if (e.type() != P::ID)
    return std::nullopt;
  Token *last = e.found;
  auto goesOn = [](const Token *token) {
    return token->getType() == P::DOT || token->getType() == P::COLONCOLON;
  };
  while (goesOn(e.next(last)))
    last = e.next(e.next(last));
  Token *behind = e.next(last);
  std::string word = e.found->getText();
  if (behind->getType() == P::LPAREN &&
      llvm::is_contained({"parallel", "threading", "catch"}, StringRef(word)))
    return e.foreign(e.found, "an annotation begins with `@`");
  StringRef name = e.tokens.textOf(e.found, last);
  if (behind->getType() == P::LPAREN)
    return e.say(e.found, last, Diag::err_no_results, {name.str()});
  if (behind->getType() == P::ID && e.next(behind)->getType() == P::ASSIGN) // Order Orders = ...
    return e.foreign(e.found, behind, "write `stream<" + name + "> " + behind->getText() + "`");
  if (behind->getType() == P::LT) // Stream<int32 x> S = ...
    return e.foreign(e.found, last, "write `stream<...>`");
  if (behind->getType() == P::ASSIGN && e.found == last)
    return e.say(e.found, Diag::err_stream_type, {word});
  return std::nullopt;
}

/// `stream<int32 x> A; stream<int32 x> B = ...` and `stream<int32 x> A, B = ...`
Answer advice::outputs(const SyntaxError &e) {
  size_t behind = e.behind()->getType();
  bool isSecond = (e.type() == P::SEMI && behind == P::STREAM) ||
                  (e.type() == P::COMMA && (behind == P::STREAM || behind == P::ID));
  if (!isSecond)
    return std::nullopt;
  return e.foreign(e.found, "several output streams stand in parentheses: "
                            "`(stream<int32 x> A; stream<int32 x> B) = ...`");
}

/// `FileSource("in.csv")` and `Beacon(iterations = 3)`.
Answer advice::argument(const SyntaxError &e) {
  size_t type = e.type();
  bool isName = type == P::ASSIGN && e.last()->getType() == P::ID;
  if (!isName && type != P::STRING && type != P::INT && type != P::FLOAT && type != P::TRUE)
    return std::nullopt;
  return e.foreign(isName ? e.last() : e.found, e.found,
                   "parameters stand in braces: `{ param NAME : value; }`");
}

/// `Join(Trades T; Quotes Q)`, with or without an `AS`.
Answer advice::alias(const SyntaxError &e) {
  Token *stream = e.last(), *second = e.behind();
  if (e.type() != P::ID || stream->getType() != P::ID || e.tokens.isStream(e.found))
    return std::nullopt; // `Join(A B)` lacks a `;`
  bool isAs = StringRef(e.found->getText()).equals_insensitive("as") && second->getType() == P::ID;
  Token *alias = isAs ? second : e.found;
  return e.foreign(stream, alias, "write `" + stream->getText() + " as " + alias->getText() + "`");
}

/// `Functor A { ... }` and `Functor A, B; C { ... }`.
Answer advice::noParentheses(const SyntaxError &e) {
  if (e.expects(P::RPAREN))
    return std::nullopt; // they are there
  Token *kind = e.last(), *last = kind;
  bool isName = true; // by turns a stream and what separates two
  for (Token *token = e.found; isName == (token->getType() == P::ID); token = e.next(token)) {
    if (!isName && token->getType() != P::COMMA && token->getType() != P::SEMI)
      break;
    last = token;
    isName = !isName;
  }
  if (kind->getType() != P::ID || last->getType() != P::ID || last == kind ||
      e.next(last)->getType() != P::LBRACE)
    return std::nullopt;
  Answer answer = e.foreign(
      kind, last, "write `" + kind->getText() + "(" + e.tokens.textOf(e.found, last) + ")`");
  for (Token *token = kind; token != last; token = e.next(token)) // ends no invocation here
    if (token->getType() == P::SEMI)
      answer->separators.push_back(token);
  return answer;
}

Answer advice::streamType(const SyntaxError &e) {
  if (e.type() != P::ID)
    return std::nullopt;
  return e.say(e.found, Diag::err_stream_type, {e.found->getText()});
}
