//===- MatcherTest.cpp - tuples out of documents ----------------------------===//
#include "stdlib/operators/XMLParse/Matcher.h"
#include "../../../../test/unit/value/Types.h"
#include "stdlib/native/xml/Reader.h"
#include <gtest/gtest.h>

namespace sluice::xml {
namespace {

using namespace sluice::test;
using Strings = std::vector<std::string>;

/// A Reader and a Matcher, and what they tell: "0:{...}" is a tuple of port 0.
struct Parsing : Events {
  Parsing(std::vector<const TypeDesc *> types, Matcher::Options options = {}, bool isUtf8 = true)
      : types(types), matcher(types, options), reader(*this, isUtf8) {
    matcher.complete = [this](uint32_t port) {
      std::vector<uint64_t> row(this->types[port]->size / 8 + 1);
      matcher.put(port, row.data());
      told.push_back(std::to_string(port) + ":" + test::text(this->types[port], row.data()));
      return told.size() < most;
    };
    matcher.bad = [this](uint32_t, const Slot &slot, std::string_view value) {
      told.push_back(slot.name + "?" + std::string(value));
    };
  }

  Parsing &trigger(uint32_t port, std::string_view path) {
    return add(port, {}, path, Place::Trigger, Take::Trigger);
  }
  /// `path` from the root of the document.
  Parsing &take(std::vector<uint32_t> at, std::string_view path, Place place = Place::Value) {
    return add(0, std::move(at), path, place, Take::Element);
  }
  Parsing &add(uint32_t port, std::vector<uint32_t> at, std::string_view path, Place place,
               Take otherwise) {
    Paths paths = parsePaths(path.substr(place != Place::Trigger), place, false);
    EXPECT_EQ(paths.problem, "") << path;
    for (const Path &p : paths.paths)
      matcher.add({port, at, p.steps, p.take == Take::Element ? otherwise : p.take, p.name});
    return *this;
  }

  /// What the pieces tell, up to where a document is not well-formed.
  Strings read(const Strings &pieces) {
    if (!Reader::isThere())
      return {"no expat"};
    for (const std::string &piece : pieces)
      if (!reader.read(piece))
        break;
    return std::exchange(told, {});
  }

  void begin(const char *name, const char *const *attributes) override {
    matcher.begin(name, attributes);
  }
  void text(std::string_view piece) override { matcher.text(piece); }
  bool end() override { return matcher.end(); }
  bool document() override {
    matcher.reset();
    told.push_back("|");
    return true;
  }

