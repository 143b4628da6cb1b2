//===- ToolkitTest.cpp - prototypes and operator models --------------------===//
#include "Parsing.h"
#include "gtest/gtest.h"

static std::string treeOf(llvm::StringRef text) {
  Parsed p(text, /*toolkitFile=*/true);
  return p.errors + p.tree;
}

TEST(Toolkit, prototypes) {
  EXPECT_EQ(treeOf("namespace spl.math;\n"
                   "/** Absolute value. */\n"
                   "<numeric T> public T abs(T x);\n"
                   "<list T, any V>[N] public stateful void put(mutable T, list<V>[N] from) : "
                   "effects{log, files}, located;\n"
                   "public int32 two() { return 2; }\n"),
            "(unit\n"
            "  (namespace spl.math)\n"
            "  (prototype public abs T\n"
            "    (doc \"/** Absolute value. */\")\n"
            "    (typevar numeric T)\n"
            "    (param T x))\n"
            "  (prototype public stateful put void\n"
            "    (typevar list T)\n"
            "    (typevar any V)\n"
            "    (boundvar N)\n"
            "    (param mutable T)\n"
            "    (param (list V (bound N)) from)\n"
            "    (facts effects{log files} located))\n"
            "  (function public two int32\n"
            "    (block\n"
            "      (return 2))))\n");
}

TEST(Toolkit, operatorModel) {
  EXPECT_EQ(treeOf("/** Drops. */\n"
                   "public operator Filter {\n"
                   "  input In : one, oblivious;\n"
                   "  output Out : one, auto; Rest : optional;\n"
                   "  param filter : expression<boolean>, optional; mode : enum{a, b};\n"
                   "  function <any T> T AsIs(T v);\n"
                   "  config source : false;\n"
                   "}\n"
                   "operator Other { }\n"),
            "(unit\n"
            "  (operator public Filter\n"
            "    (doc \"/** Drops. */\")\n"
            "    (input In one oblivious)\n"
            "    (output Out one auto)\n"
            "    (output Rest optional)\n"
            "    (param filter expression<boolean> optional)\n"
            "    (param mode enum{a b})\n"
            "    (prototype AsIs T\n"
            "      (typevar any T)\n"
            "      (param T v))\n"
            "    (config source false))\n"
            "  (operator Other))\n");
}

TEST(Toolkit, functionOfModelHasNoBody) {
  EXPECT_NE(treeOf("operator Op { function int32 f() { return 1; } }")
                .find("error: a prototype ends with `;`"),
            std::string::npos);
}
