//===- GraphClausesTest.cpp - logic, parameters, output -------------------===//
#include "GraphChecking.h"
#include <gtest/gtest.h>

using namespace sluice::test;

static const std::string in = "In = spl.utility::Beacon() -> In[2] {iterations:1}\n";

static std::string functor(const std::string &clauses) {
  return inGraph("stream<In> B = Functor(In) {" + clauses + "}");
}
static std::string beacon(const std::string &clauses) {
  return inGraph("stream<int32 k> B = Beacon() {" + clauses + "}");
}

TEST(GraphLogic, NamesPorts) {
  EXPECT_EQ(inGraph("() as S = Custom(In as P) { logic onTuple In : n++;\n onPunct P : { } }"),
            in + "S = spl.utility::Custom(In)\n");
  EXPECT_EQ(functor("logic onTuple X : { }"),
            "1: error: `X` is no input port of this operator\n1: note: input port `In` is here\n");
  EXPECT_EQ(inGraph("() as S = Custom(In; In) { logic onTuple In : n++; }"),
            "1: error: `In` is on several input ports: give them aliases\n");
  EXPECT_EQ(inGraph("() as S = Custom(In) { logic onTuple In : n++;\n onTuple In : n--; }"),
            "2: error: a second `onTuple` of `In`\n1: note: the previous one is here\n");
}

TEST(GraphLogic, StartsSources) {
  EXPECT_EQ(inGraph("() as S = Custom(In) { logic onProcess : { } }"),
            "1: error: `onProcess` is for Custom operators without input ports\n");
  EXPECT_EQ(inGraph("stream<int32 n> A = Custom() { logic onProcess : submit({n = 1}, A); }"),
            in + "A = spl.utility::Custom() -> A[0]\n");
}

TEST(GraphLogic, KeepsStateApartFromAttributes) {
  EXPECT_EQ(
      inGraph(
          "() as S = Custom(In) { logic state : mutable int32 c = 0;\n onTuple In : c = c + n; }"),
      in + "S = spl.utility::Custom(In)\n");
  EXPECT_EQ(inGraph("() as S = Custom(In) { logic state : mutable int32 n = 0; }"),
            "1: error: state variable `n` is called like an attribute of port `In`\n1: note: input "
            "port `In` is here\n");
}

TEST(GraphLogic, IsNotForAllOperators) {
  EXPECT_EQ(inGraph("() as E = Export(In) {\n logic onTuple In : n++; }"),
            "1: error: `spl.adapter::Export` takes no logic\n2: note: the clause is here\n");
  EXPECT_EQ(inGraph("() as E = JavaOp(In) { }"),
            "1: error: not supported yet: operator `spl.utility::JavaOp`\n");
}

TEST(GraphModels, HaveTheirWords) {
  auto source = [](const std::string &model) {
    return analyzedWithToolkit("namespace spl.utility;\npublic operator Source {\n" + model + "}\n",
                               "composite Main { graph stream<int32 n> In = Source() { } }");
  };
  EXPECT_EQ(source("output Out : one;\n"), "In = spl.utility::Source() -> In[0]\n");
  for (std::string model :
       {"input In : optional, twice;", "output Out : one, twice;", "param p : optional, twice;",
        "config twice : none;", "config status : twice;", "config handlers : twice;",
        "config code : twice;", "config files : twice{p};", "config jobs : twice;"})
    EXPECT_NE(
        source(model + "\n")
            .find("ops.spl:3: error: `twice` means nothing in the declaration of an operator\n"),
        std::string::npos)
        << source(model + "\n");
}

TEST(GraphModels, FilesAreNamedByParameters) {
  auto sink = [](const std::string &words) {
    return analyzedWithToolkit(
        "namespace spl.utility;\npublic operator Sink { param name : constant<rstring>;\n"
        "config files : " +
            words + "; }\n",
        "composite Main { graph () as S = Sink() { param name : \"x\"; } }");
  };
  EXPECT_EQ(sink("writes{name}"), sink("reads{name}"));
  for (std::string word : {"writes{nothing}", "writes", "reads{name, name}"})
    EXPECT_NE(sink(word).find("ops.spl:3: error: `"), std::string::npos) << sink(word);
}

TEST(GraphNatives, HaveParametersThatAreEvaluatedAtTheStart) {
  EXPECT_EQ(inGraph("stream<In> T = Throttle(In) {\n logic state : float64 fast = 2.0;\n"
                    " param rate : fast;\n}"),
            "3: error: not supported yet: parameter `rate` of operator `spl.utility::Throttle` "
            "that depends on state\n");
}

