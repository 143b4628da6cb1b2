//===- SlipsTest.cpp - one slip of a bracket, one error --------------------===//
//
// Leaves out, doubles or replaces each bracket of a few examples, in turn.
//
//===----------------------------------------------------------------------===//
#include "Parsing.h"
#include "gtest/gtest.h"

/// The places of the brackets that are neither in strings nor in comments.
static std::vector<size_t> bracketsOf(llvm::StringRef text) {
  std::vector<size_t> places;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at).starts_with("//"))
      at = text.find('\n', at);
    else if (text[at] == '"')
      while (text[++at] != '"')
        at += text[at] == '\\';
    else if (llvm::StringRef("()[]{}").contains(text[at]))
      places.push_back(at);
  }
  return places;
}

static unsigned lineOf(llvm::StringRef text, size_t at) {
  return 1 + text.take_front(at).count('\n');
}

/// One or two errors, the first at most a line away from the slip.
static void checkSlip(llvm::StringRef text, size_t at, llvm::StringRef instead) {
  std::string slip = (text.take_front(at) + instead + text.drop_front(at + 1)).str();
  Parsed p(slip);
  unsigned line = lineOf(text, at);
  std::string what = p.errors + "for `" + instead.str() + "` in line " + std::to_string(line);
  EXPECT_FALSE(p.unit) << what;
  EXPECT_LE(p.diagnostics.errors(), 2u) << what;
  unsigned first = 0, last = 0;
  for (llvm::StringRef errors = p.errors; errors.contains(" error: ");) {
    auto [before, after] = errors.split(" error: ");
    before.rsplit("test.spl:").second.split(':').first.getAsInteger(10, last);
    first = first ? first : last;
    errors = after;
  }
  EXPECT_LE(first, line + 3) << what;
  EXPECT_LE(last, line + 3) << what;
  EXPECT_GE(first + 1, line) << what;
}

static void checkSlips(llvm::StringRef example) {
  auto buffer = llvm::MemoryBuffer::getFile(SLUICE_SOURCE_DIR "/examples/" + example);
  ASSERT_TRUE(buffer) << example.str();
  llvm::StringRef text = (*buffer)->getBuffer();
  ASSERT_TRUE(Parsed(text).unit) << example.str();
  for (size_t at : bracketsOf(text)) {
    checkSlip(text, at, "");
    checkSlip(text, at, std::string(2, text[at]));
    for (llvm::StringRef other : {"(", ")", "[", "]", "{", "}"})
      if (other[0] != text[at])
        checkSlip(text, at, other);
  }
}

TEST(Slips, ofBracketsInStatements) { checkSlips("word_count/WordCount.spl"); }
TEST(Slips, ofBracketsInOperators) { checkSlips("filter_functor/FilterFunctor.spl"); }

/// In a file without indentation nothing tells which brace is missing.
TEST(Slips, ofBracketsWithoutIndentation) {
  Parsed p("composite Main {\ngraph\nstream<int32 n> A = Beacon() {\nparam iterations : 3;\n"
           "() as P = Custom(A) {\nlogic onTuple A : {\nprintln(n);\n}\n}\n}\n");
  EXPECT_EQ(p.diagnostics.errors(), 1u) << p.errors;
  EXPECT_NE(p.errors.find("test.spl:5:1: error: "), std::string::npos) << p.errors;
}
