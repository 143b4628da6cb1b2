//===- Types.cpp - advice on types -----------------------------------------===//
#include "frontend/diagnostics/Spelling.h"
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"
#include "frontend/syntax/antlr/advice/Foreign.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using P = SPLParser;

/// Before `<` and the types of elements.
static const Foreign genericTypes[] = {
    {"list", "write `list<T>`"},         {"arraylist", "write `list<T>`"},
    {"array", "write `list<T>`"},        {"vector", "write `list<T>`"},
    {"vec", "write `list<T>`"},          {"set", "write `set<T>`"},
    {"hashset", "write `set<T>`"},       {"map", "write `map<K, V>`"},
    {"hashmap", "write `map<K, V>`"},    {"dict", "write `map<K, V>`"},
    {"dictionary", "write `map<K, V>`"}, {"unordered_map", "write `map<K, V>`"},
    {"optional", "write `optional<T>`"}, {"option", "write `optional<T>`"},
    {"tuple", "write `tuple<int32 x>`"}, {"stream", "write `stream<...>`"},
};

const char *sluice::grammar::genericType(llvm::StringRef name) {
  const Foreign *known = entryOf(genericTypes, name);
  return known ? known->instead : nullptr;
}

Answer advice::typeOfStream(const SyntaxError &e) {
  if (e.type() != P::STREAM || e.last()->getType() != P::ASSIGN)
    return std::nullopt;
  return e.foreign(e.found, "a type has the attributes alone: `type Name = int32 x, rstring y;`");
}

Answer advice::bareTuple(const SyntaxError &e) {
  if (e.type() != P::LT || e.last()->getType() != P::ASSIGN)
    return std::nullopt;
  return e.foreign(e.found, "write `tuple<int32 x>`, or the attributes alone");
}

/// `type Order { int32 x; }`, `type Order = { int32 x; };` and `type Order = {up, down};`.
Answer advice::braces(const SyntaxError &e) {
  if (e.type() != P::LBRACE)
    return std::nullopt;
  for (antlr4::tree::ParseTree *at = &e.context; at; at = at->parent) {
    size_t rule = static_cast<antlr4::ParserRuleContext *>(at)->getRuleIndex();
    if (rule != P::RuleTypeAlias && rule != P::RuleInnerType)
      continue;
    bool isEnum = e.behind()->getType() == P::ID && e.next(e.behind())->getType() != P::ID;
    return e.foreign(e.found, isEnum ? "write `type Name = enum {a, b};`"
                                     : "a type has no braces: `type Name = int32 x, rstring y;`");
  }
  return std::nullopt;
}

Answer advice::enumName(const SyntaxError &e) {
  if (e.last()->getType() != P::ENUM || e.type() != P::ID)
    return std::nullopt;
  return e.foreign(e.last(), e.found, "write `type Name = enum { a, b };`");
}

/// `list a` and `map<rstring> a`: types with too few types of elements.
Answer advice::elements(const SyntaxError &e) {
  Token *first = e.first();
  bool isOpen = e.expects(P::LT) && e.type() != P::LPAREN;
  bool isShort = first->getType() == P::MAP && e.expects(P::COMMA) &&
                 (e.type() == P::GT || e.type() == P::SEMI);
  const char *whole = e.hasLast() && (isOpen || isShort) ? genericType(first->getText()) : nullptr;
  if (!whole)
    return std::nullopt;
  return e.foreign(first, isShort ? e.found : first, whole);
}

/// `map(x -> x, list)` and `list(x)`: a type with elements that is called like a function.
Answer advice::typeCall(const SyntaxError &e) {
  size_t type = e.type();
  if (e.behind()->getType() != P::LPAREN)
    return std::nullopt;
  if (type == P::MAP && e.next(e.behind())->getType() != P::RPAREN)
    return e.foreign(e.found, lambdaAdvice);
  if (type == P::MAP || type == P::LIST || type == P::SET || type == P::TUPLE)
    return e.foreign(e.found, "a literal makes a value: `[1, 2]`, `{1, 2}` or `{name = 1}`");
  if (endsType(e.found) && type != P::GT && e.rule() != P::RuleFunctionDecl)
    return e.foreign(e.found, "a cast stands in parentheses: `(" + e.found->getText() + ") value`");
  return std::nullopt;
}

/// `lst<int32> a`. Elsewhere than among types, `word < ...` may compare.
static Answer misspeltType(const SyntaxError &e, Token *word) {
  Token *open = e.next(word);
  if (word->getType() != P::ID || open->getType() != P::LT || e.tokens.isStart(e.previous(word)))
    return std::nullopt;
  size_t rule = e.rule();
  bool inType = rule == P::RuleStreamType || rule == P::RuleBuiltinType ||
                rule == P::RuleTupleBody || rule == P::RuleTupleItem || rule == P::RuleTypeAlias ||
                rule == P::RuleInnerType;
  if (!inType && !e.tokens.typeEnd(e.next(open)))
    return std::nullopt;
  NearNames near(word->getText());
  near.offerAll(std::initializer_list<const char *>{"list", "set", "map", "optional", "tuple"});
  std::vector<std::string> best = near.best();
  if (best.empty())
    return std::nullopt;
  return e.foreign(word, "write `" + best.front() + "<...>`");
}

/// `List<int32> a`: a type with elements that was begun before `found`, on its line.
Answer advice::genericOfOther(const SyntaxError &e) {
  static constexpr unsigned mostBack = 5; // `Map<String, int32> a` fails at the last word
  Token *word = e.found;
  for (unsigned i = 0; i <= mostBack && word->getLine() == e.found->getLine(); ++i) {
    const Foreign *known = word->getType() == P::ID && e.next(word)->getType() == P::LT
                               ? entryOf(genericTypes, word->getText())
                               : nullptr;
    Token *before = e.previous(word);
    if (known && before->getText() == "new") // new HashMap<>()
      return infixAt(e, before);
    if (known)
      return e.foreign(word, known->instead);
    if (Answer answer = misspeltType(e, word))
      return answer;
    word = before;
  }
  return std::nullopt;
}