TEST(GraphNatives, HaveParametersThatComeWithTheTuple) {
  EXPECT_EQ(inGraph("() as S = FileSink(In) { param file : s; }"),
            "1: warning: the name of the file depends on the tuple, and that of the first tuple is "
            "taken: with `closeMode : dynamic` each name has a file\n" +
                in + "S = spl.adapter::FileSink(In) {file*:1}\n");
  EXPECT_EQ(inGraph("() as S = FileSink(In) {\n logic state : rstring name = \"x\";\n"
                    " param file : name;\n}"),
            in + "S = spl.adapter::FileSink(In) {file:1}\n");
}

TEST(GraphNatives, HaveStateAtOneInputPort) {
  auto join = [](const std::string &config, const std::string &logic) {
    return analyzedWithToolkit(
        "namespace spl.utility;\npublic operator Source { output Out : one; }\n"
        "public operator Join { input A : one; B : one; " +
            config + " }\n",
        "composite Main { graph stream<int32 n> In = Source() { }\n"
        "() as J = Join(In as One; In as Other) {\n logic " +
            logic + " } }");
  };
  std::string first = "onTuple One : { }\n ", second = "onTuple Other : { }";
  std::string counts = "onTuple Other : if (seen++ > 0) { }";
  std::string state = "state : mutable int32 seen = 0;\n ";
  std::string good = "J = spl.utility::Join", native = "config code : native;";
  for (const std::string &logic : {first + second, state + counts})
    EXPECT_NE(join(native, logic).find(good), std::string::npos) << join(native, logic);
  EXPECT_NE(join("", state + first + counts).find(good), std::string::npos);
  EXPECT_EQ(join(native, state + first + counts),
            "5: error: not supported yet: logic of operator `spl.utility::Join` with state, at "
            "several input ports\n");
}

TEST(FunctionFacts, HaveTheirWords) {
  auto called = [](const std::string &facts) {
    return analyzedWithToolkit("namespace spl.utility;\n"
                               "public operator Source { output Out : one; }\n"
                               "public operator Sink { input In : one; param p : expression; }\n"
                               "public int32 f(int32 x)\n" +
                                   facts + ";\n",
                               "composite Main { graph stream<int32 n> In = Source() { }\n"
                               "() as S = Sink(In) { param p : f(n); } }");
  };
  EXPECT_EQ(called(": effects{console, random}, instruction, scratchFree, intrinsic{append}"),
            called(""));
  for (std::string word : {"twice", "effects{twice}", "intrinsic{twice}", "twice{twice}"})
    EXPECT_NE(
        called(": " + word)
            .find("ops.spl:5: error: `twice` means nothing in the declaration of a function\n"),
        std::string::npos)
        << called(": " + word);
  EXPECT_NE(called(": effects").find("ops.spl:5: error: `effects` means nothing"),
            std::string::npos);
}

TEST(GraphLogic, NeedsNoWindowYet) {
  EXPECT_NE(functor("window In : tumbling, count(2);\n In : tumbling, count(3);")
                .find("2: error: a second window of port `In`"),
            std::string::npos);
  EXPECT_EQ(functor("window In : tumbling, count(2);"),
            "1: error: `spl.relational::Functor` takes no window on this port\n1: note: the clause "
            "is here\n");
}

TEST(GraphParams, FollowTheModel) {
  EXPECT_EQ(functor("param filter : n > 1 && s != \"\";"),
            in + "B = spl.relational::Functor(In) -> B[2] {filter*:1}\n");
  EXPECT_EQ(functor("param filtre : true;"), "1: error: `spl.relational::Functor` has no parameter "
                                             "`filtre`\n1: note: did you mean `filter`?\n");
  EXPECT_EQ(functor("param filter : true, false;"),
            "1: error: parameter `filter` of `spl.relational::Functor` takes one value\n");
  EXPECT_EQ(functor("param filter : true;\n filter : false;"),
            "2: error: parameter `filter` is given twice\n1: note: the previous one is here\n");
  EXPECT_EQ(functor("param filter : int32;"),
            "1: error: parameter `filter` takes a value, not a type\n");
  EXPECT_EQ(inGraph("() as S = FileSink(In) {}"),
            "1: error: parameter `file` of `spl.adapter::FileSink` is missing\n");
}

