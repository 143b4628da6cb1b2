//===- ForeignWords.cpp - syntax errors of people who know other languages -===//
//
// A word or an operator that another language has and SPL has not gets a message that says what
// SPL writes. It is looked for only where the parser has failed: all these words may be names.
//
//===----------------------------------------------------------------------===//
#include "frontend/diagnostics/ForeignStatements.h"
#include "frontend/diagnostics/ForeignTypes.h"
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/ErrorStrategy.h"
#include "frontend/syntax/antlr/Tokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Parser;
using antlr4::Token;
using llvm::StringRef;
using P = SPLParser;

namespace {
struct Foreign {
  StringRef text;
  const char *instead;
};

#define OF_NULL(has) "write `" has "` for an `optional`; other values are never null"
#define NO_LAMBDAS                                                                                 \
  "there are no lambdas, write a function with a name, or `for (int32 x in list) { ... }`"

#define NO_TYPES "no value has a type that is found out while the program runs"

/// Between operands, or before one.
const Foreign infixWords[] = {
    {"and", "write `&&`"},
    {"or", "write `||`"},
    {"not", "write `!`, and `!(x in list)`"},
    {"xor", "write `^`"},
    {"mod", "write `%`"},
    {"div", "write `/`"},
    {"is not null", OF_NULL("x??")},
    {"is null", OF_NULL("!x??")},
    {"case when", "write `condition ? value : otherwise`"},
    {"is not", "write `!=`"},
    {"is", "write `==`"},
    {"like", "write `size(regexMatch(text, pattern)) > 0`"},
    {"matches", "write `size(regexMatch(text, pattern)) > 0`"},
    {"between", "write `x >= low && x <= high`"},
    {"of", "write `in`"},
    {"in", "write `in`, in lower case"},
    {"new",
     "a literal makes a value: `[1, 2]`, `{1 : \"a\"}` or `{name = 1}`; an operator is invoked by "
     "its name alone"},
    {"if", "write `condition ? value : otherwise`"},
    {"lambda", NO_LAMBDAS},
    {"desc", "write `order : descending;`"},
    {"descending", "write `order : descending;`"},
    {"asc", "write `order : ascending;`"},
    {"extends", "write `type New = Old, tuple<int32 x>;`"},
    {"seconds", "a time is a number of seconds: `10.0`"},
    {"minutes", "a time is a number of seconds: `60.0`"},
    {"instanceof", NO_TYPES},
    {"isinstance", NO_TYPES},
};

/// At the start of a query or of what stands for an operator, before a word or `*`.
const char *const query = "operators make streams of streams: `Filter` chooses tuples, `Functor` "
                          "attributes, `Aggregate` groups, `Join` joins";
const Foreign queryWords[] = {
    {"select", query}, {"create", query}, {"insert", query},      {"update", query},
    {"from", query},   {"where", query},  {"with", query},        {"drop", query},
    {"join", query},   {"alter", query},  {"delete from", query},
};

/// Behind the `}` of what has been skipped, these go on with it.
const StringRef continuingWords[] = {"catch", "finally", "except", "elif",
                                     "elsif", "elseif",  "until",  "default"};

/// Before `<` and the types of elements.
const Foreign genericTypes[] = {
    {"list", "write `list<T>`"},         {"arraylist", "write `list<T>`"},
    {"array", "write `list<T>`"},        {"vector", "write `list<T>`"},
    {"vec", "write `list<T>`"},          {"set", "write `set<T>`"},
    {"hashset", "write `set<T>`"},       {"map", "write `map<K, V>`"},
    {"hashmap", "write `map<K, V>`"},    {"dict", "write `map<K, V>`"},
    {"dictionary", "write `map<K, V>`"}, {"unordered_map", "write `map<K, V>`"},
    {"optional", "write `optional<T>`"}, {"option", "write `optional<T>`"},
    {"tuple", "write `tuple<int32 x>`"}, {"stream", "write `stream<...>`"},
};

/// Pairs of tokens that another language reads as one.
const Foreign operators[] = {
    {"=>", "write `>=` to compare, `:` between a key and its value; " NO_LAMBDAS},
    {"->", "write `.` before the name of an attribute; " NO_LAMBDAS},
    {":=", "write `=`"},
    {"<>", "write `!=`"},
    {"=<", "write `<=`"},
    {"===", "write `==`"},
    {"!==", "write `!=`"},
    {"**", "write `pow(x, y)`"},
    {"..", "write `range(low, high)`, or one `.` before the name of a member"},
};

/// In any case of letters: SQL has its words in capitals.
const Foreign *entryOf(llvm::ArrayRef<Foreign> table, StringRef text) {
  auto found = llvm::find_if(
      table, [&](const Foreign &entry) { return entry.text.equals_insensitive(text); });
  return found == table.end() ? nullptr : &*found;
}

bool isWord(const Token *token) {
  return token &&
         (token->getType() == P::ID || (token->getType() >= P::AS && token->getType() <= P::XML));
}
} // namespace

