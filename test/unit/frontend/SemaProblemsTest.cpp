//===- SemaProblemsTest.cpp - what is refused, and in which words ---------===//

#include "SemaChecking.h"
#include "gtest/gtest.h"

using namespace sluice::test;

namespace {
struct Row {
  const char *text, *problem;
};

/// Each row's statements have exactly the problem that stands beside them, on
/// line 1; notes are left out unless the row gives them.
void expectProblems(std::initializer_list<Row> rows) {
  for (const Row &row : rows) {
    std::string found = problemsOf(row.text), kept;
    bool wantsNotes = std::string(row.problem).find("note:") != std::string::npos;
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(found).split(lines, '\n', -1, false);
    for (llvm::StringRef line : lines) {
      line.consume_front("1: ");
      if (!line.starts_with("note:") || wantsNotes)
        kept += (kept.empty() ? "" : "\n") + line.str();
    }
    EXPECT_EQ(kept, row.problem) << row.text;
  }
}

bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }
} // namespace

TEST(SemaProblems, names) {
  expectProblems({
      {"println(nothing);", "unknown name `nothing`"},
      {"mutable int32 count = 1; println(cuont);",
       "unknown name `cuont`\nnote: did you mean `count`?"},
      {"noSuchFunction(1);", "unknown function `noSuchFunction`"},
      {"prinln(1);", "unknown function `prinln`\nnote: did you mean `println`?"},
      {"NoSuchType t = {};", "unknown type `NoSuchType`"},
      {"string s = \"\";", "unknown type `string`\nnote: SPL writes `rstring`"},
      {"int32 g = upper;", "`upper` is a function, not a value"},
      {"println(({a = 1}).b);", "there is no attribute `b` in `tuple<int32 a>`"},
      {"println((1).b);", "`int32` is not a tuple: it has no attribute `b`"},
      {"int32 a = 1; int32 a = 2;", "`a` is already defined in this scope"},
      {"int32 f = 1; f(2);", "`f` is not a function"},
      {"([1])(2);", "only a function's name can be called"},
      {"println(Sys.Nothing);", "unknown name `Sys.Nothing`"},
      {"mutable int32 a = 1; println((a) - 1);",
       "`(a)` reads as a cast, but `a` is no type\nnote: leave out the parentheses around it"},
  });
}

TEST(SemaProblems, namesOfOtherLanguages) {
  expectProblems({
      {"int a = 1;", "unknown type `int`\nnote: SPL writes `int32`"},
      {"double a = 1.0;", "unknown type `double`\nnote: SPL writes `float64`"},
      {"let a = 1;", "unknown type `let`\nnote: SPL writes a type first: `int32 x = 1;`"},
      {"printf(\"a\");", "unknown function `printf`\nnote: SPL writes `printStringLn(\"x is \" + "
                         "(rstring) x)`"},
      {"println(len([1]));",
       "unknown function `len`\nnote: SPL writes `length(text)` and `size(collection)`"},
      {"println(not(true));", "unknown function `not`\nnote: SPL writes `!`"},
      {"boolean b = True;", "unknown name `True`\nnote: SPL writes `true`"},
      {"rstring s = \"\"; println(s.length());",
       "only a function's name can be called\nnote: there are no methods: write `length(s)`"},
      {"rstring s = \"\"; println(s.substring(1, 2));",
       "only a function's name can be called\n"
       "note: there are no methods: write `substring(s, 1, 2)`"},
      {"rstring s = (int32) \"x\";",
       "this constant expression fails: \"x\" is not a value of int32"},
  });
}

TEST(SemaProblems, methods) {
  const std::pair<const char *, const char *> rows[] = {
      {"mutable list<int32> k = [1]; k.add(3);", "write `appendM(k, 3)`"},
      {"list<int32> k = [1]; println(k.length());", "write `size(k)`"},
      {"mutable map<rstring, int32> m = {\"a\" : 1}; m.put(\"b\", 2);", "write `m[\"b\"] = 2`"},
      {"println(\"a\".upper());", "write `upper(\"a\")`"},
      {"System.out.println(1);", "write `println(1)`"},
      {"println(Math.max(1, 2));", "write `max(1, 2)`"},
      {"list<int32> k = [1]; k.foo(1);",
       "there are no methods: a function takes all its values in `(...)`"}};
  for (auto [statements, hint] : rows)
    EXPECT_TRUE(has(problemsOf(statements), hint)) << problemsOf(statements);
}

