//===- GraphCompositesTest.cpp - definitions, parameters, expansion -------===//
#include "GraphChecking.h"
#include <gtest/gtest.h>

using namespace sluice::test;

static const std::string source =
    "composite Main { graph stream<int32 v, int32 w> A = Beacon() { param iterations : 1; } ";
static const std::string inner =
    "composite Inner(output Out; input In) { param expression<int32> $n; attribute $a;\n"
    "  graph stream<In> Out = Functor(In) { param filter : $a > $n; } }\n";

/// Invokes Inner of `inner`; line 3 is the invocation.
static std::string invoke(const std::string &params) {
  return analyzed(inner + source + "stream<A> B = Inner(A) { param " + params + " } }");
}

TEST(GraphComposites, AreExpanded) {
  EXPECT_EQ(invoke("n : w; a : A.v;"),
            "A = spl.utility::Beacon() -> A[2] {iterations:1}\n"
            "B.Out = spl.relational::Functor(A) -> B.Out[2] {filter*:1}\n");
}

TEST(GraphComposites, PassStreamsThrough) {
  EXPECT_EQ(analyzed("composite Two(output X, Y; input P) { graph stream<P> X = One(P) {} "
                     "stream<P> Y = Filter(P) {} }\n"
                     "composite One(output P; input P) { }\n" +
                     source +
                     "(stream<A> B; stream<A> C) as T = Two(A) {} () as S = Custom(B; C) {} }"),
            "A = spl.utility::Beacon() -> A[2] {iterations:1}\nS = spl.utility::Custom(A; T.Y)\n"
            "T.Y = spl.relational::Filter(A) -> T.Y[2]\n");
}

TEST(GraphComposites, CheckTheirParameters) {
  std::string here = "1: note: `Inner` is defined here\n";
  EXPECT_EQ(invoke("n : 1; a : v; extra : 1;"), "3: error: `Inner` has no parameter `extra`\n"
                                                "3: note: its parameters are `n`, `a`\n" +
                                                    here);
  EXPECT_EQ(invoke("a : v;"), "3: error: parameter `n` of `Inner` is missing\n");
  EXPECT_EQ(invoke("n : 1; a : v + 1;"), "3: error: parameter `$a` of mode `attribute` needs an "
                                         "attribute\n1: note: `$a` is defined here\n");
  EXPECT_EQ(invoke("n : 1.5; a : v;").substr(0, 9), "3: error:");
}

TEST(GraphComposites, TakeTypesFunctionsAndOperators) {
  EXPECT_EQ(
      analyzed(
          "int32 twice(int32 x) { return x * 2; }\n"
          "composite Any(output Out; input In) { param type $t; function $f; operator $op; "
          "expression<$t> $e : {v = 1};\n"
          "  graph stream<$t> M = Functor(In) { output M : v = $f(In.v) + $e.v; }\n"
          "        stream<$t> Out = $op(M) {} }\n" +
          source +
          "stream<int32 v> B = Any(A) { param t : tuple<int32 v>; f : twice; op : Filter; } }"),
      "A = spl.utility::Beacon() -> A[2] {iterations:1}\n"
      "B.M = spl.relational::Functor(A) -> B.M[1]\nB.Out = spl.relational::Filter(B.M) -> "
      "B.Out[1]\n");
  EXPECT_EQ(
      analyzed("composite Any(input In) { param operator $op; graph () as S = $op(In) {} }\n" +
               source + "() as B = Any(A) { param op : Nothing; } }"),
      "2: error: unknown operator `Nothing`\n");
}

TEST(GraphComposites, ResolveActualsWhereTheyAreWritten) {
  // Inside, `v` is another thing; the actual means Main's stream all the same.
  EXPECT_EQ(analyzed("composite Deep(output Out; input In) { param expression<int32> $e;\n"
                     "  graph stream<In> Out = Custom(In) { logic state : int32 hidden = 7; "
                     "onTuple In : { int32 v = 5; if ($e > v + hidden) submit(In, Out); } } }\n"
                     "composite Mid(output Out; input I) { param expression<int32> $x; graph "
                     "stream<I> Out = Deep(I) { param e : $x * 2; } }\n" +
                     source + "stream<A> B = Mid(A) { param x : v + A.w; } }"),
            "A = spl.utility::Beacon() -> A[2] {iterations:1}\nB.Out.Out = spl.utility::Custom(A) "
            "-> B.Out.Out[0]\n");
  EXPECT_EQ(analyzed("composite Deep(input In) { param expression<int32> $e;\n"
                     "  graph () as S = Custom(In) { logic state : int32 hidden = $e; } }\n" +
                     source + "() as B = Deep(A) { param e : hidden; } }")
                .substr(0, 9),
            "3: error:");
}

TEST(GraphComposites, ReportErrorsInsideOnceWithTheirTrail) {
  EXPECT_EQ(analyzed("composite Bad(input In) { graph () as S = Custom(Nothing) {} }\n" + source +
                     "() as B = Bad(A) {}\n() as C = Bad(A) {} }"),
            "1: error: unknown stream `Nothing`\n2: note: in this instance of composite `Bad`\n");
}

