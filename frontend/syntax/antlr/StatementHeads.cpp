//===- StatementHeads.cpp - how statements and functions begin elsewhere ----===//
#include "frontend/diagnostics/ForeignStatements.h"
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/ErrorStrategy.h"
#include "frontend/syntax/antlr/Tokens.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Parser;
using antlr4::Token;
using llvm::StringRef;
using P = SPLParser;

/// What to write for `If (condition)`, a keyword of a statement in other letters; else empty.
static std::string hintOnCase(const Token *word) {
  std::string lower = StringRef(word->getText()).lower();
  bool isKeyword = llvm::is_contained({"if", "while", "for", "return"}, lower);
  return isKeyword ? "write `" + lower + "`, in lower case" : "";
}

/// `elif (condition)` and `If (condition)`, and a statement on the next line.
bool ErrorStrategy::explainBranch(Parser *parser, Token *found) {
  static constexpr StringRef words[] = {"elif",    "elsif",  "elseif", "unless",
                                        "foreach", "switch", "until",  "catch"};
  Token *word = statementStart(parser);
  std::string hint = word && word->getType() == P::ID ? hintOnCase(word) : "";
  bool isForeign = word && word->getType() == P::ID && llvm::is_contained(words, word->getText());
  if (hint.empty() && !isForeign)
    return false;
  Token *open = next(parser, word);
  if (open->getType() != P::LPAREN || closing(parser, open) != previous(parser, found))
    return false;
  addForeign(word, word, hint.empty() ? foreignStatement(word->getText()) : StringRef(hint));
  return true;
}

/// `if x > 1 {`, `for i in list {` and `for (i in list) {`.
bool ErrorStrategy::explainHead(Parser *parser, Token *found, const Expected &expected) {
  Token *first = parser->getContext()->getStart();
  if (parser->getContext()->getRuleIndex() != P::RuleStatement || expected.size() != 1)
    return false;
  size_t type = first->getType();
  bool noParenthesis = expected.contains(size_t(P::LPAREN));
  if (noParenthesis && (type == P::IF || type == P::WHILE)) {
    add(rangeOf(file, found), Diag::err_condition_bare, {first->getText()});
    return true;
  }
  bool noType = expected.contains(size_t(P::ID)) && found->getType() == P::IN;
  if (type == P::FOR && expected.contains(size_t(P::IN)) && found->getType() == P::COMMA) {
    addForeign(found, found,
               "a loop has one variable: `for (rstring key in map)`, with `map[key]`");
    return true;
  }
  if (type == P::FOR && expected.contains(size_t(P::ID)) && found->getType() == P::ASSIGN) {
    add(rangeOf(file, found), Diag::err_counting_loop, // for (i = 0; ...
        {"for (int32 " + previous(parser, found)->getText()});
    return true;
  }
  if (type != P::FOR || !(noParenthesis || noType))
    return false;
  Token *name = noType ? previous(parser, found) : found, *last = name;
  auto goesOn = [&](Token *token) {
    return token->getType() != P::IN && token->getType() != Token::EOF &&
           token->getLine() == name->getLine();
  };
  while (goesOn(next(parser, last)))
    last = next(parser, last);
  Range variable = rangeOf(file, name, last);
  if (noType && endsType(name)) { // for (int32 in list)
    add(rangeOf(file, name), Diag::err_variable_name, {typeAndName(name->getText(), false)});
    return true;
  }
  bool isTyped = name != last && next(parser, last)->getType() == P::IN;
  add(rangeOf(file, found), Diag::err_for_head,
      {isTyped ? text.slice(variable.begin, variable.end).str() : "TYPE " + name->getText()});
  return true;
}

/// `private int32 f() { ... }` and `public static void f() { ... }`.
bool ErrorStrategy::explainModifier(Parser *parser, Token *found) {
  static constexpr llvm::StringRef words[] = {"private", "protected", "internal", "static",
                                              "final",   "inline",    "const",    "virtual",
                                              "extern",  "override",  "abstract", "constexpr"};
  auto isDeclaration = [](antlr4::tree::ParseTree *at) {
    size_t rule = static_cast<antlr4::ParserRuleContext *>(at)->getRuleIndex();
    return rule != P::RuleBlock && rule != P::RuleCompositeDecl;
  };
  antlr4::tree::ParseTree *at = parser->getContext();
  while (at && isDeclaration(at))
    at = at->parent;
  for (Token *word : {declarationWord(parser), at ? nullptr : found}) {
    if (!word || !llvm::is_contained(words, word->getText()))
      continue;
    Token *type = next(parser, word), *last = typeEnd(parser, type);
    bool isType = last || type->getType() == P::ID || type->getType() == P::VOID;
    Token *name = next(parser, last ? last : type);
    if (!isType || name->getType() != P::ID || next(parser, name)->getType() != P::LPAREN)
      continue;
    addForeign(word, word, "only `public` and `stateful` stand before the type of a function");
    return true;
  }
  return false;
}