TEST(SemaProblems, hintsThatHelp) {
  expectProblems({
      {"mutable int32 a = 1; a = \"x\";", "cannot assign `rstring` to `int32`"},
      {"println([1, \"a\"]);",
       "list elements must all have one type: `int32` came first, this is `rstring`"},
      {"println(true ? 1 : \"a\");", "the branches differ in type: `int32` and `rstring`"},
      {"println(\"b\" * 2);", "the operands of `*` differ in type: `rstring` and `int32`"},
      {"mutable rstring s = \"5\"; println(s * 2);",
       "the operands of `*` differ in type: `rstring` and `int32`\n"
       "note: convert it with a cast: `(int32)`"},
      {"map<rstring, int32> m = {\"a\" = 1};",
       "every entry of a map literal needs the form `key : value`"},
      {"map<rstring, int32> m = {a = 1};", "cannot initialise `map<rstring, int32>` with "
                                           "`tuple<int32 a>`\n"
                                           "note: a map is written `{key : value}`"},
      {"list<int32> l = {1, 2};", "cannot initialise `list<int32>` with `set<int32>`\n"
                                  "note: a list is written `[1, 2]`"},
      {"mutable int32 a = 1; println(a = 3);",
       "an assignment has no value\nnote: did you mean `==`?"},
      {"rstring s = NULL;", "unknown name `NULL`\n"
                            "note: SPL writes `null`, which only an `optional` type has"},
      {"rstring s = null;", "no `rstring` is null, only an `optional<rstring>` may be"},
  });
}

TEST(SemaProblems, operands) {
  expectProblems({
      {"println(1 + 1.0);", "the operands of `+` differ in type: `int32` and `float64`\n"
                            "note: write `1.0` for a literal of type `float64`"},
      {"println(1l == 1);", "the operands of `==` differ in type: `int64` and `int32`\n"
                            "note: write `1l` for a literal of type `int64`"},
      {"mutable float64 x = 1.0; println(x * 2);",
       "the operands of `*` differ in type: `float64` and `int32`\n"
       "note: write `2.0` for a literal of type `float64`"},
      {"mutable int32 n = 1; println(2.5 * n);",
       "the operands of `*` differ in type: `float64` and `int32`\n"
       "note: convert it with a cast: `(float64)`"},
      {"mutable int32 n = 1; println(n * 2.5);",
       "the operands of `*` differ in type: `int32` and `float64`\n"
       "note: convert it with a cast: `(float64)`"},
      {"println(true + false);", "`+` is not defined for `boolean`"},
      {"println(1.5 % 2.0);", "`%` is not defined for `float64`"},
      {"println(\"a\" - \"b\");", "`-` is not defined for `rstring`"},
      {"println(\"a\" + 1);", "the operands of `+` differ in type: `rstring` and `int32`\n"
                              "note: write `\"1\"` for a literal of type `rstring`"},
      {"println(!1);", "`!` needs a boolean, found `int32`"},
      {"println(~1.0);", "`~` needs an integer, found `float64`"},
      {"println(-\"a\");", "`-` needs a number, found `rstring`"},
      {"println(1 && true);", "`&&` needs booleans, found `int32`"},
      {"println([1, 2] + [3]);",
       "`+` is not defined for `list<int32>`\n"
       "note: for collections of one type there is `.+`, element by element"},
      {"int32 flags = 4; println(flags & 4 == 4);",
       "the operands of `&` differ in type: `int32` and `boolean`\n"
       "note: `&` binds looser than comparisons: put its operands in parentheses"},
      {"println(\"a\" in \"abc\");", "`in` looks into lists, sets and maps, not into `rstring`\n"
                                     "note: use `findFirst` to look into a string"},
      {"println(1 in [1l]);", "the elements of `list<int64>` are `int64`, not `int32`"},
      {"if (1) println(1);", "a condition must be `boolean`, found `int32`"},
      {"mutable int32 a = 1; while (a) a = 0;", "a condition must be `boolean`, found `int32`"},
      {"mutable int32 a = 1; if (a = 1) println(1);",
       "a condition must be `boolean`, found `void`\nnote: did you mean `==`?"},
      {"println(true ? 1 : 2.0);", "the branches differ in type: `int32` and `float64`"},
  });
}

