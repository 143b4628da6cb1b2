//===- ModulesTest.cpp - files, namespaces, lookup ------------------------===//
#include "GraphChecking.h"
#include "frontend/modules/ModuleTable.h"
#include <gtest/gtest.h>

using namespace sluice::test;
using sluice::sema::scanFile;

static const std::string use = "stream<int32 n> A = Beacon() { param iterations : 1; } () as S = ";
static std::string mainWith(const std::string &op) {
  return "composite Main { graph " + use + op + "(A) {} }\n";
}
static const std::string sink =
    "public composite Show(input In) { graph () as C = Custom(In) {} }\n";
static const std::string shown =
    "A = spl.utility::Beacon() -> A[1] {iterations:1}\nS.C = spl.utility::Custom(A)\n";

TEST(ModulesScan, ListsWhatAFileDefines) {
  auto summary = scanFile(
      "/* namespace no; */ namespace a.b; // type X\n"
      "type T = enum{red, green}; type U = tuple<int32 hidden>;\n"
      "public composite C(input I) { type static V = enum{slow}; graph () as x = f() {} }\n"
      "<any T> public T g(T value);\nrstring h() { return \"composite D\"; }\n"
      "public operator Op { config status : planned; }");
  EXPECT_EQ(summary.ns, "a.b");
  EXPECT_TRUE(summary.types.contains("T") && summary.types.contains("U"));
  EXPECT_FALSE(summary.types.contains("V") || summary.types.contains("X"));
  EXPECT_TRUE(summary.operators.contains("C") && summary.operators.contains("Op"));
  EXPECT_FALSE(summary.operators.contains("D"));
  EXPECT_TRUE(summary.functions.contains("g") && summary.functions.contains("h"));
  EXPECT_FALSE(summary.functions.contains("f"));
  EXPECT_TRUE(summary.enumMembers.contains("red"));
  // The end of the namespace is not where its `;` is.
  summary = scanFile("namespace a.b\ntype T = int32;\n");
  EXPECT_EQ(summary.ns, "a.b");
  EXPECT_TRUE(summary.types.contains("T"));
}

TEST(Modules, FindsNeighboursInTheSameNamespace) {
  EXPECT_EQ(analyzedFile({{"Main.spl", mainWith("Show")}, {"Show.spl", sink}}, "Main.spl"), shown);
  EXPECT_EQ(analyzedFile({{"a.b/Main.spl", "namespace a.b;\n" + mainWith("Show")},
                          {"a/b/Show.spl", "namespace a.b;\n" + sink}},
                         "a.b/Main.spl"),
            shown);
}

TEST(Modules, FindsOtherNamespacesByUse) {
  Files files = {{"lib/Show.spl", "namespace lib;\n" + sink}};
  auto with = [&](const std::string &text) {
    files["Main.spl"] = text;
    return analyzedFile(files, "Main.spl");
  };
  EXPECT_EQ(with("use lib::Show;\n" + mainWith("Show")), shown);
  EXPECT_EQ(with("use lib::*;\n" + mainWith("Show")), shown);
  EXPECT_EQ(with(mainWith("lib::Show")), shown);
  EXPECT_EQ(with(mainWith("Show")), "1: error: unknown operator `Show`\n");
  EXPECT_EQ(with("use lob::*;\n" + mainWith("lib::Show")),
            "1: warning: there is no namespace `lob`\n1: note: did you mean `lib`?\n" + shown);
}

TEST(Modules, RefusesUsesOfWhatIsNotThere) {
  Files files = {{"lib/Show.spl", "namespace lib;\n" + sink},
                 {"deep/er/T.spl", "namespace deep.er;\ntype Temp = int32;"}};
  auto with = [&](const std::string &text) {
    files["Main.spl"] = text + mainWith("lib::Show");
    return analyzedFile(files, "Main.spl");
  };
  EXPECT_EQ(with("use lib::Shaw;\n"), "1: error: there is no `Shaw` in namespace `lib`\n"
                                      "1: note: did you mean `lib::Show`?\n");
  EXPECT_EQ(with("use lob::Show;\n"), "1: error: there is no namespace `lob`\n"
                                      "1: note: did you mean `lib::Show`?\n");
  EXPECT_EQ(with("use lib::Beacon;\n"), "1: error: there is no `Beacon` in namespace `lib`\n"
                                        "1: note: did you mean `spl.utility::Beacon`?\n");
  EXPECT_EQ(with("use deep.ex::*;\n"), "1: warning: there is no namespace `deep.ex`\n"
                                       "1: note: did you mean `deep.er`?\n" +
                                           shown);
  EXPECT_EQ(with("use deep.er::Temp;\nuse lib::*;\n"), shown);
  // In another file, too.
  files["lib/Show.spl"] = "namespace lib;\nuse deep.er::Tamp;\n" + sink;
  EXPECT_EQ(with(""), "Show.spl:2: error: there is no `Tamp` in namespace `deep.er`\n"
                      "Show.spl:2: note: did you mean `deep.er::Temp`?\n");
}

