//===- Tokens.cpp - checks on tokens that the lexer leaves open ------------===//
//
// The lexer accepts malformed strings, numbers and characters as tokens of
// their own, so that each gets one good message and parsing goes on.
//
//===----------------------------------------------------------------------===//
#include "frontend/syntax/antlr/Tokens.h"
#include "frontend/grammar/SPLLexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"

using namespace sluice;
using namespace sluice::grammar;
using llvm::StringRef;

static bool isControl(char c) { return c >= 0 && c < ' ' && !llvm::isSpace(c); }

/// The byte that tells that the file is binary; npos if it is text, in which a stray control byte
/// or two may be.
static size_t binaryByte(StringRef text) {
  static constexpr size_t least = 4, share = 64;
  if (size_t zero = text.find('\0'); zero != StringRef::npos)
    return zero;
  size_t controls = llvm::count_if(text, isControl);
  return controls >= least && controls > text.size() / share ? text.find_if(isControl)
                                                             : StringRef::npos;
}

bool grammar::checkEncoding(StringRef text, uint32_t file, Problems &problems) {
  if (size_t at = binaryByte(text); at != StringRef::npos) {
    problems.push_back({{file, 0, 0},
                        Diag::err_no_text,
                        {std::to_string(at), std::to_string(unsigned(text[at]))},
                        {}});
    return false;
  }
  auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  auto *end = begin + text.size(), *at = begin;
  if (llvm::isLegalUTF8String(&at, end))
    return true;
  uint32_t offset = at - begin;
  problems.push_back({{file, offset, offset + 1}, Diag::err_bad_utf8, {}, {}});
  return true;
}

/// Escapes of a closed string literal.
static void checkEscapes(StringRef text, uint32_t begin, uint32_t file, Problems &problems) {
  for (size_t i = text.find('\\'); i < text.size(); i = text.find('\\', i)) {
    char c = text[i + 1];
    StringRef digits = text.substr(i + 2, 4);
    size_t length = 2;
    bool good = StringRef("\"'\\?abfnrtv0").contains(c);
    if (c == 'u') {
      good = digits.size() == 4 && llvm::all_of(digits, llvm::isHexDigit);
      length += digits.take_while(llvm::isHexDigit).size();
    }
    if (!good)
      problems.push_back({{file, uint32_t(begin + i), uint32_t(begin + i + length)},
                          Diag::err_bad_escape,
                          {text.substr(i, length).str()},
                          {}});
    i += length;
  }
}

/// `2l` for `2L`, `2ul` for `2ULL`: the number with the suffix that SPL has for that of another
/// language; empty if there is none.
static std::string knownSuffix(StringRef text) {
  StringRef digits = text.take_while([](char c) { return llvm::isDigit(c) || c == '.'; });
  std::string suffix = text.drop_front(digits.size()).lower();
  StringRef known = llvm::StringSwitch<StringRef>(suffix)
                        .Cases({"l", "ll", "i64"}, "l")
                        .Cases({"u", "u32"}, "u")
                        .Cases({"ul", "ull", "lu", "llu", "u64"}, "ul")
                        .Cases({"f", "f32"}, "w")
                        .Default("");
  bool isFloat = known == "w";
  if (suffix == "f64" || (isFloat && !digits.contains('.')))
    return digits.str() + (digits.contains('.') ? "" : ".0") + known.str();
  bool fits = !known.empty() && isFloat == digits.contains('.');
  return fits ? (digits + known).str() : "";
}

static constexpr const char *separatedDigits = "digits cannot be separated";

/// Where `1,000,000` begins whose last part begins at `at`; `at` if it is none.
static uint32_t separatedFrom(StringRef text, uint32_t at) {
  uint32_t begin = at;
  while (begin > 1 && text[begin - 1] == ',' && llvm::isDigit(text[begin - 2]) &&
         text.substr(begin, 3).take_while(llvm::isDigit).size() == 3) {
    --begin;
    while (begin > 0 && llvm::isDigit(text[begin - 1]))
      --begin;
  }
  return begin;
}