TEST(SemaProblems, literals) {
  expectProblems({
      {"println([1, 2.0]);",
       "list elements must all have one type: `int32` came first, this is `float64`"},
      {"println({1 : \"a\", 2 : 3});",
       "map values must all have one type: `rstring` came first, this is `int32`"},
      {"println({1 : 2, 3});", "every entry of a map literal needs the form `key : value`"},
      {"println({a = 1, 2});", "every entry of a tuple literal needs the form `name = value`"},
      {"println({a = 1, a = 2});", "attribute `a` is given twice"},
      {"println([]);", "no `println` takes ([])"},
      {"println([[]]);", "nothing here gives `[]` a type; write a cast, such as `(list<int32>)[]`"},
      {"println(1e97wd);", "`1e97wd` is out of the range of `decimal32`"},
      {"println(1e385d);", "`1e385d` is out of the range of `decimal64`"},
      {"println(-1e6145dq);", "`-1e6145dq` is out of the range of `decimal128`"},
      {"println(5q);", "no type has literals like `5q`"},
      {"println(\"a\" + \"b\"u);", "the operands of `+` differ in type: `rstring` and `ustring`"},
      {"println(\"<a><b></a>\"x);",
       "this is no well-formed XML: mismatched tag at line 1, column 9"},
      {"println((blob) \"0g\");", "this constant expression fails: \"0g\" is not a value of blob"},
      {"blob b = \"123\";", "this constant expression fails: \"123\" is not a value of blob"},
      {"println((xml) \"<a\");",
       "this constant expression fails: the text is no well-formed XML: unclosed token at line 1, "
       "column 1"},
      {"println(1.5b);", "no type has literals like `1.5b`"},
      {"println(0x12345678901234567);",
       "`0x12345678901234567` has more than 16 hexadecimal digits"},
  });
}

TEST(SemaProblems, conversions) {
  expectProblems({
      {"println((int32) true);", "there is no cast from `boolean` to `int32`"},
      {"println((boolean) 1);", "there is no cast from `int32` to `boolean`"},
      {"println((list<int32>) {1, 2});", "there is no cast from `set<int32>` to `list<int32>`"},
      {"println((timestamp) 1);", "there is no cast from `int32` to `timestamp`"},
      {"int32 a = [1];", "cannot initialise `int32` with `list<int32>`"},
      {"boolean b = 1;", "cannot initialise `boolean` with `int32`"},
      {"list<int32> l = {1};", "cannot initialise `list<int32>` with `set<int32>`"},
      {"list<int32> l = [1, 2, 3ul];",
       "list elements must all have one type: `int32` came first, this is `uint64`"},
      {"mutable int64 a = 1; a = 2;", "cannot assign `int32` to `int64`\n"
                                      "note: write `2l` for a literal of type `int64`"},
      {"mutable float32 f = 0.5; f = 1.0;", "cannot assign `float64` to `float32`\n"
                                            "note: write `1.0w` for a literal of type `float32`"},
      {"mutable float32 f = 0.5; f += 1.0;",
       "the operands of `+=` differ in type: `float32` and `float64`"},
      {"mutable rstring s = \"\"; s += 1;",
       "the operands of `+=` differ in type: `rstring` and `int32`"},
      {"mutable decimal64 d = 1; d = 1.5;", "cannot assign `float64` to `decimal64`\n"
                                            "note: write `1.5d` for a literal of type `decimal64`"},
      {"decimal32 d = \"1.5x\";",
       "this constant expression fails: \"1.5x\" is not a value of decimal32"},
      {"complex64 c = [1.0];",
       "this constant expression fails: a complex number is made of a list of 2 numbers, not of 1"},
      {"complex64 c = 1.0;", "cannot initialise `complex64` with `float64`"},
      {"mutable complex32 c = [1, 2]; println(c < c);", "`<` is not defined for `complex32`"},
      {"optional<optional<int32>> o = 1;", "an optional cannot hold an optional"},
      {"mutable optional<int32> o = 1; int32 i = o;",
       "cannot initialise `int32` with `optional<int32>`\n"
       "note: `o!` is its value, and fails if there is none; `(o ?: OTHER)` is OTHER then"},
      {"mutable optional<int32> o = 1; o = \"x\";", "cannot assign `rstring` to `optional<int32>`"},
      {"xml<\"a.xsd\"> o = \"\"x;", "not supported yet: type `xml<\"a.xsd\">`"},
      {"mutable rstring[4] o = \"\"; o = \"abc\";", "cannot assign `rstring` to `rstring[4]`"},
      {"rstring[0] o = \"\";", "a bound must be a positive integer"},
  });
}

