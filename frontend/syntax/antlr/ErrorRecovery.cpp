//===- ErrorRecovery.cpp - where parsing goes on after an error ------------===//
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/ErrorStrategy.h"
#include "frontend/syntax/antlr/advice/Advisors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Parser;
using antlr4::Token;
using P = SPLParser;

namespace {

/// Brackets that are open, by the token that closes them.
class OpenBrackets {
public:
  void see(size_t type) {
    if (size_t closer = closerOf(type))
      closers.push_back(closer);
    else if (type == P::RBRACE) // closes forgotten parentheses as well
      while (!closers.empty() && closers.pop_back_val() != P::RBRACE)
        ;
    else if (isCloser(type) && !closers.empty() && closers.back() == type)
      closers.pop_back();
  }
  bool inBraces() const { return llvm::is_contained(closers, size_t(P::RBRACE)); }
  bool any() const { return !closers.empty(); }

private:
  llvm::SmallVector<size_t> closers;
};

/// How a rule recovers from an error that dropping or inserting a token does not repair: it leaves
/// that to the rule around it, ends there, or skips something.
enum class Recovery { Pass, End, SkipItem, SkipSignature };

Recovery recoveryOf(size_t rule) {
  switch (rule) {
  case P::RuleNamespaceDecl:
  case P::RuleUseDecl:
  case P::RuleTypeAlias:
  case P::RuleInnerType:
  case P::RuleFormal:
  case P::RuleSetting:
  case P::RuleParamItem:
  case P::RuleOutputItem:
  case P::RuleModelItem:
  case P::RuleLocalDecl:
  case P::RuleStatement:
  case P::RuleLogicItem:
  case P::RuleBlock:
  case P::RuleBlockItem:
  case P::RuleInvocation:
  case P::RuleFunctionDecl:
  case P::RuleCompositeDecl:
  case P::RuleOperatorModel:
  case P::RuleDeclaration:
  case P::RuleUnit:
    return Recovery::SkipItem;
  case P::RuleCompositeClause:
  case P::RuleOpClause:
  case P::RuleModelClause:
    return Recovery::End;
  case P::RuleSignature:
    return Recovery::SkipSignature;
  default: // the caller knows better
    return Recovery::Pass;
  }
}

/// Whether the rule is a loop over items, which `}` may end.
bool isList(size_t rule, const antlr4::misc::IntervalSet &expected) {
  switch (rule) {
  case P::RuleUnit:
    return true;
  case P::RuleCompositeDecl:
  case P::RuleCompositeClause:
  case P::RuleInvocation:
  case P::RuleOpClause:
  case P::RuleBlock:
  case P::RuleOperatorModel:
  case P::RuleModelClause:
    return expected.contains(size_t(P::RBRACE));
  default:
    return false;
  }
}

bool beginsItem(size_t type) {
  switch (type) {
  case P::STREAM:
  case P::AT:
  case P::PARAM:
  case P::GRAPH:
  case P::CONFIG:
  case P::LOGIC:
  case P::WINDOW:
  case P::OUTPUT:
  case P::TYPE:
  case P::COMPOSITE:
  case P::PUBLIC:
  case P::USE:
  case P::NAMESPACE:
  case P::ONTUPLE:
  case P::ONPUNCT:
  case P::IF:
  case P::FOR:
  case P::WHILE:
  case P::RETURN:
  case P::MUTABLE:
    return true;
  default:
    return false;
  }
}

/// A clause of a composite begins here: `type Row = ...` is one, `type $row;` a parameter.
bool beginsClause(Parser *parser) {
  auto *tokens = parser->getTokenStream();
  size_t type = tokens->LA(1);
  return type == P::GRAPH || type == P::CONFIG || type == P::PARAM ||
         (type == P::TYPE && tokens->LT(2)->getText()[0] != '$');
}

bool atLineStart(Parser *parser) {
  auto *tokens = parser->getTokenStream();
  Token *last = tokens->LT(-1);
  return !last || last->getLine() < tokens->LT(1)->getLine();
}

} // namespace