TEST(Modules, ReadsUsesThatAddFilesOfTheNamespaceAtHand) {
  // bar/X.spl lacks its `namespace bar;`: the default namespace grows while its files are read.
  Files files = {{"Main.spl", mainWith("Show")}, {"Show.spl", "use bar::X;\n" + sink}};
  for (int i = 0; i < 20; ++i)
    files["bar/X" + std::to_string(i) + ".spl"] = "type Any" + std::to_string(i) + " = int32;\n";
  files["bar/X.spl"] = "type X = int32;\n";
  const std::string problem = "X.spl:1: error: a file in the folder of namespace `bar` begins with "
                              "`namespace bar;`: this one lacks that line\n";
  EXPECT_EQ(analyzedFile(files, "Main.spl").substr(0, problem.size()), problem);
  // By a directive, an enum member and a type.
  files["bar/Show.spl"] = "namespace bar;\nuse baz::*;\nuse bar::Second;\n" + sink;
  files["baz/A.spl"] = "namespace bar;\ntype Second = int32;\n";
  files["Main.spl"] = "use bar::Show;\n" + mainWith("Show");
  EXPECT_EQ(analyzedFile(files, "Main.spl"),
            "A.spl:1: error: a file in the folder of namespace `baz` "
            "begins with `namespace baz;`: this one says `namespace bar;`\n");
  files["Show.spl"] = "use bar::X;\ntype E = enum{red};\ntype T = int32;\n";
  files["Main.spl"] = mainWith("Custom") + "E f() { return red; }\nT g() { return 1; }\n";
  EXPECT_EQ(analyzedFile(files, "Main.spl"), problem);
}

TEST(Modules, ReadsLongChainsOfUses) {
  Files files = {{"Main.spl", "use n::T0;\n" + mainWith("Custom")}};
  files["n/Last.spl"] = "namespace n;\nuse n::Nothing;\ntype T300 = int32;\n";
  for (int i = 0; i < 300; ++i)
    files["n/T" + std::to_string(i) + ".spl"] = "namespace n;\nuse n::T" + std::to_string(i + 1) +
                                                ";\ntype T" + std::to_string(i) + " = int32;\n";
  EXPECT_EQ(analyzedFile(files, "Main.spl"),
            "Last.spl:2: error: there is no `Nothing` in namespace `n`\n");
}

TEST(Modules, ReportsSyntaxErrorsOfUsedFiles) {
  Files files = {{"lib/Show.spl", "namespace lib;\n" + sink + "int32 f( { return 1; }\n"}};
  auto with = [&](const std::string &text) {
    files["Main.spl"] = text;
    return analyzedFile(files, "Main.spl");
  };
  std::string problem = "Show.spl:3: error: expected a type, `mutable` or `)`, found `{`\n";
  auto usedIn = [&](const std::string &line) {
    return problem + line + ": note: that file is read for `Show`, which is used here\n";
  };
  // Once, and not that the name is unknown.
  EXPECT_EQ(with("use lib::Show;\n" + mainWith("Show")), usedIn("1"));
  EXPECT_EQ(with("use lib::*;\n" + mainWith("Show")), usedIn("2"));
  EXPECT_EQ(with(mainWith("lib::Show")), usedIn("1"));
  // What a directive names is read, needed or not.
  EXPECT_EQ(with("use lib::Show;\n" + mainWith("Custom")), usedIn("1"));
  // Nothing is known of what it declares: a word of it may be a name.
  files["lib/Show.spl"] = "namespace lib;\npublic compsite Show(input In) { graph }\n";
  problem = "Show.spl:2: error: `compsite` begins no declaration: expected `composite`, `type` or "
            "a function\nShow.spl:2: note: did you mean `composite`?\n";
  EXPECT_EQ(with("use lib::*;\n" + mainWith("Show")), usedIn("2"));
  EXPECT_EQ(with("use lib::Show;\n" + mainWith("Show")), usedIn("1"));
  EXPECT_EQ(with(mainWith("lib::Show")), usedIn("1"));
  // A directive for another name does not lead there.
  EXPECT_EQ(with("use lib::graph;\n" + mainWith("Show")).find("unknown operator `Show`"),
            std::string::npos);
  // A name that contains it is another one.
  files["lib/Show.spl"] = "namespace lib;\npublic compsite Showing(input In) { graph }\n";
  EXPECT_EQ(with("use lib::*;\n" + mainWith("Show")), "2: error: unknown operator `Show`\n");
  EXPECT_EQ(with("use lib::*;\ncomposite Main { graph " + use +
                 "Custom(A) { logic onTuple A : f(n); } }"),
            "2: error: unknown function `f`\n"); // no file mentions it
}

