//===- EmitExprTest.cpp - emission of expressions and places ----*- C++ -*-===//
#include "EmitTree.h"

using namespace sluice;
using namespace sluice::test;

namespace {

TEST_F(EmitTree, Constants) {
  auto real = make<ConstExpr>(float64, 1.5), none = make<ConstExpr>(ints);
  onTuple(block(run(number(-7)), run(flag(true)), run(std::move(real)), run(string("a\"b")),
                run(std::move(none)), run(number(1, punct)),
                run(number(-1, types.get(SplType::UInt64)))));
  expectInOrder(text(), {"spl.const -7 : si32", "spl.const 1 : i1", "spl.const 1.5", ": f64",
                         "spl.const \"a\\22b\"", "spl.const : !spl.list<si32>",
                         "spl.const 1 : !spl.enum<", "spl.const -1 : ui64"});
}

TEST_F(EmitTree, ShortCircuitAndConditional) {
  auto both = make<LogicalExpr>(/*isAnd=*/true, flag(true), flag(false));
  auto any = make<LogicalExpr>(/*isAnd=*/false, flag(true), std::move(both));
  onTuple(run(make<ConditionalExpr>(std::move(any), string("y"), string("n"))));
  expectInOrder(text(), {"cf.cond_br %2, ^bb4(%2 : i1), ^bb1", "cf.cond_br", "^bb2, ^bb3(", "^bb4(",
                         "cf.cond_br", "cf.br ^bb7(", "cf.br ^bb7(", "^bb7(%9: !spl.rstring)"});
}

TEST_F(EmitTree, DivisionCarriesItsSource) {
  onTuple(
      block(run(binary(B::Div, number(1), number(0))), run(binary(B::Rem, number(1), number(0)))));
  expectInOrder(text(true), {"spl.div", "{source = \"src\"}", "loc(", "spl.rem",
                             "{source = \"src\"}", "\"test.spl\":1:11 to :21"});
}

TEST_F(EmitTree, OperatorsOnAllKinds) {
  onTuple(block(run(binary(B::Shl, number(1), number(2, int64))),
                run(binary(B::BitAnd, flag(true), flag(false))),
                run(binary(B::Add, string("a"), string("b"))),
                run(binary(B::Ne, string("a"), string("b"), boolean)),
                run(make<UnaryExpr>(UnaryOp::BitNot, number(1))),
                run(make<UnaryExpr>(UnaryOp::Neg, number(1))),
                run(make<UnaryExpr>(UnaryOp::Not, flag(true)))));
  expectInOrder(text(), {"spl.binary shl", ": si32, si64", "spl.binary bit_and", "spl.binary add",
                         "!spl.rstring", "spl.compare ne", "spl.unary bitnot", "spl.unary neg",
                         "spl.unary not"});
}

TEST_F(EmitTree, CastToTheSameTypeIsNothing) {
  onTuple(block(run(make<CastExpr>(int64, number(1))), run(make<CastExpr>(int32, number(2)))));
  std::string out = text();
  expectInOrder(out, {"spl.cast", "si32 to si64", "spl.const 2"});
  EXPECT_EQ(out.find("spl.cast"), out.rfind("spl.cast"));
}

TEST_F(EmitTree, CollectionsAndSubscripts) {
  Variable *l = variable("l", ints);
  auto slice = make<SliceExpr>(use(l), nullptr, number(2));
  onTuple(block(declare(l, literal(ints, number(1), number(2))), run(index(use(l), number(0))),
                run(std::move(slice)), run(make<InExpr>(boolean, number(1), use(l))),
                run(literal(counts, string("k"), number(1))),
                run(literal(types.set(int32), number(1)))));
  expectInOrder(text(), {"spl.make_list %3, %4", "spl.index", "spl.slice %9 to %10 : si32",
                         "spl.contains", "spl.make_map", "spl.make_set"});
}

TEST_F(EmitTree, MapAssignmentInsertsButCompoundNeedsTheKey) {
  Variable *m = variable("m", counts);
  auto inc = increment(index(use(m), string("k")));
  onTuple(
      block(declare(m), run(assign(index(use(m), string("k")), number(1))), run(std::move(inc))));
  expectInOrder(text(),
                {"spl.const 1", "spl.const \"k\"", "spl.map_slot %2", "spl.store",
                 "spl.const \"k\"", "spl.index_ref %2", "spl.load", "spl.binary add", "spl.store"});
}

TEST_F(EmitTree, ValueFromTheMapItselfIsCopiedBeforeTheSlotIsMade) {
  Variable *m = variable("m", texts);
  onTuple(block(declare(m), run(assign(index(use(m), string("k")), index(use(m), string("j"))))));
  expectInOrder(text(), {"spl.index", "spl.copy", "spl.map_slot", "spl.store"});
}

TEST_F(EmitTree, AppendCopiesOnlyItself) {
  Variable *s = variable("s", rstring), *t = variable("t", rstring);
  onTuple(block(declare(s), declare(t), run(compound(B::Add, use(s), use(t)))));
  expectAbsent(text(), "spl.copy");
  program.main = Composite();
  onTuple(block(declare(s), run(compound(B::Add, use(s), use(s)))));
  expectInOrder(text(), {"spl.load", "spl.copy", "spl.append"});
}

TEST_F(EmitTree, PrefixAndPostfixIncrement) {
  Variable *x = variable("x", int32), *y = variable("y", int32);
  auto post = increment(use(x));
  auto pre = make<IncDecExpr>(/*isPrefix=*/true, /*isDecrement=*/true, use(x));
  onTuple(block(declare(x), declare(y, std::move(post)), run(assign(use(y), std::move(pre)))));
  expectInOrder(text(),
                {"%5 = spl.load %2", "%7 = spl.binary add %5", "spl.store %7, %2",
                 "spl.store %5, %3", "= spl.binary sub", "spl.store %10, %2", "spl.store %10, %3"});
}

TEST_F(EmitTree, NativesMarkBareTypeVariables) {
  const SplType *t = types.var("T", "any");
  const Prototype *append =
      proto("appendM", "sl_appendM_Lgg", {types.list(t), t}, voidType, {true, false});
  Variable *l = variable("l", ints);
  onTuple(block(declare(l), run(native(append, voidType, list(use(l), number(1)), {int32}))));
  expectInOrder(text(), {"spl.native \"sl_appendM_Lgg\"(%2, ", "[si32] generic = [1]",
                         "(!spl.ref<!spl.list<si32>>, si32) -> ()"});
}

TEST_F(EmitTree, LiftedListOperatorLoopsInAFunction) {
  auto lifted = binary({B::Div, Lift::Left}, literal(ints, number(4)), number(2));
  onTuple(run(std::move(lifted)));
  expectInOrder(text(),
                {"spl.call @spl.lift.0(",
                 "spl.func @spl.lift.0(%arg0: !spl.list<si32>, %arg1: si32) -> !spl.list<si32>",
                 "spl.index %arg0[", "spl.div", "sl_appendM_Lgg", "spl.copy", "spl.return"});
}

TEST_F(EmitTree, DottedMapsNeedTheSameKeys) {
  auto dotted =
      binary({B::Lt, Lift::Both}, literal(counts), literal(counts), types.map(rstring, boolean));
  onTuple(run(std::move(dotted)));
  expectInOrder(text(), {"spl.func @spl.lift.0", "spl.size %arg1", "spl.index %arg0[",
                         "spl.size %arg0", "spl.map_value %arg0", "spl.index %arg1[",
                         "spl.compare lt", "spl.map_slot", "spl.store"});
}

} // namespace