bool ErrorStrategy::skipItem(Parser *parser, Token *first) {
  auto *tokens = parser->getTokenStream();
  OpenBrackets open;
  for (size_t i = first->getTokenIndex(); i < tokens->index(); ++i)
    if (tokens->get(i)->getChannel() == Token::DEFAULT_CHANNEL)
      open.see(tokens->get(i)->getType());
  for (;;) {
    size_t type = tokens->LA(1);
    size_t behind = type == Token::EOF ? type : tokens->LA(2);
    bool inParentheses = open.any() && (behind == P::COMMA || behind == P::RPAREN);
    bool ends = type == P::RBRACE && !open.inBraces() && !inParentheses; // f(a = 1}, b)
    if (type == Token::EOF || ends)
      return false;
    if (!open.inBraces() && beginsItem(type) && atLineStart(parser))
      return false;
    open.see(type);
    parser->consume();
    size_t next = tokens->LA(1);
    bool goesOn = next == P::SEMI || next == P::COMMA || next == P::RPAREN || next == P::RBRACKET ||
                  next == P::ELSE || continuesForeign(view, tokens->LT(1));
    if (open.inBraces())
      continue;
    // A `;` may also separate ports, inside parentheses.
    if (type == P::SEMI && (!open.any() || atLineStart(parser)))
      return true;
    if (type == P::RBRACE && !goesOn)
      return true;
  }
}

/// Up to the body, so that it is read.
static void skipSignature(Parser *parser) {
  auto *tokens = parser->getTokenStream();
  while (tokens->LA(1) != Token::EOF && tokens->LA(1) != P::LBRACE && tokens->LA(1) != P::RBRACE)
    parser->consume();
}

void ErrorStrategy::recover(Parser *parser, std::exception_ptr error) {
  size_t index = parser->getTokenStream()->index();
  auto *rule = parser->getContext();
  if (inHandler && rule->getRuleIndex() == P::RuleLogicItem)
    return skipHandler(parser);
  switch (recoveryOf(rule->getRuleIndex())) {
  case Recovery::Pass:
    std::rethrow_exception(error);
  case Recovery::End:
    return;
  case Recovery::SkipSignature:
    return skipSignature(parser);
  case Recovery::SkipItem:
    // Where the last recovery ended is no place to go on.
    if (lastRecovery == index && parser->getTokenStream()->LA(1) != Token::EOF)
      parser->consume();
    if (skipItem(parser, rule->getStart()))
      endErrorCondition(parser); // what comes next is an item of its own
    lastRecovery = parser->getTokenStream()->index();
  }
}

/// Whether the `{` of this `}` is the forgotten one. Else it is that of the operator: only the
/// composite may end behind it, or another operator begin.
bool ErrorStrategy::closesHandler(Token *close) const {
  static constexpr size_t inComposite[] = {P::RBRACE, P::STREAM, P::LPAREN, P::AT, P::CONFIG};
  Token *behind = view.next(close), *second = view.next(behind);
  if (behind->getType() == P::RBRACE)
    return llvm::is_contained(inComposite, second->getType());
  return beginsHandler(behind, second);
}

/// Skips the statements of a handler without braces.
void ErrorStrategy::skipHandler(Parser *parser) {
  auto *tokens = parser->getTokenStream();
  inHandler = false;
  for (unsigned depth = 0; tokens->LA(1) != Token::EOF; parser->consume()) {
    Token *token = tokens->LT(1);
    size_t type = token->getType();
    bool isNext = type == P::STREAM || type == P::COMPOSITE || beginsHandler(token, tokens->LT(2));
    if (depth == 0 && isNext)
      break;
    if (type == P::RBRACE && depth == 0) {
      if (closesHandler(token))
        parser->consume();
      break;
    }
    depth += type == P::LBRACE;
    depth -= type == P::RBRACE;
  }
  endErrorCondition(parser);
}