TEST(Modules, KeepsQualifiersInMessages) {
  const std::string lookedIn = "1: note: looked in `/nonexistent`; `-t PATH` adds a toolkit, or a "
                               "directory of toolkits\n";
  EXPECT_EQ(analyzed(mainWith("no.such::Beacon")),
            "1: error: there is no namespace `no.such`\n"
            "1: note: did you mean `spl.utility::Beacon`?\n" +
                lookedIn);
  EXPECT_EQ(analyzed("composite Main { graph " + use +
                     "Custom(A) { logic onTuple A : no.such::g(n); } }"),
            "1: error: there is no namespace `no.such`\n" + lookedIn);
}

TEST(Modules, DoesNotWarnAboutToolkits) {
  // The application is a folder, and `lib` beside it a toolkit.
  std::string function = "public int32 f() { int32 x = 1; return 2; }\n";
  std::string text = "use lib::f;\ncomposite Main { graph () as S = Custom() { logic onProcess : "
                     "println(f()); } }";
  Files files = {{"app/Main.spl", text}, {"kit/lib/F.spl", "namespace lib;\n" + function}};
  EXPECT_EQ(analyzedFile(files, "app/Main.spl", "", {"kit"}), "S = spl.utility::Custom()\n");
  files["app/lib/F.spl"] = std::exchange(files["kit/lib/F.spl"], "");
  EXPECT_EQ(analyzedFile(files, "app/Main.spl", "", {"kit"}),
            "F.spl:2: warning: nothing reads `x`\nS = spl.utility::Custom()\n");
}

TEST(Modules, KeepsWhatIsNotPublic) {
  EXPECT_EQ(analyzedFile({{"Main.spl", mainWith("lib::Own")},
                          {"lib/Own.spl", "namespace lib;\ncomposite Own(input In) { }"}},
                         "Main.spl"),
            "1: error: `lib::Own` is not public in its namespace: other namespaces see what is "
            "declared `public`\nOwn.spl:2: note: `lib::Own` is defined here\n");
  Files files = {{"lib/f.spl", "namespace lib;\nint32 f(int32 x) { return x; }\n"
                               "composite Own(input In) { }\ntype T = int32;"}};
  auto with = [&](const std::string &uses, const std::string &call) {
    files["Main.spl"] =
        uses + "composite Main { graph " + use + "Custom(A) { logic onTuple A : {" + call + "} } }";
    return analyzedFile(files, "Main.spl");
  };
  const std::string rest = " is not public in its namespace: other namespaces see what is declared "
                           "`public`\nf.spl:";
  EXPECT_EQ(with("use lib::f; ", ""),
            "1: error: `lib::f`" + rest + "2: note: `lib::f` is defined here\n");
  EXPECT_EQ(with("use lib::Own; ", ""),
            "1: error: `lib::Own`" + rest + "3: note: `lib::Own` is defined here\n");
  EXPECT_EQ(with("use lib::*; ", "println(f(n));"),
            "1: error: `f`" + rest + "2: note: `f` is defined here\n");
  EXPECT_EQ(with("", "println(lib::f(n));"),
            "1: error: `f`" + rest + "2: note: `f` is defined here\n");
  EXPECT_EQ(with("use lib::T; ", "println((T) n);"),
            "A = spl.utility::Beacon() -> A[1] {iterations:1}\nS = spl.utility::Custom(A)\n");
}

