//===- Brackets.cpp - brackets that do not match ---------------------------===//
//
// Finds the bracket that is missing, one too many or of the wrong kind, and makes tokens whose
// brackets match. A line that is indented no more than that of an open `{` tells that its `}` is
// missing before; a `}` at the start of a line that is indented more than that of its `{` tells
// that a `{` is missing or the `}` is one too many. In a line, the other brackets and what stands
// before one tell. None of this is asked where all brackets match.
//
//===----------------------------------------------------------------------===//
#include "frontend/syntax/antlr/brackets/Brackets.h"
#include "frontend/grammar/SPLLexer.h"
#include "frontend/syntax/antlr/Tokens.h"
#include "frontend/syntax/antlr/brackets/BracketEdits.h"
#include "llvm/ADT/STLExtras.h"

using namespace sluice;
using namespace sluice::grammar;
using antlr4::Token;
using L = SPLLexer;

static bool doMatch(const std::vector<Token *> &visible) {
  std::vector<size_t> open;
  for (Token *token : visible) {
    if (size_t closer = closerOf(token->getType())) {
      open.push_back(closer);
    } else if (isCloser(token->getType())) {
      if (open.empty() || open.back() != token->getType())
        return false;
      open.pop_back();
    }
  }
  return open.empty();
}

/// A token that ends a statement, a block or its head.
static bool endsItem(size_t type) {
  return type == L::SEMI || type == L::LBRACE || type == L::RBRACE;
}

/// A token that ends a value. `)` is none here, as it may end a cast.
static bool endsValue(size_t type) {
  static constexpr size_t types[] = {L::ID,   L::INT,   L::FLOAT,    L::HEX,   L::STRING,
                                     L::TRUE, L::FALSE, L::RBRACKET, L::RBRACE};
  return llvm::is_contained(types, type);
}

/// A keyword that begins a statement or a clause. `stream` is none: it may stand in parentheses.
static bool beginsInBlock(size_t type) {
  static constexpr size_t types[] = {L::PARAM,  L::GRAPH,   L::CONFIG,  L::LOGIC, L::WINDOW,
                                     L::OUTPUT, L::ONTUPLE, L::ONPUNCT, L::IF,    L::FOR,
                                     L::WHILE,  L::RETURN,  L::MUTABLE, L::TYPE,  L::BREAK};
  return llvm::is_contained(types, type);
}

namespace {

/// Goes through the tokens with a stack of the open brackets.
class Matcher final : public BracketEdits {
public:
  using BracketEdits::BracketEdits;
  bool isFileIndented() const;
  void run();

private:
  bool isBrace(size_t at) const { return type(at) == L::LBRACE; }
  bool isHead(size_t end) const;
  bool isBlock(size_t brace) const { return isBrace(brace) && isHead(brace - 1); }
  bool isIndented(size_t brace) const { return indent(nextLine(brace)) > indent(brace); }
  bool isAligned(size_t at, size_t brace) const;
  bool isInside(size_t at, size_t brace) const;
  bool isStray(size_t at, size_t brace) const;

  void startLine(size_t at);
  bool inParentheses() const;
  bool isSwapped(size_t at) const;
  bool isForParenthesis(size_t at) const;
  bool opensBody(size_t at) const;
  void openBracket(size_t at);
  void close(size_t at);
  void closeOther(size_t at);
  void closeWithoutOpening(size_t at);
  void closeMissing(size_t at);
  void replaceOpening(size_t as);
  void replaceCloser(size_t at);
  size_t headEnd(size_t at) const;
  size_t statementEnd(size_t at) const;

  std::vector<size_t> open;
};

} // namespace

/// Whether the head of a block or a body may end there: with a name, `else`, `onTuple S :` or a
/// `)` that ends no cast.
bool Matcher::isHead(size_t end) const {
  size_t word = type(end - 1), before = type(end - 2);
  bool isCast = before == L::LPAREN && word >= L::AS && word <= L::XML;
  bool isHandler = before == L::ONTUPLE || before == L::ONPUNCT || before == L::LOGIC ||
                   (endsItem(before) && isFirst(end - 1));
  return type(end) == L::ID || type(end) == L::ELSE || (type(end) == L::RPAREN && !isCast) ||
         (type(end) == L::COLON && isHandler);
}

/// Whether a token in the line of the `{`, or before it, begins where the line of `at` does.
bool Matcher::isAligned(size_t at, size_t brace) const {
  size_t other = brace;
  while (!isFirst(other) && column(other) != indent(at))
    --other;
  return column(other) == indent(at);
}

