//===- Scan.cpp - what a file defines, without parsing it ------------===//
//
// A pass over the words of a file that skips comments, strings and bodies. It may list
// names that the file does not define: then the file is parsed without need. It never
// omits a name.
//
//===----------------------------------------------------------------------===//
#include "frontend/modules/Scan.h"

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

namespace {
/// Splits a text into words and single punctuation characters, without comments and strings.
class Words {
public:
  explicit Words(StringRef text) : text(text) {}

  /// The next word; empty at the end of the text.
  StringRef next() {
    skip();
    if (pos >= text.size())
      return {};
    size_t begin = pos;
    if (isWord(text[pos])) {
      while (pos < text.size() && isWord(text[pos]))
        ++pos;
    } else {
      ++pos;
    }
    return text.slice(begin, pos);
  }
  static bool isWord(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }

private:
  void skip() {
    while (pos < text.size()) {
      StringRef rest = text.drop_front(pos);
      if (llvm::isSpace(rest[0]))
        ++pos;
      else if (rest.starts_with("//"))
        pos = std::min(text.find('\n', pos), text.size());
      else if (rest.starts_with("/*"))
        pos = text.find("*/", pos + 2) == StringRef::npos ? text.size()
                                                          : text.find("*/", pos + 2) + 2;
      else if (rest[0] == '"' || rest[0] == '\'')
        skipString(rest[0]);
      else
        return;
    }
  }
  void skipString(char quote) {
    for (++pos; pos < text.size() && text[pos] != quote; ++pos)
      if (text[pos] == '\\')
        ++pos;
    pos = std::min(pos + 1, text.size());
  }
  StringRef text;
  size_t pos = 0;
};

class Scanner {
public:
  explicit Scanner(StringRef text) : words(text) {}
  FileSummary run() {
    for (StringRef word = words.next(); !word.empty(); word = words.next()) {
      step(word);
      previous = word;
    }
    return std::move(summary);
  }

private:
  void step(StringRef word) {
    if (word == "{") {
      inEnum = previous == "enum";
      ++depth;
    } else if (word == "}") {
      depth -= depth > 0;
      inEnum = false;
    } else if (inEnum && Words::isWord(word[0])) {
      summary.enumMembers.insert(word);
    } else if (depth == 0) {
      topLevel(word);
    } else if (depth == 1 && !model.empty()) {
      clause(word);
    }
  }

  void topLevel(StringRef word) {
    bool isModel = previous == "operator";
    if (isModel || previous == "}")
      model = isModel ? word : "";
    if (previous == "namespace")
      summary.ns = path(word);
    else if (previous == "composite" || isModel)
      summary.operators.insert(word);
    else if (previous == "type")
      summary.types.insert(word);
    else if (word == "(" && !previous.empty() && Words::isWord(previous[0]) &&
             !summary.operators.contains(previous)) // a composite with ports
      summary.functions.insert(previous);
  }
  /// In an operator model: the prototypes of its `function` clause.
  void clause(StringRef word) {
    if (previous == "function")
      inFunctions = true;
    else if (word == "input" || word == "output" || word == "param" || word == "config")
      inFunctions = false;
    if (inFunctions && word == "(")
      summary.outputFunctions[previous] = model;
  }
  /// `name` and what follows it with dots, even if no `;` ends it.
  std::string path(StringRef name) {
    std::string result = Words::isWord(name[0]) ? name.str() : "";
    for (Words rest = words; rest.next() == ".";) {
      StringRef part = rest.next();
      if (part.empty() || !Words::isWord(part[0]))
        break;
      result += ("." + part).str();
      words = rest;
    }
    return result;
  }

  Words words;
  FileSummary summary;
  StringRef previous, model; // model: the operator that is being declared
  unsigned depth = 0;
  bool inEnum = false, inFunctions = false;
};
} // namespace

llvm::StringSet<> sema::wordsOf(StringRef text) {
  llvm::StringSet<> result;
  while (!text.empty()) {
    text = text.drop_until(Words::isWord);
    StringRef word = text.take_while(Words::isWord);
    if (!word.empty())
      result.insert(word);
    text = text.drop_front(word.size());
  }
  return result;
}

FileSummary sema::scanFile(StringRef text) { return Scanner(text).run(); }
