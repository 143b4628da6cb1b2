//===- CrashReportTest.cpp - what a crash leaves behind -------------------===//
#include "tools/driver/CrashReport.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <csignal>
#include <sys/resource.h>

using namespace sluice;
using namespace sluice::driver;

namespace {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool sanitized = true; // faults are the sanitizer's
#else
constexpr bool sanitized = false;
#endif
#endif

/// A folder for temporary files, so that reports of other processes do not count.
class CrashReport : public testing::Test {
protected:
  CrashReport() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("sluice-reports", folder));
    setenv("TMPDIR", folder.c_str(), 1);
    options.command = Command::Build;
    options.input = "/app/it's/Main.spl";
    options.toolkits = {"/kit"};
    options.output = "/usr/local/bin/app";
    diagnostics.add(llvm::MemoryBuffer::getMemBufferCopy("composite Main { }\n", options.input));
    diagnostics.add(
        llvm::MemoryBuffer::getMemBufferCopy("int32 two();\n", "/lib/sluice/spl/a.spl"));
    diagnostics.add(llvm::MemoryBuffer::getMemBufferCopy("type T = int32 i;\n", "/kit/ns/t.spl"));
  }
  ~CrashReport() override {
    unsetenv("TMPDIR");
    llvm::sys::fs::remove_directories(folder);
  }

  void arm() {
    catchCrashes(options, "/bin/true", "/bin/../lib/sluice/spl");
    setCrashSources(&diagnostics);
    setCrashStep("testing");
  }
  /// The text of a file in the only report, or "none".
  std::string file(llvm::StringRef name) {
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(folder, error), end; it != end && !error;
         it.increment(error))
      if (auto buffer = llvm::MemoryBuffer::getFile(it->path() + "/" + name))
        return (*buffer)->getBuffer().str();
    return "none";
  }

  llvm::SmallString<128> folder;
  DriverOptions options;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  Diagnostics diagnostics{&context};
};

volatile int sink;
/// More stack than there is.
int overflow(int depth) { // NOLINT
  volatile char frame[4096];
  frame[0] = char(depth);
  sink = overflow(depth + 1) + frame[0];
  return sink;
}
} // namespace

TEST_F(CrashReport, HoldsTheProgramAndACommand) {
  if (sanitized)
    GTEST_SKIP();
  EXPECT_EXIT((arm(), raise(SIGSEGV)), testing::ExitedWithCode(70),
              "internal error: the compiler crashed while testing .segmentation fault.");
  EXPECT_EQ(file("files/app/it's/Main.spl"), "composite Main { }\n");
  EXPECT_EQ(file("files/kit/ns/t.spl"), "type T = int32 i;\n");
  EXPECT_EQ(file("files/lib/sluice/spl/a.spl"), "none") << "the standard toolkit is everywhere";
  EXPECT_NE(
      file("run.sh").find(
          "exec \"${SLUICE:-/bin/true}\" build 'files/app/it'\\''s/Main.spl' '-t' 'files/kit' "),
      std::string::npos)
      << file("run.sh");
  EXPECT_NE(file("run.sh").find(" '-o' 'out'\n"), std::string::npos) << file("run.sh");
  EXPECT_NE(file("backtrace.txt"), "none");
}

TEST_F(CrashReport, HoldsAllOptions) {
  options = {.command = Command::Ir,
             .input = "/Main.spl",
             .diff = std::array{Phase::Flat, Phase::LLVM},
             .only = {"Out"},
             .warnings = Diagnostics::Warnings::Errors,
             .source = true};
  EXPECT_EXIT((arm(), exit(internalError("a pass failed"))), testing::ExitedWithCode(70), "");
  for (llvm::StringRef word :
       {"'--diff=flat,llvm'", "'--only=Out'", "'--source'", "'-Werror'", " ir "})
    EXPECT_NE(file("run.sh").find(word), std::string::npos) << file("run.sh");
}

TEST_F(CrashReport, HidesWarningsAgain) {
  options.command = Command::Explain;
  options.warnings = Diagnostics::Warnings::Hidden;
  EXPECT_EXIT((arm(), exit(internalError("a pass failed"))), testing::ExitedWithCode(70), "");
  EXPECT_NE(file("run.sh").find(" explain "), std::string::npos) << file("run.sh");
  EXPECT_NE(file("run.sh").find(" '-w' "), std::string::npos) << file("run.sh");
  EXPECT_EQ(file("run.sh").find("-Werror"), std::string::npos) << file("run.sh");
}

TEST_F(CrashReport, ComesFromAborts) {
  if (sanitized)
    GTEST_SKIP();
  EXPECT_EXIT((arm(), abort()), testing::ExitedWithCode(70), "crashed while testing .aborted.");
  EXPECT_NE(file("run.sh"), "none");
}

TEST_F(CrashReport, ComesFromLLVM) {
  if (sanitized)
    GTEST_SKIP();
  EXPECT_EXIT((arm(), llvm::report_fatal_error("cannot select: t7")), testing::ExitedWithCode(70),
              "sluice: cannot select: t7");
  EXPECT_NE(file("run.sh"), "none");
}

TEST_F(CrashReport, NeedsNoStack) {
  if (sanitized)
    GTEST_SKIP();
  EXPECT_EXIT((arm(), overflow(0)), testing::ExitedWithCode(70),
              "crashed while testing .segmentation fault.");
  EXPECT_NE(file("run.sh"), "none");
}

TEST_F(CrashReport, ComesFromOtherFailures) {
  EXPECT_EXIT((arm(), exit(internalError("a pass failed"))), testing::ExitedWithCode(70),
              "internal error: a pass failed while testing");
  EXPECT_EQ(file("files/app/it's/Main.spl"), "composite Main { }\n");
}

TEST_F(CrashReport, OutlivesTheCompilation) {
  EXPECT_EXIT((arm(), setCrashSources(nullptr), exit(internalError("no machine code"))),
              testing::ExitedWithCode(70), "");
  EXPECT_EQ(file("files/app/it's/Main.spl"), "composite Main { }\n");
}

TEST_F(CrashReport, MayHaveNoPlace) {
  setenv("TMPDIR", "/nonexistent", 1);
  EXPECT_EXIT((arm(), exit(internalError("a pass failed"))), testing::ExitedWithCode(70),
              "no report: no folder can be made");
}
