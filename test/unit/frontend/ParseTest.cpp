//===- ParseTest.cpp - what single files cannot show -----------------------===//
//
// Depth, size, recovery, real programs. The grammar itself is tested by
// test/frontend/parse.
//
//===----------------------------------------------------------------------===//
#include "Parsing.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <random>

namespace fs = llvm::sys::fs;

static std::string repeated(llvm::StringRef text, unsigned times) {
  std::string out;
  for (unsigned i = 0; i < times; ++i)
    out += text;
  return out;
}

static std::string inFunction(const std::string &body) {
  return "int32 f(int32 x) {\n" + body + "\n}\n";
}

TEST(Parse, emptyFile) {
  Parsed p("");
  EXPECT_EQ(p.tree, "(unit)\n");
}

TEST(Parse, errorAtTheFirstToken) {
  for (llvm::StringRef text : {";", "}", ")", "#", "\"", "/*", "5", "in"}) {
    Parsed p(text);
    EXPECT_FALSE(p.unit);
    EXPECT_NE(p.errors.find("test.spl:1:1: error: "), std::string::npos) << p.errors;
  }
}

/// All words and signs of the grammar, which are `NAME : 'text' ;` there, and a token of each other
/// kind.
static std::vector<std::string> allTokens() {
  std::vector<std::string> tokens = {"name", "5", "2.5", "\"text\"", "$name", "@note", "'"};
  auto grammar = llvm::MemoryBuffer::getFile(SLUICE_SOURCE_DIR "/frontend/syntax/SPL.g4");
  llvm::StringRef rest = (*grammar)->getBuffer();
  for (size_t at; (at = rest.find(" : '")) != rest.npos;) {
    rest = rest.drop_front(at + 4);
    tokens.push_back(rest.take_until([](char c) { return c == '\''; }).str());
  }
  return tokens;
}

TEST(Parse, anyTwoTokensAreAFile) {
  std::vector<std::string> tokens = allTokens();
  EXPECT_GT(tokens.size(), 80u);
  for (const std::string &first : tokens)
    for (const std::string &second : tokens) {
      Parsed p(first + " " + second);
      EXPECT_NE(p.unit == nullptr, p.errors.empty()) << first << " " << second;
    }
}

TEST(Parse, anyFewTokensAreAFile) {
  std::vector<std::string> tokens = allTokens();
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (size_t left = 3 + random() % 6; left > 0; --left)
      text += (random() % 2 ? "name" : tokens[random() % tokens.size()]) + " "; // most are names
    Parsed p(text);
    EXPECT_NE(p.unit == nullptr, p.errors.empty()) << text;
  }
}

TEST(Parse, nestedParentheses) {
  Parsed p(inFunction("return " + repeated("(", 80) + "x" + repeated(")", 80) + ";"));
  ASSERT_TRUE(p.unit) << p.errors;
  EXPECT_NE(p.tree.find(repeated("(paren ", 80) + "x" + repeated(")", 80)), std::string::npos);
}

TEST(Parse, tooDeepIsAnError) {
  for (auto [open, close] : {std::pair{"(", ")"},
                             {"[", "]"},
                             {"-", ""},
                             {"(int32) ", ""},
                             {"f(", ")"},
                             {"x ? x : ", ""},
                             {"x + ", ""}}) {
    Parsed p(inFunction("return " + repeated(open, 20000) + "x" + repeated(close, 20000) + ";"));
    EXPECT_FALSE(p.unit);
    EXPECT_NE(p.errors.find("nested too deeply"), std::string::npos)
        << open << p.errors.substr(0, 200);
  }
  Parsed blocks(inFunction(repeated("{", 20000) + repeated("}", 20000)));
  EXPECT_NE(blocks.errors.find("nested too deeply"), std::string::npos);
  Parsed chain(inFunction(repeated("if (x) x++; else ", 20000) + "x--;"));
  EXPECT_NE(chain.errors.find("nested too deeply"), std::string::npos);
}

TEST(Parse, longFile) {
  std::string text = "composite Main {\n graph\n";
  for (int i = 0; i < 2500; ++i)
    text += "stream<int32 a, list<int32> b> S" + std::to_string(i) +
            " = Functor(In) {\n"
            "  param filter : a > 5 && (a + 1) * 2 < size(b);\n"
            "  output S : a = a + b[0], b = [a, (int32) a, 3];\n}\n";
  Parsed p(text + "}\n");
  ASSERT_TRUE(p.unit) << p.errors;
  EXPECT_EQ(p.unit->composites[0]->graph.size(), 2500u);
}

TEST(Parse, severalErrorsInOneRun) {
  Parsed p("composite Main {\n"
           "  graph\n"
           "    stream<int32 a> A = Beacon() {\n"
           "      param iterations 10;\n"
           "    }\n"
           "    stream<int32 a> B = Functor(A) {\n"
           "      output B : a = a + ;\n"
           "    }\n"
           "}\n"
           "int32 f() { return 1 }\n");
  EXPECT_FALSE(p.unit);
  EXPECT_EQ(p.diagnostics.errors(), 3u) << p.errors;
  EXPECT_NE(p.errors.find("test.spl:4:24: error: "), std::string::npos) << p.errors;
  EXPECT_NE(p.errors.find("test.spl:7:26: error: "), std::string::npos) << p.errors;
  EXPECT_NE(p.errors.find("test.spl:10:22: error: "), std::string::npos) << p.errors;
}

TEST(Parse, rangesAreBytes) {
  Parsed p("/* \u00e9\u00e9 */ int32 f() { return g(\"\u00e9\", 12); }");
  ASSERT_TRUE(p.unit) << p.errors;
  auto *stmt = llvm::cast<sluice::ast::JumpStmt>(p.unit->functions[0]->body->body[0]);
  EXPECT_EQ(p.diagnostics.text(stmt->value->range), "g(\"\u00e9\", 12)");
  EXPECT_EQ(p.diagnostics.text(stmt->range), "return g(\"\u00e9\", 12);");
}

/// Every Main.spl below $SLUICE_SPL_TREE parses unless its folder is err-*.
TEST(Parse, programsInTree) {
  const char *root = std::getenv("SLUICE_SPL_TREE");
  if (!root)
    GTEST_SKIP() << "SLUICE_SPL_TREE is not set";
  unsigned parsed = 0;
  std::error_code ec;
  for (fs::recursive_directory_iterator it(root, ec), end; it != end && !ec; it.increment(ec)) {
    llvm::StringRef path = it->path();
    bool mayFail = llvm::sys::path::parent_path(path).contains("/err-");
    if (!path.ends_with(".spl"))
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(path);
    ASSERT_TRUE(buffer) << path.str();
    Parsed p((*buffer)->getBuffer(), false, path);
    if (!mayFail)
      EXPECT_TRUE(p.unit) << p.errors;
    else if (std::getenv("SLUICE_SPL_SHOW"))
      llvm::errs() << p.errors;
    parsed += p.unit != nullptr;
  }
  llvm::errs() << parsed << " files parsed\n";
}