/// In a list of items: reports what is no item, and skips it.
void ErrorStrategy::skipUnexpectedItems(Parser *parser, const Expected &expected) {
  auto *tokens = parser->getTokenStream();
  bool reported = inErrorRecoveryMode(parser);
  while (tokens->LA(1) != Token::EOF && !expected.contains(tokens->LA(1))) {
    Token *found = parser->getCurrentToken();
    SyntaxError error = errorAt(parser, found, expected);
    if (advice::isBehindHandlerError(error, found)) {
      skipHandler(parser);
      continue;
    }
    if (follow(advice::straySemicolon(error))) {
      parser->consume();
      continue;
    }
    if (found->getType() == P::RBRACE && parser->getContext()->getRuleIndex() != P::RuleUnit) {
      if (reported)
        beginErrorCondition(parser);
      return;
    }
    if (!reported)
      explain(parser, found, expected);
    reported = true;
    if (inHandler) {
      skipHandler(parser);
      reported = false;
      continue;
    }
    parser->consume();
    if (!isCloser(found->getType()))
      skipItem(parser, found);
    if (parser->getContext()->getRuleIndex() == P::RuleCompositeClause && beginsClause(parser)) {
      beginErrorCondition(parser);
      throw antlr4::InputMismatchException(parser); // the clause ends with what was skipped
    }
  }
}

/// What `,` separates in the rule that began with `first`, and the bracket behind the last of them.
static std::pair<const char *, size_t> separated(size_t rule, const Token *first) {
  switch (rule) {
  case P::RuleTupleBody:
    return {"attributes", P::GT};
  case P::RulePostfixOp:
    return {"arguments", P::RPAREN};
  case P::RuleFunctionDecl:
    return {"parameters", P::RPAREN};
  case P::RuleBuiltinType:
    return first->getType() == P::ENUM ? std::pair<const char *, size_t>("members", P::RBRACE)
                                       : std::pair<const char *, size_t>("types", P::GT);
  case P::RulePrimary:
    return {"elements", first->getType() == P::LBRACE ? P::RBRACE : P::RBRACKET};
  default:
    return {nullptr, 0};
  }
}

/// The separators `;` from `first` to the bracket `closer`, which stands on its line; none if it
/// does not. Between `<` and `>` are types, so that all else ends the search.
std::vector<Token *> ErrorStrategy::semicolonsTo(Token *first, size_t closer) const {
  bool isType = closer == P::GT;
  std::vector<Token *> found;
  unsigned depth = 0;
  for (Token *token = first; token->getLine() == first->getLine(); token = view.next(token)) {
    size_t type = token->getType();
    bool isOther = type == P::LBRACE || type == P::RBRACE || type == P::ASSIGN;
    if (type == Token::EOF || (isType && isOther))
      return {};
    bool closes =
        isType ? type == P::GT : type == P::RPAREN || type == P::RBRACKET || type == P::RBRACE;
    if (closes && depth-- == 0)
      return type == closer ? found : std::vector<Token *>();
    depth += isType ? type == P::LT : type == P::LPAREN || type == P::LBRACKET || type == P::LBRACE;
    if (type == P::SEMI && depth == 0)
      found.push_back(token);
  }
  return {};
}

/// `stream<int32 x; rstring y>` and `f(1; 2)`: reads on as if each `;` were a `,`.
void ErrorStrategy::readSemicolonsAsCommas(Parser *parser) {
  auto *rule = parser->getContext();
  Token *found = parser->getCurrentToken();
  auto [what, closer] = separated(rule->getRuleIndex(), rule->getStart());
  if (found->getType() != P::SEMI || !what ||
      !parser->getExpectedTokens().contains(size_t(P::COMMA)))
    return;
  std::vector<Token *> all = semicolonsTo(found, closer);
  if (!all.empty())
    add({view.range(found), Diag::err_comma, {what, view.spell(found)}, {}});
  for (Token *semicolon : all)
    static_cast<antlr4::WritableToken *>(semicolon)->setType(P::COMMA);
}