TEST(SemaProblems, constants) {
  expectProblems({
      {"println(1 / 0);", "this constant expression fails: division by zero"},
      {"println((-2147483647 - 1) / -1);",
       "this constant expression fails: the quotient is out of range"},
      {"println((int32) \"x\");", "this constant expression fails: \"x\" is not a value of int32"},
      {"int8 n = \"300\";", "this constant expression fails: \"300\" is not a value of int8"},
      {"println([1, 2][5]);", "this constant expression fails: the subscript is out of range"},
      {"mutable rstring n = \"n\"; println(getCompileTimeValue(n));",
       "the name must be a string literal"},
      {"println(getThisLine(1));", "`getThisLine` takes no arguments"},
      {"println(getCompileTimeValue());",
       "`getCompileTimeValue` takes a name and perhaps a default"},
      {"mutable int32 n = 1; rstring[n] s = \"\";",
       "a constant is needed here, known at compile time"},
      {"println(getCompileTimeValue(\"absent\"));",
       "compile-time value `absent` is not given and has no default"},
      {"println(getSubmissionTimeValue(\"n\"));",
       "`getSubmissionTimeValue` is only known inside a composite, not in functions or types"},
      {"submit({v = 1}, 0u);", "`submit` is only known in the logic of Custom operators"},
      {"println(currentPunct());", "`currentPunct` is only known in onPunct"},
  });
}

TEST(SemaProblems, subscripts) {
  expectProblems({
      {"int32 a = 1; println(a[0]);", "`int32` has no subscripts"},
      {"set<int32> s = {1}; println(s[0]);", "`set<int32>` has no subscripts"},
      {"list<int32> l = [1]; println(l[\"x\"]);",
       "a subscript must be an integer, found `rstring`"},
      {"map<rstring, int32> m = {\"a\" : 1}; println(m[1]);",
       "the keys of this map are `rstring`, found `int32`\n"
       "note: write `\"1\"` for a literal of type `rstring`"},
      {"list<int32> l = [1]; println(l[0:1l]);",
       "the bounds of a slice differ in type: `int32` and `int64`"},
      {"map<rstring, int32> m = {\"a\" : 1}; println(m[1:2]);",
       "`map<rstring, int32>` has no slices"},
  });
}

TEST(SemaProblems, writes) {
  expectProblems({
      {"int32 a = 1; a = 2;", "cannot write to `a`\nnote: declared here without `mutable`"},
      {"int32 a = 1; a++;", "cannot write to `a`"},
      {"list<int32> l = [1]; l[0] = 2;", "cannot write to `l`"},
      {"list<int32> l = [1]; appendM(l, 3);", "this parameter is mutable: it cannot take `l`"},
      {"for (int32 i in range(2)) i = 5;",
       "cannot write to `i`\nnote: the variable of a `for` loop cannot be written"},
      {"mutable list<int32> l = [1]; for (int32 v in l) appendM(l, v);",
       "the collection of a `for` loop cannot be changed in its body"},
      {"mutable list<int32> l = [1]; l[0:1] = [5];", "a slice cannot be written"},
      {"mutable rstring s = \"abc\"; s[0] = \"x\";", "a string's element cannot be written"},
      {"appendM([1], 5);", "this parameter is mutable: it needs a variable"},
      {"1 = 2;", "cannot write to this expression"},
      {"mutable boolean b = true; b++;", "`++` needs a number, found `boolean`"},
  });
}

