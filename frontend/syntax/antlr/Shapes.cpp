//===- Shapes.cpp - syntax errors in the shape of invocations --------------===//
//
// What beginners leave out of an operator's invocation: the output streams, their type, the word
// before a clause, the port in it.
//
//===----------------------------------------------------------------------===//
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

/// `int32 size;`, `$size : 10;` and `function<int32> $f;` among the parameters of a composite.
bool ErrorStrategy::explainFormal(Parser *parser, Token *found) {
  Token *mode = previous(parser, found);
  bool isMode = mode->getType() == P::FUNCTION || mode->getType() == P::ATTRIBUTE ||
                mode->getType() == P::OPERATOR || mode->getType() == P::TYPE;
  if (isMode && found->getType() == P::LT) {
    addForeign(mode, mode, "only `expression` has a type: write `" + mode->getText() + " $name;`");
    return true;
  }
  bool isName = StringRef(found->getText()).starts_with("$");
  Token *type = isName ? nullptr : typeEnd(parser, found);
  if (!isName && !type)
    return false;
  Token *name = isName ? found : next(parser, type), *colon = next(parser, name);
  bool hasDefault = colon->getType() == P::COLON || colon->getType() == P::ASSIGN;
  Token *value = hasDefault ? next(parser, colon) : nullptr;
  bool isWhole = value && next(parser, value)->getType() == P::SEMI;
  std::string formal = "$name";
  if (name->getType() == P::ID) {
    std::string written = name->getText();
    formal = (written[0] == '$' ? "" : "$") + written + (isWhole ? " : " + value->getText() : "");
  }
  Range range = rangeOf(file, found, isName ? found : type);
  add(range, Diag::err_formal_no_mode,
      {isName ? value ? typeOfLiteral(value) : "int32" : text.slice(range.begin, range.end).str(),
       formal});
  return true;
}

bool ErrorStrategy::explainShape(Parser *parser, Token *found, const Expected &expected) {
  size_t type = found->getType();
  switch (parser->getContext()->getRuleIndex()) {
  case P::RuleCompositeDecl:
  case P::RuleCompositeClause:
    if (explainClauseColon(parser, found))
      return true;
    if (explainFunction(parser, found))
      return true;
    if (expected.contains(size_t(P::EXPRESSION)) && explainFormal(parser, found))
      return true;
    if (expected.contains(size_t(P::STREAM)))
      return type == P::ID && explainResults(parser, found);
    return expected.contains(size_t(P::GRAPH)) && explainNoGraph(parser, found);
  case P::RuleInvocation:
    if (expected.contains(size_t(P::ASSIGN)) && explainOutputs(parser, found))
      return true;
    if (expected.contains(size_t(P::RPAREN)))
      return explainArgument(parser, found) || explainAlias(parser, found);
    if (expected.contains(size_t(P::LPAREN)) && explainNoParentheses(parser, found))
      return true;
    return expected.contains(size_t(P::PARAM)) && explainNoClause(parser, found);
  case P::RuleInPort:
    return explainArgument(parser, found) || explainAlias(parser, found);
  case P::RuleAssignment:
    return explainTypedAssignment(parser, found);
  case P::RuleDeclarator:
    return explainNoName(parser, found);
  case P::RuleLocalDecl:
    return explainLocalFunction(parser, found) || explainBareCall(parser);
  case P::RuleOpClause:
    return explainState(parser, found);
  case P::RuleFunctionDecl:
    if (type == P::ASSIGN && expected.contains(size_t(P::RPAREN))) { // f(int32 x = 3)
      addForeign(found, found, "parameters of functions have no default: each call gives a value");
      return true;
    }
    return type == P::COMPOSITE ? explainComposite(parser, found)
                                : explainAliasEnd(parser, found) || explainGlobal(parser, found);
  case P::RuleUnit:
    return explainGlobal(parser, found);
  case P::RuleTypeAlias:
  case P::RuleInnerType:
  case P::RuleTupleBody:
  case P::RuleTupleItem:
  case P::RuleType:
  case P::RuleNamedType:
    if (type == P::LT && previous(parser, found)->getType() == P::ASSIGN) { // = <int32 id>
      addForeign(found, found, "write `tuple<int32 x>`, or the attributes alone");
      return true;
    }
    return type == P::LBRACE ? explainBraces(parser, found)
                             : explainAttribute(parser, found) || explainLoopPair(parser, found);
  case P::RuleSignature:
  case P::RulePortList:
  case P::RulePortDecl:
    return explainPort(parser, found);
  case P::RuleBuiltinType:
    return explainAttribute(parser, found);
  case P::RuleStreamType:
    if (explainAttribute(parser, found))
      return true;
    if (type != P::ID || !expected.contains(size_t(P::LT)))
      return false;
    add(rangeOf(file, found), Diag::err_stream_type, {found->getText()});
    return true;
  case P::RuleSetting:
  case P::RuleParamItem:
  case P::RuleFormal:
  case P::RuleOutputItem:
    if (type == P::LT && explainFormal(parser, found))
      return true;
    return expected.contains(size_t(P::COLON)) ? explainNoColon(parser, found)
                                               : explainNoItemEnd(parser, found);
  case P::RuleLogicItem:
    return explainStatements(parser, found) || explainNoPort(parser, found);
  default:
    return false;
  }
}

