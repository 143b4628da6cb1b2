//===- RuntimeABITest.cpp - declarations of the runtime's functions -------===//
#include "codegen/RuntimeABI.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"
#include <fstream>
#include <regex>
#include <set>

using namespace sluice;
namespace LLVM = mlir::LLVM;

namespace {
class RuntimeABITest : public ::testing::Test {
protected:
  RuntimeABITest() {
    context.loadDialect<LLVM::LLVMDialect>();
    module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  }

  /// The declaration of a function as text, e.g. `i32 (!llvm.ptr, zeroext i8)`.
  std::string declaration(llvm::StringRef name) {
    LLVM::LLVMFuncOp f = declareRuntime(*module, name);
    std::string text;
    llvm::raw_string_ostream out(text);
    auto type = f.getFunctionType();
    out << type.getReturnType() << " (";
    for (auto [i, argument] : llvm::enumerate(type.getParams()))
      out << (i ? ", " : "") << extension(f, i) << argument;
    out << (type.isVarArg() ? ", ...)" : ")");
    return text;
  }

  static llvm::StringRef extension(LLVM::LLVMFuncOp f, unsigned argument) {
    return f.getArgAttr(argument, "llvm.zeroext")   ? "zeroext "
           : f.getArgAttr(argument, "llvm.signext") ? "signext "
                                                    : "";
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// The names that are declared in the `extern "C"` block of abi.h.
std::set<std::string> declaredInHeader() {
  std::ifstream file(SLUICE_SOURCE_DIR "/runtime/include/sluice/abi.h");
  std::string code, line;
  bool inside = false;
  while (std::getline(file, line)) {
    inside |= line.starts_with("extern \"C\"");
    if (inside)
      code += line.substr(0, line.find("//")) + "\n";
  }
  std::set<std::string> names;
  std::regex declaration("\\b(sl_\\w+)\\(");
  for (std::sregex_iterator i(code.begin(), code.end(), declaration), end; i != end; ++i)
    names.insert((*i)[1]);
  return names;
}

TEST_F(RuntimeABITest, EveryFunctionOfTheHeaderIsInTheList) {
  std::set<std::string> listed = {
#define FUNCTION(name) #name,
#include "codegen/RuntimeFunctions.def"
  };
  EXPECT_EQ(listed, declaredInHeader());
}

TEST_F(RuntimeABITest, SignaturesFollowFromTheHeader) {
  EXPECT_EQ(declaration("sl_scratch"), "!llvm.ptr (!llvm.ptr, i64, i64)");
  EXPECT_EQ(declaration("sl_arena_release"), "!llvm.void (!llvm.ptr, !llvm.ptr)");
  EXPECT_EQ(declaration("sl_wait"), "i32 (!llvm.ptr, f64)");
  EXPECT_EQ(declaration("sl_forward"), "i32 (!llvm.ptr, zeroext i32)");
  EXPECT_EQ(declaration("sl_fail"), "i32 (!llvm.ptr, zeroext i32, signext i32)");
  EXPECT_EQ(declaration("sl_str_slice"),
            "i32 (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64, zeroext i8, zeroext i8)");
  EXPECT_EQ(declaration("sl_error"), "i32 (!llvm.ptr, !llvm.ptr, ...)");
  EXPECT_EQ(declaration("sl_main"), "i32 (!llvm.ptr, signext i32, !llvm.ptr)");
}

TEST_F(RuntimeABITest, ResultsAreExtendedByTheirSign) {
  auto result = [&](llvm::StringRef name, llvm::StringRef attribute) {
    return bool(declareRuntime(*module, name).getResultAttr(0, attribute));
  };
  EXPECT_TRUE(result("sl_compare", "llvm.signext"));
  EXPECT_TRUE(result("sl_equal", "llvm.zeroext"));
  EXPECT_FALSE(result("sl_hash", "llvm.zeroext"));
}

TEST_F(RuntimeABITest, OnlyQueriesMayBeMoved) {
  EXPECT_TRUE(declareRuntime(*module, "sl_contains").getMemoryEffectsAttr());
  EXPECT_TRUE(declareRuntime(*module, "sl_contains").getWillReturnAttr());
  EXPECT_FALSE(declareRuntime(*module, "sl_list_at").getMemoryEffectsAttr());
}

TEST_F(RuntimeABITest, AFunctionIsDeclaredOnce) {
  EXPECT_EQ(declareRuntime(*module, "sl_copy"), declareRuntime(*module, "sl_copy"));
}

TEST_F(RuntimeABITest, AnUnknownNameIsAnInternalError) {
  EXPECT_DEATH(declareRuntime(*module, "sl_no_such"), "'sl_no_such' is not a function of abi.h");
}
} // namespace
