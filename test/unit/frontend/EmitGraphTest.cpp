//===- EmitGraphTest.cpp - emission of operators and composites -*- C++ -*-===//
#include "EmitTree.h"

using namespace sluice;
using namespace sluice::test;

namespace {

TEST_F(EmitTree, GraphListsSubmissionValues) {
  program.submissions.push_back({"Main.n", false, true, "3"});
  program.submissions.push_back({"Main.l", true, false, ""});
  expectInOrder(text(), {"stream.graph @Main submissions = [#stream.submission<name = \"Main.n\", "
                         "default_value = \"3\">, "
                         "#stream.submission<name = \"Main.l\", list = true>]"});
}

TEST_F(EmitTree, WrittenTupleIsCopiedIntoAPlace) {
  auto submit = make<SubmitExpr>(voidType, tuple(), 0);
  onTuple(block(run(assign(field(tuple(), 0), number(1))), run(std::move(submit))));
  expectInOrder(text(), {"stream.on_tuple 0", "spl.var \"tuple\"", "spl.store %arg0, %2",
                         "spl.field_ref %2[0]", "spl.store", "spl.load %2", "stream.submit 0"});
}

TEST_F(EmitTree, UnwrittenTupleIsUsedAsItIs) {
  onTuple(run(field(tuple(), 1)));
  std::string out = text();
  expectInOrder(out, {"spl.field %arg0[1]"});
  expectAbsent(out, "spl.var");
}

TEST_F(EmitTree, StateHasAnInitialiserAndIsAPlace) {
  Variable *n = variable("n", int32, true, Variable::State);
  Operator &op = onTuple(run(increment(use(n))));
  op.states = {n};
  op.stateInits.push_back(number(5));
  op.isCatch = true;
  expectInOrder(text(), {"{isCatch}", "stream.state \"n\" : si32", "spl.const 5", "stream.yield",
                         "spl.state \"n\"[0]", "spl.load", "spl.store", "stream.end"});
}

TEST_F(EmitTree, ParametersAndOutputsYield) {
  Operator &op = onTuple(nullptr);
  op.params.emplace_back();
  op.params[0] = {"filter", {}, true, {}};
  op.params[0].values.push_back(
      make<LogicalExpr>(/*isAnd=*/true, less(field(tuple(), 0), number(1)), flag(true)));
  op.params.push_back({"size", list(number(4)), false, {}});
  op.outputs[0].values = list(field(tuple(), 0), string("x"));
  expectInOrder(text(),
                {"stream.param \"filter\"", "^bb0(%arg0: !spl.tuple<", "cf.cond_br", "stream.yield",
                 ": i1", "stream.param \"size\" {", "spl.const 4", "stream.yield",
                 "stream.output 0", "^bb0(%arg0:", "stream.yield", "si32, !spl.rstring"});
}

TEST_F(EmitTree, TheOperatorMaySupplyAttributes) {
  Operator &op = onTuple(nullptr);
  expectAbsent(text(), "stream.output");
  op.outputs[0].values = list(make<SuppliedExpr>(int32), string("x"));
  expectInOrder(text(), {"spl.supplied : si32", "spl.const \"x\"", "stream.yield"});
}

TEST_F(EmitTree, OperatorsCarryTheirFacts) {
  Operator &op = onTuple(nullptr);
  expectAbsent(text(), "facts");
  op.facts.add(stream::OperatorTrait::native);
  op.facts.writesFile = "file";
  expectInOrder(text(), {"facts = #stream.operator_facts<traits = native, writes = \"file\">"});
}

TEST_F(EmitTree, PunctuationHandler) {
  Operator &op = onTuple(nullptr);
  auto current = make<PunctExpr>(punct);
  op.inputs[0].onPunct = run(make<SubmitExpr>(voidType, std::move(current), 0));
  expectInOrder(text(),
                {"stream.on_punct 0", "^bb0(%arg0: !spl.enum<\"WindowMarker\", \"FinalMarker\">)",
                 "stream.submit_punct 0, %arg0"});
}

TEST_F(EmitTree, StreamsCrossTheBordersOfComposites) {
  addOperator(program.main, "Src", {}, true);
  Stream *src = &program.main.streams[0];
  Composite &outer = program.main.composites.emplace_back();
  outer.path = "Outer";
  outer.definition = "ns::Outer";
  outer.range = {file, nextOffset, nextOffset + 1};
  Composite &inner = outer.composites.emplace_back();
  inner.path = "Outer.Inner";
  inner.definition = "ns::Inner";
  inner.range = {file, nextOffset, nextOffset + 1};
  addOperator(inner, "Outer.Inner.A", {src}, true);
  addOperator(outer, "Outer.Unused", {src}, true);
  addOperator(program.main, "Sink", {&inner.streams[0], src}, false);
  std::string s = "!stream.stream<<\"a\": si32, \"s\": !spl.rstring>>";
  expectInOrder(text(),
                {"%0 = stream.operator \"Src\"",
                 "%1 = stream.composite \"Outer\" of \"ns::Outer\"(%0) : (" + s + ") -> " + s,
                 "^bb0(%arg0:", "%2 = stream.composite \"Outer.Inner\" of \"ns::Inner\"(%arg0)",
                 "^bb0(%arg1:", "\"Outer.Inner.A\" kind \"spl.utility::Custom\"(%arg1)",
                 "stream.export", "\"Outer.Unused\"", "stream.export %2",
                 "stream.operator \"Sink\" kind \"spl.utility::Custom\"(%1, %0) [2]"});
}

TEST_F(EmitTree, StreamsMayBeUsedAboveTheirDefinition) {
  addOperator(program.main, "A", {}, true);
  Operator &a = program.main.operators[0];
  addOperator(program.main, "B", {&program.main.streams[0]}, true);
  a.inputs.emplace_back();
  a.inputs[0].type = pair;
  a.inputs[0].streams = {&program.main.streams[1]};
  std::string out = text();
  expectInOrder(out, {"%0 = stream.operator \"A\" kind \"spl.utility::Custom\"(%1) [1]",
                      "%1 = stream.operator \"B\""});
  expectAbsent(out, "unrealized");
}

} // namespace