/// Whether the line behind `at` is indented as those in the braces.
bool Matcher::isInside(size_t at, size_t brace) const {
  return isIndented(brace) && indent(nextLine(at)) > indent(brace);
}

/// Whether most of the lines behind a `{` are indented more than that of the `{`.
bool Matcher::isFileIndented() const {
  int more = 0;
  for (size_t at = 0; at < end(); ++at)
    if (isBrace(at) && isLast(at))
      more += isIndented(at) ? 1 : -1;
  return more >= 0;
}

void Matcher::run() {
  for (size_t at = 0; at < end(); ++at) {
    if (isFirst(at))
      startLine(at);
    if (isCloser(type(at)))
      close(at);
    else if (closerOf(type(at)))
      openBracket(at);
  }
  while (!open.empty())
    closeMissing(end());
}

/// Closes what the indentation of a line tells to be closed.
void Matcher::startLine(size_t at) {
  while (!open.empty()) {
    size_t last = open.back();
    bool isAlone = isLast(at) && indent(at) == indent(last) && isBrace(last);
    bool isOther = closerOf(type(at)) ? !isHead(at - 1) : isCloser(type(at));
    if (isAlone && isOther && type(at) != L::RBRACE)
      return retype(at, L::RBRACE, last);
    bool isIn = indent(at) > indent(last) || (indent(at) == indent(last) && isCloser(type(at)));
    if (isIn || (isBrace(last) && isLast(last) && !isIndented(last)))
      return;
    closeMissing(at);
  }
}

/// Whether parentheses or brackets are open, and no brace in them.
bool Matcher::inParentheses() const { return !open.empty() && !isBrace(open.back()); }

/// `if (a { )`
bool Matcher::isSwapped(size_t at) const {
  return isBrace(at) && inParentheses() && isLast(at + 1) &&
         type(at + 1) == closerOf(type(open.back()));
}

/// A brace that stands for the parenthesis of a call, or for one that closes.
bool Matcher::isForParenthesis(size_t at) const {
  return isBrace(at) && inParentheses() && endsValue(type(at - 1)) && touchesLast(at) &&
         (!isLast(at) || type(open.back()) == L::LBRACKET);
}

/// Whether it opens the body of a statement or a handler, on the lines that follow.
bool Matcher::opensBody(size_t at) const {
  return isLast(at) && isIndented(at) &&
         (beginsInBlock(type(at + 1)) || (isHead(at - 1) && type(at - 1) != L::ID));
}

void Matcher::openBracket(size_t at) {
  size_t before = type(at - 1);
  bool isValue = endsValue(before), isEnd = isLast(at) && !isIndented(at);
  if (isSwapped(at)) {
    replaceCloser(at);
    return retype(at + 1, L::LBRACE, none);
  }
  if (before == L::IF || before == L::FOR || before == L::WHILE) {
    if (type(at) != L::LPAREN)
      retype(at, L::LPAREN, none);
  } else if (inParentheses() && isEnd && (isValue || before == L::RPAREN)) {
    return replaceCloser(at);
  } else if (isForParenthesis(at)) {
    if (type(at + 1) != L::RPAREN)
      return replaceCloser(at); // `f(a{;`
    retype(at, L::LPAREN, none);
  } else if (opensBody(at) && !isBrace(at)) { // `if (a) (`
    retype(at, L::LBRACE, none);
  } else if (isBrace(at) && (isValue || (before == L::RPAREN && isLast(at)))) {
    while (inParentheses())
      closeMissing(at); // `if (a {`
  }
  open.push_back(at);
}

/// Whether the `}` cannot be that of the `{`, which stands in a line before.
bool Matcher::isStray(size_t at, size_t brace) const {
  if (isFirst(at) || !isBlock(brace))
    return false;
  return !endsItem(type(at - 1)) ||
         (isLast(brace) && indent(at) > indent(brace) && isInside(at, brace));
}

void Matcher::close(size_t at) {
  bool isFar = open.empty() || line(open.back()) < line(at);
  if (type(at) == L::RBRACE && isFar && !isFirst(at) && isLast(at) && isHead(at - 1) &&
      indent(nextLine(at)) > indent(at)) { // `if (a) }`
    retype(at, L::LBRACE, none);
    return open.push_back(at);
  }
  if (open.empty())
    return closeWithoutOpening(at);
  size_t last = open.back();
  if (closerOf(type(last)) != type(at))
    return closeOther(at);
  if (type(at) == L::RBRACE && (type(at - 1) == L::ASSIGN || (isFar && isStray(at, last))))
    return hide(at);
  if (type(at) == L::RBRACE && isFar && isFirst(at) && isIndented(last) &&
      indent(at) > indent(last) && !isAligned(at, last))
    return closeWithoutOpening(at);
  open.pop_back();
}