static std::string whyNoNumber(StringRef text) {
  if (text.size() > 1 && text[0] == '0' && llvm::isDigit(text[1]))
    return "leading zeros are not allowed";
  if (text.starts_with("0x") || text.starts_with("0X"))
    return "hexadecimal numbers are `0x`, digits, and `s` or `u`";
  if (text.starts_with("0b") || text.starts_with("0o"))
    return "numbers are decimal, or hexadecimal as `0x1f`";
  if (text.contains('_'))
    return separatedDigits;
  if (std::string known = knownSuffix(text); !known.empty())
    return "write `" + known + "`";
  return "after the digits come at most a kind (s, u, f, d) and a width (b, h, w, l, q)";
}

/// The first character of a text that is UTF-8; 0 if it is not.
static uint32_t firstCharacter(StringRef word) {
  auto *at = word.bytes_begin();
  llvm::UTF32 result = 0;
  bool isOne = llvm::convertUTF8Sequence(&at, word.bytes_end(), &result, llvm::strictConversion) ==
               llvm::conversionOK;
  return isOne ? result : 0;
}

/// Blanks of word processors, and what has no width.
static bool isInvisible(uint32_t c) {
  return c == 0xA0 || c == 0xAD || c == 0x1680 || (c >= 0x2000 && c <= 0x200F) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || (c >= 0x205F && c <= 0x2064) || c == 0x3000 || c == 0xFEFF;
}

static bool isQuote(uint32_t c) {
  return (c >= 0x2018 && c <= 0x201F) || c == 0xAB || c == 0xBB || c == 0x2032 || c == 0x2033;
}

static Problems notesOn(StringRef word, Range range) {
  uint32_t c = firstCharacter(word);
  if (isInvisible(c))
    return {{range, Diag::note_invisible, {}, {}}};
  if (isQuote(c))
    return {{range, Diag::note_straight_quotes, {}, {}}};
  return {};
}

static std::string printable(StringRef word) {
  unsigned char c = word[0];
  if (uint32_t first = firstCharacter(word); isInvisible(first))
    return "U+" + llvm::utohexstr(first, false, 4);
  return c >= 0x80 || llvm::isPrint(c) ? word.str() : "\\x" + llvm::utohexstr(c, true, 2);
}

/// False if the token swallowed the rest of the file.
static bool checkToken(antlr4::WritableToken *token, StringRef text, uint32_t file,
                       Problems &problems) {
  Range range = rangeOf(file, token);
  StringRef word = text.slice(range.begin, range.end);
  switch (token->getType()) {
  case SPLLexer::STRING:
  case SPLLexer::XMLTEXT:
    checkEscapes(word, range.begin, file, problems);
    return true;
  case SPLLexer::OPENSTRING:
    problems.push_back({{file, range.begin, range.begin + 1},
                        Diag::err_open_string,
                        {word.take_front().str()},
                        {}});
    return false;
  case SPLLexer::OPENCOMMENT:
    problems.push_back({range, Diag::err_open_comment, {}, {}});
    return false;
  case SPLLexer::BADNUMBER:
    token->setType(SPLLexer::INT);
    if (uint32_t begin = separatedFrom(text, range.begin); begin < range.begin) { // 1,000
      if (!problems.empty() && problems.back().range.begin == begin)              // 1,000,000
        problems.pop_back();
      word = text.slice(begin, range.end);
      range.begin = begin;
      problems.push_back({range, Diag::err_bad_number, {word.str(), separatedDigits}, {}});
      return true;
    }
    problems.push_back({range, Diag::err_bad_number, {word.str(), whyNoNumber(word)}, {}});
    return true;
  case SPLLexer::RESERVED:
    problems.push_back({range, Diag::err_reserved_word, {word.str()}, {}});
    token->setType(SPLLexer::ID);
    return true;
  case SPLLexer::ILLEGAL:
    token->setChannel(antlr4::Token::HIDDEN_CHANNEL);
    if (range.begin == 0 && word == "\xEF\xBB\xBF")
      return true; // a byte order mark
    if (problems.empty() || problems.back().id != Diag::err_illegal_character ||
        text.slice(problems.back().range.end, range.begin).contains('\n')) // one for each line
      problems.push_back(
          {range, Diag::err_illegal_character, {printable(word)}, notesOn(word, range)});
    return true;
  default:
    return true;
  }
}

std::vector<antlr4::Token *> grammar::visibleTokens(antlr4::CommonTokenStream &tokens) {
  std::vector<antlr4::Token *> visible;
  llvm::copy_if(tokens.getTokens(), std::back_inserter(visible), [](antlr4::Token *token) {
    return token->getChannel() == antlr4::Token::DEFAULT_CHANNEL;
  });
  return visible;
}

