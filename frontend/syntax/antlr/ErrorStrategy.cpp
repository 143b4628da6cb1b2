//===- ErrorStrategy.cpp - syntax errors in the words of SPL ---------------===//
#include "frontend/syntax/antlr/ErrorStrategy.h"
#include "frontend/diagnostics/ForeignStatements.h"
#include "frontend/diagnostics/Spelling.h"
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/Tokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Parser;
using antlr4::Token;
using P = SPLParser;

/// How many syntax errors of a file are reported.
static constexpr size_t maxErrors = 30;

static bool isKeyword(size_t type) { return type >= P::AS && type <= P::XML; }

static const std::vector<std::string> clauseWords = {"output", "window", "logic", "config",
                                                     "param"};

/// The words among the tokens.
static std::vector<std::string> keywordsOf(const antlr4::misc::IntervalSet &tokens) {
  std::vector<std::string> result;
  for (ssize_t type : tokens.toList())
    if (isKeyword(type))
      result.push_back(literalOf(type));
  return result;
}

/// Keywords behind which a list of items begins.
static bool isClause(size_t type) {
  return type == P::PARAM || type == P::TYPE || type == P::GRAPH || type == P::CONFIG ||
         type == P::LOGIC || type == P::WINDOW || type == P::OUTPUT || type == P::INPUT;
}

void ErrorStrategy::add(Range range, Diag id, std::vector<std::string> args) {
  // A bad token makes the rest of its line suspect.
  for (const Problem &bad : llvm::ArrayRef(problems).take_front(badTokens)) {
    auto [from, to] = std::minmax(bad.range.begin, range.begin);
    if (!text.slice(from, to).contains('\n'))
      return;
  }
  // What follows a word of another language on its line belongs to it.
  for (const Problem &known : llvm::ArrayRef(problems).drop_front(badTokens))
    if ((known.id == Diag::err_foreign || known.id == Diag::err_array) &&
        known.range.end <= range.begin && !text.slice(known.range.end, range.begin).contains('\n'))
      return;
  while (id == Diag::err_foreign && problems.size() > badTokens) {
    uint32_t later = problems.back().range.begin;
    if (later < range.end || text.slice(range.end, later).contains('\n'))
      break;
    problems.pop_back();
  }
  if (problems.size() < badTokens + maxErrors)
    problems.push_back({range, id, std::move(args), {}});
}

//===--- errors that are known by name -------------------------------------===//

bool ErrorStrategy::isStraySemicolon(Parser *parser, const Expected &expected) {
  if (parser->getTokenStream()->LA(1) != P::SEMI)
    return false;
  if (expected.contains(size_t(P::WHILE))) // a statement
    return true;
  size_t last = typeBefore(parser);
  return (last == P::SEMI || last == P::LBRACE || last == P::RBRACE || last == Token::EOF) &&
         !expected.contains(size_t(P::SEMI));
}

/// Rules in which the name behind a type is optional, and so never expected.
static bool mayNameType(size_t rule) {
  return rule == P::RuleBuiltinType || rule == P::RuleStreamType || rule == P::RuleFunctionDecl ||
         rule == P::RuleTypeAlias || rule == P::RuleInnerType;
}

bool ErrorStrategy::isKeywordAsName(Parser *parser, Token *found, const Expected &expected) {
  Token *lastToken = parser->getTokenStream()->LT(-1);
  if (!isKeyword(found->getType()) || !lastToken || lastToken->getLine() != found->getLine())
    return false; // on a new line something new begins
  size_t last = lastToken->getType();
  if (last == P::ID && previous(parser, lastToken)->getType() == P::TYPE) // type T int32 x;
    return false;
  if (mayNameType(parser->getContext()->getRuleIndex()))
    return last == P::ID || last == P::GT || last == P::RBRACKET ||
           (isKeyword(last) && !isClause(last));
  return expected.contains(size_t(P::ID)) && !isClause(last) && last != P::SEMI &&
         last != P::LBRACE && last != P::RBRACE;
}

/// `use` and `namespace` behind a declaration, or in one.
bool ErrorStrategy::isLateHead(Parser *parser, Token *found) {
  if (found->getType() != P::USE && found->getType() != P::NAMESPACE)
    return false;
  size_t last = typeBefore(parser);
  return last == P::SEMI || last == P::RBRACE || last == P::LBRACE;
}

//===--- messages ----------------------------------------------------------===//

