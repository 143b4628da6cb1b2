//===- EmitStmtTest.cpp - emission of statements ----------------*- C++ -*-===//
#include "EmitTree.h"

using namespace sluice;
using namespace sluice::test;

namespace {

TEST_F(EmitTree, MutableVariableIsHoistedAndStoredWhereItIsDeclared) {
  Variable *x = variable("x", int32), *i = variable("i", int32, false, Variable::Loop);
  onTuple(forEach(i, literal(ints, number(1)), block(declare(x))));
  expectInOrder(
      text(), {"^bb0(%arg0:", "spl.var \"x\" : <si32>", "cf.br", "spl.const : si32", "spl.store"});
}

TEST_F(EmitTree, ImmutableCopyOfPlaceSurvivesWrites) {
  Variable *m = variable("m", rstring), *v = variable("v", rstring, false);
  onTuple(block(declare(m, string("a")), declare(v, use(m)), run(assign(use(m), string("b")))));
  expectInOrder(text(), {"spl.load", "spl.copy", "spl.const \"b\"", "spl.store"});
}

TEST_F(EmitTree, ImmutableScalarsAndFreshStringsAreNotCopied) {
  Variable *m = variable("m", int32), *v = variable("v", int32, false),
           *s = variable("s", rstring, false);
  onTuple(block(declare(m, number(1)), declare(v, use(m)),
                declare(s, make<CastExpr>(rstring, use(m)))));
  expectAbsent(text(), "spl.copy");
}

TEST_F(EmitTree, IfWithoutElseJoins) {
  onTuple(block(when(flag(true), give(nullptr))));
  expectInOrder(text(),
                {"cf.cond_br %2, ^bb1, ^bb2", "^bb1:", "stream.end", "^bb2:", "stream.end"});
}

TEST_F(EmitTree, CodeBehindReturnIsDropped) {
  Variable *x = variable("x", int32);
  onTuple(block(when(flag(true), give(nullptr), give(nullptr)), declare(x)));
  std::string out = text();
  expectAbsent(out, "spl.var");
  expectAbsent(out, "^bb3");
}

TEST_F(EmitTree, ScalarWhileHasNoMark) {
  Variable *x = variable("x", int32);
  onTuple(block(declare(x), repeat(less(use(x), number(9)), run(increment(use(x))))));
  std::string out = text();
  expectInOrder(out, {"cf.br ^bb1", "^bb1:", "spl.compare lt", "cf.cond_br %6, ^bb2, ^bb4",
                      "^bb2:", "spl.binary add", "cf.br ^bb3", "^bb3:", "cf.br ^bb1",
                      "^bb4:", "stream.end"});
  expectAbsent(out, "spl.arena_checkpoint");
}

TEST_F(EmitTree, LoopThatMakesStringsReleasesThemAlsoOnContinue) {
  Variable *x = variable("x", rstring);
  auto append = run(assign(use(x), binary(B::Add, use(x), string("a"))));
  onTuple(block(declare(x), repeat(flag(true), block(when(flag(true), jump(/*isBreak=*/false)),
                                                     std::move(append)))));
  // The body's end and `continue` meet in the block that releases.
  expectInOrder(text(), {"= spl.arena_checkpoint", "cf.br ^bb1", "cf.cond_br", "cf.br ^bb5",
                         "spl.store", "cf.br ^bb5", "^bb5:", "spl.release", "cf.br ^bb1"});
}

TEST_F(EmitTree, BreakLeavesTheInnerLoop) {
  Variable *i = variable("i", int32, false, Variable::Loop),
           *j = variable("j", int32, false, Variable::Loop);
  auto inner = forEach(j, literal(ints, number(2)), jump(/*isBreak=*/true));
  onTuple(forEach(i, literal(ints, number(1)), block(std::move(inner))));
  expectInOrder(text(), {"spl.size", "spl.arena_checkpoint", "^bb1(", "spl.nth", "spl.size",
                         "^bb3(", "spl.nth", "cf.br ^bb5", "^bb5:", "cf.br ^bb6",
                         "^bb6:", "spl.release", "cf.br ^bb1("});
}

TEST_F(EmitTree, ForOverMapBindsKeys) {
  Variable *m = variable("m", counts), *k = variable("k", rstring, false, Variable::Loop);
  onTuple(block(declare(m),
                forEach(k, use(m), run(compound(B::Add, index(use(m), use(k)), number(1))))));
  std::string out = text();
  expectInOrder(out,
                {"spl.load", "spl.size", "spl.const 0 : ui32", "spl.nth", "-> !spl.rstring",
                 "spl.index_ref", "{source = \"src\"}", "spl.load", "spl.binary add", "spl.store"});
  expectAbsent(out, "spl.arena_checkpoint");
}

/// The facts of a function that a loop may count instead.
static const FunctionFacts counted = {.intrinsic = sluice::spl::Intrinsic::range};

TEST_F(EmitTree, RangeLoopsCountWithoutAList) {
  const Prototype *range = proto("range", "sl_range_ii", {int32, int32}, ints, {}, counted);
  Variable *i = variable("i", int32, false, Variable::Loop);
  onTuple(forEach(i, native(range, ints, list(number(3), number(9))), block()));
  std::string out = text();
  expectInOrder(out,
                {"%2 = spl.const 3", "%3 = spl.const 9", "spl.compare lt %2, %3", "^bb1(%5: si32)",
                 "spl.binary add %5", "spl.compare lt", "^bb1(", "stream.end"});
  expectAbsent(out, "sl_range");
}

TEST_F(EmitTree, RangeWithStepAsksForTheDistanceLeft) {
  const Prototype *range = proto("range", "sl_range_iii", {int32, int32, int32}, ints, {}, counted);
  Variable *i = variable("i", int32, false, Variable::Loop);
  onTuple(forEach(i, native(range, ints, list(number(9), number(0), number(-3))), block()));
  expectInOrder(text(), {"spl.compare gt %2, %3", "^bb1(%5: si32)", "spl.binary add %5",
                         "spl.binary sub %5, %3", "spl.cast", "si32 to ui32", "spl.const 3 : ui32",
                         "spl.compare gt"});
}

TEST_F(EmitTree, RangeWithUnknownStepMakesTheList) {
  const Prototype *range = proto("range", "sl_range_iii", {int32, int32, int32}, ints, {}, counted);
  Variable *i = variable("i", int32, false, Variable::Loop), *n = variable("n", int32);
  onTuple(block(declare(n),
                forEach(i, native(range, ints, list(number(9), number(0), use(n))), block())));
  expectInOrder(text(), {"spl.native \"sl_range_iii\"", "spl.size", "spl.nth"});
}

TEST_F(EmitTree, FunctionsReturnCopiesOfPlacesOnly) {
  Variable *in = variable("in", rstring, false, Variable::Formal),
           *local = variable("local", rstring);
  function(rstring, {in}, block(declare(local), when(flag(true), give(use(local))), give(use(in))));
  expectInOrder(text(), {"spl.func @f(%arg0: !spl.rstring) -> !spl.rstring", "spl.load", "spl.copy",
                         "spl.return", "^bb2:", "spl.return %arg0"});
}

TEST_F(EmitTree, MutableFormalsAreReferences) {
  Variable *m = variable("m", int32, true, Variable::Formal);
  Function &f = function(voidType, {m}, block(run(assign(use(m), number(1)))));
  Variable *t = variable("t", pair);
  auto call = make<CallExpr>(std::ref(f), list(field(use(t), 0)));
  onTuple(block(declare(t), run(std::move(call))));
  expectInOrder(text(),
                {"spl.field_ref", "spl.call @f(", "(!spl.ref<si32>) -> ()",
                 "spl.func @f(%arg0: !spl.ref<si32>) {", "spl.store", "%arg0", "spl.return"});
}

} // namespace