TEST(GraphComposites, DoNotContainThemselves) {
  EXPECT_EQ(analyzed("composite Loop(output Out) { graph stream<int32 v> Out = Loop() {} "
                     "}\ncomposite Main { graph stream<int32 v> A = Loop() {} }"),
            "1: error: composite `Loop` contains itself\n2: note: in this instance of composite "
            "`Loop`\n");
}

TEST(GraphComposites, AgreeOnPorts) {
  std::string pass = "composite Pass(output Out; input stream<int32 v> In) { graph stream<In> Out "
                     "= Functor(In) {} }\n";
  EXPECT_EQ(analyzed(pass + source + "stream<A> B = Pass(A) {} }"),
            "2: error: input port `In` of `Pass` is declared as `tuple<int32 v>`, but gets "
            "`tuple<int32 v, int32 w>`\n2: note: the types differ: `w` is not wanted\n");
  EXPECT_EQ(analyzed(pass + source +
                     "stream<int32 v> N = Functor(A) {} stream<int64 v> B = Pass(N) {} }"),
            "2: error: stream `B` is declared as `tuple<int64 v>`, but output port `Out` of `Pass` "
            "has type `tuple<int32 v>`\n"
            "2: note: the types differ: `v` is `int64` and not `int32`\n"
            "1: note: `Out` is defined here\n");
  EXPECT_EQ(analyzed(pass + source + "stream<int32 v> B = Pass(A; A) { output B : v = 1; } }"),
            "2: error: a composite takes no `output` clause (`Pass` is a composite)\n"
            "2: error: `Pass` has 1 input port, not 2\n1: note: `Pass` is defined here\n");
}

TEST(GraphComposites, AreWellFormed) {
  auto main = [](const std::string &definition) {
    return analyzed("composite Main { " + definition + " graph () as S = Custom() {} }");
  };
  EXPECT_EQ(main("param expression<int32> n : 1;"),
            "1: error: parameter `n` of a composite must begin with `$`\n");
  EXPECT_EQ(main("param type $t : int32; type $t : int32;"),
            "1: error: parameter `$t` is declared twice\n1: note: the previous one is here\n");
  EXPECT_EQ(main("type $T = int32;"),
            "1: error: `$T`: names with `$` are for the parameters of composites\n");
  EXPECT_EQ(main("param expression<int32> $a : 1; expression<int32> $b : $a + 1;"),
            "1: error: the default of `$b` mentions the parameter `$a`\n");
  EXPECT_EQ(main("type T = int32; static U = list<T>;"),
            "1: error: the static type `U` depends on `T`, which instances differ in\n");
  EXPECT_EQ(analyzed("composite Open(output Out) { graph () as S = Custom() {} }\ncomposite Main { "
                     "graph stream<int32 v> A = Open() {} }")
                .substr(0, 59),
            "1: error: output port `Out` of `Open` is no stream of its g");
}

TEST(GraphComposites, NeedDistinctPortsAndAttributes) {
  EXPECT_EQ(analyzed("composite Two(input P, P) { }\n" + source + "() as S = Two(A; A) {} }"),
            "1: error: two ports are called `P`\n1: note: the previous one is here\n");
  EXPECT_EQ(analyzed("composite Two(input P, Q) { param attribute $a; }\n" + source +
                     "() as S = Two(A as X; A as Y) { param a : v; } }"),
            "2: error: several input ports have an attribute `v`: write the port before it, as "
            "`Port.v`\n");
  EXPECT_EQ(analyzed("composite Echo(output P; input P) { }\ncomposite Main { graph stream<int32 "
                     "v> A = Echo(A) {} () as S = Custom(A) {} }"),
            "2: error: no operator produces stream `A`\n");
}

TEST(GraphMain, IsSelected) {
  EXPECT_EQ(analyzed("composite A { graph () as S = Custom() {} }"), "S = spl.utility::Custom()\n");
  std::string two =
      "composite A { graph () as S = Custom() {} }\ncomposite B { graph () as T = Custom() {} }\n";
  EXPECT_EQ(analyzed(two, "B"), "T = spl.utility::Custom()\n");
  EXPECT_EQ(analyzed(two),
            "1: error: several main composites: choose one with --main\n"
            "1: note: `A` could be the main composite\n2: note: `B` could be the main composite\n");
  EXPECT_EQ(analyzed(two + "composite Main { graph () as M = Custom() {} }"),
            "M = spl.utility::Custom()\n");
  std::string both =
      "1: note: `A` could be the main composite\n2: note: `B` could be the main composite\n";
  EXPECT_EQ(analyzed(two, "C"), "error: `--main`: there is no composite `C`\n" + both);
  EXPECT_EQ(analyzed("composite Main { graph () as S = Custom() {} }", "main"),
            "error: `--main`: there is no composite `main`\nnote: did you mean `Main`?\n1: note: "
            "`Main` could be the main composite\n");
  EXPECT_EQ(analyzed("composite In(input S) { }\ncomposite Out(output S) { }", "C"),
            "error: `--main`: there is no composite `C`\nnote: the composites of `test.spl` are "
            "`In`, `Out`\n");
  EXPECT_EQ(analyzed("composite Main(input In) { }"),
            "1: error: `Main` cannot be the main composite: it has ports\n");
  EXPECT_EQ(analyzed("composite Main { param type $t; }"),
            "1: error: `Main` cannot be the main composite: its parameter `$t` has no default\n");
}