/// The innermost open bracket is of another kind.
void Matcher::closeOther(size_t at) {
  size_t last = open.back();
  if (type(at) == L::RBRACE && isFirst(at) && isLast(last) && indent(last) == indent(at))
    return replaceOpening(L::LBRACE);
  auto opening = llvm::find_if(llvm::reverse(open), [&](size_t bracket) {
    return closerOf(type(bracket)) == type(at) || (isBrace(bracket) && line(bracket) < line(at));
  });
  bool isNear = line(last) == line(at);
  bool isThere = opening != open.rend() && closerOf(type(*opening)) == type(at);
  if (isThere && type(at) == L::RBRACE && !isFirst(at) && line(*opening) < line(at))
    isThere = !isNear && !isInside(at, *opening); // else as in `if (a} {`
  if (isThere) {
    while (closerOf(type(open.back())) != type(at))
      closeMissing(at);
    open.pop_back();
  } else if (isNear && isBrace(last) && type(last - 1) == L::ID && touchesLast(last)) { // f{x)
    replaceOpening(type(at) == L::RPAREN ? L::LPAREN : L::LBRACKET);
  } else if (!isBrace(last) || (isNear && (!isBlock(last) || isLast(at)))) {
    replaceCloser(at);
  } else {
    hide(at);
  }
}

/// The innermost open bracket is one of another kind, and closed.
void Matcher::replaceOpening(size_t as) {
  retype(open.back(), as, none);
  open.pop_back();
}

/// `at` is the one that closes the innermost open bracket.
void Matcher::replaceCloser(size_t at) {
  retype(at, closerOf(type(open.back())), open.back());
  open.pop_back();
}

/// Where the head of a block ends that begins with `at`: at the end of a line, and not in
/// parentheses.
size_t Matcher::headEnd(size_t at) const {
  for (int depth = 0; at < end(); ++at) {
    depth += type(at) == L::LPAREN;
    depth -= type(at) == L::RPAREN;
    if (depth <= 0 && isLast(at))
      break;
  }
  return at;
}

size_t Matcher::statementEnd(size_t at) const {
  for (int depth = 0; at < end(); ++at) {
    depth += type(at) == L::LBRACE;
    depth -= type(at) == L::RBRACE;
    if (depth <= 0 && (type(at) == L::SEMI || type(at) == L::RBRACE))
      break;
  }
  return at;
}

/// The `}` closes a block whose `{` is missing, or is one too many.
void Matcher::closeWithoutOpening(size_t at) {
  size_t head = at, least = open.empty() ? 0 : open.back() + 1;
  size_t most = isFirst(at) ? indent(at) + 1 : indent(at); // else it ends the last statement
  while (head > least && !(isFirst(head - 1) && indent(head - 1) < most))
    --head;
  if (type(at) != L::RBRACE || head-- <= least || (isFirst(at) && indent(head) != indent(at)))
    return hide(at);
  size_t end = headEnd(head);
  if (end >= at || endsItem(type(end)) || !(isFirst(at) || isHead(end)))
    return hide(at);
  // That several statements stand behind `onTuple S :` shows at the second one.
  insertOpening(end, std::min(at, statementEnd(end + 1) + 1));
}

/// The innermost open bracket is not closed before `at`.
void Matcher::closeMissing(size_t at) {
  size_t last = open.back();
  open.pop_back();
  if (isBrace(last) && isBrace(last + 1) && line(last) == line(last + 1))
    return hideOpening(last + 1);
  bool inLine = !isBrace(last) || (!isLast(last) && line(last) == line(at - 1));
  if (inLine && type(at - 1) == L::SEMI)
    --at;
  insertCloser(last, at);
}

BracketRepair grammar::repairBrackets(antlr4::CommonTokenStream &tokens, llvm::StringRef text,
                                      uint32_t file) {
  std::vector<Token *> visible = visibleTokens(tokens);
  if (doMatch(visible))
    return {};
  Matcher matcher(std::move(visible), text, file);
  if (!matcher.isFileIndented())
    return {};
  matcher.run();
  return {std::move(matcher.slips), matcher.repaired(tokens.getTokens())};
}