/// `Custom(S) { ... }` and `F = Filter(S) { ... }`.
bool ErrorStrategy::explainResults(Parser *parser, Token *found) {
  Token *last = found;
  while (next(parser, last)->getType() == P::DOT || next(parser, last)->getType() == P::COLONCOLON)
    last = next(parser, next(parser, last));
  size_t behind = next(parser, last)->getType();
  if (behind == P::LPAREN &&
      llvm::is_contained({"parallel", "threading", "catch"}, StringRef(found->getText()))) {
    addForeign(found, found, "an annotation begins with `@`");
  } else if (behind == P::LPAREN) {
    Range name = rangeOf(file, found, last);
    add(name, Diag::err_no_results, {text.slice(name.begin, name.end).str()});
  } else if (behind == P::ID && next(parser, next(parser, last))->getType() == P::ASSIGN) {
    Range type = rangeOf(file, found, last); // Order Orders = ...
    std::string name = next(parser, last)->getText();
    addForeign(found, next(parser, last),
               "write `stream<" + text.slice(type.begin, type.end) + "> " + name + "`");
  } else if (behind == P::LT) { // Stream<int32 x> S = ...
    addForeign(found, last, "write `stream<...>`");
  } else if (behind == P::ASSIGN && found == last) {
    add(rangeOf(file, found), Diag::err_stream_type, {found->getText()});
  } else {
    return false;
  }
  return true;
}

/// `stream<int32 x> A; stream<int32 x> B = ...` and `stream<int32 x> A, B = ...`
bool ErrorStrategy::explainOutputs(Parser *parser, Token *found) {
  size_t behind = next(parser, found)->getType();
  bool isSecond = (found->getType() == P::SEMI && behind == P::STREAM) ||
                  (found->getType() == P::COMMA && (behind == P::STREAM || behind == P::ID));
  if (!isSecond)
    return false;
  addForeign(found, found,
             "several output streams stand in parentheses: "
             "`(stream<int32 x> A; stream<int32 x> B) = ...`");
  return true;
}

/// `FileSource("in.csv")` and `Beacon(iterations = 3)`.
bool ErrorStrategy::explainArgument(Parser *parser, Token *found) {
  Token *last = previous(parser, found);
  size_t type = found->getType();
  bool isName = type == P::ASSIGN && last->getType() == P::ID;
  if (!isName && type != P::STRING && type != P::INT && type != P::FLOAT && type != P::TRUE)
    return false;
  addForeign(isName ? last : found, found, "parameters stand in braces: `{ param NAME : value; }`");
  return true;
}

/// `Functor A { ... }` and `Functor A, B; C { ... }`.
bool ErrorStrategy::explainNoParentheses(Parser *parser, Token *found) {
  Token *kind = previous(parser, found), *last = kind;
  bool isName = true; // by turns a stream and what separates two
  for (Token *token = found; isName == (token->getType() == P::ID); token = next(parser, token)) {
    if (!isName && token->getType() != P::COMMA && token->getType() != P::SEMI)
      break;
    last = token;
    isName = !isName;
  }
  if (kind->getType() != P::ID || last->getType() != P::ID || last == kind ||
      next(parser, last)->getType() != P::LBRACE)
    return false;
  Range range = rangeOf(file, found, last);
  std::string inputs = text.slice(range.begin, range.end).str();
  addForeign(kind, last, "write `" + kind->getText() + "(" + inputs + ")`");
  for (Token *token = kind; token != last; token = next(parser, token)) // ends no invocation here
    if (token->getType() == P::SEMI)
      static_cast<antlr4::WritableToken *>(token)->setType(P::COMMA);
  return true;
}

