//===- GraphAnnotationsTest.cpp - annotations and configuration -----------===//
#include "GraphChecking.h"
#include <gtest/gtest.h>

using namespace sluice::test;

static const std::string in = "In = spl.utility::Beacon() -> In[2] {iterations:1}\n";
static std::string on(const std::string &annotations) {
  return inGraph(annotations + "\nstream<In> B = Filter(In) {}");
}
static std::string config(const std::string &settings) {
  return inGraph("stream<In> B = Filter(In) { config " + settings + " }");
}

static const std::string through =
    "composite Pass(output Out; input In) { graph stream<In> Out = Filter(In) {} }\n"
    "composite Main { graph stream<int32 n> In = Beacon() { param iterations : 1; }\n";

TEST(GraphAnnotations, CatchIsInherited) {
  EXPECT_EQ(on("@catch(exception = all)"), in + "B = spl.relational::Filter catch(In) -> B[2]\n");
  EXPECT_EQ(on("@catch(exception = none)"), in + "B = spl.relational::Filter(In) -> B[2]\n");
  EXPECT_EQ(
      analyzed(through +
               "@catch(exception = streams, stackTrace = false) stream<In> B = Pass(In) {} }"),
      "In = spl.utility::Beacon() -> In[1] {iterations:1}\nB.Out = spl.relational::Filter "
      "catch(In) -> B.Out[1]\n");
  EXPECT_EQ(inGraph("@catch(exception = all) stream<int32 n> B = Beacon() {}"),
            "1: error: `@catch` does not apply to a source: it skips tuples that come in\n");
}

TEST(GraphAnnotations, HaveKeys) {
  EXPECT_EQ(on("@catch(exeption = all)"), "1: error: `@catch` has no key `exeption`\n"
                                          "1: note: did you mean `exception`?\n");
  EXPECT_EQ(on("@parallel(width = 2, type = 3)"),
            "1: error: `@parallel` has no key `type`\n1: note: its keys are `width`, "
            "`partitionBy`, `broadcast`, `replicateHostTags`\n");
  EXPECT_EQ(on("@catch(exception = all, exception = std)"),
            "1: error: key `exception` is given twice\n");
  EXPECT_EQ(on("@catch(exception = some)"),
            "1: error: key `exception` of `@catch` takes: streams std all none\n");
  EXPECT_EQ(on("@parallel(width = \"2\")"), "1: error: key `width` of `@parallel` takes: int\n"
                                            "1: note: did you mean `width = 2`?\n");
  EXPECT_EQ(on("@parallel(width = 0)"), "1: error: the width must be positive\n");
  EXPECT_EQ(on("@parallel(width = 2)\n@parallel(width = 3)").substr(0, 32),
            "2: error: a second `@parallel`\n1");
  EXPECT_EQ(on("@parallel(width = 2, partitionBy = [{port = In, attributes = [zz]}])"),
            "1: error: `zz` is no attribute of port `In`\n");
}

TEST(GraphAnnotations, SayWhatTheyDoNotDo) {
  EXPECT_EQ(on("@threading(model = dedicated)"),
            "1: error: `@threading` applies to composites, not to a primitive operator: that has "
            "`config threadedPort`\n");
  EXPECT_EQ(on("@view(name = \"v\", port = B, sampleSize = 1)").substr(0, 36),
            "1: warning: @view has no effect yet\n");
  EXPECT_EQ(on("@spl_note(id = \"1\", text = \"x\")"),
            in + "B = spl.relational::Filter(In) -> B[2]\n");
  EXPECT_EQ(on("@paralel(width = 2)").substr(0, 76),
            "1: warning: unknown annotation `@paralel`\n1: note: did you mean `parallel`?\n");
  EXPECT_EQ(analyzed("@catch(exception = all) composite Main { }"),
            "1: error: `@catch` does not belong on a composite definition: write it where the "
            "composite is used\n");
}

TEST(GraphAnnotations, MakeRegions) {
  EXPECT_EQ(on("@parallel(width = 2)"), in + "B = spl.relational::Filter(In) -> B[2]\n");
  EXPECT_EQ(on("@parallel(width = 5000)"), "1: error: the width must be at most 4096\n");
}

TEST(GraphAnnotations, KeepThreadsToTheDynamicModel) {
  EXPECT_EQ(
      analyzed(through + "@threading(model = manual, threads = 2) stream<In> B = Pass(In) {} }"),
      "3: error: `threads` goes with `model = dynamic` only\n");
  EXPECT_EQ(
      analyzed(through + "@threading(model = dynamic, threads = 0) stream<In> B = Pass(In) {} }"),
      "3: error: the number of threads must be a constant from 1 to 4096\n");
  EXPECT_EQ(analyzed("@threading(model = dedicated, elastic = true) composite Main { }"),
            "1: error: `elastic` goes with `model = dynamic` only\n");
}

TEST(GraphConfig, IsChecked) {
  EXPECT_EQ(config("restartable : true; restartable : false;"),
            "1: error: configuration `restartable` is given twice\n");
  EXPECT_EQ(
      config(
          "placement : partitionColocation(\"a\"), host(P); restartable : true; tracing : error;"),
      in + "B = spl.relational::Filter(In) -> B[2]\n");
  EXPECT_EQ(config("nonsense : true;"), "1: error: there is no configuration `nonsense` here\n");
  EXPECT_EQ(config("restartable : 5;").substr(0, 9), "1: error:");
  EXPECT_EQ(config("threadedPort : queue(X, Sys.Wait);"),
            "1: error: `X` is no input port of this operator\n1: note: input port `In` is here\n");
  EXPECT_EQ(config("threadedPort : queue(In, Sys.Maybe);"),
            "1: error: configuration `queue` takes: Sys.Wait, Sys.DropFirst or Sys.DropLast\n");
  EXPECT_EQ(config("threadedPort : queue(In, Sys.Wait, 0);"),
            "1: error: the size of a queue must be a constant from 1 to 2147483647\n");
  EXPECT_EQ(config("threadedPort : queue(In, Sys.Wait), queue(In, Sys.DropLast);").substr(0, 77),
            "1: warning: input port `In` has a queue already: the first one holds\nIn = spl");
  EXPECT_EQ(config("threadedPort : queue(In, Sys.DropFirst, 10);"),
            in + "B = spl.relational::Filter(In) -> B[2]\n");
}