bool ErrorStrategy::explainSpecial(Parser *parser, Token *found, const Expected &expected) {
  Range range = rangeOf(file, found);
  size_t type = found->getType(), rule = parser->getContext()->getRuleIndex();
  if (isStraySemicolon(parser, expected)) {
    add(range, Diag::err_stray_semicolon);
    return true;
  }
  if (isLateHead(parser, found)) {
    if (problems.empty() || problems.back().id != Diag::err_wrong_declaration)
      add(range, Diag::err_file_head, {found->getText()});
    return true;
  }
  if (rule == P::RuleUseDecl && type == P::SEMI && expected.contains(size_t(P::COLONCOLON))) {
    explainUse(parser, found);
    return true;
  }
  if (explainForeignType(parser, found) || explainTypeCall(parser, found) ||
      explainModifier(parser, found) || explainConstant(parser, found) ||
      explainHeadWord(parser, found) || explainNoPlus(parser, found))
    return true;
  if (type == P::STREAM && typeBefore(parser) == P::ASSIGN) { // type T = stream<int32 x>;
    addForeign(found, found, "a type has the attributes alone: `type Name = int32 x, rstring y;`");
    return true;
  }
  bool inType = rule == P::RuleBuiltinType || rule == P::RuleStreamType ||
                rule == P::RuleTupleBody || rule == P::RuleTypeAlias || rule == P::RuleInnerType ||
                rule == P::RuleFunctionDecl;
  bool inPorts = rule == P::RuleSignature || rule == P::RulePortList || rule == P::RulePortDecl;
  bool inOutput = rule == P::RuleOutputItem && expected.contains(size_t(P::ID));
  if ((inType && explainAttribute(parser, found)) || (inPorts && explainPort(parser, found)) ||
      (inOutput && explainTypedAssignment(parser, found)) || explainIf(found, expected))
    return true;
  if (isKeywordAsName(parser, found, expected)) {
    add(range, Diag::err_keyword_as_name, {text.slice(range.begin, range.end).str()});
    addNoteOnStatement(parser, found);
    addNoteOnPlural(parser, found);
    return true;
  }
  if (type == P::PLUS && expected.contains(size_t(P::MINUS)) &&
      !expected.contains(size_t(P::STAR))) {
    add(range, Diag::err_unary_plus);
    Token *last = previous(parser, found);
    Token *statement = statementStart(parser);
    if (last->getType() == P::ASSIGN && touch(last, found) && statement &&
        next(parser, statement) == last) // x =+ 1
      problems.back().notes.push_back({range, Diag::note_did_you_mean, {"+="}, {}});
    return true;
  }
  if (type == P::ELSE && expected.contains(size_t(P::WHILE))) {
    if (!isBehindError(parser, found))
      add(range, Diag::err_else_without_if);
    return true;
  }
  if ((type == P::ASSIGN || type == P::COLON) && expected.contains(size_t(P::IN)) &&
      expected.size() == 1) { // behind `for (int32 i`
    add(range, type == P::ASSIGN ? Diag::err_counting_loop : Diag::err_for_colon,
        {loopHead(parser, found)});
    return true;
  }
  if (parser->getContext()->getRuleIndex() == P::RuleResults && expected.contains(size_t(P::AS)) &&
      expected.size() == 1) {
    add(range, Diag::err_sink_without_name);
    return true;
  }
  return explainShape(parser, found, expected) || explainForeign(parser, found, expected) ||
         explainWrongWord(parser, found, expected);
}

/// Whether an error stands between `found`, an `else`, and the `if` before it in its block, or the
/// start of the block: then the `else` belongs to what was not read.
bool ErrorStrategy::isBehindError(Parser *parser, Token *found) {
  Token *first = previous(parser, found);
  for (unsigned depth = 0; first != &start && (depth || first->getType() != P::LBRACE);
       first = previous(parser, first)) {
    depth += first->getType() == P::RBRACE;
    depth -= first->getType() == P::LBRACE;
    if (first->getType() == P::IF && depth == 0)
      break;
  }
  uint32_t from = rangeOf(file, first).begin, to = rangeOf(file, found).begin;
  return llvm::any_of(problems, [&](const Problem &problem) {
    return problem.range.begin >= from && problem.range.begin < to;
  });
}

