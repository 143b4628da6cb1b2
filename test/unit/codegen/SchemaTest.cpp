//===- SchemaTest.cpp - the transport lays batches out as the compiler does -===//
#include "remote/frame/Schema.h"
#include "../value/Types.h"
#include "codegen/Layout.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace sluice;

namespace {

struct SchemaLayout : testing::Test {
  mlir::MLIRContext context;
  SchemaLayout() { context.loadDialect<spl::SplDialect, mlir::LLVM::LLVMDialect>(); }

  spl::TupleType tuple(llvm::ArrayRef<mlir::Type> types) {
    llvm::SmallVector<mlir::StringAttr> names;
    for (size_t i = 0; i < types.size(); ++i)
      names.push_back(mlir::StringAttr::get(&context, "a" + std::to_string(i)));
    return spl::TupleType::get(&context, names, types);
  }
  void expectSame(spl::TupleType type, const TypeDesc *desc) {
    layout::Batch batch = layout::batchLayout(type);
    remote::Schema schema(desc, batch.rows);
    EXPECT_EQ(schema.bytes, batch.bytes);
    ASSERT_EQ(schema.columns.size(), batch.columns.size());
    for (size_t i = 0; i < batch.columns.size(); ++i) {
      EXPECT_EQ(schema.columns[i].offset, batch.columns[i].offset);
      EXPECT_EQ(schema.columns[i].size, batch.columns[i].size);
      EXPECT_EQ(schema.columns[i].far, !layout::isPlain(batch.columns[i].type));
    }
  }
};

TEST_F(SchemaLayout, IsThatOfTheCompiler) {
  mlir::Type flag = mlir::IntegerType::get(&context, 1),
             i8 = mlir::IntegerType::get(&context, 8, mlir::IntegerType::Signed),
             i64 = mlir::IntegerType::get(&context, 64, mlir::IntegerType::Signed),
             string = spl::RStringType::get(&context), list = spl::ListType::get(&context, i64);
  TypeDesc ints = listOf(&test::int64);
  expectSame(tuple({}), test::TupleType({}));
  expectSame(tuple({i8}), test::TupleType({{"a", &test::int8}}));
  expectSame(tuple({flag, string, list}),
             test::TupleType({{"a", &test::boolean}, {"b", &test::rstring}, {"c", &ints}}));
  test::TupleType inner({{"a", &test::int8}, {"b", &test::rstring}});
  expectSame(
      tuple({i64, tuple({i8, string}), tuple({}), i8}),
      test::TupleType(
          {{"a", &test::int64}, {"b", inner}, {"c", test::TupleType({})}, {"d", &test::int8}}));
  std::vector<mlir::Type> many(3000, i64); // more than kColumnBytes a row
  std::vector<std::pair<const char *, const TypeDesc *>> fields(3000, {"a", &test::int64});
  expectSame(tuple(many), test::TupleType(fields));
}

} // namespace