/// `graph:` and `param:`.
bool ErrorStrategy::explainClauseColon(Parser *parser, Token *found) {
  Token *word = previous(parser, found);
  if (found->getType() != P::COLON || word != parser->getContext()->getStart())
    return false;
  addForeign(word, found, "no colon stands behind the word `" + word->getText() + "`");
  return true;
}

/// `main composite Main { ... }`.
bool ErrorStrategy::explainComposite(Parser *parser, Token *found) {
  Token *last = previous(parser, found);
  if (last->getLine() != found->getLine())
    return false;
  addForeign(parser->getContext()->getStart(), last,
             "a declaration begins with `composite`, or `public composite`");
  return true;
}

/// A type, or the name of one and that of an attribute.
bool ErrorStrategy::beginsAttribute(Parser *parser, Token *first) {
  return typeEnd(parser, first) ||
         (first->getType() == P::ID && next(parser, first)->getType() == P::ID);
}

/// `println("x");`, `x = 3;`, `if (...) ...` and operators outside of composites and functions.
bool ErrorStrategy::explainGlobal(Parser *parser, Token *found) {
  Token *first = parser->getContext()->getStart();
  size_t type = found->getType();
  bool isUnit = parser->getContext()->getRuleIndex() == P::RuleUnit;
  auto among = [](size_t type, std::initializer_list<size_t> types) {
    return llvm::is_contained(types, type);
  };
  if (isUnit && among(type, {P::STREAM, P::LPAREN, P::GRAPH, P::PARAM, P::CONFIG}))
    add(rangeOf(file, found), Diag::err_global_operator);
  else if (isUnit && type == P::MUTABLE)
    add(rangeOf(file, found), Diag::err_global_variable);
  else if (isUnit && among(type, {P::IF, P::FOR, P::WHILE, P::RETURN}))
    add(rangeOf(file, found), Diag::err_global_statement);
  else if (isUnit || first->getType() != P::ID || previous(parser, found) != first)
    return false;
  else if (type == P::ASSIGN && isAlias(parser, first) &&
           beginsAttribute(parser, next(parser, found)))
    add(rangeOf(file, first), Diag::err_clause_missing, {"type", "`" + first->getText() + "`"});
  else if (type == P::LPAREN && isFunctionHead(parser, found))
    add(rangeOf(file, first), Diag::err_function_result, {first->getText()});
  else if (among(type, {P::LPAREN, P::INC, P::DEC, P::PLUSEQ, P::MINUSEQ, P::STRING}) ||
           (type == P::ASSIGN && next(parser, found)->getType() >= P::ID))
    add(rangeOf(file, first), Diag::err_global_statement);
  else
    return false;
  return true;
}

/// The `)` of the parentheses that begin with `open`; the end if there is none.
Token *ErrorStrategy::closing(Parser *parser, Token *open) {
  Token *last = open;
  for (unsigned depth = 0; last->getType() != Token::EOF; last = next(parser, last)) {
    depth += last->getType() == P::LPAREN;
    if (last->getType() == P::RPAREN && --depth == 0)
      break;
  }
  return last;
}

/// Whether a body stands behind the parentheses, or `-> rstring {`.
bool ErrorStrategy::isFunctionHead(Parser *parser, Token *open) {
  Token *behind = next(parser, closing(parser, open)), *second = next(parser, behind);
  bool isArrow = behind->getType() == P::MINUS && second->getType() == P::GT;
  return behind->getType() == P::LBRACE || isArrow ||
         (behind->getType() == P::COLON && endsType(second)); // f(int32 x): int32 {
}

/// `rstring f(rstring x) { ... }` where no function may stand.
bool ErrorStrategy::explainFunction(Parser *parser, Token *found) {
  bool isWord = found->getType() == P::VOID || found->getType() == P::ID;
  Token *type = isWord ? found : typeEnd(parser, found);
  Token *name = type ? next(parser, type) : nullptr, *open = name ? next(parser, name) : nullptr;
  if (!name || name->getType() != P::ID || open->getType() != P::LPAREN ||
      !isFunctionHead(parser, open))
    return false;
  add(rangeOf(file, name), Diag::err_inner_function, {name->getText()});
  return true;
}