/// Half-written copies of a program lie around it.
TEST(Modules, ReadsNeighboursOnlyForWhatIsNotFoundOtherwise) {
  auto program = [](const std::string &more) {
    return "type T = enum{slow, fast};\nint32 twice(int32 n) { return 2 * n; }\n"
           "rstring show(T t) { return (rstring) t; }\n"
           "composite Sink(input In) { graph () as C = Custom(In) {} }\n"
           "composite Main { graph stream<int32 n> A = Beacon() { param iterations : 1u; }\n"
           "() as S = Sink(A) {}\n() as P = Custom(A) { logic onTuple A : {\n"
           "println(twice(n)); println(show(slow)); println(length(\"\")); " +
           more + "} } }\n";
  };
  std::string broken = program("") + "int32 length(rstring s) { return }\ntype U = enum{other};\n" +
                       "int32 thrice(int32 n) { return 3 * n; }\n";
  std::string untyped =
      "int32 twice(Nowhere n) { return 2; }\nrstring show(int32 t) { return 1; }\n";
  Files files = {{"Copy.spl", broken}, {"Copy2.spl", broken}, {"Copy3.spl", untyped}};
  auto with = [&](const std::string &more) {
    files["Main.spl"] = program(more);
    return analyzedFile(files, "Main.spl");
  };
  EXPECT_EQ(with("").find("error"), std::string::npos) << with("");
  // The errors of files that cannot be read come first, and say why the file is read.
  auto needed = [](const std::string &name) {
    std::string all;
    for (const char *copy : {"Copy.spl", "Copy2.spl"})
      all += copy + (":9: error: expected a value or `;`, found `}`\n8: note: that file is read "
                     "for `" +
                     name + "`, which is used here\n");
    return all;
  };
  EXPECT_EQ(with("println(thrice(n)); println(nothing);"),
            needed("thrice") + "8: error: unknown name `nothing`\n");
  EXPECT_EQ(with("println(other);"), needed("other"));
  const std::string wrongCall = with("println(twice(1.0));"); // no fault of Copy3.spl
  EXPECT_EQ(wrongCall.find("8: error: no `twice` takes (float64)\n"), 0u) << wrongCall;
  EXPECT_EQ(wrongCall.find("Copy3.spl"), std::string::npos) << wrongCall;
  EXPECT_EQ(with("println(show(1));"),
            "Copy3.spl:2: error: this function returns `rstring`, found `int32`\n"
            "Copy3.spl:2: note: write `\"1\"` for a literal of type `rstring`\n"
            "8: note: that file is read for `show`, which is used here\n");
}

TEST(Modules, RefusesAmbiguousNames) {
  EXPECT_EQ(analyzedFile({{"Main.spl", "use a::*; use b::*;\n" + mainWith("Show")},
                          {"a/S.spl", "namespace a;\n" + sink},
                          {"b/S.spl", "namespace b;\n" + sink}},
                         "Main.spl"),
            "2: error: `Show` is an operator of several namespaces: write the namespace before it, "
            "as `ns::Show`\n"
            "S.spl:2: note: `a::Show` is defined here\nS.spl:2: note: `b::Show` is defined here\n");
}

/// What two files of a folder define is not chosen by their names.
TEST(Modules, RefusesWhatSeveralFilesDefine) {
  auto problems = [](const std::string &main, const std::string &a, const std::string &b) {
    return analyzedFile({{"Main.spl", main}, {"A.spl", a}, {"B.spl", b}}, "Main.spl");
  };
  auto several = [](const std::string &line, const std::string &name) {
    return line + ": error: `" + name +
           "` is defined in several files of one namespace: only one of them may define it\n";
  };
  auto here = [](const std::string &file, const std::string &name) {
    return file + ".spl:1: note: `" + name + "` is defined here\n";
  };
  std::string call = "composite Main { graph () as P = Custom() { logic onProcess : {\n"
                     "println(twice(1.0)); println(twice(2.0)); } } }\n";
  std::string twice = "float64 twice(float64 x) { return 2.0 * x; }\n";
  std::string both = several("2", "twice") + here("A", "twice") + here("B", "twice");
  EXPECT_EQ(problems(call, twice, twice), both);
  // Members of enumerations, with and without the name of the type.
  auto prints = [](const std::string &value) {
    return "composite Main { graph () as P = Custom() { logic onProcess :\nprintln(" + value +
           "); } }\n";
  };
  std::string color = "type Color = enum { red, green };\n";
  std::string fruit = "type Fruit = enum { apple, red };\n";
  EXPECT_EQ(problems(prints("red"), color, fruit),
            several("2", "red") + here("A", "red") + here("B", "red"));
  EXPECT_EQ(problems(prints("Color.red"), color, color),
            several("2", "Color") + here("A", "Color") + here("B", "Color"));
  EXPECT_EQ(problems(fruit + prints("red"), color, color), "P = spl.utility::Custom()\n");
  EXPECT_EQ(problems(prints("green"), color, fruit), "P = spl.utility::Custom()\n");
  // One that cannot be read may be the one that is meant.
  EXPECT_EQ(
      problems(call, twice, "float64 twice(float64 x) { return 3.0 * x }\n"),
      several("2", "twice") + here("A", "twice") +
          "B.spl:1: note: this file may define it, but has an error: expected `;`, found `}`\n");
  // Other parameters make another function. What the program itself defines comes first.
  EXPECT_EQ(problems(call, twice, "float64 twice(int32 x) { return 2.0; }\n"),
            "P = spl.utility::Custom()\n");
  EXPECT_EQ(problems(call + twice, twice, twice), "P = spl.utility::Custom()\n");
  std::string row = "type Row = int32 n;\n";
  std::string use =
      "composite Main { graph\nstream<Row> A = Beacon() {}\n() as P = Custom(A) {} }\n";
  EXPECT_EQ(problems(use, row, "type Row = int32 m;\n"),
            several("2", "Row") + here("A", "Row") + here("B", "Row"));
  EXPECT_EQ(problems(use + row, row, row).find("error"), std::string::npos);
  EXPECT_EQ(problems(mainWith("Show"), sink, sink),
            several("1", "Show") + here("A", "Show") + here("B", "Show"));
}

