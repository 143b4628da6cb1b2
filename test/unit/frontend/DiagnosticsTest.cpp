//===- DiagnosticsTest.cpp - how diagnostics are printed -------------------===//
#include "frontend/diagnostics/DiagnosticPrinter.h"
#include "frontend/diagnostics/Spelling.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "gtest/gtest.h"

using namespace sluice;

namespace {
struct DiagnosticsTest : testing::Test {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  Diagnostics diagnostics{&context};
  std::string out;
  llvm::raw_string_ostream stream{out};
  DiagnosticPrinter printer{diagnostics, stream};
  uint32_t file = diagnostics.add(
      llvm::MemoryBuffer::getMemBufferCopy("one two\n\tthree \xC3\xA9 four\nfive\n", "a.spl"));
};
} // namespace

TEST_F(DiagnosticsTest, sourceLineAndRange) {
  diagnostics.report({file, 4, 7}, Diag::err_not_supported, "this");
  EXPECT_EQ(out, "a.spl:1:5: error: not supported yet: this [SL0002]\n"
                 "one two\n"
                 "    ^~~\n");
  EXPECT_EQ(diagnostics.errors(), 1u);
}

TEST_F(DiagnosticsTest, linesByNumber) {
  EXPECT_EQ(diagnostics.line(file, 1), "one two");
  EXPECT_EQ(diagnostics.line(file, 2), "\tthree \xC3\xA9 four");
  EXPECT_EQ(diagnostics.line(file, 3), "five");
  for (unsigned none : {0, 4, 5, 1000})
    EXPECT_EQ(diagnostics.line(file, none), "");
  uint32_t open = diagnostics.add(llvm::MemoryBuffer::getMemBufferCopy("\nlast", "b.spl"));
  EXPECT_EQ(diagnostics.line(open, 1), "");
  EXPECT_EQ(diagnostics.line(open, 2), "last");
}

TEST_F(DiagnosticsTest, tabsAndWideCharacters) {
  diagnostics.report({file, 18, 22}, Diag::err_not_supported, "this");
  EXPECT_EQ(out, "a.spl:2:11: error: not supported yet: this [SL0002]\n"
                 "        three \xC3\xA9 four\n"
                 "                ^~~~\n");
}

TEST_F(DiagnosticsTest, buffersOfOthers) {
  auto buffer = [](const char *text, const char *name) {
    return llvm::MemoryBuffer::getMemBufferCopy(text, name);
  };
  diagnostics.sourceMgr().AddNewSourceBuffer(buffer("not\nours\n", "x.spl"), llvm::SMLoc());
  uint32_t next = diagnostics.add(buffer("a\nbb\nccc\n", "b.spl"));
  EXPECT_EQ(diagnostics.lineAndColumn({next, 6, 7}), std::pair(3u, 2u));
  EXPECT_EQ(diagnostics.lineAndColumn({file, 9, 10}), std::pair(2u, 2u));
}

TEST_F(DiagnosticsTest, rangeOverSeveralLines) {
  diagnostics.report({file, 4, 25}, Diag::err_not_supported, "this");
  EXPECT_EQ(out, "a.spl:1:5: error: not supported yet: this [SL0002]\n"
                 "one two\n"
                 "    ^~~\n");
}

TEST_F(DiagnosticsTest, longLineIsCut) {
  std::string line = std::string(1000, 'a') + " here " + std::string(999, 'b') + "\xC3\xA9";
  uint32_t longFile = diagnostics.add(llvm::MemoryBuffer::getMemBufferCopy(line, "long.spl"));
  diagnostics.report({longFile, 1001, 1005}, Diag::err_not_supported, "this");
  EXPECT_EQ(out, "long.spl:1:1002: error: not supported yet: this [SL0002]\n..." +
                     std::string(119, 'a') + " here " + std::string(115, 'b') + "...\n" +
                     std::string(123, ' ') + "^~~~\n");
  out.clear();
  diagnostics.report({longFile, 2000, 2005}, Diag::err_not_supported, "this");
  EXPECT_EQ(out.substr(out.find("\n...")),
            "\n..." + std::string(125, 'b') + "\xC3\xA9\n" + std::string(123, ' ') + "^~~~~\n");
}