/// `println x + 1;`, which reads as the declaration of `x`.
bool ErrorStrategy::explainBareCall(Parser *parser) {
  Token *first = parser->getContext()->getStart();
  std::string name = first->getText();
  bool isCall = llvm::is_contained({"submit", "assert", "block"}, StringRef(name));
  if (!StringRef(name).starts_with("print") && !isCall)
    return false;
  addForeign(first, next(parser, first), "write `" + name + "(...)`");
  return true;
}

/// The same among statements, where it reads as the declaration of a variable.
bool ErrorStrategy::explainLocalFunction(Parser *parser, Token *found) {
  Token *name = previous(parser, found);
  if (found->getType() != P::LPAREN || name->getType() != P::ID || !isFunctionHead(parser, found))
    return false;
  add(rangeOf(file, name), Diag::err_inner_function, {name->getText()});
  return true;
}

/// Whether `stream<...> NAME` declares a stream of this name.
bool ErrorStrategy::isStream(Parser *parser, Token *name) {
  auto *tokens = parser->getTokenStream();
  for (size_t i = 0; i + 1 < tokens->size(); ++i)
    if (tokens->get(i)->getType() == P::ID && tokens->get(i)->getText() == name->getText() &&
        previous(parser, tokens->get(i))->getType() == P::GT)
      return true;
  return false;
}

/// `Join(Trades T; Quotes Q)`, with or without an `AS`.
bool ErrorStrategy::explainAlias(Parser *parser, Token *found) {
  Token *stream = previous(parser, found), *second = next(parser, found);
  if (found->getType() != P::ID || stream->getType() != P::ID || isStream(parser, found))
    return false; // `Join(A B)` lacks a `;`
  bool isAs = StringRef(found->getText()).equals_insensitive("as") && second->getType() == P::ID;
  Token *alias = isAs ? second : found;
  addForeign(stream, alias, "write `" + stream->getText() + " as " + alias->getText() + "`");
  return true;
}

/// `output S : int32 n = Count();`, and the same among the entries of a tuple.
bool ErrorStrategy::explainTypedAssignment(Parser *parser, Token *found) {
  bool isName = found->getType() == P::ID; // behind a type with a name
  Token *first = isName ? previous(parser, found) : found;
  Token *type = isName ? first : typeEnd(parser, found);
  Token *name = type ? next(parser, type) : nullptr;
  if (!name || (isName && type->getType() != P::ID) || name->getType() != P::ID ||
      next(parser, name)->getType() != P::ASSIGN)
    return false;
  addForeign(first, name,
             "the type of the stream says that of `" + name->getText() + "`, write `" +
                 name->getText() + " = ...`");
  return true;
}

/// `for ((rstring k, int32 v) in map)`.
bool ErrorStrategy::explainLoopPair(Parser *parser, Token *found) {
  Token *last = previous(parser, found);
  if (found->getType() != P::LPAREN || last->getType() != P::LPAREN ||
      previous(parser, last)->getType() != P::FOR)
    return false;
  addForeign(found, found, "a loop has one variable: `for (rstring key in map)`, with `map[key]`");
  return true;
}

/// `composite A(In) ...`, `composite A(in In)` and `composite A(input In, output Out)`.
bool ErrorStrategy::explainPort(Parser *parser, Token *found) {
  size_t type = found->getType();
  if (type == P::ID || type == P::IN || type == P::STREAM)
    add(rangeOf(file, found), Diag::err_port_direction);
  else if ((type == P::INPUT || type == P::OUTPUT) &&
           previous(parser, found)->getType() == P::COMMA)
    add(rangeOf(file, previous(parser, found)), Diag::err_port_semicolon);
  else
    return false;
  return true;
}

/// `T = int32 x;` and `T = Name x, Other y;`: up to its `;` are only types and names.
bool ErrorStrategy::isAlias(Parser *parser, Token *name) {
  Token *last = next(parser, name);
  if (name->getType() != P::ID || last->getType() != P::ASSIGN)
    return false;
  if (next(parser, last)->getType() == P::ENUM)
    return true;
  while (!llvm::is_contained({P::SEMI, P::LPAREN, P::LBRACE, P::RBRACE}, last->getType()) &&
         last->getType() != Token::EOF)
    last = next(parser, last);
  return last->getType() == P::SEMI;
}