std::string grammar::spelling(const antlr4::Token *token, StringRef text) {
  if (token->getType() == antlr4::Token::EOF)
    return "the end of the file";
  Range range = rangeOf(0, token);
  StringRef word = text.slice(range.begin, range.end);
  if (word.size() > 40 || word.contains('\n'))
    return "a string";
  return "`" + word.str() + "`";
}

std::string grammar::literalOf(size_t type) {
  std::string name = SPLLexer(nullptr).getVocabulary().getLiteralName(type);
  return StringRef(name).trim("'").str();
}

size_t grammar::closerOf(size_t type) {
  switch (type) {
  case SPLLexer::LPAREN:
    return SPLLexer::RPAREN;
  case SPLLexer::LBRACKET:
    return SPLLexer::RBRACKET;
  case SPLLexer::LBRACE:
    return SPLLexer::RBRACE;
  default:
    return 0;
  }
}

bool grammar::isCloser(size_t type) {
  return type == SPLLexer::RPAREN || type == SPLLexer::RBRACKET || type == SPLLexer::RBRACE;
}

/// What a token does to the depth of nesting.
static int nesting(const antlr4::Token *token) {
  size_t type = token->getType();
  return closerOf(type) ? 1 : isCloser(type) ? -1 : 0;
}

static bool isWordType(size_t type) {
  return type == SPLLexer::ID || (type >= SPLLexer::AS && type <= SPLLexer::XML);
}
static bool isWord(const antlr4::Token *token) { return isWordType(token->getType()); }

/// The token behind `i`, or before it, without blanks and comments; null at the start.
static const antlr4::Token *neighbour(antlr4::CommonTokenStream &tokens, size_t i, int step) {
  for (i += step; i < tokens.size(); i += step)
    if (tokens.get(i)->getChannel() == antlr4::Token::DEFAULT_CHANNEL)
      return tokens.get(i);
  return nullptr;
}

/// `#`, and `--` where it cannot count down: before two words, or a word that ends a block.
static bool beginsForeignComment(antlr4::CommonTokenStream &tokens, const antlr4::Token *token) {
  if (token->getType() == SPLLexer::ILLEGAL)
    return token->getText() == "#";
  const antlr4::Token *first =
      token->getType() == SPLLexer::DEC ? neighbour(tokens, token->getTokenIndex(), 1) : nullptr;
  if (!first)
    return false;
  const antlr4::Token *before = neighbour(tokens, token->getTokenIndex(), -1);
  bool touches = first->getStartIndex() == token->getStopIndex() + 1;
  bool beginsLine = !before || before->getLine() < token->getLine();
  if (touches || !isWord(first) || first->getLine() != token->getLine())
    return touches && beginsLine && first->getType() == SPLLexer::DEC; // a rule of dashes
  size_t second = neighbour(tokens, first->getTokenIndex(), 1)->getType();
  auto isOperator = [](size_t type) { return type == SPLLexer::IN || type == SPLLexer::AS; };
  if (isOperator(first->getType()) || isOperator(second))
    return false;
  bool ends = second == SPLLexer::RBRACE && before &&
              (before->getType() == SPLLexer::SEMI || before->getType() == SPLLexer::RBRACE ||
               (before->getType() == SPLLexer::LBRACE && beginsLine));
  return ends || isWordType(second) || second == SPLLexer::STRING ||
         second == SPLLexer::OPENSTRING || second == SPLLexer::AT || second == antlr4::Token::EOF;
}

/// What `#` and `--` mean to those who write them.
static Problem foreignComment(const antlr4::Token *token, StringRef text, uint32_t file) {
  Range range = rangeOf(file, token);
  StringRef rest = text.drop_front(range.end);
  auto foreign = [&](StringRef written, const char *instead) {
    range.end += written.size();
    return Problem{range, Diag::err_foreign, {("#" + written).str(), instead}, {}};
  };
  for (StringRef word : {"include", "import"})
    if (rest.starts_with(word))
      return foreign(word, "`use NAMESPACE::*;` finds what other files define");
  if (rest.starts_with("define"))
    return foreign("define", "a constant is a parameter of the composite, or a function");
  if (rest.starts_with("!"))
    return foreign("!", "a program is started by `sluice run FILE.spl`");
  return {range, Diag::err_foreign_comment, {token->getText()}, {}};
}

