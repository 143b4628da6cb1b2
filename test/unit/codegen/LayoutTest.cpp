//===- LayoutTest.cpp - sizes, offsets, columns ---------------------------===//
#include "codegen/Layout.h"
#include "ir/Kinds.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace sluice;
using mlir::IntegerType;

namespace {
class LayoutTest : public ::testing::Test {
protected:
  LayoutTest() {
    context.loadDialect<spl::SplDialect, mlir::LLVM::LLVMDialect>();
    i8 = IntegerType::get(&context, 8, IntegerType::Signed);
    i16 = IntegerType::get(&context, 16, IntegerType::Unsigned);
    i32 = IntegerType::get(&context, 32, IntegerType::Signed);
    i64 = IntegerType::get(&context, 64, IntegerType::Signed);
    boolean = IntegerType::get(&context, 1);
    string = spl::RStringType::get(&context);
    timestamp = spl::TimestampType::get(&context);
  }

  spl::TupleType tuple(llvm::ArrayRef<mlir::Type> types) {
    llvm::SmallVector<mlir::StringAttr> names;
    for (size_t i = 0; i < types.size(); ++i)
      names.push_back(mlir::StringAttr::get(&context, "a" + std::to_string(i)));
    return spl::TupleType::get(&context, names, types);
  }

  mlir::MLIRContext context;
  mlir::Type i8, i16, i32, i64, boolean, string, timestamp;
};

TEST_F(LayoutTest, ScalarsHaveTheirRuntimeKindAndSize) {
  EXPECT_EQ(spl::kindOf(i8), Kind::Int8);
  EXPECT_EQ(spl::kindOf(i16), Kind::UInt16);
  EXPECT_EQ(spl::kindOf(i64), Kind::Int64);
  EXPECT_EQ(spl::kindOf(boolean), Kind::Boolean);
  EXPECT_EQ(layout::sizeOf(boolean), 1u);
  EXPECT_EQ(layout::sizeOf(i32), 4u);
  EXPECT_EQ(layout::alignOf(i64), 8u);
  auto enumeration = spl::EnumType::get(&context, {mlir::StringAttr::get(&context, "a")});
  EXPECT_EQ(spl::kindOf(enumeration), Kind::Enum);
  EXPECT_EQ(layout::sizeOf(enumeration), 4u);
}

TEST_F(LayoutTest, WordsMatchTheStructsOfTheRuntime) {
  EXPECT_EQ(layout::sizeOf(string), sizeof(Str));
  EXPECT_EQ(layout::alignOf(string), alignof(Str));
  EXPECT_EQ(layout::sizeOf(timestamp), sizeof(Timestamp));
  EXPECT_EQ(layout::alignOf(timestamp), alignof(Timestamp));
  mlir::Type list = spl::ListType::get(&context, i32);
  EXPECT_EQ(layout::sizeOf(list), sizeof(Seq));
  EXPECT_EQ(layout::alignOf(list), alignof(Seq));
  EXPECT_EQ(layout::partsOf(list)[2].offset, offsetof(Seq, data));
  EXPECT_EQ(layout::partsOf(timestamp)[2].offset, offsetof(Timestamp, machine));
}

TEST_F(LayoutTest, TuplesAreCStructs) {
  struct Inner {
    bool a;
    int64_t b;
  };
  struct Outer {
    int8_t a;
    Inner b;
    uint16_t c;
    Str d;
    bool e;
  };
  spl::TupleType t = tuple({i8, tuple({boolean, i64}), i16, string, boolean});
  EXPECT_EQ(layout::sizeOf(t), sizeof(Outer));
  EXPECT_EQ(layout::alignOf(t), alignof(Outer));
  EXPECT_EQ(layout::fieldOffset(t, 1), offsetof(Outer, b));
  EXPECT_EQ(layout::fieldOffset(t, 2), offsetof(Outer, c));
  EXPECT_EQ(layout::fieldOffset(t, 3), offsetof(Outer, d));
  EXPECT_EQ(layout::fieldOffset(t, 4), offsetof(Outer, e));
  EXPECT_EQ(layout::sizeOf(tuple({})), 0u);
}

TEST_F(LayoutTest, OnlyStringsAndCollectionsHavePointers) {
  EXPECT_TRUE(layout::isPlain(tuple({i8, timestamp, tuple({boolean})})));
  EXPECT_FALSE(layout::isPlain(tuple({i8, tuple({string})})));
  EXPECT_FALSE(layout::isPlain(spl::SetType::get(&context, i32)));
}

TEST_F(LayoutTest, MapEntriesAreStructsOfKeyAndValue) {
  layout::Entry entry = layout::entryOf(spl::MapType::get(&context, i8, i64));
  EXPECT_EQ(entry.valueOffset, 8u);
  EXPECT_EQ(entry.stride, 16u);
  entry = layout::entryOf(spl::MapType::get(&context, string, boolean));
  EXPECT_EQ(entry.valueOffset, 16u);
  EXPECT_EQ(entry.stride, 24u);
  EXPECT_EQ(layout::entryOf(spl::ListType::get(&context, tuple({i64, boolean}))).stride, 16u);
}

TEST_F(LayoutTest, BooleansAreBytesInMemoryOnly) {
  EXPECT_TRUE(layout::loweredType(boolean).isInteger(1));
  EXPECT_TRUE(layout::memoryType(boolean).isInteger(8));
  auto lowered = mlir::cast<mlir::LLVM::LLVMStructType>(layout::loweredType(tuple({boolean, i32})));
  EXPECT_TRUE(lowered.getBody()[0].isInteger(8));
  EXPECT_FALSE(layout::loweredType(mlir::IndexType::get(&context)));
}

TEST_F(LayoutTest, LeavesOfNestedTuplesAreTheColumns) {
  auto columns = layout::leaves(tuple({i8, tuple({boolean, tuple({i64})}), string}));
  ASSERT_EQ(columns.size(), 4u);
  EXPECT_EQ(columns[2].path, (llvm::SmallVector<unsigned>{1, 1, 0}));
  EXPECT_EQ(columns[2].type, i64);
  EXPECT_EQ(columns[2].offset, 16u);
  EXPECT_EQ(columns[3].path, (llvm::SmallVector<unsigned>{2}));
}

TEST_F(LayoutTest, BatchesFillTheirColumnBytes) {
  layout::Batch batch = layout::batchLayout(tuple({i32}));
  EXPECT_EQ(batch.rows, 1024u);
  EXPECT_EQ(batch.columns[0].offset, 128u);
  EXPECT_EQ(batch.bytes, 128u + 4096u);
  batch = layout::batchLayout(tuple({string, string, string})); // 341 rows would fit
  EXPECT_EQ(batch.rows, 320u);
  EXPECT_EQ(batch.columns[2].offset, 128u + 2 * 320 * 16);
  batch = layout::batchLayout(tuple({boolean, i64, boolean}));
  for (const layout::Column &column : batch.columns)
    EXPECT_EQ(column.offset % 64, 0u);
}

TEST_F(LayoutTest, WideRowsComeInSmallBatches) {
  EXPECT_EQ(layout::batchLayout(tuple(llvm::SmallVector<mlir::Type>(100, i64))).rows, 64u);
  EXPECT_EQ(layout::batchLayout(tuple(llvm::SmallVector<mlir::Type>(2500, i64))).rows, 1u);
  EXPECT_EQ(layout::batchLayout(tuple({})).rows, 1024u);
}
} // namespace