bool sluice::grammar::touch(const Token *left, const Token *right) {
  return left->getStopIndex() + 1 == right->getStartIndex();
}

const char *sluice::grammar::genericType(StringRef name) {
  const Foreign *known = entryOf(genericTypes, name);
  return known ? known->instead : nullptr;
}

void ErrorStrategy::addForeign(const Token *first, const Token *last, const llvm::Twine &instead) {
  Range range = rangeOf(file, first, last);
  add(range, Diag::err_foreign, {text.slice(range.begin, range.end).str(), instead.str()});
}

/// `=>` and the like, of which `found` is the first or the second half.
bool ErrorStrategy::explainForeignOperator(Parser *parser, Token *found) {
  auto *tokens = parser->getTokenStream();
  if (Token *last = previous(parser, found); last->getType() == P::PRESENT) {
    addForeign(last, last, "`x ?: 1` is 1 where `x` has no value, and `x??` whether it has one");
    return true;
  }
  size_t index = found->getTokenIndex();
  bool isHead = parser->getContext()->getRuleIndex() == P::RuleFunctionDecl;
  for (size_t first : {index - 1, index}) {
    if (first + 1 >= tokens->size())
      continue;
    Token *left = tokens->get(first), *right = tokens->get(first + 1);
    if (!touch(left, right))
      continue;
    Range pair = rangeOf(file, left, right);
    Token *type = previous(parser, left);
    bool isEmpty = left->getType() == P::LT && right->getType() == P::GT;
    if (const Foreign *known = isEmpty ? entryOf(genericTypes, type->getText()) : nullptr) {
      addForeign(type, right, known->instead); // `list<>`
      return true;
    }
    if (const Foreign *known = entryOf(operators, text.slice(pair.begin, pair.end))) {
      bool isResult = isHead && known->text == "->";
      addForeign(left, right, isResult ? foreignStatement("function") : known->instead);
      return true;
    }
  }
  return false;
}

/// `COUNT(*)`, `enum Color { ... }`, `= A.filter(x)` and `@parallel(4)`.
bool ErrorStrategy::explainForeignShape(Parser *parser, Token *found) {
  Token *last = previous(parser, found), *word = previous(parser, last);
  Token *before = previous(parser, word);
  bool isBareName = last->getType() == P::ID && previous(parser, before)->getType() == P::AT &&
                    (found->getType() == P::RPAREN || found->getType() == P::COMMA);
  if ((before->getType() == P::AT && last->getType() == P::LPAREN) || isBareName) {
    addForeign(isBareName ? last : found, isBareName ? last : found,
               "each value of an annotation has a name, as in `@parallel(width = 2)`");
    return true;
  }
  bool isChain = parser->getContext()->getRuleIndex() == P::RuleOperatorName;
  if (isChain && found->getType() == P::LPAREN && word->getType() == P::DOT) {
    Token *first = parser->getContext()->getStart();
    Range path = rangeOf(file, first, before);
    if (llvm::isUpper(last->getText()[0])) // a.b.Operator(...)
      addForeign(first, last,
                 "write `" + text.slice(path.begin, path.end) + "::" + last->getText() + "`");
    else
      addForeign(before, last, query);
    return true;
  }
  if (word && found->getType() == P::STAR && last->getType() == P::LPAREN && isWord(word)) {
    addForeign(word, found, "write `Count()`");
    return true;
  }
  if (!last || last->getType() != P::ENUM || found->getType() != P::ID)
    return false;
  addForeign(last, found, "write `type Name = enum { a, b };`");
  return true;
}