/// `use a.b;` and `use a.b.Operator;`.
void ErrorStrategy::explainUse(Parser *parser, Token *found) {
  Token *first = parser->getContext()->getStart(), *last = previous(parser, found);
  Range head = rangeOf(file, first, last), name = rangeOf(file, last);
  llvm::StringRef written = text.slice(head.begin, head.end);
  bool isNamespace = !llvm::isUpper(last->getText()[0]) || next(parser, first) == last;
  if (isNamespace)
    addForeign(first, found,
               "write `" + written + "::*;` for all of a namespace, or `" + written + "::NAME;`");
  else
    addForeign(first, found,
               "write `" + text.slice(head.begin, name.begin).rtrim(". ") + "::" + last->getText() +
                   ";`");
}

/// `x = if (a) b else c`: an expression is expected, and no statement.
bool ErrorStrategy::explainIf(Token *found, const Expected &expected) {
  if (found->getType() != P::IF || !expected.contains(size_t(P::STRING)) ||
      expected.contains(size_t(P::WHILE)))
    return false;
  addForeign(found, found, "write `condition ? value : otherwise`");
  return true;
}

/// `const int32 N = 5;` outside of functions and operators.
bool ErrorStrategy::explainConstant(Parser *parser, Token *found) {
  auto *rule = parser->getContext();
  Token *first = rule->getStart();
  std::string word = first->getText();
  bool isWord = word == "const" || word == "final" || word == "static" || word == "constexpr";
  if (rule->getRuleIndex() != P::RuleFunctionDecl || !isWord || next(parser, first) != found)
    return false;
  addForeign(first, first,
             "what does not change is a parameter of the composite, "
             "`param expression<int32> $N : 5;`, or a function");
  return true;
}

/// `publc int32 f() { ... }`, `ues a.b::*;` and `int32 f() : return 1;`.
bool ErrorStrategy::explainHeadWord(Parser *parser, Token *found) {
  Token *word = declarationWord(parser), *last = previous(parser, found);
  bool isColon = last->getType() == P::COLON && previous(parser, last)->getType() == P::RPAREN;
  if (word && isColon && foreignStatement(word->getText()).empty()) {
    add(rangeOf(file, last), Diag::err_expected, {"`{`", "`:`"});
    return true;
  }
  bool isHead = found->getType() == P::DOT || found->getType() == P::COLONCOLON;
  if (!word || word->getType() != P::ID ||
      (last != word && !(isHead && last == next(parser, word))))
    return false;
  std::vector<std::string> words = {"public", "stateful"};
  if (isHead)
    words = {"use", "namespace"};
  NearNames near(word->getText());
  near.offerAll(words);
  if (near.best().empty())
    return false;
  add(rangeOf(file, word), Diag::err_wrong_declaration, {word->getText()});
  addNoteOnKeyword(word, words);
  return true;
}

/// A misspelt keyword is read as a name and fails one token later.
bool ErrorStrategy::explainWrongWord(Parser *parser, Token *found, const Expected &expected) {
  auto *rule = parser->getContext();
  Token *first = rule->getStart();
  std::string word = first->getText();
  bool isWord = found->getType() == P::ID || found->getType() == P::LPAREN;
  if (rule->getRuleIndex() == P::RuleLogicItem && isWord &&
      first == parser->getTokenStream()->LT(-1) && first->getType() == P::ID && word != "state" &&
      word != "onProcess") {
    add(rangeOf(file, first), Diag::err_logic_item, {word});
    std::vector<std::string> words = {"onTuple", "onPunct", "onProcess", "state"};
    if (!llvm::StringRef(word).starts_with_insensitive("on"))
      llvm::append_range(words, clauseWords);
    addNoteOnKeyword(first, words);
    return true;
  }
  if (rule->getRuleIndex() == P::RuleFunctionDecl && found->getType() == P::LBRACE &&
      first->getType() == P::ID && expected.contains(size_t(P::LPAREN)) && expected.size() == 1) {
    add(rangeOf(file, first), Diag::err_wrong_declaration, {word});
    addNoteOnKeyword(first, {"composite", "type"});
    return true;
  }
  bool isPort = (found->getType() == P::INPUT || found->getType() == P::OUTPUT) &&
                typeBefore(parser) == P::LPAREN;
  if (rule->getRuleIndex() == P::RuleFunctionDecl && isPort) { // compsite Name(input In)
    Token *kind = previous(parser, previous(parser, previous(parser, found)));
    add(rangeOf(file, kind), Diag::err_wrong_declaration, {kind->getText()});
    addNoteOnKeyword(kind, {"composite", "type"});
    return true;
  }
  bool isVariable = found->getType() == P::ASSIGN || found->getType() == P::SEMI;
  if (rule->getRuleIndex() == P::RuleFunctionDecl && isVariable && expected.size() == 1 &&
      expected.contains(size_t(P::LPAREN))) {
    NearNames near(word);
    near.offer("type");
    if (first->getType() == P::ID && !near.best().empty()) { // typ Sale = int32 amount;
      add(rangeOf(file, first), Diag::err_wrong_declaration, {word});
      addNoteOnKeyword(first, {"type"});
    } else {
      add(rangeOf(file, found), Diag::err_global_variable, {});
    }
    return true;
  }
  return false;
}

