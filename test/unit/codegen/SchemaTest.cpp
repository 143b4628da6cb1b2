//===- SchemaTest.cpp - the compiler, frames and operators in C++ agree -----===//
//
// On where the columns of a batch lie. Types are described to the runtime by what C says of
// structs, not by the compiler's layout.
//
//===----------------------------------------------------------------------===//
#include "remote/frame/Schema.h"
#include "../value/Types.h"
#include "Samples.h"
#include "codegen/Layout.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "sluice/columns.h"
#include "sluice/operator.h"
#include "value/Value.h"
#include "gtest/gtest.h"
#include <deque>
#include <random>

using namespace sluice;
using mlir::Type;

namespace {

/// What a batch looks like, by one of the three.
struct Place {
  uint64_t offset, size;
  bool far;
  bool operator==(const Place &) const = default;
};
void PrintTo(const Place &place, std::ostream *out) {
  *out << place.offset << ", " << place.size << " bytes" << (place.far ? ", far" : "");
}

struct SchemaLayout : testing::Test {
  mlir::MLIRContext context;
  SchemaLayout() { context.loadDialect<spl::SplDialect, mlir::LLVM::LLVMDialect>(); }

  Type of(Kind kind) { return test::sample(kind, &context); }
  spl::TupleType tuple(llvm::ArrayRef<Type> types) {
    llvm::SmallVector<mlir::StringAttr> names;
    for (size_t i = 0; i < types.size(); ++i)
      names.push_back(mlir::StringAttr::get(&context, "a" + std::to_string(i)));
    return spl::TupleType::get(&context, names, types);
  }

  std::deque<test::TupleType> tuples;
  std::deque<test::OptionalType> optionals;
  std::deque<TypeDesc> descs;
  /// The type, as the runtime knows it.
  const TypeDesc *describe(Type type) {
    if (auto list = mlir::dyn_cast<spl::ListType>(type))
      return &descs.emplace_back(listOf(describe(spl::elementOf(list))));
    if (auto optional = mlir::dyn_cast<spl::OptionalType>(type))
      return optionals.emplace_back(describe(spl::partsOf(optional)[1]));
    if (auto tuple = mlir::dyn_cast<spl::TupleType>(type)) {
      std::vector<std::pair<const char *, const TypeDesc *>> fields;
      for (Type part : spl::partsOf(tuple))
        fields.emplace_back("a", describe(part));
      return tuples.emplace_back(std::move(fields));
    }
    return &descs.emplace_back(test::scalar(spl::kindOf(type)));
  }

  std::vector<Place> ofCompiler(const layout::Batch &batch) {
    std::vector<Place> places;
    for (const layout::Column &column : batch.columns)
      places.push_back({column.offset, column.size, !layout::isPlain(column.type)});
    return places;
  }
  std::vector<Place> ofFrames(const remote::Schema &schema) {
    std::vector<Place> places;
    for (const remote::Column &column : schema.columns)
      places.push_back({column.offset, column.size, column.far});
    return places;
  }
  /// As InBatch finds columns by what an attribute is in the tuple.
  std::vector<Place> ofOperators(spl::TupleType type, const TypeDesc *desc, uint32_t rows) {
    sluice::Batch batch = {};
    batch.rows = batch.capacity = rows;
    InBatch in(batch, desc);
    std::vector<Place> places;
    for (const layout::Column &leaf : layout::leaves(type)) {
      auto values = in.column(Attribute<SPL::int8>{uint32_t(leaf.offset)});
      EXPECT_EQ(values.size(), rows);
      places.push_back({uint64_t(reinterpret_cast<const char *>(values.data()) -
                                 reinterpret_cast<const char *>(&batch)),
                        leaf.size, !layout::isPlain(leaf.type)});
    }
    return places;
  }

  void expectSame(llvm::ArrayRef<Type> types) {
    spl::TupleType type = tuple(types);
    const TypeDesc *desc = describe(type);
    layout::Batch batch = layout::batchLayout(type);
    remote::Schema schema(desc, batch.rows);
    std::string shown;
    llvm::raw_string_ostream(shown) << type;
    ASSERT_EQ(schema.bytes, batch.bytes) << shown;
    ASSERT_EQ(ofFrames(schema), ofCompiler(batch)) << shown;
    ASSERT_EQ(ofOperators(type, desc, batch.rows), ofCompiler(batch)) << shown;
    uint64_t end = kBatchHeader; // columns do not overlap
    for (const Place &place : ofCompiler(batch)) {
      EXPECT_GE(place.offset, end) << shown;
      EXPECT_EQ(place.offset % kColumnAlign, 0u) << shown;
      end = place.offset + batch.rows * place.size;
    }
    EXPECT_GE(batch.bytes, end) << shown;
  }
};

TEST_F(SchemaLayout, IsTheSameForEachKind) {
  Type i8 = of(Kind::Int8);
  for (Kind kind : test::kAllKinds) {
    Type type = of(kind);
    expectSame({type});
    expectSame({i8, type, i8, type});
    expectSame({i8, tuple({i8, type}), spl::ListType::get(&context, type), i8});
    if (kind != Kind::Optional)
      expectSame({type, spl::OptionalType::get(&context, type), i8});
  }
}

TEST_F(SchemaLayout, IsTheSameForFewAndManyColumns) {
  expectSame({});
  expectSame({tuple({}), of(Kind::Int8)});
  for (size_t columns : {8, 100, 1000, 3000}) // the last: more than kColumnBytes a row
    expectSame(std::vector<Type>(columns, of(Kind::Int64)));
}

TEST_F(SchemaLayout, IsTheSameForNestedTuples) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Type> types;
    for (uint32_t i = random() % 12; i; --i) {
      Type type = of(test::kAllKinds[random() % std::size(test::kAllKinds)]);
      if (types.size() > 1 && random() % 4 == 0)
        type = tuple({types[random() % types.size()], type});
      if (!mlir::isa<spl::OptionalType>(type) && random() % 4 == 0)
        type = spl::OptionalType::get(&context, type);
      types.push_back(type);
    }
    ASSERT_NO_FATAL_FAILURE(expectSame(types));
  }
}

} // namespace