/// `list a` and `map<rstring> a`: types with too few types of elements.
bool ErrorStrategy::explainElements(Parser *parser, Token *found, const Expected &expected) {
  Token *first = parser->getContext()->getStart();
  if (parser->getContext()->getRuleIndex() != P::RuleBuiltinType)
    return false;
  bool isOpen = expected.contains(size_t(P::LT)) && found->getType() != P::LPAREN;
  bool isShort = first->getType() == P::MAP && expected.contains(size_t(P::COMMA)) &&
                 (found->getType() == P::GT || found->getType() == P::SEMI);
  const char *whole = isOpen || isShort ? genericType(first->getText()) : nullptr;
  if (!whole)
    return false;
  addForeign(first, isShort ? found : first, whole);
  return true;
}

/// `CAST(x AS int32)`, `Sum(x) as total` and `total = Sum(x) as total`.
bool ErrorStrategy::explainAs(Parser *parser, Token *found) {
  if (parser->getContext()->getRuleIndex() == P::RuleAssignment && found->getType() == P::LPAREN) {
    Token *function = parser->getContext()->getStart();
    addForeign(function, found, "write `attribute = " + function->getText() + "(...)`");
    return true;
  }
  if (!StringRef(found->getText()).equals_insensitive("as"))
    return false;
  if (parser->getContext()->getRuleIndex() == P::RuleOutputItem) {
    addForeign(found, found, "the name of the attribute stands before `=`");
    return true;
  }
  if (parser->getContext()->getRuleIndex() != P::RulePostfixOp)
    return false;
  addForeign(found, found, "a cast stands in parentheses: `(int32) value`");
  return true;
}

/// `map(x -> x, list)` and `list(x)`: a type with elements that is called like a function.
bool ErrorStrategy::explainTypeCall(Parser *parser, Token *found) {
  size_t type = found->getType(), rule = parser->getContext()->getRuleIndex();
  if (next(parser, found)->getType() != P::LPAREN)
    return false;
  if (type == P::MAP && next(parser, next(parser, found))->getType() != P::RPAREN)
    addForeign(found, found, NO_LAMBDAS);
  else if (type == P::MAP || type == P::LIST || type == P::SET || type == P::TUPLE)
    addForeign(found, found, "a literal makes a value: `[1, 2]`, `{1, 2}` or `{name = 1}`");
  else if (endsType(found) && type != P::GT && rule != P::RuleFunctionDecl)
    addForeign(found, found, "a cast stands in parentheses: `(" + found->getText() + ") value`");
  else
    return false;
  return true;
}

/// `List<int32> a`: a type with elements that was begun before `found`, on its line.
bool ErrorStrategy::explainForeignType(Parser *parser, Token *found) {
  static constexpr unsigned mostBack = 5; // `Map<String, int32> a` fails at the last word
  Token *word = found;
  for (unsigned i = 0; i <= mostBack && word->getLine() == found->getLine(); ++i) {
    const Foreign *known = word->getType() == P::ID && next(parser, word)->getType() == P::LT
                               ? entryOf(genericTypes, word->getText())
                               : nullptr;
    Token *before = previous(parser, word);
    if (known && before->getText() == "new") // new HashMap<>()
      return explainInfix(parser, before);
    if (known) {
      addForeign(word, word, known->instead);
      return true;
    }
    if (explainMisspeltType(parser, word))
      return true;
    word = before;
  }
  return false;
}

