#include "test/unit/adapters/Files.h"

using namespace sluice;
using namespace sluice::test;

namespace {
TupleType pair({{"n", &int32}, {"s", &rstring}}), line({{"text", &rstring}}),
    bytes({{"piece", &blob}});

/// The text comes in pieces of every length from 1 byte on, and whole.
struct Parse : Files {
  std::vector<std::string> wanted;
  std::string said; // in what is printed
  void parse(const TypeDesc *type, std::string_view text, int code = 0) {
    for (size_t size = 1; size <= text.size(); ++size) {
      pieces.clear();
      for (size_t at = 0; at < text.size(); at += size)
        pieces.emplace_back(text.substr(at, size));
      ASSERT_EQ(run(type), code) << err;
      ASSERT_EQ(events, wanted) << "in pieces of " << size;
      ASSERT_NE(err.find(said), std::string::npos) << "in pieces of " << size << ": " << err;
    }
  }
  int run(const TypeDesc *type);

  static inline std::vector<std::string> pieces;
};

const TupleType blobs({{"b", &blob}});
int32_t feedPieces(Ctx *ctx) {
  for (const std::string &piece : Parse::pieces) {
    Str s = str(piece);
    if (int32_t result = sl_native_tuple(ctx, 0, 0, &s); result < 0)
      return result;
  }
  return sl_port_final(ctx, 0) ? sl_native_punct(ctx, 0, 0, uint32_t(PunctuationKind::Final), 0)
                               : 0;
}

int Parse::run(const TypeDesc *type) {
  outType = type;
  Graph g;
  EmitFn emits[] = {emitText};
  EmitPunctFn emitPuncts[] = {emitPunctText};
  const TypeDesc *in[] = {blobs}, *out[] = {type};
  uint32_t op = g.native("Op", "spl.utility::Parse", 1, 1, emits, emitPuncts);
  g.operators[op].inTypes = in;
  g.operators[op].outTypes = out;
  g.operators[op].setParams = setParams;
  g.outPorts.resize(1);
  g.outPorts[0].batchBytes = 0; // consumers are called
  g.op("Feed", 0, 0, feedPieces);
  g.inPorts[0].producers = 1;
  testing::internal::CaptureStderr();
  int code = g.run({"--data-dir", dir.c_str()});
  err = testing::internal::GetCapturedStderr();
  return code;
}
} // namespace

TEST_F(Parse, RowsGoOnInTheNextPiece) {
  wanted = strings({R"({n=1,s="a"})", R"({n=2,s="b\nb\r\nb"})", R"({n=3,s="c"})",
                    R"({n=4,s="last"})", "Window", "Final"});
  parse(pair, "1,a\r\n2,\"b\nb\r\nb\"\r\n\n#no\n3,c\r4,last");
}

TEST_F(Parse, ARowOfSeveralStrings) {
  wanted = strings({R"({n=1,s="a\n\"\na"})", R"({n=2,s="\n"})", "Window", "Final"});
  parse(pair, "1,\"a\n\\\"\na\"\n2,'\n'\n");
}

TEST_F(Parse, AHeaderOfSeveralLines) {
  set("quoting", "rfc4180");
  set("hasHeaderLine", "1", &uint32);
  wanted = strings({R"({n=1,s="a"})", "Window", "Final"});
  parse(pair, "n,\"the\nname\"\n1,a\n");
}

TEST_F(Parse, AQuoteWithoutAnEndSpoilsItsLine) {
  set("parsing", "permissive");
  wanted = strings({R"({n=1,s="a"})", R"({n=3,s="c"})", R"({n=4,s="d"})", "Window", "Final"});
  said = "input:2:3: the quoted text has no end";
  parse(pair, "1,a\n2,\"b\n3,c\n4,d\n");
}

TEST_F(Parse, TupleLiterals) {
  set("format", "txt");
  set("parsing", "permissive");
  wanted = strings({R"({n=1,s="a"})", R"({n=2,s="b\nb"})", R"({n=3,s="c"})", R"({n=5,s="e"})",
                    "Window", "Final"});
  said = "input:5:17: this is no tuple";
  parse(pair, "{n=1,s=\"a\"} {n=2,\ns=\"b\nb\"}\n# no\n{n=3,s=\"c\"} {n=4}\n{n=5,s='e'}");
}

TEST_F(Parse, PlacesBehindATupleThatIsThere) {
  set("format", "txt");
  wanted = strings({R"({n=1,s="a"})"});
  said = "input:1:16: this is no tuple";
  parse(pair, "{n=1,s=\"a\"} {n='2',\ns=\"b\"}\n", 1);
}

TEST_F(Parse, Numbers) {
  set("$out.n", "TupleNumber");
  set("parsing", "permissive");
  set("separator", ";");
  wanted = strings({R"({n=1,s="a"})", R"({n=3,s="c\nc"})", "Window", "Final"});
  parse(pair, "a\n\nb;b\n\"c\nc\"\n");
}

TEST_F(Parse, LinesWithAMarker) {
  set("format", "line");
  set("eolMarker", "--");
  wanted = strings(
      {R"({text="a"})", R"({text=""})", R"({text="-b"})", R"({text="last-"})", "Window", "Final"});
  parse(line, "a-----b--last-");
}

TEST_F(Parse, Blocks) {
  set("format", "block");
  set("blockSize", "3", &uint32);
  wanted = strings({"{piece=616263}", "{piece=640a65}", "{piece=66}", "Window", "Final"});
  parse(bytes, "abcd\nef");
}

TEST_F(Parse, NothingAtAll) {
  pieces = {"", ""};
  EXPECT_EQ(run(pair), 0);
  EXPECT_EQ(events, strings({"Window", "Final"}));
}

/// A string that is never closed is not looked at from its beginning with each piece.
TEST_F(Parse, ALongOpenRow) {
  set("parsing", "permissive");
  pieces.assign(200'000, "1,a\n");
  pieces.insert(pieces.begin(), "0,\"open\n");
  EXPECT_EQ(run(pair), 0);
  EXPECT_EQ(events.size(), 200'002u);
}

TEST_F(Parse, ALongOpenTuple) {
  set("parsing", "permissive");
  set("format", "txt");
  pieces.assign(20'000, "{n=1,s='a'}\n");
  pieces.insert(pieces.begin(), "{n=0,s=\"open\n");
  EXPECT_EQ(run(pair), 0);
  EXPECT_EQ(events.size(), 20'002u);
}
