//===- KindsTest.cpp - each kind has a type, a size and a spelling --------===//
#include "ir/Kinds.h"
#include "Samples.h"
#include "codegen/Layout.h"
#include "frontend/types/Types.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "gtest/gtest.h"

using namespace sluice;
using namespace sluice::test;
using mlir::IntegerType;

TEST(Kinds, EachHasATypeOfItsOwn) {
  mlir::MLIRContext context;
  context.loadDialect<spl::SplDialect, mlir::LLVM::LLVMDialect>();
  for (Kind kind : kAllKinds) {
    mlir::Type type = sample(kind, &context);
    EXPECT_EQ(spl::kindOf(type), kind) << infoOf(kind).keyword;
    bool isPlain = storageOf(kind) != Storage::Text && storageOf(kind) != Storage::Sequence;
    EXPECT_EQ(layout::isPlain(type), isPlain) << infoOf(kind).keyword;
    EXPECT_TRUE(layout::loweredType(type)) << infoOf(kind).keyword;
  }
}

TEST(Kinds, TheLoweredTypeHasTheSizeOfTheTable) {
  mlir::MLIRContext context;
  context.loadDialect<spl::SplDialect, mlir::LLVM::LLVMDialect>();
  for (Kind kind : kAllKinds) {
    mlir::Type type = sample(kind, &context), memory = layout::memoryType(type);
    uint64_t bytes = 0;
    if (auto body = mlir::dyn_cast<mlir::LLVM::LLVMStructType>(memory))
      for (const layout::Part &part : layout::partsOf(type))
        bytes = part.offset + (part.type.isIntOrFloat()
                                   ? std::max(1u, part.type.getIntOrFloatBitWidth() / 8)
                                   : sizeof(void *));
    else
      bytes = memory.getIntOrFloatBitWidth() / 8;
    EXPECT_EQ(bytes, layout::sizeOf(type)) << infoOf(kind).keyword;
  }
}

TEST(Kinds, TypesThatAreNoValuesHaveNone) {
  mlir::MLIRContext context;
  context.loadDialect<spl::SplDialect>();
  EXPECT_FALSE(spl::findKind(spl::RefType::get(&context, spl::RStringType::get(&context))));
  EXPECT_FALSE(spl::findKind(spl::ArenaCheckpointType::get(&context)));
  EXPECT_FALSE(spl::findKind(IntegerType::get(&context, 24)));
}

TEST(Kinds, TheFrontendKnowsThoseThatDoNotRunYet) {
  TypeContext types;
  EXPECT_TRUE(types.get(SplType::Int32)->isSupported());
  std::string why;
  EXPECT_FALSE(types.list(types.xml("a.xsd"))->isSupported(&why));
  EXPECT_EQ(why, "xml<\"a.xsd\">");
  EXPECT_TRUE(types.get(SplType::Decimal64)->inClass("floatingpoint"));
  EXPECT_FALSE(types.get(SplType::Complex32)->inClass("ordered"));
  EXPECT_EQ(types.get(SplType::Decimal128)->bits(), 128u);
}