/// `lst<int32> a`. Elsewhere than among types, `word < ...` may compare.
bool ErrorStrategy::explainMisspeltType(Parser *parser, Token *word) {
  Token *open = next(parser, word), *before = previous(parser, word);
  if (word->getType() != P::ID || open->getType() != P::LT || before == &start)
    return false;
  size_t rule = parser->getContext()->getRuleIndex();
  bool inType = rule == P::RuleStreamType || rule == P::RuleBuiltinType ||
                rule == P::RuleTupleBody || rule == P::RuleTupleItem || rule == P::RuleTypeAlias ||
                rule == P::RuleInnerType;
  if (!inType && !typeEnd(parser, next(parser, open)))
    return false;
  NearNames near(word->getText());
  near.offerAll(std::initializer_list<const char *>{"list", "set", "map", "optional", "tuple"});
  std::vector<std::string> best = near.best();
  if (best.empty())
    return false;
  addForeign(word, word, "write `" + best.front() + "<...>`");
  return true;
}

bool ErrorStrategy::explainForeign(Parser *parser, Token *found, const Expected &expected) {
  if (explainForeignType(parser, found))
    return true;
  Token *last = previous(parser, found);
  Token *first = parser->getContext()->getStart();
  if (last != &start &&
      (explainForeignOperator(parser, found) || explainForeignLiteral(parser, found, last) ||
       explainForeignShape(parser, found) || explainValues(parser, found) ||
       explainElements(parser, found, expected) || explainAs(parser, found)))
    return true;
  if (last != &start && explainBranch(parser, found))
    return true;
  // A new line where a `;` may stand: it is missing, and the words mean what they mean in SPL.
  bool noSemicolon =
      last && last->getLine() != found->getLine() && expected.contains(size_t(P::SEMI));
  if (noSemicolon && found->getType() != P::LBRACE)
    return false;
  size_t behind = next(parser, found)->getType();
  bool isName = isKeywordAsName(parser, found, expected) && // `rstring function,`
                (behind == P::COMMA || behind == P::SEMI || behind == P::GT ||
                 behind == P::ASSIGN || behind == P::RPAREN || behind == P::LPAREN);
  if (!isName && (explainQuery(parser, found) || explainLeading(parser, found)))
    return true;
  if (parser->getContext()->getRuleIndex() == P::RuleLogicItem) // `onTuple S if (...) ...`
    return false;
  for (Token *word : {found, last})
    if (isWord(word) && word != first && explainInfix(parser, word))
      return true;
  return false;
}

/// An operator of up to three words, as `IS NOT NULL`.
bool ErrorStrategy::explainInfix(Parser *parser, Token *word) {
  size_t before = previous(parser, word)->getType(); // `In` may be a port
  bool isPort = before == P::INPUT || before == P::LPAREN || before == P::COMMA;
  bool isHead = isPort || parser->getContext()->getRuleIndex() == P::RuleStatement; // of a loop
  if (word->getType() == P::IN || (isHead && word->getText() == "In"))
    return false;
  struct Phrase {
    std::string text;
    Token *last;
  };
  std::vector<Phrase> phrases = {{word->getText(), word}};
  for (Token *more = word; phrases.size() < 3 && isWord(next(parser, more));) {
    more = next(parser, more);
    phrases.push_back({phrases.back().text + " " + more->getText(), more});
  }
  for (const Phrase &phrase : llvm::reverse(phrases))
    if (const Foreign *known = entryOf(infixWords, phrase.text)) {
      addForeign(word, phrase.last, known->instead);
      return true;
    }
  return false;
}

