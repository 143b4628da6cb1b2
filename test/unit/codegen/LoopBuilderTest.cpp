//===- LoopBuilderTest.cpp - runs what LoopBuilder emits ------------------===//
#include "codegen/segments/LoopBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/TypeSwitch.h"
#include "gtest/gtest.h"

using namespace sluice;
using mlir::Block, mlir::Value, mlir::ValueRange;

namespace {
/// A function `(i64, i64) -> i64` whose body a test emits.
class LoopBuilderTest : public ::testing::Test {
protected:
  LoopBuilderTest() : b(&context), flow(b), loc(b.getUnknownLoc()) {
    context.loadDialect<mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                        mlir::func::FuncDialect>();
    mlir::Type i64 = b.getI64Type();
    f = mlir::func::FuncOp::create(b, loc, "f", b.getFunctionType({i64, i64}, i64));
    Block *entry = f->addEntryBlock();
    b.setInsertionPointToStart(entry);
    x = entry->getArgument(0);
    y = entry->getArgument(1);
  }

  Value constant(int64_t value) { return mlir::arith::ConstantIntOp::create(b, loc, value, 64); }
  Value add(Value left, Value right) { return mlir::arith::AddIOp::create(b, loc, left, right); }

  /// Interprets the function.
  int64_t run(int64_t first, int64_t second) {
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*f)));
    values[x] = first;
    values[y] = second;
    Block *block = &f->getBody().front();
    for (int blocks = 0; blocks < 1000; ++blocks) {
      for (mlir::Operation &op : block->without_terminator())
        evaluate(&op);
      mlir::Operation *end = block->getTerminator();
      if (auto ret = llvm::dyn_cast<mlir::func::ReturnOp>(end))
        return values.lookup(ret.getOperand(0));
      if (auto branch = llvm::dyn_cast<mlir::cf::BranchOp>(end)) {
        block = go(branch.getDest(), branch.getDestOperands());
        continue;
      }
      auto branch = llvm::cast<mlir::cf::CondBranchOp>(end);
      block = values.lookup(branch.getCondition())
                  ? go(branch.getTrueDest(), branch.getTrueDestOperands())
                  : go(branch.getFalseDest(), branch.getFalseDestOperands());
    }
    ADD_FAILURE() << "the function does not end";
    return 0;
  }

  Block *go(Block *to, ValueRange arguments) {
    llvm::SmallVector<int64_t> numbers;
    for (Value argument : arguments)
      numbers.push_back(values.lookup(argument));
    for (auto [parameter, number] : llvm::zip_equal(to->getArguments(), numbers))
      values[parameter] = number;
    return to;
  }

  void evaluate(mlir::Operation *op) {
    auto in = [&](unsigned i) { return values.lookup(op->getOperand(i)); };
    values[op->getResult(0)] =
        llvm::TypeSwitch<mlir::Operation *, int64_t>(op)
            .Case([](mlir::arith::ConstantOp c) {
              return llvm::cast<mlir::IntegerAttr>(c.getValue()).getInt();
            })
            .Case([&](mlir::arith::AddIOp) { return in(0) + in(1); })
            .Case([&](mlir::arith::CmpIOp compare) {
              llvm::APInt left(64, in(0)), right(64, in(1));
              return mlir::arith::applyCmpPredicate(compare.getPredicate(), left, right);
            });
  }

  mlir::MLIRContext context;
  mlir::OpBuilder b;
  LoopBuilder flow;
  mlir::Location loc;
  mlir::OwningOpRef<mlir::func::FuncOp> f;
  Value x, y;
  llvm::DenseMap<Value, int64_t> values;
};

TEST_F(LoopBuilderTest, ForLoopRunsFromFirstToEnd) {
  // The body leaves when it is called with 3.
  Block *atThree = flow.exit(b.getI64Type(), loc,
                             [&](ValueRange values) { flow.ret(add(values[0], constant(100))); });
  flow.forLoop(x, y, [&](Value i) {
    Value three = constant(3);
    flow.leaveUnless(flow.isNotZero(add(i, constant(-3))), atThree, three);
  });
  flow.ret(constant(-1));
  EXPECT_EQ(run(0, 3), -1);
  EXPECT_EQ(run(0, 4), 103);
  EXPECT_EQ(run(3, 4), 103);
  EXPECT_EQ(run(4, 9), -1);
  EXPECT_EQ(run(3, 3), -1);
  EXPECT_EQ(run(3, 2), -1);
}

TEST_F(LoopBuilderTest, DoLoopRunsAtLeastOnce) {
  flow.doLoop(x, y, [&](Value i) { flow.returnIf(flow.isZero(i), [&] { return constant(7); }); });
  flow.ret(constant(-1));
  EXPECT_EQ(run(0, 0), 7);
  EXPECT_EQ(run(1, 3), -1);
}

TEST_F(LoopBuilderTest, LoopCarriesValues) {
  Value sum;
  flow.loop({x, constant(0)}, [&](ValueRange carried, Block *end) -> llvm::SmallVector<Value> {
    sum = carried[1];
    flow.leaveUnless(flow.isBelow(carried[0], y), end);
    return {add(carried[0], constant(1)), add(sum, carried[0])};
  });
  flow.ret(sum);
  EXPECT_EQ(run(0, 5), 10);
  EXPECT_EQ(run(5, 5), 0);
}

TEST_F(LoopBuilderTest, LoopsMayBeNested) {
  Value sum;
  flow.loop({x, constant(0)}, [&](ValueRange outer, Block *end) -> llvm::SmallVector<Value> {
    sum = outer[1];
    flow.leaveUnless(flow.isBelow(outer[0], y), end);
    Value inner;
    flow.loop({constant(0), sum}, [&](ValueRange carried, Block *done) {
      inner = carried[1];
      flow.leaveUnless(flow.isBelow(carried[0], outer[0]), done);
      return llvm::SmallVector<Value>{add(carried[0], constant(1)), add(inner, constant(1))};
    });
    return {add(outer[0], constant(1)), inner};
  });
  flow.ret(sum);
  EXPECT_EQ(run(0, 5), 0 + 1 + 2 + 3 + 4);
}

TEST_F(LoopBuilderTest, ChecksReturnWhatIsNotZero) {
  flow.check(x);
  flow.ifThen(flow.isPositive(y), [&] { flow.check(add(y, constant(10))); });
  flow.ret(constant(5));
  EXPECT_EQ(run(-1, 0), -1);
  EXPECT_EQ(run(0, 2), 12);
  EXPECT_EQ(run(0, 0), 5);
  EXPECT_EQ(run(0, -10), 5);
}

TEST_F(LoopBuilderTest, IfThenElseChooses) {
  int32_t weights[] = {1, 2000};
  Value chosen = flow.ifThenElse(
      flow.isZero(x), [&] { return add(y, constant(1)); }, [&] { return x; }, weights);
  flow.ret(chosen);
  EXPECT_EQ(run(0, 4), 5);
  EXPECT_EQ(run(3, 4), 3);
}

/// What follows the insertion point goes on behind what is emitted.
TEST_F(LoopBuilderTest, EmitsInTheMiddleOfABlock) {
  Value result = constant(9);
  flow.ret(result);
  b.setInsertionPointAfterValue(result);
  flow.returnIf(flow.isZero(x), [&] { return y; });
  flow.forLoop(x, y, [&](Value i) { flow.check(i); });
  EXPECT_EQ(run(0, 4), 4);
  EXPECT_EQ(run(2, 4), 2);
  EXPECT_EQ(run(2, 1), 9);
}
} // namespace