  std::vector<const TypeDesc *> types;
  Matcher matcher;
  Reader reader;
  Strings told;
  size_t most = ~size_t(0); // stops at so many
};

const TypeDesc strings = listOf(&rstring), numbers = listOf(&int32),
               table = mapOf(&rstring, &rstring);
const TupleType pair({{"n", &int32}, {"s", &rstring}});

#define NEEDS_EXPAT                                                                                \
  if (!Reader::isThere())                                                                          \
  GTEST_SKIP() << "there is no libexpat here"

//===--- paths --------------------------------------------------------------===//

std::string problem(std::string_view path, Place place = Place::Value) {
  return parsePaths(path, place, false).problem;
}

TEST(XmlPath, SaysWhatIsWrong) {
  EXPECT_EQ(problem("a/b-c.d/text()"), "");
  EXPECT_EQ(problem("@ns:k"), "");
  EXPECT_EQ(problem("a/b"), "it ends in `text()` or `@NAME`");
  EXPECT_EQ(problem("."), "`.` is no name");
  EXPECT_EQ(problem("../a/text()"), "`..` is no name");
  EXPECT_EQ(problem("*/text()"), "`*` is no name");
  EXPECT_EQ(problem("b[1]/text()"), "`b[1]` is no name");
  EXPECT_EQ(problem("@b/c"), "an attribute is the last part");
  EXPECT_EQ(problem("text()/c"), "`text()` is no name");
  EXPECT_EQ(problem("a//b/text()"), "there is no `//` for elements at any depth");
  EXPECT_EQ(problem("//b/text()"), "there is no `//` for elements at any depth");
  EXPECT_EQ(problem("/b/text()"), "it begins at the element of the trigger, without `/`");
  EXPECT_EQ(problem("@*"), "all attributes, `@*`, are a map");
  EXPECT_EQ(problem(""), "a path is missing");
  EXPECT_EQ(problem("a/text()|"), "a path is missing");
  EXPECT_EQ(problem("@1"), "`@1` is no name");
}

TEST(XmlPath, EndsAsItsPlaceSays) {
  EXPECT_EQ(problem("/a/b", Place::Trigger), "");
  EXPECT_EQ(problem("a", Place::Trigger), "it begins with `/`, at the root of the document");
  EXPECT_EQ(problem("/a/", Place::Trigger), "it ends in `/`");
  EXPECT_EQ(problem("/", Place::Trigger), "a path is missing");
  EXPECT_EQ(problem("/a/@b", Place::Trigger), "it is the path of an element");
  EXPECT_EQ(problem("a/b", Place::Element), "");
  EXPECT_EQ(problem("a/text()", Place::Element), "it is the path of an element");
  EXPECT_EQ(problem("a/@*", Place::Map), "");
  EXPECT_EQ(problem("b/text()", Place::Map), "it ends in `@*` or `@NAME`");
}

TEST(XmlPath, HasParts) {
  Paths paths = parsePaths("child::a/x:b/attribute::y:c|text()", Place::Value, true);
  ASSERT_EQ(paths.paths.size(), 2u);
  EXPECT_EQ(paths.paths[0].steps, Strings({"a", "b"}));
  EXPECT_EQ(paths.paths[0].take, Take::Attribute);
  EXPECT_EQ(paths.paths[0].name, "c");
  EXPECT_EQ(paths.paths[1].take, Take::Text);
  EXPECT_TRUE(paths.paths[1].steps.empty());
}

//===--- values -------------------------------------------------------------===//

TEST(XmlMatcher, TakesTheLastOfSeveralAndJoinsPiecesOfText) {
  NEEDS_EXPAT;
  Parsing p({pair});
  p.trigger(0, "/r").take({0}, "/r/@n").take({1}, "/r/a/text()");
  EXPECT_EQ(p.read({"<r n='7'><a>x</a><b><a>no</a></b><a>one<!-- c -->two<c>in</c> &amp; "
                    "<![CDATA[<t>]]></a></r>"}),
            Strings({R"(0:{n=7,s="onetwo & <t>"})", "|"}));
  EXPECT_EQ(p.read({"<r/>"}), Strings({R"(0:{n=0,s=""})", "|"}));
}

TEST(XmlMatcher, MakesListsAndMaps) {
  NEEDS_EXPAT;
  TupleType type({{"texts", &strings}, {"ns", &numbers}, {"all", &table}, {"one", &table}});
  Parsing p({type});
  p.trigger(0, "/r").take({0}, "/r/a/text()").take({1}, "/r/a/@n");
  p.take({2}, "/r/a/@*", Place::Map).take({3}, "/r/a/@k", Place::Map);
  EXPECT_EQ(p.read({"<r><a n='1' xmlns:q='u' k='x'>a long enough text</a><a/><a n='2'> </a></r>"}),
            Strings({R"(0:{texts=["a long enough text",""," "],ns=[1,2],all={"n":"1","k":"x"},)"
                     R"(one={"k":"x"}})",
                     "|"}));
  EXPECT_EQ(p.read({"<r/>"}), Strings({"0:{texts=[],ns=[],all={},one={}}", "|"}));
}

TEST(XmlMatcher, MakesTuplesAndListsOfThem) {
  NEEDS_EXPAT;
  TypeDesc pairs = listOf(pair), lists = listOf(&strings);
  TupleType type({{"es", &pairs}, {"e", pair}, {"ts", &lists}});
  Parsing p({type});
  p.trigger(0, "/r").take({0}, "/r/d/e", Place::Element).take({1}, "/r/d/e", Place::Element);
  for (uint32_t in : {0u, 1u}) {
    std::vector<uint32_t> n = in ? std::vector<uint32_t>{1, 0} : std::vector<uint32_t>{0, 0, 0};
    std::vector<uint32_t> s = in ? std::vector<uint32_t>{1, 1} : std::vector<uint32_t>{0, 0, 1};
    p.take(n, "/r/d/e/@n").take(s, "/r/d/e/text()");
  }
  p.take({2}, "/r/d", Place::Element).take({2, 0}, "/r/d/e/text()");
  EXPECT_EQ(p.read({"<r><d><e n='1'>first</e><e>second</e></d><d/></r>"}),
            Strings({R"(0:{es=[{n=1,s="first"},{n=0,s="second"}],e={n=0,s="second"},)"
                     R"(ts=[["first","second"],[]]})",
                     "|"}));
}

TEST(XmlMatcher, LeavesOutWhatIsNoValue) {
  NEEDS_EXPAT;
  TupleType type({{"n", &int32}, {"ns", &numbers}});
  Parsing p({type});
  p.trigger(0, "/r").take({0}, "/r/a/@n").take({1}, "/r/a/@n");
  EXPECT_EQ(p.read({"<r><a n='1'/><a n='x'/><a n='3.5'/></r>"}),
            Strings({"n?x", "ns?x", "n?3.5", "ns?3.5", "0:{n=1,ns=[1]}", "|"}));
}

TEST(XmlMatcher, CutsAtBounds) {
  NEEDS_EXPAT;
  TypeDesc two = strings, short_ = rstring;
  two.bound = 2;
  short_.bound = 3;
  TupleType type({{"l", &two}, {"s", &short_}});
  Parsing p({type});
  p.trigger(0, "/r").take({0}, "/r/a/text()").take({1}, "/r/a/text()");
  EXPECT_EQ(p.read({"<r><a>1</a><a>2</a><a>12345</a></r>"}),
            Strings({R"(0:{l=["1","2"],s="123"})", "|"}));
}

TEST(XmlMatcher, HasOptions) {
  NEEDS_EXPAT;
  TupleType type({{"n", &int32}, {"l", &numbers}});
  auto told = [&](Matcher::Options options) {
    Parsing p({type}, options);
    p.trigger(0, "/r").take({0}, "/r/a/@n").take({1}, "/r/a/@n");
    return p.read({"<r><a n='1'/><A N='2'/><x:a x:n='3' xmlns:x='u'/><a/></r>"}).front();
  };
  EXPECT_EQ(told({}), "0:{n=1,l=[1]}");
  EXPECT_EQ(told({.ignoreCase = true}), "0:{n=2,l=[1,2]}");
  EXPECT_EQ(told({.ignoreNamespaces = true}), "0:{n=3,l=[1,3]}");
  EXPECT_EQ(told({.nullify = true}), "0:{n=0,l=[1,0]}");
}

//===--- ports and documents ------------------------------------------------===//

TEST(XmlMatcher, TellsTuplesWhereTheirElementsEnd) {
  NEEDS_EXPAT;
  Parsing p({pair, pair});
  p.trigger(0, "/r/a").trigger(1, "/r").take({0}, "/r/a/@n");
  EXPECT_EQ(p.read({"<r><a n='1'"}), Strings());
  EXPECT_EQ(p.read({"/>"}), Strings({R"(0:{n=1,s=""})"}));
  EXPECT_EQ(p.read({"<a/></", "r>"}), Strings({R"(0:{n=0,s=""})", R"(1:{n=0,s=""})", "|"}));
}

TEST(XmlReader, ReadsByteAfterByte) {
  NEEDS_EXPAT;
  Parsing p({pair});
  p.trigger(0, "/r/a").take({0}, "/r/a/@n").take({1}, "/r/a/text()");
  Strings pieces;
  for (char c :
       std::string("<?xml version='1.0'?><r><a n='1'>\xc3\xa9</a></r>\n<!-- <q> --><r><a/></r>"))
    pieces.push_back({c});
  EXPECT_EQ(p.read(pieces), Strings({"0:{n=1,s=\"\xc3\xa9\"}", "|", R"(0:{n=0,s=""})", "|"}));
  EXPECT_FALSE(p.reader.isInside());
}

TEST(XmlReader, PassesWhatStandsBetweenDocuments) {
  NEEDS_EXPAT;
  Parsing p({pair});
  p.trigger(0, "/r").take({0}, "/r/@n");
  EXPECT_EQ(p.read({" \n<r n='1'/> plain text <r n='2'></r><?xml version='1.0'?><r n='3'/>"}),
            Strings({R"(0:{n=1,s=""})", "|", R"(0:{n=2,s=""})", "|", R"(0:{n=3,s=""})", "|"}));
}

TEST(XmlReader, SaysWhatIsWrongAndBeginsAnew) {
  NEEDS_EXPAT;
  Parsing p({pair});
  p.trigger(0, "/r/a").take({0}, "/r/a/@n");
  EXPECT_EQ(p.read({"<r><a n='1'/>\n</q>"}), Strings({R"(0:{n=1,s=""})"}));
  EXPECT_EQ(p.reader.problem(), "mismatched tag at line 2, column 3");
  EXPECT_TRUE(p.reader.isInside());
  p.reader.reset();
  p.matcher.reset();
  EXPECT_EQ(p.read({"<r><a n='2'/></r>"}), Strings({R"(0:{n=2,s=""})", "|"}));
  p.reader.reset();
  EXPECT_EQ(p.read({"plain text"}), Strings());
  EXPECT_EQ(p.reader.problem(), "syntax error at line 1, column 1");
  EXPECT_FALSE(p.reader.isInside());
}

TEST(XmlReader, ReadsTheEncodingThatADocumentSays) {
  NEEDS_EXPAT;
  std::string document = "<?xml version='1.0' encoding='ISO-8859-1'?><r>\xe9</r>";
  Parsing p({pair}, {}, /*isUtf8=*/false);
  p.trigger(0, "/r").take({1}, "/r/text()");
  EXPECT_EQ(p.read({document}), Strings({"0:{n=0,s=\"\xc3\xa9\"}", "|"}));
  std::string wide = "\xff\xfe";
  for (char c : std::string("<r>x</r>"))
    wide += {c, '\0'};
  EXPECT_EQ(p.read({wide, wide}), Strings({R"(0:{n=0,s="x"})", "|", R"(0:{n=0,s="x"})", "|"}));
}

TEST(XmlReader, StopsWhereItIsTold) {
  NEEDS_EXPAT;
  Parsing p({pair});
  p.trigger(0, "/r/a");
  p.most = 2;
  EXPECT_EQ(p.read({"<r><a/><a/><a/></r><r><a/></r>"}).size(), 2u);
  EXPECT_EQ(p.reader.problem(), "");
}

} // namespace
} // namespace sluice::xml