/// `composite Main { stream<int32 x> S = Beacon() { } }` and `composite Main { T = int32 x; }`.
bool ErrorStrategy::explainNoGraph(Parser *parser, Token *found) {
  size_t type = found->getType(), behind = next(parser, found)->getType();
  bool isInvocation = type == P::STREAM || type == P::AT ||
                      (type == P::LPAREN && (behind == P::RPAREN || behind == P::STREAM)) ||
                      (type == P::ID && (behind == P::LPAREN || behind == P::ASSIGN));
  if (isAlias(parser, found))
    add(rangeOf(file, found), Diag::err_clause_missing, {"type", "`" + found->getText() + "`"});
  else if (isInvocation)
    add(rangeOf(file, found), Diag::err_clause_missing, {"graph", "operators"});
  return isInvocation;
}

/// `{ filter : x > 0; }`, `{ onTuple S : ... }`, `{ S : x = 1; }` and `{ S : tumbling, ...; }`.
bool ErrorStrategy::explainNoClause(Parser *parser, Token *found) {
  Range range = rangeOf(file, found);
  std::string word = found->getText();
  bool isLogic = found->getType() == P::ONTUPLE || found->getType() == P::ONPUNCT;
  Token *colon = next(parser, found);
  if (!isLogic && (found->getType() != P::ID ||
                   (colon->getType() != P::COLON && colon->getType() != P::ASSIGN)))
    return false;
  Token *value = next(parser, colon);
  std::string first = value->getText();
  if (isLogic || word == "state" || word == "onProcess")
    add(range, Diag::err_clause_missing, {"logic", "`" + word + "`"});
  else if (first == "tumbling" || first == "sliding" || first == "partitioned")
    add(range, Diag::err_clause_missing, {"window", "`" + word + "`"});
  else if (value->getType() == P::ID && next(parser, value)->getType() == P::ASSIGN)
    add(range, Diag::err_clause_missing, {"output", "`" + word + "`"});
  else
    add(range, Diag::err_clause_missing, {"param", "`" + word + "`"});
  return true;
}

/// `param filter = x > 0;`, `window tumbling, ...;` and `output x = 1;`.
bool ErrorStrategy::explainNoColon(Parser *parser, Token *found) {
  auto *rule = parser->getContext();
  Token *first = rule->getStart(), *last = previous(parser, found);
  Token *before = previous(parser, first);
  size_t type = found->getType();
  Token *behind = next(parser, found);
  bool isStream = type == P::ASSIGN && next(parser, behind)->getType() == P::ASSIGN;
  auto *clause = static_cast<antlr4::ParserRuleContext *>(rule->parent);
  bool isWindow = clause && clause->getStart()->getType() == P::WINDOW;
  if (rule->getRuleIndex() == P::RuleOutputItem && type == P::DOT)
    addForeign(first, next(parser, found), "write `output STREAM : attribute = value;`");
  else if (rule->getRuleIndex() == P::RuleOutputItem && type == P::ASSIGN &&
           before->getType() == P::SEMI)
    add(rangeOf(file, before), Diag::err_output_semicolon, {});
  else if (rule->getRuleIndex() == P::RuleOutputItem && type == P::ASSIGN && !isStream)
    add(rangeOf(file, first), Diag::err_output_port, {first->getText()});
  else if (isWindow && (type == P::COMMA || type == P::SEMI || type == P::LPAREN))
    add(rangeOf(file, first), Diag::err_window_port, {first->getText()});
  else if (type == P::ASSIGN)
    add(rangeOf(file, found), Diag::err_colon, {last->getText()});
  else
    return false;
  return true;
}

/// `param file : "a", format : csv;`: a `,` where a `;` ends a parameter or a window.
bool ErrorStrategy::explainNoItemEnd(Parser *parser, Token *found) {
  Token *name = previous(parser, found), *comma = previous(parser, name);
  if (found->getType() != P::COLON || name->getType() != P::ID || comma->getType() != P::COMMA)
    return false;
  addForeign(comma, comma, "before `" + name->getText() + ":` stands `;`");
  return true;
}

/// `onTuple : { ... }` and `onTuple { ... }`.
bool ErrorStrategy::explainNoPort(Parser *parser, Token *found) {
  Token *first = parser->getContext()->getStart();
  bool isHandler = first->getType() == P::ONTUPLE || first->getType() == P::ONPUNCT;
  if (!isHandler || found->getType() == P::ID || previous(parser, found) != first)
    return false;
  add(rangeOf(file, first), Diag::err_handler_port, {first->getText()});
  return true;
}
