//===- Composites.cpp - advice on the heads and clauses of composites ------===//
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using P = SPLParser;

Answer advice::mainComposite(const SyntaxError &e) {
  if (e.type() != P::COMPOSITE || e.last()->getLine() != e.found->getLine())
    return std::nullopt;
  return e.foreign(e.first(), e.last(),
                   "a declaration begins with `composite`, or `public composite`");
}

Answer advice::modeWithType(const SyntaxError &e) {
  Token *mode = e.last();
  bool isMode = mode->getType() == P::FUNCTION || mode->getType() == P::ATTRIBUTE ||
                mode->getType() == P::OPERATOR || mode->getType() == P::TYPE;
  if (!isMode || e.type() != P::LT)
    return std::nullopt;
  return e.foreign(mode, "only `expression` has a type: write `" + mode->getText() + " $name;`");
}

/// The type of a literal.
static const char *typeOfLiteral(const Token *token) {
  switch (token->getType()) {
  case P::TRUE:
  case P::FALSE:
    return "boolean";
  case P::FLOAT:
    return "float64";
  case P::STRING:
    return "rstring";
  default:
    return "int32";
  }
}

/// `int32 size;` and `$size : 10;` among the parameters of a composite.
Answer advice::formalNoMode(const SyntaxError &e) {
  bool isName = llvm::StringRef(e.found->getText()).starts_with("$");
  Token *type = isName ? nullptr : e.tokens.typeEnd(e.found);
  if (!isName && !type)
    return std::nullopt;
  Token *name = isName ? e.found : e.next(type), *colon = e.next(name);
  bool hasDefault = colon->getType() == P::COLON || colon->getType() == P::ASSIGN;
  Token *value = hasDefault ? e.next(colon) : nullptr;
  bool isWhole = value && e.next(value)->getType() == P::SEMI;
  std::string formal = "$name";
  if (name->getType() == P::ID) {
    std::string written = name->getText();
    formal = (written[0] == '$' ? "" : "$") + written + (isWhole ? " : " + value->getText() : "");
  }
  Token *last = isName ? e.found : type;
  std::string typeName =
      isName ? value ? typeOfLiteral(value) : "int32" : e.tokens.textOf(e.found, last).str();
  return e.say(e.found, last, Diag::err_formal_no_mode, {typeName, formal});
}

/// `composite A(In) ...`, `composite A(in In)` and `composite A(input In, output Out)`.
Answer advice::port(const SyntaxError &e) {
  size_t type = e.type();
  if (type == P::ID || type == P::IN || type == P::STREAM)
    return e.say(e.found, Diag::err_port_direction);
  if ((type == P::INPUT || type == P::OUTPUT) && e.last()->getType() == P::COMMA)
    return e.say(e.last(), Diag::err_port_semicolon);
  return std::nullopt;
}

/// `graph:` and `param:`.
Answer advice::clauseColon(const SyntaxError &e) {
  Token *word = e.last();
  if (e.type() != P::COLON || word != e.first())
    return std::nullopt;
  return e.foreign(word, e.found, "no colon stands behind the word `" + word->getText() + "`");
}

/// `composite Main { stream<int32 x> S = Beacon() { } }` and `composite Main { T = int32 x; }`.
Answer advice::noGraph(const SyntaxError &e) {
  if (e.expects(P::STREAM))
    return std::nullopt; // the clause is there
  if (e.tokens.isAlias(e.found))
    return e.say(e.found, Diag::err_clause_missing, {"type", "`" + e.found->getText() + "`"});
  size_t type = e.type(), behind = e.behind()->getType();
  bool isInvocation = type == P::STREAM || type == P::AT ||
                      (type == P::LPAREN && (behind == P::RPAREN || behind == P::STREAM)) ||
                      (type == P::ID && (behind == P::LPAREN || behind == P::ASSIGN));
  if (!isInvocation)
    return std::nullopt;
  return e.say(e.found, Diag::err_clause_missing, {"graph", "operators"});
}
