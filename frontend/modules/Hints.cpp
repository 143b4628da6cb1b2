//===- Hints.cpp - what toolkits say of words of other languages -----------===//
#include "frontend/modules/Hints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

static std::optional<HintKind> kindOf(StringRef word) {
  return llvm::StringSwitch<std::optional<HintKind>>(word)
      .Case("function", HintKind::Function)
      .Case("output", HintKind::Output)
      .Case("operator", HintKind::Operator)
      .Case("name", HintKind::Name)
      .Case("param", HintKind::Param)
      .Case("method", HintKind::Method)
      .Case("call", HintKind::Call)
      .Case("role", HintKind::Role)
      .Default(std::nullopt);
}

/// The words between `separator`s, without blanks around them.
static std::vector<std::string> wordsBetween(StringRef text, char separator) {
  std::vector<std::string> words;
  for (StringRef word : llvm::split(text, separator))
    if (!word.trim().empty())
      words.push_back(word.trim().str());
  return words;
}

void Hints::add(StringRef line) {
  auto [head, text] = line.split(": ");
  auto [kindWord, words] = head.split(' ');
  std::optional<HintKind> kind = kindOf(kindWord);
  if (!kind)
    return;
  Hint hint{*kind, {}, {}, "", text.trim().str()};
  if (kind == HintKind::Method || kind == HintKind::Call) {
    auto [before, rest] = words.split('(');
    auto [argument, behind] = rest.split(')');
    hint.argument = argument.str();
    hint.receivers = wordsBetween(before, ' ');
    words = kind == HintKind::Call ? before : behind;
  }
  hint.words = wordsBetween(words, ',');
  all.push_back(std::move(hint));
}

void Hints::read(StringRef text) {
  constexpr StringRef tag = "// @also ";
  for (size_t at = text.find(tag); at != StringRef::npos; at = text.find(tag)) {
    auto [line, rest] = text.drop_front(at + tag.size()).split('\n');
    add(line);
    text = rest;
  }
}

/// `pattern` may end with `*`.
static bool fits(StringRef pattern, StringRef name, bool anyCase) {
  if (pattern.consume_back("*"))
    return name.starts_with(pattern);
  return anyCase ? pattern.equals_insensitive(name) : pattern == name;
}

StringRef Hints::find(HintKind kind, StringRef name) const {
  bool anyCase = kind == HintKind::Output;
  for (const Hint &hint : all)
    if (hint.kind == kind && llvm::any_of(hint.words, [&](const std::string &word) {
          return fits(word, name, anyCase);
        }))
      return hint.text;
  return "";
}

StringRef Hints::role(StringRef role) const {
  StringRef name = find(HintKind::Role, role);
  return name.empty() ? role : name;
}

StringRef Hints::param(StringRef name, llvm::function_ref<bool(StringRef)> has) const {
  for (const Hint &hint : all)
    if (hint.kind == HintKind::Param &&
        llvm::any_of(hint.words, [&](const std::string &word) { return fits(word, name, true); }) &&
        has(hint.text))
      return hint.text;
  return "";
}

/// The literal as a pattern that only matches it. What is no literal, or has escapes, stays as it
/// is.
static std::string asPattern(StringRef text) {
  bool isLiteral = text.starts_with("\"") || text.starts_with("'");
  if (!isLiteral || text.contains('\\'))
    return text.str();
  std::string pattern;
  for (char c : text)
    pattern += (StringRef(".[](){}*+?^$|").contains(c) ? "\\\\" : "") + std::string(1, c);
  return pattern;
}

/// The text with what stands for its `{...}`.
static std::string fill(StringRef text, StringRef base, llvm::ArrayRef<StringRef> args) {
  std::string result;
  while (!text.empty()) {
    auto [plain, rest] = text.split('{');
    result += plain;
    auto [slot, behind] = rest.split('}');
    unsigned index = 0;
    if (slot == "pattern" && !args.empty())
      result += asPattern(args[0]);
    else if (!slot.getAsInteger(10, index) && index <= args.size())
      result += index ? args[index - 1] : base;
    text = behind;
  }
  return result;
}

std::string Hints::method(Type base, StringRef name, StringRef baseText,
                          llvm::ArrayRef<StringRef> args) const {
  std::string type = base->str(), count = llvm::utostr(args.size());
  std::string kind = StringRef(type).take_while(llvm::isAlnum).str(); // `list` of `list<int32>`
  for (const Hint &hint : all)
    if (hint.kind == HintKind::Method && hint.argument == count &&
        llvm::is_contained(hint.receivers, kind) && llvm::is_contained(hint.words, name))
      return fill(hint.text, baseText, args);
  return "";
}

StringRef Hints::call(StringRef name, Type result, llvm::ArrayRef<std::string> types) const {
  std::string resultType = result->str(), count = llvm::utostr(types.size());
  for (const Hint &hint : all) {
    auto takes = [&](const std::string &type) {
      return StringRef(type).starts_with(hint.argument);
    };
    if (hint.kind == HintKind::Call &&
        (llvm::is_contained(hint.words, name) || llvm::is_contained(hint.words, resultType)) &&
        (hint.argument == count || llvm::any_of(types, takes)))
      return hint.text;
  }
  return "";
}