TEST(SemaProblems, effects) {
  expectProblems({
      {"mutable int32 x = 1; println(x++ + x);",
       "`x` is used twice in this expression and written at least once: the order would matter"},
      {"mutable int32 x = 1; println(max(x, x++));",
       "`x` is used twice in this expression and written at least once: the order would matter"},
      {"mutable int32 x = 1; swap(x, x);",
       "`x` is used twice in this expression and written at least once: the order would matter"},
      {"mutable list<int32> l = [1, 2]; swap(l[0], l[1]);",
       "`l[1]` is used twice in this expression and written at least once: the order would matter"},
      {"mutable tuple<int32 a, int32 b> t = {a = 1, b = 2}; swap(t.a, t.b);", ""},
      {"mutable list<int32> l = [1, 2]; mutable int32 i = 0; l[i++] = i; println(l);", ""},
      {"mutable list<int32> l = [1, 2]; l[l[0]] = l[1];", ""},
      {"mutable int32 x = 1; x = max(x, 2);", ""},
      {"println(random());",
       "`random` is stateful: the function that calls it must be declared `stateful`"},
  });
}

TEST(SemaProblems, flow) {
  expectProblems({
      {"break;", "`break` outside of a loop"},
      {"continue;", "`continue` outside of a loop"},
      {"while (true) { if (true) break; continue; }", ""},
      {"int32 a;", "`a` is not mutable, so it needs an initialiser"},
      {"mutable int32 b; println(b);", "`b` may be used before it has a value: give it one where "
                                       "it is declared\nnote: `b` is defined here"},
      {"mutable int32 d; if (getThisLine() > 3) d = 1; println(d);",
       "`d` may be used before it has a value: give it one where it is declared"},
      {"mutable int32 d; if (getThisLine() > 3) d = 1; else d = 2; println(d);", ""},
      {"mutable int32 d; if (getThisLine() > 3) d = 1; else return; println(d);", ""},
      {"mutable int32 d; while (getThisLine() > 3) d = 1; println(d);",
       "`d` may be used before it has a value: give it one where it is declared"},
      {"mutable list<int32> d; appendM(d, 1); println(d);", ""},
      {"for (int64 i in [1, 2]) println(i);", "`i` is `int64`, but the elements are `int32`"},
      {"for (rstring c in \"abc\") println(c);",
       "`for` runs over lists, sets and maps, not over `rstring`"},
      {"for (int32 v in {\"a\" : 1}) println(v);", "`v` is `int32`, but the keys are `rstring`"},
      {"return 1;", "a void function returns no value"},
      {"int32 v = println(1);", "a void function has no value"},
      {"mutable int32 a = 1; int32 b = (a = 2);", "an assignment has no value"},
      {"type X = int32 a; X x = {a = 1}; { type X = rstring s; X y = {s = \"\"}; println(y); } "
       "println(x);",
       ""},
  });
}

TEST(SemaProblems, twoStatefulCalls) {
  Checked checked("stateful float64 f() { return random() + random(); }\n");
  EXPECT_EQ(checked.problems,
            "1: warning: two stateful calls in one expression: their order would matter\n"
            "1: note: the previous one is here\n");
  Checked deeper("stateful float64 f(boolean b) {\n"
                 "  return [random(), 1.0][1] + (b ? random() : 1.0); }\n");
  EXPECT_TRUE(has(deeper.problems, "2: warning: two stateful calls")) << deeper.problems;
}

TEST(SemaProblems, statefulCallsInOrder) {
  const char *inOrder[] = {"random() > 0.5 && random() > 0.5", "random() > 0.5 || random() > 0.5",
                           "(random() > 0.5 ? random() : random()) > 0.5",
                           "(b ? null : opt(random())) ?: random() > 0.5",
                           "opt(opt(random())!)! > 0.5"};
  for (llvm::StringRef value : inOrder) {
    Checked checked(("stateful optional<float64> opt(float64 x) { return x + random(); }\n"
                     "stateful boolean f(boolean b) { return " +
                     value + "; }\n")
                        .str());
    EXPECT_EQ(checked.problems, "") << value.str();
  }
}

