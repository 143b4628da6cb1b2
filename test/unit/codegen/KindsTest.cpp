//===- KindsTest.cpp - each kind has a type, a size and a spelling --------===//
#include "ir/Kinds.h"
#include "codegen/Layout.h"
#include "frontend/types/Types.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace sluice;
using mlir::IntegerType;

static constexpr Kind kAll[] = {
#define SPL_KIND(name, ...) Kind::name,
#define SPL_KIND_LATER(...)
#include "sluice/Kinds.def"
};

/// A type of the kind.
static mlir::Type sample(Kind kind, mlir::MLIRContext *context) {
  auto integer = [&](unsigned width, IntegerType::SignednessSemantics signedness) {
    return IntegerType::get(context, width, signedness);
  };
  mlir::Type element = IntegerType::get(context, 1);
  mlir::StringAttr name = mlir::StringAttr::get(context, "a");
  switch (kind) {
  case Kind::Boolean:
    return element;
  case Kind::Int8:
    return integer(8, IntegerType::Signed);
  case Kind::Int16:
    return integer(16, IntegerType::Signed);
  case Kind::Int32:
    return integer(32, IntegerType::Signed);
  case Kind::Int64:
    return integer(64, IntegerType::Signed);
  case Kind::UInt8:
    return integer(8, IntegerType::Unsigned);
  case Kind::UInt16:
    return integer(16, IntegerType::Unsigned);
  case Kind::UInt32:
    return integer(32, IntegerType::Unsigned);
  case Kind::UInt64:
    return integer(64, IntegerType::Unsigned);
  case Kind::Float32:
    return mlir::Float32Type::get(context);
  case Kind::Float64:
    return mlir::Float64Type::get(context);
  case Kind::Decimal32:
    return spl::DecimalType::get(context, 32);
  case Kind::Decimal64:
    return spl::DecimalType::get(context, 64);
  case Kind::Decimal128:
    return spl::DecimalType::get(context, 128);
  case Kind::Complex32:
    return mlir::ComplexType::get(mlir::Float32Type::get(context));
  case Kind::Complex64:
    return mlir::ComplexType::get(mlir::Float64Type::get(context));
  case Kind::Enum:
    return spl::EnumType::get(context, {name});
  case Kind::Timestamp:
    return spl::TimestampType::get(context);
  case Kind::RString:
    return spl::RStringType::get(context);
  case Kind::UString:
    return spl::UStringType::get(context);
  case Kind::Blob:
    return spl::BlobType::get(context);
  case Kind::Xml:
    return spl::XmlType::get(context);
  case Kind::List:
    return spl::ListType::get(context, element);
  case Kind::Set:
    return spl::SetType::get(context, element);
  case Kind::Map:
    return spl::MapType::get(context, element, element);
  case Kind::Optional:
    return spl::OptionalType::get(context, element);
  case Kind::Tuple:
    return spl::TupleType::get(context, {name}, {element});
  }
  llvm_unreachable("unknown kind");
}

TEST(Kinds, EachHasATypeOfItsOwn) {
  mlir::MLIRContext context;
  context.loadDialect<spl::SplDialect, mlir::LLVM::LLVMDialect>();
  for (Kind kind : kAll) {
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
  for (Kind kind : kAll) {
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
