//===- DescriptorsTest.cpp - constants with the layout of abi.h -----------===//
#include "codegen/target/Descriptors.h"
#include "codegen/target/ProgramTable.h"
#include "codegen/vectorise/VectoriseRows.h"
#include "llvm/IR/LLVMContext.h"
#include "gtest/gtest.h"

using namespace sluice;

namespace {
/// Targets of this project lay out these types as this machine does.
constexpr const char *kDataLayouts[] = {
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    "e-m:e-Fn32-i64:64-i128:128-n32:64-S128-v256:256:256-v512:512:512"};

class DescriptorsTest : public ::testing::Test {
protected:
  DescriptorsTest() : module("test", context), make(module) {
    module.setDataLayout(kDataLayouts[0]);
  }

  /// The element of a constant struct at an offset in bytes.
  llvm::Constant *at(llvm::Constant *desc, uint64_t offset) {
    auto *type = llvm::cast<llvm::StructType>(desc->getType());
    const llvm::StructLayout *layout = module.getDataLayout().getStructLayout(type);
    return desc->getAggregateElement(layout->getElementContainingOffset(offset));
  }
  int64_t numberAt(llvm::Constant *desc, uint64_t offset) {
    return llvm::cast<llvm::ConstantInt>(at(desc, offset))->getSExtValue();
  }
  llvm::StringRef textAt(llvm::Constant *desc, uint64_t offset) {
    auto *global = llvm::cast<llvm::GlobalVariable>(at(desc, offset));
    return llvm::cast<llvm::ConstantDataArray>(global->getInitializer())->getAsCString();
  }
  llvm::Function *function(const char *name) {
    auto *type = llvm::FunctionType::get(llvm::Type::getInt32Ty(context), false);
    return llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  }

