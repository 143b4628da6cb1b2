//===- GraphStreamsTest.cpp - streams, ports, operators -------------------===//
#include "GraphChecking.h"
#include <gtest/gtest.h>

using namespace sluice::test;

static const std::string in = "In = spl.utility::Beacon() -> In[2] {iterations:1}\n";

TEST(GraphStreams, AreUsedBeforeTheirDefinition) {
  EXPECT_EQ(inGraph("() as S = Custom(Late as P) {}\n"
                    "stream<int32 n> Late = Functor(In) {}"),
            in + "S = spl.utility::Custom(Late)\n"
                 "Late = spl.relational::Functor(In) -> Late[1]\n");
}

TEST(GraphStreams, MayLieOnOnePort) {
  EXPECT_EQ(inGraph("stream<In> B = Filter(In) {}\n() as S = Custom(In, B as P; B) {}"),
            in + "B = spl.relational::Filter(In) -> B[2]\nS = spl.utility::Custom(In, B; B)\n");
}

TEST(GraphStreams, FormTypes) {
  EXPECT_EQ(inGraph("stream<In, tuple<int64 k>> B = Functor(In) { output B : k = 1l; }\n"
                    "stream<B> C = Filter(B) {}"),
            in +
                "B = spl.relational::Functor(In) -> B[3]\nC = spl.relational::Filter(B) -> C[3]\n");
  EXPECT_EQ(inGraph("stream<C> B = Functor(In) {}\nstream<B> C = Filter(B) {}"),
            "1: error: the type of stream `B` depends on itself\n");
}

TEST(GraphStreams, ClashByName) {
  EXPECT_EQ(inGraph("stream<int32 n> In = Functor(In) {}"),
            "1: error: stream `In` is defined twice\n1: note: the previous one is here\n");
  EXPECT_EQ(inGraph("() as In = Custom(In) {}"),
            "1: error: `In` is also the name of a stream\n1: note: the previous one is here\n");
  EXPECT_EQ(
      inGraph("() as S = Custom(In) {}\n() as S = Custom(In) {}"),
      "2: error: `S` is also the name of another operator\n1: note: the previous one is here\n");
  EXPECT_EQ(inGraph("() as S = Custom(In as In) {}"),
            "1: error: `In` is the alias of a port and a stream on it\n");
}

TEST(GraphStreams, MustExistAndAgree) {
  EXPECT_EQ(inGraph("() as S = Custom(Out) {}"), "1: error: unknown stream `Out`\n");
  EXPECT_EQ(inGraph("() as S = Custom(In, In) {}"),
            "1: error: stream `In` is connected twice to one port\n"
            "1: note: `;` separates input ports: `(In; In as Other)`\n");
  EXPECT_EQ(inGraph("stream<int32 n> B = Functor(In) {}\n() as S = Custom(In, B) {}"),
            "2: error: streams of one port must have one type: `B` has `tuple<int32 n>`, `In` has "
            "`tuple<int32 n, rstring s>`\n2: note: the types differ: `s` is missing\n"
            "2: note: `;` separates input ports: `(In; B)`\n");
  EXPECT_EQ(inGraph("() as S = Custom(stream<int64 n> In) {}"),
            "1: error: the type is given as `tuple<int64 n>`, but the stream has `tuple<int32 n, "
            "rstring s>`\n"
            "1: note: the types differ: `n` is `int64` and not `int32`, `s` is missing\n");
}

TEST(GraphOperators, AreFoundOrNot) {
  EXPECT_EQ(inGraph("stream<In> B = functor(In) {}"),
            "1: error: unknown operator `functor`\n1: note: did you mean `Functor`?\n");
  EXPECT_EQ(inGraph("stream<In> B = spl.relational::Filter(In) {}"),
            in + "B = spl.relational::Filter(In) -> B[2]\n");
  EXPECT_EQ(inGraph("stream<In> B = spl.utility::Filter(In) {}"),
            "1: error: unknown operator `spl.utility::Filter`\n1: note: did you mean "
            "`spl.relational::Filter`?\n");
  EXPECT_EQ(inGraph("stream<In> B = JavaOp(In) {}"),
            "1: error: not supported yet: operator `spl.utility::JavaOp`\n");
}

TEST(GraphOperators, HaveCountsOfPorts) {
  EXPECT_EQ(inGraph("stream<int32 n> B = Functor() {}"),
            "1: error: `spl.relational::Functor` has 1 input port, not 0\n");
  EXPECT_EQ(inGraph("stream<In> B = Union(In) {}"),
            "1: error: `spl.utility::Union` has at least 2 input ports, not 1\n");
  EXPECT_EQ(inGraph("(stream<In> B; stream<In> C; stream<In> D) = Filter(In) {}"),
            "1: error: `spl.relational::Filter` has 1 to 2 output ports, not 3\n");
}

TEST(GraphOperators, HaveOneOfEachClauseInOrder) {
  EXPECT_EQ(inGraph("stream<In> B = Functor(In) { output B : n = 1; param filter : true; }"),
            "1: error: `param` must come before `output`\n");
  EXPECT_EQ(inGraph("stream<In> B = Functor(In) { param filter : true; param filter : false; }")
                .substr(0, 35),
            "1: error: a second `param` clause\n1");
}