TEST_F(DiagnosticsTest, errorsBeyondTheLimit) {
  std::string text;
  llvm::raw_string_ostream os{text};
  {
    DiagnosticPrinter limited(diagnostics, os, 2);
    for (int i = 0; i < 5; ++i)
      diagnostics.report(Range(), Diag::err_not_supported, std::to_string(i));
    diagnostics.report(Range(), Diag::warn_window_order);
  }
  EXPECT_EQ(text, "error: not supported yet: 0 [SL0002]\nerror: not supported yet: 1 [SL0002]\n"
                  "sluice: 3 more errors are not shown (--error-limit=0 shows all)\n");
  EXPECT_EQ(diagnostics.errors(), 5u);
}

TEST_F(DiagnosticsTest, notes) {
  {
    auto error = diagnostics.report({file, 0, 3}, Diag::err_not_supported, "this");
    diagnostics.note(error, {file, 23, 27}, Diag::note_defined_here, "five");
  }
  EXPECT_EQ(out, "a.spl:1:1: error: not supported yet: this [SL0002]\n"
                 "one two\n"
                 "^~~\n"
                 "a.spl:3:1: note: `five` is defined here\n"
                 "five\n"
                 "^~~~\n");
}

TEST_F(DiagnosticsTest, otherLocations) {
  mlir::Location position = diagnostics.location({file, 0, 3});
  auto name = mlir::StringAttr::get(&context, "Sink");
  mlir::emitError(mlir::NameLoc::get(name)) << "first";
  mlir::emitError(mlir::UnknownLoc::get(&context)) << "second";
  EXPECT_EQ(out, "`Sink`: error: first\nerror: second\n");
  out.clear();
  mlir::emitError(mlir::FusedLoc::get(&context, {mlir::UnknownLoc::get(&context), position}))
      << "third";
  EXPECT_EQ(out, "a.spl:1:1: error: third\none two\n^~~\n");
  out.clear();
  mlir::emitError(mlir::CallSiteLoc::get(position, diagnostics.location({file, 23, 27})))
      << "fourth";
  EXPECT_EQ(
      out, "a.spl:1:1: error: fourth\none two\n^~~\na.spl:3:1: note: used from here\nfive\n^~~~\n");
}

TEST_F(DiagnosticsTest, missingFile) {
  EXPECT_EQ(diagnostics.open("/no/such/file.spl"), 0u);
  EXPECT_EQ(out, "error: cannot open `/no/such/file.spl`: No such file or directory [SL0001]\n");
}

TEST(Spelling, nearNames) {
  EXPECT_EQ(nearness("Beacon", "Baecon"), 1u);
  EXPECT_EQ(nearness("nmae", "name"), 1u);
  EXPECT_EQ(nearness("name", "NAME"), 0u);
  EXPECT_EQ(nearness("deep.ex", "deep.er"), 1u);
  EXPECT_EQ(nearness("threashold", "threshold"), 1u);
  EXPECT_EQ(nearness("rn", "run"), 1u);
  EXPECT_EQ(nearness("desc", "descending"), 10u);
  EXPECT_EQ(nearness("onPunctuation", "onPunct"), 13u);
  EXPECT_TRUE(isNear("lob", "lib") && isNear("ab", "AB") && isNear("a", "a"));
}

TEST(Spelling, namesThatAreNot) {
  EXPECT_FALSE(isNear("a", "b") || isNear("a", "A") || isNear("i", "in"));
  EXPECT_FALSE(isNear("ab", "ac") || isNear("lob", "bil") || isNear("name", "sane1"));
  EXPECT_FALSE(isNear("Beacon", "Barrier") || isNear("ab", "abcd") || isNear("pre", "prefixes"));
}