TEST(SemaProblems, ambiguity) {
  Checked calls("int32 f(list<int32> x, list<rstring> y) { return 1; }\n"
                "int32 f(list<rstring> x, list<int32> y) { return 1; }\n"
                "void test() { println(f([], [])); }\n");
  EXPECT_TRUE(has(calls.problems, "3: several functions `f` fit this call")) << calls.problems;
  Checked names("void test() { enum{red, green} a = green; enum{blue, red} b = red; }\n");
  EXPECT_TRUE(has(names.problems, "1: `red` could mean several things here")) << names.problems;
  Checked member("type Colour = enum{red};\nvoid test() { println(Colour.blue); }\n");
  EXPECT_EQ(member.problems, "2: `Colour` has no member `blue`\n");
}

TEST(SemaProblems, calls) {
  Checked calls("int64 f(int64 x) { return x; }\n"
                "void test() {\n"
                "  println(f(5));\n"
                "  println(f());\n"
                "}\n");
  EXPECT_EQ(calls.problems, "3: no `f` takes (int32)\n"
                            "3: note: write `5l` for a literal of type `int64`\n"
                            "1: note: candidate: f(int64)\n"
                            "4: no `f` takes ()\n"
                            "1: note: candidate: f(int64)\n");
}

TEST(SemaProblems, functions) {
  Checked checked("int32 f(int32 x) { if (x > 0) return 1; }\n"
                  "int32 g() { while (true) { return 1; } }\n"
                  "void h() { return 1; }\n"
                  "int32 k() { return; }\n"
                  "int32 l() { return 1l; }\n"
                  "int32 m(int32 x) { int32 x = 1; return x; }\n"
                  "int64 m(int32 y) { return 1l; }\n"
                  "int32 n() { return (int32) random(); }\n"
                  "stateful int32 o() { return (int32) random(); }\n"
                  "int32 p(boolean b) { if (b) return 1; else { return 2; } }\n");
  const char *expected[] = {"1: `f` must end by returning a value of type `int32`",
                            "2: `g` must end by returning",
                            "3: a void function returns no value",
                            "4: `return` needs a value of type `int32`",
                            "5: this function returns `int32`, found `int64`",
                            "6: `x` is already defined in this scope",
                            "7: there is a function `m` with these parameter types already",
                            "8: `random` is stateful"};
  for (const char *problem : expected)
    EXPECT_TRUE(has(checked.problems, problem)) << problem << "\n" << checked.problems;
  EXPECT_FALSE(has(checked.problems, "\n9: "));
  EXPECT_FALSE(has(checked.problems, "\n10: "));
}

TEST(SemaProblems, types) {
  Checked checked("type P = int32 x;\n"
                  "type Q = tuple<P, tuple<rstring x>>;\n"
                  "type R = tuple<int32 a, int32 a>;\n"
                  "type A = list<B>;\n"
                  "type B = tuple<A a>;\n"
                  "type E = enum{red, green};\n"
                  "type F = enum{green, blue};\n"
                  "type G = tuple<E, P>;\n"
                  "composite Inner { type Hidden = int32 a; static Shown = int32 a; }\n"
                  "void f(Inner.Hidden h, Inner.Shown s) {}\n");
  const char *expected[] = {
      "2: attribute `x` would have two types: `int32` and `rstring`",
      "3: attribute `a` is declared twice",
      "4: type `A` contains itself",
      "7: `green` is a member of another enumeration",
      "8: streams and tuple types are made of tuple types, not of `enum{red, green}`",
      "10: type `Hidden` is hidden in composite `Inner`"};
  for (const char *problem : expected)
    EXPECT_TRUE(has(checked.problems, problem)) << problem << "\n" << checked.problems;
  EXPECT_FALSE(has(checked.problems, "Shown")) << checked.problems;
}