/// Keywords that the keys of annotations may be, too (`keyValue` in SPL.g4).
static bool isAnnotationKey(size_t type) {
  return type == SPLLexer::ATTRIBUTE || type == SPLLexer::TIMESTAMP || type == SPLLexer::TYPE ||
         type == SPLLexer::WINDOW || type == SPLLexer::FUNCTION;
}

bool grammar::checkTokens(antlr4::CommonTokenStream &tokens, StringRef text, uint32_t file,
                          Problems &problems) {
  int depth = 0;
  size_t commentLine = 0; // one whose rest is meant as a comment
  bool anyComment = false;
  for (antlr4::Token *token : tokens.getTokens()) {
    auto *writable = static_cast<antlr4::WritableToken *>(token);
    if (token->getType() != antlr4::Token::EOF && beginsForeignComment(tokens, token)) {
      commentLine = token->getLine();
      if (!anyComment) // the others are like it
        problems.push_back(foreignComment(token, text, file));
      anyComment = true;
    }
    if (token->getLine() == commentLine && token->getType() != antlr4::Token::EOF) {
      // An apostrophe in it has swallowed lines of the program.
      Range range = rangeOf(file, token);
      if (token->getType() != SPLLexer::SPACE && text.slice(range.begin, range.end).contains('\n'))
        return false;
      writable->setChannel(antlr4::Token::HIDDEN_CHANNEL);
      continue;
    }
    if (!checkToken(writable, text, file, problems))
      return false;
    depth = std::max(depth + nesting(token), 0);
    if (depth > maxNesting) {
      problems.push_back({rangeOf(file, token), Diag::err_too_deep, {}, {}});
      return false;
    }
  }
  return true;
}

/// A keyword that may not stand alone where a call has an argument.
static bool isNoArgument(size_t type) {
  switch (type) {
  case SPLLexer::CONFIG:
  case SPLLexer::GRAPH:
  case SPLLexer::IN:
  case SPLLexer::INPUT:
  case SPLLexer::LOGIC:
  case SPLLexer::OPERATOR:
  case SPLLexer::OUTPUT:
  case SPLLexer::PARAM:
  case SPLLexer::TYPE:
  case SPLLexer::USE:
  case SPLLexer::WINDOW:
    return true;
  }
  return false;
}

void grammar::readKeywordsAsNames(antlr4::CommonTokenStream &tokens, uint32_t file,
                                  Problems &problems) {
  std::vector<antlr4::Token *> visible = visibleTokens(tokens);
  std::vector<size_t> open; // the brackets around a token
  for (size_t i = 1; i + 1 < visible.size(); ++i) {
    antlr4::Token *token = visible[i], *before = visible[i - 1];
    size_t type = token->getType();
    if (nesting(before) > 0)
      open.push_back(before->getType());
    else if (nesting(before) < 0 && !open.empty())
      open.pop_back();
    bool isKey = !open.empty() && open.back() == SPLLexer::LPAREN && isAnnotationKey(type);
    size_t last = before->getType(), next = visible[i + 1]->getType();
    bool isEntry = (last == SPLLexer::LBRACE || last == SPLLexer::COMMA) &&
                   next == SPLLexer::ASSIGN && type >= SPLLexer::AS && type <= SPLLexer::XML;
    bool isArgument = (last == SPLLexer::LPAREN || last == SPLLexer::COMMA) &&
                      (next == SPLLexer::RPAREN || next == SPLLexer::COMMA) && isNoArgument(type);
    if (!(isEntry || isArgument) || before->getLine() != token->getLine() || isKey)
      continue;
    problems.push_back({rangeOf(file, token), Diag::err_keyword_as_name, {token->getText()}, {}});
    bool isList = i + 2 < visible.size() && visible[i + 2]->getType() == SPLLexer::LBRACKET;
    if (isEntry && isList) // `attribute = [k]` in an annotation
      problems.back().notes.push_back(
          {rangeOf(file, token), Diag::note_did_you_mean, {token->getText() + "s"}, {}});
    static_cast<antlr4::WritableToken *>(token)->setType(SPLLexer::ID);
  }
}