/// A word that begins an item, a brace, the bracket behind a `,`, and what stands among ports are
/// no mere slips: without them the rest would be read in another sense.
Token *ErrorStrategy::singleTokenDeletion(Parser *parser) {
  size_t type = parser->getCurrentToken()->getType();
  bool isEnd = type == P::GT && typeBefore(parser) == P::COMMA;
  bool inPorts = parser->getContext()->getRuleIndex() == P::RuleSignature;
  bool isBrace = type == P::LBRACE || type == P::RBRACE;
  bool isNext = type == P::STREAM || (beginsItem(type) && atLineStart(parser));
  bool matters = isEnd || inPorts || isNext || isBrace;
  return matters ? nullptr : DefaultErrorStrategy::singleTokenDeletion(parser);
}

/// `stream<int32 sensor Level now>`: a `,` is missing. Goes on behind the last attribute: what
/// follows the type could also begin with a name.
void ErrorStrategy::skipAttributes(Parser *parser) {
  auto *tokens = parser->getTokenStream();
  if (parser->getContext()->getRuleIndex() != P::RuleTupleBody || inErrorRecoveryMode(parser) ||
      tokens->LA(1) != P::ID || tokens->LA(2) != P::ID ||
      !follow(advice::attribute(errorAt(parser, parser->getCurrentToken(), Expected()))))
    return;
  static constexpr size_t ends[] = {P::SEMI, P::LBRACE, P::RBRACE, P::LPAREN, P::ASSIGN};
  for (unsigned depth = 0; tokens->LA(1) != Token::EOF; parser->consume()) {
    size_t type = tokens->LA(1);
    if (llvm::is_contained(ends, type) || (type == P::GT && depth-- == 0))
      return;
    depth += type == P::LT;
  }
}

void ErrorStrategy::sync(Parser *parser) {
  readSemicolonsAsCommas(parser);
  skipAttributes(parser);
  using State = antlr4::atn::ATNState;
  auto *state =
      parser->getInterpreter<antlr4::atn::ParserATNSimulator>()->atn.states[parser->getState()];
  auto kind = state->getStateType();
  size_t rule = parser->getContext()->getRuleIndex();
  bool isFirst = kind == State::PLUS_BLOCK_START &&
                 (rule == P::RuleCompositeClause || rule == P::RuleOpClause);
  isFirst |= rule == P::RuleUnit; // its optional head is no reason to drop a token
  bool inLoop = kind == State::STAR_LOOP_ENTRY || kind == State::STAR_LOOP_BACK ||
                kind == State::PLUS_LOOP_BACK;
  Expected expected = inLoop || isFirst ? parser->getExpectedTokens() : Expected();
  if (isFirst || (inLoop && isList(rule, expected)))
    skipUnexpectedItems(parser, expected);
  else
    DefaultErrorStrategy::sync(parser);
}

Token *ErrorStrategy::recoverInline(Parser *parser) {
  if (inErrorRecoveryMode(parser)) // a guess on top of a guess
    throw antlr4::InputMismatchException(parser);
  Token *found = parser->getCurrentToken();
  Expected expected = getExpectedTokens(parser);
  SyntaxError error = errorAt(parser, found, expected, Occasion::Inline);
  if (follow(advise(error))) {
    beginErrorCondition(parser);
    throw antlr4::InputMismatchException(parser);
  }
  if (!advice::isKeywordAsName(error))
    return DefaultErrorStrategy::recoverInline(parser);
  if (!expected.contains(size_t(P::ID))) // the name was optional
    throw antlr4::InputMismatchException(parser);
  add({view.range(found), Diag::err_keyword_as_name, {found->getText()}, {}});
  parser->consume();
  return found;
}