/// `SELECT x FROM`, at the start of a declaration or behind `=`.
bool ErrorStrategy::explainQuery(Parser *parser, Token *found) {
  for (Token *word : {parser->getContext()->getStart(), previous(parser, found), found}) {
    if (!isWord(word) || word->getTokenIndex() > found->getTokenIndex())
      continue;
    Token *second = next(parser, word), *behind = next(parser, second);
    while (behind->getType() == P::DOT)
      behind = next(parser, next(parser, behind));
    if (behind->getText() == "import") { // from collections import deque
      addForeign(word, word, foreignStatement("import"));
      return true;
    }
    const Foreign *known = entryOf(queryWords, word->getText());
    if (!known)
      known = entryOf(queryWords, word->getText() + " " + second->getText());
    if (!known || !(isWord(second) || second->getType() == P::STAR))
      continue;
    addForeign(word, word, known->instead);
    return true;
  }
  return false;
}

/// Whether `word` stands behind `}` and belongs to what ended there in another language.
bool ErrorStrategy::continuesForeign(Parser *parser, Token *word) {
  Token *last = previous(parser, word);
  if (word->getType() == P::WHILE) // do { ... } while (condition);
    return last->getType() == P::RBRACE && last->getLine() == word->getLine();
  return word->getType() == P::ID && llvm::is_contained(continuingWords, word->getText());
}

/// `for (int i` as SPL writes it.
std::string ErrorStrategy::loopHead(Parser *parser, Token *found) {
  Token *first = parser->getContext()->getStart(), *name = previous(parser, found);
  Token *type = next(parser, next(parser, first));
  StringRef known = foreignType(type->getText());
  if (known.empty()) {
    Range head = rangeOf(file, first, name);
    return text.slice(head.begin, head.end).str();
  }
  bool isType = known.consume_front("`") && known.consume_back("`");
  return "for (" + (isType ? known.str() : "int32") + " " + name->getText();
}

/// The first word of a declaration whose head is being read: that of `public class A`; else null.
Token *ErrorStrategy::declarationWord(Parser *parser) {
  for (antlr4::tree::ParseTree *at = parser->getContext(); at; at = at->parent) {
    auto *rule = static_cast<antlr4::ParserRuleContext *>(at);
    if (rule->getRuleIndex() == P::RuleBlock)
      return nullptr;
    if (rule->getRuleIndex() == P::RuleFunctionDecl) {
      Token *word = rule->getStart();
      while (word->getType() == P::PUBLIC || word->getType() == P::STATEFUL)
        word = next(parser, word);
      return word;
    }
  }
  return nullptr;
}

/// `then println(x)`, `throw "x"`, `loop {`; but not `record = 1 2`, where it is a name.
bool ErrorStrategy::explainLeading(Parser *parser, Token *found) {
  for (Token *word : {parser->getContext()->getStart(), declarationWord(parser), found}) {
    if (!isWord(word) || word->getTokenIndex() > found->getTokenIndex())
      continue;
    Token *second = next(parser, word);
    // A static type, and `param Function $f`.
    if (previous(parser, word)->getType() == P::TYPE || second->getText()[0] == '$')
      continue;
    bool leads = word == found || second == found || isWord(second) ||
                 second->getType() == P::LPAREN || second->getType() == P::LBRACE;
    StringRef instead = leads ? foreignStatement(word->getText()) : "";
    if (instead.empty())
      continue;
    addForeign(word, word, instead);
    return true;
  }
  return false;
}

/// The token before `token`, without blanks and comments. Before the first one, and before `start`
/// itself, that is `start`.
Token *ErrorStrategy::previous(Parser *parser, Token *token) {
  auto *tokens = parser->getTokenStream();
  for (size_t i = token->getTokenIndex(); i-- > 0;)
    if (tokens->get(i)->getChannel() == Token::DEFAULT_CHANNEL)
      return tokens->get(i);
  return &start;
}

/// The token behind `token`; the end for the end.
Token *ErrorStrategy::next(Parser *parser, Token *token) {
  auto *tokens = parser->getTokenStream();
  size_t i = std::min(token->getTokenIndex() + 1, tokens->size() - 1);
  while (i + 1 < tokens->size() && tokens->get(i)->getChannel() != Token::DEFAULT_CHANNEL)
    ++i;
  return tokens->get(i);
}