TEST(Modules, PrefersTheFileItself) {
  EXPECT_EQ(
      analyzedFile({{"Main.spl", mainWith("Show") + sink}, {"Other.spl", sink + mainWith("Show")}},
                   "Main.spl"),
      shown);
}

TEST(Modules, ChoosesMainByQualifiedName) {
  EXPECT_EQ(analyzedFile({{"a/Main.spl", "namespace a;\n" + mainWith("Show") + sink}}, "a/Main.spl",
                         "a::Main"),
            shown);
}

TEST(Modules, FindsTypesAndEnums) {
  EXPECT_EQ(analyzedFile({{"Main.spl", "use lib::Colour; use lib::Row;\ncomposite Main { graph "
                                       "stream<Row> A = Custom() { logic onProcess : "
                                       "submit({c = red, m = Defs.fast}, A); } }\n"
                                       "composite Defs { type static Mode = enum{slow, fast}; }"},
                          {"lib/T.spl", "namespace lib;\ntype Colour = enum{red, green};\ntype Row "
                                        "= Colour c, enum{slow, fast} m;"}},
                         "Main.spl"),
            "A = spl.utility::Custom() -> A[0]\n");
}

TEST(Modules, SaysThatAFileIsNotWhereItsNamespaceIs) {
  EXPECT_EQ(
      analyzedFile({{"x/Main.spl", "namespace a.b;\n" + mainWith("Show") + sink}}, "x/Main.spl"),
      "1: warning: namespace `a.b` does not agree with the directory of the file; its neighbours "
      "are not found\n" +
          shown);
}

TEST(Modules, TakesFilesOfAFolderForItsNamespace) {
  const std::string main = "use my.lib::Show;\nuse my.lib::*;\n" + mainWith("Show");
  auto with = [&](const std::string &head, const std::string &folder = "my.lib") {
    return analyzedFile({{"Main.spl", main}, {folder + "/Show.spl", head + sink}}, "Main.spl");
  };
  EXPECT_EQ(with("namespace my.lib;\n"), shown);
  const std::string error = "Show.spl:1: error: a file in the folder of namespace `my.lib` begins "
                            "with `namespace my.lib;`";
  EXPECT_EQ(with(""), error + ": this one lacks that line\n");
  EXPECT_EQ(with("namespace my.lob;\n"), error + ": this one says `namespace my.lob;`\n");
  EXPECT_EQ(with("package my.lib;\n"),
            "Show.spl:1: error: `package` is not how SPL says it: write `namespace a.name;`\n"
            "1: note: that file is read for `Show`, which is used here\n");
  EXPECT_NE(with("namespace my.lib;\n", "my_lib")
                .find("defines it, and is in no folder of namespace `my.lib`"),
            std::string::npos);
}

TEST(Modules, RefusesSecondDefinitions) {
  EXPECT_EQ(analyzed("use spl.file::fopen; use spl.file::fopen;\ncomposite Main { }").substr(0, 48),
            "1: error: two `use` declarations import `fopen`\n");
  EXPECT_EQ(analyzed("type T = int32;\ntype T = int64;\ncomposite Main { }"),
            "2: error: type `T` is defined twice\n1: note: the previous one is here\n");
  EXPECT_EQ(analyzed("composite Main { }\ncomposite Main { }").substr(0, 44),
            "2: error: composite `Main` is defined twice\n");
  EXPECT_EQ(analyzed("type A = enum{x, y};\ntype B = enum{y};\ncomposite Main { }").substr(0, 68),
            "2: error: two enumerations of one namespace share the member `y`\n1: ");
  EXPECT_EQ(analyzed("namespace spl.mine;\ncomposite Main { }"),
            "1: error: namespace `spl` belongs to the system: choose another name\n");
}