TEST(GraphParams, HaveModes) {
  EXPECT_EQ(beacon("param iterations : 3ul;"),
            in + "B = spl.utility::Beacon() -> B[1] {iterations:1}\n");
  EXPECT_EQ(beacon("param iterations : \"3\";"),
            "1: error: parameter `iterations` takes values of class `integral`, not `rstring`\n"
            "1: note: write `3` without quotes\n");
  EXPECT_EQ(inGraph("stream<In> B = Throttle(In) { param rate : (float64) n; }"),
            "1: error: parameter `rate` is evaluated without a tuple: it may not use attributes\n");
  EXPECT_EQ(inGraph("() as S = FileSink(In) { param file : \"x\"; quoteStrings : n == 1; }"),
            "1: error: parameter `quoteStrings` must be a constant, known at compile time\n");
  EXPECT_EQ(inGraph("() as S = FileSink(In) { param file : \"x\"; format : xls; }"),
            "1: error: parameter `format` is one of: csv, txt, bin, block, line\n");
  EXPECT_EQ(inGraph("() as S = FileSink(In) { param file : \"x\"; format : FileSink.csv; suppress "
                    ": In.s, n; }"),
            in + "S = spl.adapter::FileSink(In) {file:1, format:1, suppress:2}\n");
  EXPECT_EQ(inGraph("() as S = FileSink(In) { param file : \"x\"; suppress : n + 1; }"),
            "1: error: parameter `suppress` takes attributes of an input port\n");
}

TEST(GraphParams, SayWhatIsPlanned) {
  EXPECT_EQ(inGraph("() as S = TCPSink(In) { param role : server; port : 1u; compression : gzip; "
                    "}"),
            "1: error: not supported yet: `compression : gzip` of `spl.adapter::TCPSink`\n");
  EXPECT_EQ(
      inGraph("() as S = TCPSink(In) { param role : server; port : 1u; encoding : \"UTF-16\"; "
              "}"),
      "1: error: not supported yet: parameter `encoding` of `spl.adapter::TCPSink`\n");
}

TEST(GraphOutput, AssignsAttributes) {
  EXPECT_EQ(functor("output B : n = 1; B : s = \"\";"),
            "1: error: output port `B` has two lists of assignments\n1: note: the previous one is "
            "here\n");
  EXPECT_EQ(functor("output B : n = n + 1;"), in + "B = spl.relational::Functor(In) -> B[2]\n");
  EXPECT_EQ(functor("output B : m = 1;"),
            "1: error: output port `B` (`tuple<int32 n, rstring s>`) has no attribute `m`\n");
  EXPECT_EQ(functor("output B : n = 1, n = 2;"),
            "1: error: attribute `n` is assigned twice\n1: note: the previous one is here\n");
  EXPECT_EQ(functor("output C : n = 1;"),
            "1: error: `C` is no output port of this operator\n1: note: output port `B` is here\n");
  EXPECT_EQ(inGraph("stream<In> B = Filter(In) { output B : n = 1; }"),
            "1: error: `spl.relational::Filter` takes no assignments to output port `B`\n1: note: "
            "the clause is here\n");
}

TEST(GraphOutput, IsComplete) {
  EXPECT_EQ(inGraph("stream<int64 n, rstring s, boolean b> B = Functor(In) {}"),
            "1: error: nothing gives `n`, `b` of stream `B` a value\n"
            "1: note: `n` of input port `In` is of type `int32`, not `int64`\n");
  EXPECT_EQ(inGraph("stream<int64 n> B = Filter(In) {}"),
            "1: error: outputs of `spl.relational::Filter` have the type of `In`, `tuple<int32 n, "
            "rstring s>`, not `tuple<int64 n>`\n"
            "1: note: the types differ: `n` is `int64` and not `int32`, `s` is missing\n");
  EXPECT_EQ(beacon("output B : k = (int32) IterationCount();"),
            in + "B = spl.utility::Beacon() -> B[1]\n");
}

TEST(GraphClauses, HintAtWhatIsMeant) {
  EXPECT_EQ(inGraph("stream<In> B = Filter(In) { param filter : n = 3; }"),
            "1: error: an assignment has no value\n1: note: did you mean `==`?\n");
  EXPECT_EQ(inGraph("stream<In> B = Map(In) {}"),
            "1: error: unknown operator `Map`\n1: note: SPL writes `Functor`\n");
  EXPECT_EQ(inGraph("stream<int32 c> B = Aggregate(In) { window In : tumbling, count(3); "
                    "output B : c = Avg(n); }"),
            "1: error: unknown function `Avg`\n1: note: SPL writes `Average(value)`\n");
  EXPECT_EQ(
      inGraph("() as S = FileSink(In) { param file : \"x\"; format : CSV; }"),
      "1: error: parameter `format` is one of: csv, txt, bin, block, line\n1: note: did you mean "
      "`csv`?\n");
  EXPECT_EQ(inGraph("() as S = FileSink(In) { param file : \"x\"; format : xml; }"),
            "1: error: parameter `format` is one of: csv, txt, bin, block, line\n");
  EXPECT_EQ(inGraph("() as S = Custom(In) { logic onTuple In : freadTxt(1, 2); }"),
            "1: error: not supported yet: function `spl.file::freadTxt`\n");
}