void ErrorStrategy::explain(Parser *parser, Token *found, const Expected &expected) {
  if (explainSpecial(parser, found, expected))
    return;
  Token *last = parser->getTokenStream()->LT(-1);
  bool newLine = last && found->getType() != Token::EOF && last->getLine() < found->getLine();
  // What ends a line is missing there, not where the next line begins.
  bool semicolon = expected.contains(size_t(P::SEMI));
  bool isNext = found->getType() == P::COMPOSITE || found->getType() == P::GRAPH;
  if (newLine &&
      (semicolon || expected.size() == 1 || (isNext && expected.contains(size_t(P::INT32))))) {
    Range end = rangeOf(file, last);
    bool isBody = parser->getContext()->getRuleIndex() == P::RuleFunctionDecl;
    std::string missing = semicolon ? isBody ? "`{`" : "`;`" : describe(expected);
    add({file, end.end, end.end + 1}, Diag::err_expected_after, {missing, spelling(last, text)});
    if (semicolon && last->getType() == P::RPAREN) // whlie (...)
      addNoteOnStatement(parser, found);
    return;
  }
  Range range = rangeOf(file, found);
  bool closes = expected.contains(size_t(P::RBRACE));
  if (found->getType() == Token::EOF && closes && lacksBrace)
    return; // it is missing where that was reported
  lacksBrace |= newLine && closes;
  if (found->getType() == Token::EOF && last)
    range.begin = range.end = rangeOf(file, last).end;
  size_t rule = parser->getContext()->getRuleIndex();
  bool isValues = expected.size() == 1 && semicolon && found->getType() != P::COLON &&
                  (rule == P::RuleParamItem || rule == P::RuleOutputItem || rule == P::RuleSetting);
  add(range, Diag::err_expected,
      {isValues ? "`,` or `;`" : describe(expected), spelling(found, text)});
  if (problems.back().id != Diag::err_expected)
    return;
  addNoteOnOpening(parser, expected);
  addNoteOnStatement(parser, found);
  // Behind a `param` clause a misspelt word of another clause reads as the name of a parameter.
  if (expected.contains(size_t(P::COLON)) && last)
    addNoteOnKeyword(last, clauseWords);
  else
    addNoteOnKeyword(found, keywordsOf(expected));
}

void ErrorStrategy::addNoteOnKeyword(Token *word, const std::vector<std::string> &keywords) {
  if (word->getType() != P::ID || problems.empty())
    return;
  NearNames near(word->getText());
  near.offerAll(keywords);
  for (const std::string &keyword : near.best())
    problems.back().notes.push_back({rangeOf(file, word), Diag::note_did_you_mean, {keyword}, {}});
}

/// The first token of the statement that is being read; null if none is.
Token *ErrorStrategy::statementStart(Parser *parser) {
  antlr4::tree::ParseTree *at = parser->getContext();
  while (at && static_cast<antlr4::ParserRuleContext *>(at)->getRuleIndex() != P::RuleStatement)
    at = at->parent;
  return at ? static_cast<antlr4::ParserRuleContext *>(at)->getStart() : nullptr;
}

void ErrorStrategy::addNoteOnStatement(Parser *parser, Token *found) {
  Token *first = statementStart(parser);
  Token *second = first && first != found ? next(parser, first) : nullptr;
  // `retrun x;`, `esle f();`, `whlie (...) {`
  if (second &&
      (second == found || next(parser, second) == found || second->getType() == P::LPAREN))
    addNoteOnKeyword(first, {"mutable", "return", "while", "for", "if", "else"});
}

/// `attribute = [k]` in an annotation: of the keys, `attributes` and the like are no keywords.
void ErrorStrategy::addNoteOnPlural(Parser *parser, Token *found) {
  if (next(parser, found)->getType() == P::ASSIGN &&
      next(parser, next(parser, found))->getType() == P::LBRACKET)
    problems.back().notes.push_back(
        {rangeOf(file, found), Diag::note_did_you_mean, {found->getText() + "s"}, {}});
}

