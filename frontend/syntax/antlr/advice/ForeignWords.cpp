//===- ForeignWords.cpp - advice on words of other languages ---------------===//
//
// A word that another language has and SPL has not gets a message that says what SPL writes. It is
// looked for only where the parser has failed: all these words may be names. `${power}` in a text
// stands for what the toolkit calls its function for powers (modules/Hints.h).
//
//===----------------------------------------------------------------------===//
#include "frontend/diagnostics/ForeignStatements.h"
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"
#include "frontend/syntax/antlr/advice/Foreign.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using llvm::StringRef;
using P = SPLParser;

const char *const advice::lambdaAdvice = NO_LAMBDAS;
const char *const advice::queryAdvice =
    "operators make streams of streams: `${where}` chooses tuples, `${select}` attributes, "
    "`${group}` groups, `${join}` joins";

namespace {

#define OF_NULL(has) "write `" has "` for an `optional`; other values are never null"
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
    {"like", "write `${size}(${match}(text, pattern)) > 0`"},
    {"matches", "write `${size}(${match}(text, pattern)) > 0`"},
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
const StringRef queryWords[] = {"select", "create", "insert", "update", "from",       "where",
                                "with",   "drop",   "join",   "alter",  "delete from"};

bool isQueryWord(const std::string &text) {
  return llvm::any_of(queryWords, [&](StringRef word) { return word.equals_insensitive(text); });
}

/// Whether words of other languages are looked for here. On a new line where a `;` may stand, it is
/// missing, and the words mean what they mean in SPL.
bool mayBeForeign(const SyntaxError &e) {
  return e.last()->getLine() == e.found->getLine() || !e.expects(P::SEMI) || e.type() == P::LBRACE;
}

/// Whether the keyword `found` is meant as a name: `rstring function,`.
bool isName(const SyntaxError &e) {
  static constexpr size_t signs[] = {P::COMMA, P::SEMI, P::GT, P::ASSIGN, P::RPAREN, P::LPAREN};
  return advice::isKeywordAsName(e) && llvm::is_contained(signs, e.behind()->getType());
}

} // namespace

/// At the start of a declaration or behind `=`.
Answer advice::query(const SyntaxError &e) {
  if (!mayBeForeign(e) || isName(e))
    return std::nullopt;
  for (Token *word : {e.first(), e.last(), e.found}) {
    if (!isWord(word) || word->getTokenIndex() > e.found->getTokenIndex())
      continue;
    Token *second = e.next(word), *behind = e.next(second);
    while (behind->getType() == P::DOT)
      behind = e.next(e.next(behind));
    if (behind->getText() == "import") // from collections import deque
      return e.foreign(word, foreignStatement("import"));
    bool isQuery =
        isQueryWord(word->getText()) || isQueryWord(word->getText() + " " + second->getText());
    if (isQuery && (isWord(second) || second->getType() == P::STAR))
      return e.foreign(word, queryAdvice);
  }
  return std::nullopt;
}

/// `then println(x)`, `throw "x"`, `loop {`; but not `record = 1 2`, where it is a name.
Answer advice::leading(const SyntaxError &e) {
  if (!mayBeForeign(e) || isName(e))
    return std::nullopt;
  for (Token *word : {e.first(), e.declarationWord(), e.found}) {
    if (!isWord(word) || word->getTokenIndex() > e.found->getTokenIndex())
      continue;
    Token *second = e.next(word);
    // A static type, and `param Function $f`.
    if (e.previous(word)->getType() == P::TYPE || second->getText()[0] == '$')
      continue;
    bool leads = word == e.found || second == e.found || isWord(second) ||
                 second->getType() == P::LPAREN || second->getType() == P::LBRACE;
    StringRef instead = leads ? foreignStatement(word->getText()) : "";
    if (!instead.empty())
      return e.foreign(word, instead);
  }
  return std::nullopt;
}

Answer advice::infix(const SyntaxError &e) {
  if (!mayBeForeign(e) || e.rule() == P::RuleLogicItem) // `onTuple S if (...) ...`
    return std::nullopt;
  for (Token *word : {e.found, e.last()})
    if (isWord(word) && word != e.first())
      if (Answer answer = infixAt(e, word))
        return answer;
  return std::nullopt;
}

Answer advice::infixAt(const SyntaxError &e, Token *word) {
  size_t before = e.previous(word)->getType(); // `In` may be a port
  bool isPort = before == P::INPUT || before == P::LPAREN || before == P::COMMA;
  bool isHead = isPort || e.rule() == P::RuleStatement; // of a loop
  if (word->getType() == P::IN || (isHead && word->getText() == "In"))
    return std::nullopt;
  struct Phrase {
    std::string text;
    Token *last;
  };
  std::vector<Phrase> phrases = {{word->getText(), word}};
  for (Token *more = word; phrases.size() < 3 && isWord(e.next(more));) {
    more = e.next(more);
    phrases.push_back({phrases.back().text + " " + more->getText(), more});
  }
  for (const Phrase &phrase : llvm::reverse(phrases))
    if (const Foreign *known = entryOf(infixWords, phrase.text))
      return e.foreign(word, phrase.last, known->instead);
  return std::nullopt;
}
