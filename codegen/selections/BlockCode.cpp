//===- BlockCode.cpp - the memory of a block of rows ----------------------===//
#include "codegen/selections/BlockCode.h"
#include "codegen/Aliasing.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace sluice;

mlir::Value BlockCode::elementOf(Array array, unsigned number, uint64_t stride, Value at) {
  return element(address(block, int64_t(plan.at(array, number)), loc), int64_t(stride), at, loc);
}

/// Arrays do not overlap. Lists are one.
LLVM::TBAATagAttr BlockCode::tagOf(Array array, unsigned number) {
  bool several = array == Array::Column || array == Array::Dense;
  unsigned kinds = unsigned(Array::Dense) + 1;
  return memoryTag(b.getContext(), Memory::Block, unsigned(array) + (several ? number * kinds : 0));
}

mlir::Value BlockCode::get(Array array, unsigned column, Value at, mlir::Type type) {
  auto get = spl::GetOp::create(b, loc, type, elementOf(array, column, plan.strides[column], at));
  setMemory(get, tagOf(array, column));
  return get;
}

void BlockCode::put(Array array, unsigned column, Value at, Value value) {
  auto put = spl::PutOp::create(b, loc, value, elementOf(array, column, plan.strides[column], at));
  setMemory(put, tagOf(array, column));
}

mlir::Value BlockCode::load(Array array, unsigned number, uint64_t stride, Value at,
                            mlir::Type type) {
  auto load = LLVM::LoadOp::create(b, loc, type, elementOf(array, number, stride, at));
  setTag(load, tagOf(array, number));
  return load;
}

void BlockCode::store(Array array, unsigned number, uint64_t stride, Value at, Value value) {
  auto store = LLVM::StoreOp::create(b, loc, value, elementOf(array, number, stride, at));
  setTag(store, tagOf(array, number));
}

mlir::Value BlockCode::row(unsigned list, Value at) {
  return toI64(load(Array::List, list, 2, at, b.getI16Type()));
}

void BlockCode::setRow(unsigned list, Value at, Value row) {
  store(Array::List, list, 2, at, arith::TruncIOp::create(b, loc, b.getI16Type(), row));
}

mlir::Value BlockCode::count(unsigned list) {
  return load(Array::Counts, 0, 8, i64(loc, list), b.getI64Type());
}

void BlockCode::setCount(unsigned list, Value count) {
  store(Array::Counts, 0, 8, i64(loc, list), count);
}

void BlockCode::mark(Value row) {
  Value word = arith::ShRUIOp::create(b, loc, row, i64(loc, 6));
  Value bit =
      arith::ShLIOp::create(b, loc, i64(loc, 1), arith::AndIOp::create(b, loc, row, i64(loc, 63)));
  Value marks = load(Array::Marks, 0, 8, word, b.getI64Type());
  store(Array::Marks, 0, 8, word, arith::OrIOp::create(b, loc, marks, bit));
}

mlir::Value BlockCode::takeMarks(Value word) {
  Value marks = load(Array::Marks, 0, 8, word, b.getI64Type());
  store(Array::Marks, 0, 8, word, i64(loc, 0));
  return marks;
}