  llvm::LLVMContext context;
  llvm::Module module;
  DescriptorBuilder make;
};

/// Its constant is made for each target, which fails where a layout is another one.
TEST_F(DescriptorsTest, FieldsLieWhereTheRuntimeReadsThem) {
  for (const char *layout : kDataLayouts) {
    module.setDataLayout(layout);
    llvm::Constant *site = make.constant(
        table::Site{.file = make.string("a.spl"), .text = nullptr, .line = 7, .column = 9});
    EXPECT_EQ(textAt(site, offsetof(Site, file)), "a.spl");
    EXPECT_TRUE(at(site, offsetof(Site, text))->isNullValue());
    EXPECT_EQ(numberAt(site, offsetof(Site, line)), 7);
    EXPECT_EQ(numberAt(site, offsetof(Site, column)), 9);
  }
}

TEST_F(DescriptorsTest, PaddingFollowsFromTheList) {
  table::ColumnDesc key = {.offset = 128, .size = 8, .type = nullptr};
  llvm::Constant *keyed = make.constant(table::KeyedDesc{.rows = nullptr,
                                                         .key = key,
                                                         .stateCount = 1,
                                                         .columnCount = 2,
                                                         .state = nullptr,
                                                         .columns = nullptr,
                                                         .batchBytes = 3});
  EXPECT_EQ(module.getDataLayout().getTypeAllocSize(keyed->getType()), sizeof(KeyedDesc));
  EXPECT_EQ(numberAt(keyed, offsetof(KeyedDesc, stateCount)), 1);
  EXPECT_EQ(numberAt(keyed, offsetof(KeyedDesc, columnCount)), 2);
  EXPECT_EQ(numberAt(keyed, offsetof(KeyedDesc, batchBytes)), 3);
  EXPECT_EQ(numberAt(at(keyed, offsetof(KeyedDesc, key)), offsetof(ColumnDesc, offset)), 128);
}

TEST_F(DescriptorsTest, ArraysAreGlobalsOfTheModule) {
  llvm::SmallVector<table::FieldValue<uint32_t>> keys = {3u, 0xffffffffu};
  llvm::Constant *split = make.constant(
      table::SplitDesc{.consumer = 0,
                       .region = 1,
                       .kind = SplitKind::ByKey,
                       .keyCount = 2,
                       .keys = make.array<table::FieldValue<uint32_t>>(keys, "sl.keys")});
  auto *array = llvm::cast<llvm::GlobalVariable>(at(split, offsetof(SplitDesc, keys)));
  auto *values = llvm::cast<llvm::ConstantDataArray>(array->getInitializer());
  EXPECT_EQ(values->getElementAsInteger(0), 3u);
  EXPECT_EQ(values->getElementAsInteger(1), 0xffffffffu);
  EXPECT_EQ(numberAt(split, offsetof(SplitDesc, kind)), int64_t(SplitKind::ByKey));
  EXPECT_EQ(make.array<table::FieldValue<uint32_t>>({}, "sl.keys").value, nullptr);
}

TEST_F(DescriptorsTest, EqualStringsAreOne) {
  EXPECT_EQ(make.string("a").value, make.string("a").value);
  EXPECT_NE(make.string("a").value, make.string("b").value);
}

TEST_F(DescriptorsTest, WhatIsNotInTheModuleIsAnInternalError) {
  llvm::Function *there = function("op0.process0");
  EXPECT_EQ(make.function<HandlerFn>("op0.process0").value, there);
  EXPECT_DEATH(make.function<HandlerFn>("op1.process0"),
               "the program table names the function 'op1.process0', which the module lacks");
  mlir::MLIRContext mlirContext;
  EXPECT_DEATH(make.typeDesc(mlir::IntegerType::get(&mlirContext, 32, mlir::IntegerType::Signed)),
               "the program table names the type descriptor 'sl.type.si32', which the module "
               "lacks");
}

/// A layout in which numbers of 64 bits begin at multiples of 4.
TEST_F(DescriptorsTest, AnotherLayoutIsAnInternalError) {
  module.setDataLayout("e-p:32:32-i64:32-f64:32");
  EXPECT_DEATH(make.constant(table::ColumnDesc{.offset = 1, .size = 2, .type = nullptr}),
               "the target lays out 'ColumnDesc' in another way");
}

TEST_F(DescriptorsTest, RowsAtOnceIsSetByItsName) {
  llvm::Constant *program = make.constant(table::ProgramDesc{.magic = kMagic,
                                                             .version = kAbiVersion,
                                                             .mainName = nullptr,
                                                             .sourceFile = nullptr,
                                                             .appDir = nullptr,
                                                             .stateBytes = 0,
                                                             .operatorCount = 0,
                                                             .inPortCount = 0,
                                                             .outPortCount = 0,
                                                             .siteCount = 0,
                                                             .submissionCount = 0,
                                                             .nativeCount = 0,
                                                             .operators = nullptr,
                                                             .inPorts = nullptr,
                                                             .outPorts = nullptr,
                                                             .sites = nullptr,
                                                             .submissions = nullptr,
                                                             .init = nullptr,
                                                             .destroy = nullptr,
                                                             .regions = nullptr,
                                                             .regionCount = 0,
                                                             .threads = 5,
                                                             .rowsAtOnce = 0,
                                                             .peCount = 0,
                                                             .pes = nullptr,
                                                             .consistents = nullptr,
                                                             .consistentCount = 0});
  auto *global =
      new llvm::GlobalVariable(module, program->getType(), /*isConstant=*/true,
                               llvm::GlobalValue::ExternalLinkage, program, "sl_program");
  function("a")->addFnAttr(kRowsAtOnce, "8");
  function("b")->addFnAttr(kRowsAtOnce, "64");
  tellRowsAtOnce(module);
  EXPECT_EQ(numberAt(global->getInitializer(), offsetof(ProgramDesc, rowsAtOnce)), 64);
  EXPECT_EQ(numberAt(global->getInitializer(), offsetof(ProgramDesc, threads)), 5);
}
} // namespace
