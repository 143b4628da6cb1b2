//===- Expected.cpp - sets of tokens in the words of SPL -------------------===//
#include "frontend/grammar/SPLParser.h"
#include "frontend/syntax/antlr/advice/Advisors.h"
#include "llvm/ADT/SmallVector.h"
#include <set>

using namespace sluice::grammar;
using P = SPLParser;

namespace {

/// Tokens that stand for one notion when they come together.
struct Notion {
  const char *name;
  size_t witness; // the notion is meant if this one is in the set
  std::vector<size_t> tokens;
};

const std::vector<size_t> types = {
    P::BOOLEAN,   P::INT8,      P::INT16,     P::INT32,   P::INT64,     P::UINT8,     P::UINT16,
    P::UINT32,    P::UINT64,    P::FLOAT32,   P::FLOAT64, P::DECIMAL32, P::DECIMAL64, P::DECIMAL128,
    P::COMPLEX32, P::COMPLEX64, P::TIMESTAMP, P::BLOB,    P::USTRING,   P::RSTRING,   P::XML,
    P::ENUM,      P::LIST,      P::SET,       P::MAP,     P::OPTIONAL,  P::TUPLE};
const std::vector<size_t> operands = {
    P::ID,     P::INT,      P::HEX,    P::FLOAT, P::STRING, P::XMLTEXT, P::TRUE, P::FALSE, P::NULL_,
    P::LPAREN, P::LBRACKET, P::LBRACE, P::BANG,  P::MINUS,  P::TILDE,   P::INC,  P::DEC};
const std::vector<size_t> operators = {
    P::LPAREN,  P::LBRACKET, P::DOT,      P::COLONCOLON, P::QUESTION, P::ORELSE,     P::PRESENT,
    P::PLUS,    P::MINUS,    P::STAR,     P::SLASH,      P::PERCENT,  P::AMP,        P::PIPE,
    P::CARET,   P::BANG,     P::AMPAMP,   P::PIPEPIPE,   P::INC,      P::DEC,        P::EQ,
    P::NE,      P::LE,       P::LT,       P::GT,         P::SHL,      P::ASSIGN,     P::PLUSEQ,
    P::MINUSEQ, P::STAREQ,   P::SLASHEQ,  P::PERCENTEQ,  P::SHLEQ,    P::AMPEQ,      P::CARETEQ,
    P::PIPEEQ,  P::DOTPLUS,  P::DOTMINUS, P::DOTSTAR,    P::DOTSLASH, P::DOTPERCENT, P::DOTAMP,
    P::DOTPIPE, P::DOTCARET, P::DOTSHL,   P::DOTSHR,     P::DOTLT,    P::DOTLE,      P::DOTGT,
    P::DOTGE,   P::DOTEQ,    P::DOTNE,    P::IN};

std::vector<size_t> operator+(std::vector<size_t> a, const std::vector<size_t> &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Wider notions first.
const std::vector<Notion> notions = {
    {"a statement", P::WHILE,
     types + operands +
         std::vector<size_t>{P::IF, P::FOR, P::WHILE, P::BREAK, P::CONTINUE, P::RETURN, P::MUTABLE,
                             P::TYPE}},
    // The operators are many; what else may follow says more.
    {nullptr, P::PERCENT, operators},
    {"a composite, function or type", P::COMPOSITE,
     types + std::vector<size_t>{P::AT, P::PUBLIC, P::STATEFUL, P::COMPOSITE, P::OPERATOR, P::TYPE,
                                 P::VOID, P::LT, P::LBRACKET, P::ID, P::NAMESPACE, P::USE}},
    {"a value", P::INT, types + operands},
    {"a type", P::INT8, types + std::vector<size_t>{P::ID, P::VOID}},
    {"an operator invocation", P::AT, {P::AT, P::STREAM, P::LPAREN}},
    {"a name", P::ID, {P::ID}},
};

std::string tokenName(size_t type) {
  if (type == antlr4::Token::EOF)
    return "the end of the file";
  if (type == P::STRING)
    return "a string";
  std::string literal = P(nullptr).getVocabulary().getLiteralName(type);
  return "`" + literal.substr(1, literal.size() - 2) + "`";
}

} // namespace

std::string sluice::grammar::describe(const antlr4::misc::IntervalSet &expected) {
  std::set<size_t> left;
  for (ssize_t type : expected.toList())
    left.insert(type);
  std::vector<std::string> words;
  for (const Notion &notion : notions) {
    if (!left.count(notion.witness))
      continue;
    if (notion.name)
      words.push_back(notion.name);
    for (size_t type : notion.tokens)
      left.erase(type);
  }
  for (size_t type : left)
    words.push_back(tokenName(type));
  std::string out;
  for (size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return out;
}