/// At a missing closing bracket, shows the one that it should close.
void ErrorStrategy::addNoteOnOpening(Parser *parser, const Expected &expected) {
  auto *tokens = parser->getTokenStream();
  Token *last = tokens->LT(-1);
  bool atEnd = tokens->LA(1) == Token::EOF;
  bool atNewLine = last && last->getLine() < tokens->LT(1)->getLine();
  if (!expected.contains(size_t(P::RPAREN)) && !expected.contains(size_t(P::RBRACKET)) &&
      !((atEnd || atNewLine) && expected.contains(size_t(P::RBRACE))))
    return;
  unsigned depth = 0;
  for (size_t i = tokens->index(); i-- > 0;) {
    Token *token = tokens->get(i);
    depth += isCloser(token->getType());
    if (!closerOf(token->getType()) || depth-- > 0)
      continue;
    if (atEnd || token->getLine() != tokens->LT(1)->getLine())
      problems.back().notes.push_back(
          {rangeOf(file, token), Diag::note_opened_here, {token->getText()}, {}});
    return;
  }
}

/// What the user was writing, by the rule in which it went wrong.
static const char *ruleInWords(size_t rule) {
  switch (rule) {
  case P::RuleExpr:
  case P::RuleUnary:
  case P::RulePostfix:
  case P::RulePostfixOp:
  case P::RulePrimary:
  case P::RuleSubscript:
  case P::RuleEntry:
    return "an expression";
  case P::RuleStatement:
  case P::RuleBlock:
  case P::RuleBlockItem:
  case P::RuleLocalDecl:
    return "a statement";
  case P::RuleInvocation:
  case P::RuleResults:
  case P::RuleOutPort:
  case P::RuleOperatorName:
    return "an operator invocation";
  case P::RuleInPort:
    return "the inputs of an operator";
  case P::RuleOpClause:
  case P::RuleLogicItem:
    return "the clauses of an operator";
  case P::RuleCompositeDecl:
  case P::RuleSignature:
    return "a composite";
  case P::RuleCompositeClause:
  case P::RuleFormal:
    return "the clauses of a composite";
  case P::RuleFunctionDecl:
  case P::RuleParameter:
    return "a function";
  case P::RuleType:
  case P::RuleNamedType:
  case P::RuleBuiltinType:
  case P::RuleTupleBody:
  case P::RuleTupleItem:
    return "a type";
  default:
    return "a declaration";
  }
}

void ErrorStrategy::reportNoViableAlternative(Parser *parser,
                                              const antlr4::NoViableAltException &e) {
  Token *found = e.getOffendingToken();
  if (found == e.getStartToken())
    return explain(parser, found, parser->getExpectedTokens());
  if (explainForeignType(parser, found) || explainPublicType(parser, found) ||
      explainModifier(parser, found))
    return;
  if (next(parser, e.getStartToken()) == found && explainBareCall(parser))
    return;
  if (e.getStartToken()->getType() == P::GT) // may be the half of `>>` or `>=`
    return add(rangeOf(file, found), Diag::err_expected, {"a value", spelling(found, text)});
  std::string first = e.getStartToken()->getText();
  if ((first == "const" || first == "final") && found == parser->getTokenStream()->LT(2))
    return add(rangeOf(file, e.getStartToken()), Diag::err_const_local, {first});
  if (explainForeign(parser, found, parser->getExpectedTokens()))
    return;
  // Several readings, none goes on here: what each expects is not known.
  add(rangeOf(file, found), Diag::err_unexpected,
      {spelling(found, text), ruleInWords(parser->getContext()->getRuleIndex())});
  addNoteOnStatement(parser, found);
}

void ErrorStrategy::reportInputMismatch(Parser *parser, const antlr4::InputMismatchException &e) {
  explain(parser, e.getOffendingToken(), e.getExpectedTokens());
}

void ErrorStrategy::reportUnwantedToken(Parser *parser) {
  if (inErrorRecoveryMode(parser))
    return;
  beginErrorCondition(parser);
  explain(parser, parser->getCurrentToken(), getExpectedTokens(parser));
}

void ErrorStrategy::reportMissingToken(Parser *parser) {
  if (inErrorRecoveryMode(parser))
    return;
  beginErrorCondition(parser);
  explain(parser, parser->getCurrentToken(), getExpectedTokens(parser));
}
