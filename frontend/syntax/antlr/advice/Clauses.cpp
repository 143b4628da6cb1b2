//===- Clauses.cpp - advice on the clauses of invocations ------------------===//
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using P = SPLParser;

/// `{ filter : x > 0; }`, `{ onTuple S : ... }`, `{ S : x = 1; }` and `{ S : tumbling, ...; }`.
Answer advice::noClause(const SyntaxError &e) {
  if (e.expects(P::RPAREN))
    return std::nullopt;
  std::string word = e.found->getText();
  bool isLogic = e.type() == P::ONTUPLE || e.type() == P::ONPUNCT;
  Token *colon = e.behind();
  bool isItem =
      e.type() == P::ID && (colon->getType() == P::COLON || colon->getType() == P::ASSIGN);
  if (!isLogic && !isItem)
    return std::nullopt;
  Token *value = e.next(colon);
  std::string first = value->getText();
  std::string clause = "param";
  if (isLogic || word == "state" || word == "onProcess")
    clause = "logic";
  else if (first == "tumbling" || first == "sliding" || first == "partitioned")
    clause = "window";
  else if (value->getType() == P::ID && e.next(value)->getType() == P::ASSIGN)
    clause = "output";
  return e.say(e.found, Diag::err_clause_missing, {clause, "`" + word + "`"});
}

/// `output x = 1;` and `output S.x = 1;`.
static Answer noOutputPort(const SyntaxError &e) {
  Token *first = e.first(), *before = e.previous(first), *behind = e.behind();
  bool isStream = e.next(behind)->getType() == P::ASSIGN;
  if (e.rule() != P::RuleOutputItem)
    return std::nullopt;
  if (e.type() == P::DOT)
    return e.foreign(first, behind, "write `output STREAM : attribute = value;`");
  if (e.type() != P::ASSIGN)
    return std::nullopt;
  if (before->getType() == P::SEMI)
    return e.say(before, Diag::err_output_semicolon);
  if (!isStream)
    return e.say(first, Diag::err_output_port, {first->getText()});
  return std::nullopt;
}

/// `param filter = x > 0;`, `window tumbling, ...;` and `output x = 1;`.
Answer advice::noColon(const SyntaxError &e) {
  if (Answer answer = noOutputPort(e))
    return answer;
  size_t type = e.type();
  auto *clause = static_cast<antlr4::ParserRuleContext *>(e.context.parent);
  bool isWindow = clause && clause->getStart()->getType() == P::WINDOW;
  if (isWindow && (type == P::COMMA || type == P::SEMI || type == P::LPAREN))
    return e.say(e.first(), Diag::err_window_port, {e.first()->getText()});
  if (type == P::ASSIGN)
    return e.say(e.found, Diag::err_colon, {e.last()->getText()});
  return std::nullopt;
}

/// A `,` where a `;` ends a parameter or a window.
Answer advice::noItemEnd(const SyntaxError &e) {
  Token *name = e.last(), *comma = e.previous(name);
  if (e.type() != P::COLON || e.expects(P::COLON) || name->getType() != P::ID ||
      comma->getType() != P::COMMA)
    return std::nullopt;
  return e.foreign(comma, "before `" + name->getText() + ":` stands `;`");
}

/// A type before the name of an attribute of the stream, and the same in the entries of a tuple.
Answer advice::typedAssignment(const SyntaxError &e) {
  bool isName = e.type() == P::ID; // behind a type with a name
  Token *first = isName ? e.last() : e.found;
  Token *type = isName ? first : e.tokens.typeEnd(e.found);
  Token *name = type ? e.next(type) : nullptr;
  if (!name || (isName && type->getType() != P::ID) || name->getType() != P::ID ||
      e.next(name)->getType() != P::ASSIGN)
    return std::nullopt;
  return e.foreign(first, name,
                   "the type of the stream says that of `" + name->getText() + "`, write `" +
                       name->getText() + " = ...`");
}

/// `onTuple : { ... }` and `onTuple { ... }`.
Answer advice::noPort(const SyntaxError &e) {
  Token *first = e.first();
  bool isHandler = first->getType() == P::ONTUPLE || first->getType() == P::ONPUNCT;
  if (!isHandler || e.type() == P::ID || e.last() != first)
    return std::nullopt;
  return e.say(first, Diag::err_handler_port, {first->getText()});
}

/// `ontuple S : { ... }`, and a misspelt clause behind a handler.
Answer advice::logicItem(const SyntaxError &e) {
  Token *first = e.first();
  std::string word = first->getText();
  if ((e.type() != P::ID && e.type() != P::LPAREN) || first != e.last() ||
      first->getType() != P::ID || word == "state" || word == "onProcess")
    return std::nullopt;
  Answer answer = e.say(first, Diag::err_logic_item, {word});
  std::vector<std::string> words = {"onTuple", "onPunct", "onProcess", "state"};
  if (!llvm::StringRef(word).starts_with_insensitive("on"))
    llvm::append_range(words, clauseWords());
  e.noteKeyword(*answer->problem, first, words);
  return answer;
}
