//===- Declarations.cpp - advice on how declarations begin -----------------===//
#include "frontend/diagnostics/ForeignStatements.h"
#include "frontend/diagnostics/Spelling.h"
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using P = SPLParser;

/// `use` and `namespace` behind a declaration, or in one.
Answer advice::lateHead(const SyntaxError &e) {
  size_t last = e.last()->getType();
  if ((e.type() != P::USE && e.type() != P::NAMESPACE) ||
      (last != P::SEMI && last != P::RBRACE && last != P::LBRACE))
    return std::nullopt;
  if (!e.known.empty() && e.known.back().id == Diag::err_wrong_declaration)
    return Advice{};
  return e.say(e.found, Diag::err_file_head, {e.found->getText()});
}

/// `use a.b;` and `use a.b.Operator;`.
Answer advice::usePath(const SyntaxError &e) {
  if (e.type() != P::SEMI)
    return std::nullopt;
  Token *first = e.first(), *last = e.last();
  llvm::StringRef written = e.tokens.textOf(first, last);
  bool isNamespace = !llvm::isUpper(last->getText()[0]) || e.next(first) == last;
  if (isNamespace)
    return e.foreign(first, e.found,
                     "write `" + written + "::*;` for all of a namespace, or `" + written +
                         "::NAME;`");
  llvm::StringRef space = written.drop_back(last->getText().size()).rtrim(". ");
  return e.foreign(first, e.found, "write `" + space + "::" + last->getText() + ";`");
}

Answer advice::constant(const SyntaxError &e) {
  std::string word = e.first()->getText();
  bool isWord = word == "const" || word == "final" || word == "static" || word == "constexpr";
  if (!isWord || e.next(e.first()) != e.found)
    return std::nullopt;
  return e.foreign(e.first(), "what does not change is a parameter of the composite, "
                              "`param expression<int32> $N : 5;`, or a function");
}

Answer advice::constLocal(const SyntaxError &e) {
  std::string word = e.reading->getText();
  if ((word != "const" && word != "final") || e.next(e.reading) != e.found)
    return std::nullopt;
  return e.say(e.reading, Diag::err_const_local, {word});
}

/// `publc int32 f() { ... }`, `ues a.b::*;` and `int32 f() : return 1;`.
Answer advice::headWord(const SyntaxError &e) {
  Token *word = e.declarationWord(), *last = e.last();
  bool isColon = last->getType() == P::COLON && e.previous(last)->getType() == P::RPAREN;
  if (word && isColon && foreignStatement(word->getText()).empty())
    return e.say(last, Diag::err_expected, {"`{`", "`:`"});
  bool isHead = e.type() == P::DOT || e.type() == P::COLONCOLON;
  if (!word || word->getType() != P::ID || (last != word && !(isHead && last == e.next(word))))
    return std::nullopt;
  std::vector<std::string> words = {"public", "stateful"};
  if (isHead)
    words = {"use", "namespace"};
  NearNames near(word->getText());
  near.offerAll(words);
  if (near.best().empty())
    return std::nullopt;
  Answer answer = e.say(word, Diag::err_wrong_declaration, {word->getText()});
  e.noteKeyword(*answer->problem, word, words);
  return answer;
}

/// Whether a function may be declared here: in no block and in no composite.
static bool mayDeclareFunction(const SyntaxError &e) {
  for (antlr4::tree::ParseTree *at = &e.context; at; at = at->parent) {
    size_t rule = static_cast<antlr4::ParserRuleContext *>(at)->getRuleIndex();
    if (rule == P::RuleBlock || rule == P::RuleCompositeDecl)
      return false;
  }
  return true;
}

/// `private int32 f() { ... }` and `public static void f() { ... }`.
Answer advice::modifier(const SyntaxError &e) {
  static constexpr llvm::StringRef words[] = {"private", "protected", "internal", "static",
                                              "final",   "inline",    "const",    "virtual",
                                              "extern",  "override",  "abstract", "constexpr"};
  for (Token *word : {e.declarationWord(), mayDeclareFunction(e) ? e.found : nullptr}) {
    if (!word || !llvm::is_contained(words, word->getText()))
      continue;
    Token *type = e.next(word), *last = e.tokens.typeEnd(type);
    bool isType = last || type->getType() == P::ID || type->getType() == P::VOID;
    Token *name = e.next(last ? last : type);
    if (isType && name->getType() == P::ID && e.next(name)->getType() == P::LPAREN)
      return e.foreign(word, "only `public` and `stateful` stand before the type of a function");
  }
  return std::nullopt;
}

Answer advice::publicType(const SyntaxError &e) {
  if (e.type() != P::TYPE || e.last()->getType() != P::PUBLIC)
    return std::nullopt;
  return e.foreign(e.last(), "all namespaces see a type: leave it out");
}

/// `int32 = 5;` and `mutable x = 5;`: the type or the name is missing.
Answer advice::noName(const SyntaxError &e) {
  auto *declaration = static_cast<antlr4::ParserRuleContext *>(e.context.parent);
  Token *first = declaration->getStart(), *last = e.last();
  if (first->getType() == P::MUTABLE)
    first = e.next(first);
  if ((e.type() != P::ASSIGN && e.type() != P::SEMI) || last->getType() == P::COMMA)
    return std::nullopt;
  bool isName = first == last && first->getType() == P::ID;
  return e.say(first, last, Diag::err_variable_name,
               {typeAndName(e.tokens.textOf(first, last), isName)});
}

static Answer wrongWord(const SyntaxError &e, Token *word,
                        const std::vector<std::string> &keywords) {
  Answer answer = e.say(word, Diag::err_wrong_declaration, {word->getText()});
  e.noteKeyword(*answer->problem, word, keywords);
  return answer;
}

/// `compsite Name { ... }` and `compsite Name(input In)`.
Answer advice::wrongComposite(const SyntaxError &e) {
  if (e.type() == P::LBRACE && e.first()->getType() == P::ID && e.expectsOnly(P::LPAREN))
    return wrongWord(e, e.first(), {"composite", "type"});
  bool isPort = e.type() == P::INPUT || e.type() == P::OUTPUT;
  if (!isPort || e.last()->getType() != P::LPAREN)
    return std::nullopt;
  return wrongWord(e, e.previous(e.previous(e.last())), {"composite", "type"});
}

/// `typ Sale = int32 amount;`, or a variable outside of composites and functions.
Answer advice::wrongDeclaration(const SyntaxError &e) {
  if ((e.type() != P::ASSIGN && e.type() != P::SEMI) || !e.expectsOnly(P::LPAREN))
    return std::nullopt;
  NearNames near(e.first()->getText());
  near.offer("type");
  if (e.first()->getType() == P::ID && !near.best().empty())
    return wrongWord(e, e.first(), {"type"});
  return e.say(e.found, Diag::err_global_variable);
}
