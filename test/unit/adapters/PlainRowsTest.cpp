// Rows of common forms are read as CsvReader reads them: random rows of random schemas, with the
// short way, into tuples and into batches, and without it. A text that is said to have an encoding
// has no short way.
// SLUICE_ROWS: how many rows.
#include "sluice/columns.h"
#include "stdlib/native/fields/Vectors.h"
#include "stdlib/native/unicode/Converter.h"
#include "test/unit/adapters/Files.h"
#include <random>

using namespace sluice;
using namespace sluice::test;

namespace {
const char *const colours[] = {"red", "green"};
const TypeDesc colour = enumOf(colours, 2), ints = listOf(&int32),
               decimal64 = scalar(Kind::Decimal64);
TypeDesc bounded(uint32_t bound) {
  TypeDesc type = rstring;
  type.bound = bound;
  return type;
}
const TypeDesc shortString = bounded(3);
const OptionalType maybe(&int32);
const TypeDesc *const kinds[] = {&int8,      &int16,     &int32,       &int64,   &uint8,   &uint16,
                                 &uint32,    &uint64,    &float32,     &float64, &float64, &rstring,
                                 &rstring,   &ustring,   &shortString, &boolean, &colour,  &ints,
                                 &timestamp, &decimal64, maybe};

/// An emulated machine need not have ICU, without which no file has an encoding.
bool hasEncodings() { return encodingProblem("UTF-8").empty(); }

/// How a text is read.
struct Given {
  std::vector<std::pair<const char *, const TypeDesc *>> attributes;
  std::vector<ParamText> params;
  std::string text;
  char separator = ',';
  bool rfc4180 = false, isCatch = false, isFile = false;
  bool hasDefaults = false, counts = false; // a tuple for empty fields; tuples have their number
  size_t piece = 0;                         // bytes that come at once, if it is no file
  uint32_t capacity = 0;                    // of batches
  const char *batchRows = "1";              // the most in one
};

class Maker {
public:
  explicit Maker(uint64_t seed) : random(seed) {}
  Given make(size_t rows);

private:
  uint32_t below(uint32_t n) { return uint32_t(random() % n); }
  bool oneIn(uint32_t n) { return !below(n); }
  template <typename T> const T &oneOf(std::initializer_list<T> of) {
    return of.begin()[below(uint32_t(of.size()))];
  }
  std::string digits(uint32_t most);
  std::string word();
  std::string number(Kind);
  std::string quoted(const std::string &);
  std::string string();
  std::string value(const TypeDesc *);
  std::string field(const TypeDesc *);
  std::string row();

  std::mt19937_64 random;
  Given given;
  uint32_t oddity = 0; // one field in so many is odd; 0: none
};

std::string Maker::digits(uint32_t most) {
  std::string result;
  for (uint32_t n = below(most) + 1; n; --n)
    result += char('0' + below(10));
  return result;
}

std::string Maker::word() {
  static const char *const odd[] = {"a",  "Z", " ",      "0", ".", "-", "_",  "'",   "\"",
                                    "\\", "#", "\u00e9", "[", "(", ":", "\t", "\xc3"};
  // A file in an encoding has no bytes that are none of its characters.
  const uint32_t some = uint32_t(std::size(odd)) - given.isFile;
  std::string result;
  uint32_t length = oneIn(20) ? 300 : oneIn(4) ? 40 : 16;
  for (uint32_t n = below(length); n; --n)
    result += oneIn(oddity ? 2 : 1000) ? odd[below(some)] : std::string(1, char('a' + below(26)));
  return result;
}

std::string Maker::number(Kind kind) {
  bool isFloat = kind == Kind::Float32 || kind == Kind::Float64 || kind == Kind::Decimal64;
  std::string sign = oneIn(4) ? oneOf<std::string>({"-", "-", "+"}) : "";
  if (!isFloat)
    return sign + digits(oneOf({2u, 3u, 5u, 8u, 9u, 10u, 16u, 17u, 20u, 21u}));
  std::string whole = digits(oneOf({1u, 3u, 6u, 9u, 16u, 20u}));
  std::string text = oneIn(3) ? whole : whole + "." + digits(oneOf({1u, 2u, 6u, 9u, 16u}));
  if (oddity && oneIn(8))
    text = oneOf<std::string>({".", "." + whole, whole + ".", ".0", "nan", "inf", "1e5", "1E-7",
                               "1.5.2", "1e400", "0x1", "00", "-", "--1", "infinity"});
  return sign + text;
}

std::string Maker::quoted(const std::string &text) {
  char quote = given.rfc4180 || !oneIn(4) ? '"' : '\'';
  std::string result(1, quote);
  for (char c : text) {
    if (c == quote && !oneIn(8))
      result += given.rfc4180 ? quote : '\\';
    result += c;
  }
  if (oddity && oneIn(6))
    result += oneOf<std::string>({"\\n", "\n", "\r\n", "\\", std::string(1, given.separator)});
  return oddity && oneIn(30) ? result : result + quote;
}

std::string Maker::string() { return oneIn(3) ? quoted(word()) : word(); }

std::string Maker::value(const TypeDesc *type) {
  if (isIn(type->kind, type_class::String))
    return string();
  if (isIn(type->kind, type_class::Numeric))
    return number(type->kind);
  if (type->kind == Kind::Timestamp)
    return "(" + digits(9) + "," + digits(8) + ",0)";
  return type == &boolean  ? oneOf<std::string>({"true", "false"})
         : type == &colour ? oneOf<std::string>({"red", "green"})
         : type == &ints   ? oneOf<std::string>({"[]", "[1]", "[1,2,3]", "[1, 2]"})
                           : oneOf<std::string>({"null", "5"}); // maybe
}

std::string Maker::field(const TypeDesc *type) {
  if (oneIn(6))
    return "";
  std::string text = value(type);
  if (!oddity || !oneIn(oddity))
    return text;
  switch (below(7)) {
  case 0:
    return " " + text;
  case 1:
    return text + " ";
  case 2:
    return "\t" + text + "\t ";
  case 3:
    return string();
  case 4:
    return "#" + text;
  case 5:
    return quoted(text);
  default:
    return number(Kind::Float64);
  }
}

std::string Maker::row() {
  std::string text;
  size_t count = given.attributes.size();
  if (oddity && oneIn(oddity))
    count = oneOf({count + 1, count - 1, count + 3, size_t(0), size_t(1)});
  for (size_t i = 0; i < count; ++i) {
    if (i)
      text += given.separator;
    text += field(given.attributes[std::min(i, given.attributes.size() - 1)].second);
  }
  if (oddity && oneIn(oddity))
    text = oneOf<std::string>({"", " ", "# a comment", " #", "\t", text + " "});
  return text;
}

Given Maker::make(size_t rows) {
  static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  given = {};
  for (uint32_t n = below(8) + 1, i = 0; i < n; ++i)
    given.attributes.push_back({names[i], kinds[below(std::size(kinds))]});
  given.separator = oneOf({',', ',', ';', '\t', '|', ':', '-', '.', '5', '\x01'});
  given.rfc4180 = oneIn(3);
  given.isFile = oneIn(2) && hasEncodings();
  given.piece = oneOf({size_t(1) << 20, size_t(100), size_t(7)});
  given.capacity = oneOf({64u, 192u, 1024u});
  given.batchRows = oneOf<const char *>({"1024", "1024", "100", "7", "2", "1"});
  oddity = oneOf({0u, 0u, 5u, 50u, 500u});
  auto set = [&](const char *name, std::string value, const TypeDesc *type = &rstring) {
    given.params.push_back({name, type, std::move(value)});
  };
  set("separator", std::string(1, given.separator));
  set("quoting", given.rfc4180 ? "rfc4180" : "spl");
  if (!oneIn(4))
    set("parsing", "permissive");
  given.isCatch = oneIn(2);
  if (oneIn(4))
    set("ignoreExtraCSVValues", "true", &boolean);
  given.hasDefaults = oneIn(4);
  given.counts = oneIn(4);
  if (oneIn(4))
    set("hasHeaderLine", std::to_string(below(3)), &uint32);
  for (size_t i = 0; i < rows; ++i)
    given.text += row() + oneOf<std::string>({"\n", "\n", "\n", oddity ? "\r\n" : "\n"});
  if (oneIn(3)) // lines as another system ends them
    for (size_t at = 0; (at = given.text.find('\n', at)) != std::string::npos; at += 2)
      given.text.replace(at, 1, oneIn(10) && oddity ? "\r" : "\r\n");
  if (oneIn(2))
    given.text += row();
  return given;
}

std::string_view fed;
size_t fedAtOnce;
int32_t feedText(Ctx *ctx) {
  for (size_t at = 0; at < fed.size(); at += fedAtOnce) {
    Str s = str(fed.substr(at, fedAtOnce));
    if (int32_t result = sl_native_tuple(ctx, 0, 0, &s); result < 0)
      return result;
  }
  return sl_port_final(ctx, 0) ? sl_native_punct(ctx, 0, 0, uint32_t(PunctuationKind::Final), 0)
                               : 0;
}

//===--- a stream of batches -----------------------------------------------------===//

/// Calls f(offset in the tuple, type, value in the batch) for each value of a row.
template <typename F> void eachValue(Batch *b, uint32_t row, F &&f) {
  uint64_t column = kBatchHeader;
  eachColumn(outType, [&](uint32_t offset, const TypeDesc *type) {
    f(offset, type, reinterpret_cast<char *>(b) + column + uint64_t(row) * type->size);
    column = behindColumn(column, b->capacity, type->size);
  });
}

/// What the compiler makes of a native operator's output port.
int32_t appendTuple(Ctx *ctx, const void *tuple) {
  Batch *b = ctx->ports[0].batch;
  eachValue(b, b->rows, [&](uint32_t offset, const TypeDesc *type, char *value) {
    memcpy(value, static_cast<const char *>(tuple) + offset, type->size);
    if (!type->plain)
      sl_batch_keep(b, type, value);
  });
  __atomic_store_n(&b->rows, b->rows + 1, __ATOMIC_RELAXED);
  return NativeOp::roomIn(*b) ? 0 : sl_forward(ctx, 0);
}
int32_t appendPunct(Ctx *ctx, uint32_t kind, int64_t time) {
  if (PunctuationKind(kind) == PunctuationKind::Final && !sl_out_close(ctx, 0))
    return 0;
  return sl_port_punct(ctx, 0, kind, time);
}

uint32_t mostInBatch; // rows of any batch that came
int32_t showBatch(Ctx *ctx, Batch *b) {
  std::vector<uint64_t> tuple(outType->size / 8 + 1);
  mostInBatch = std::max(mostInBatch, b->rows);
  uint32_t mark = 0;
  for (uint32_t row = 0; row <= b->rows; ++row) {
    for (; mark < b->punctCount && b->puncts[mark].row == row; ++mark)
      if (b->puncts[mark].kind == PunctuationKind::Window)
        note("Window");
      else if (sl_port_final(ctx, 0))
        note("Final");
    if (row == b->rows)
      break;
    eachValue(b, row, [&](uint32_t offset, const TypeDesc *type, const char *value) {
      memcpy(reinterpret_cast<char *>(tuple.data()) + offset, value, type->size);
    });
    note(text(outType, tuple.data()));
  }
  return 0;
}

/// Makes output port 0 one with batches, which `showBatch` gets.
void addBatches(Graph &g, uint32_t capacity) {
  uint64_t bytes = kBatchHeader;
  eachColumn(outType, [&](uint32_t, const TypeDesc *type) {
    bytes = behindColumn(bytes, capacity, type->size);
  });
  g.outPorts[0].batchBytes = uint32_t(bytes);
  g.outPorts[0].batchCapacity = capacity;
  uint32_t sink = g.op("Sink", 1, 0);
  g.connect(0, g.operators[sink].firstIn, showBatch);
}

/// How the rows of a file come.
enum class Into { Tuples, Batches };

struct PlainRows : Files {
  PlainRows() { setFloatText(FloatText::Shortest); } // all bits of a float can be seen
  ~PlainRows() override { setFloatText(FloatText::Spl); }
  /// What comes out and what is said.
  std::vector<std::string> read(const Given &given, const TypeDesc *type, Into into);
  void compare(const Given &given, const std::string &what);
  void same(const std::vector<std::string> &quick, const std::vector<std::string> &slow,
            const Given &given, const std::string &what);
};

std::vector<std::string> PlainRows::read(const Given &given, const TypeDesc *type, Into into) {
  static const TupleType blobs({{"piece", &blob}});
  outType = type;
  fed = given.text;
  fedAtOnce = given.piece;
  Graph g;
  bool batches = into == Into::Batches;
  EmitFn emits[] = {batches ? appendTuple : emitText};
  EmitPunctFn emitPuncts[] = {batches ? appendPunct : emitPunctText};
  const TypeDesc *in[] = {blobs}, *out[] = {type};
  const char *kind = given.isFile ? "spl.adapter::FileSource" : "spl.utility::Parse";
  uint32_t op = g.native("Op", kind, !given.isFile, 1, emits, emitPuncts);
  g.operators[op].inTypes = in;
  g.operators[op].outTypes = out;
  g.operators[op].setParams = setParams;
  g.operators[op].isCatch = given.isCatch;
  g.outPorts.resize(1);
  g.outPorts[0].batchBytes = 0; // consumers are called
  if (batches)
    addBatches(g, given.capacity);
  if (!given.isFile) {
    g.op("Feed", 0, 0, feedText);
    g.inPorts[0].producers = 1;
  }
  testing::internal::CaptureStderr();
  std::vector<const char *> args = {"--data-dir", dir.c_str()};
  if (batches)
    args.insert(args.end(), {"--batch-rows", given.batchRows});
  int code = g.run(args);
  err = testing::internal::GetCapturedStderr();
  std::vector<std::string> seen = events;
  seen.push_back(err);
  seen.push_back(std::to_string(code));
  return seen;
}

/// A tuple literal with a value for each attribute.
std::string defaults(const Given &given) {
  std::string result = "{";
  for (auto [name, type] : given.attributes)
    result += (result.size() > 1 ? "," : "") + std::string(name) + "=" +
              (isIn(type->kind, type_class::String) ? "\"few\""
               : type == &boolean                   ? "true"
               : type == &colour                    ? "green"
               : type == &ints                      ? "[7]"
               : type == &timestamp                 ? "(7,7,7)"
                                                    : "7");
  return result + "}";
}

void PlainRows::compare(const Given &given, const std::string &what) {
  auto attributes = given.attributes;
  const TupleType rowType(attributes);
  if (given.hasDefaults)
    set("defaultTuple", defaults(given), rowType);
  if (given.counts) {
    attributes.push_back({"number", &uint64});
    set("$out.number", "TupleNumber");
  }
  TupleType type(attributes);
  if (given.isFile)
    set("file", write("in.csv", given.text));
  paramTexts.insert(paramTexts.end(), given.params.begin(), given.params.end());
  std::vector<std::string> quick = read(given, type, Into::Tuples), batches;
  if (given.isFile)
    batches = read(given, type, Into::Batches);
  set("encoding", "UTF-8");
  std::vector<std::string> slow = read(given, type, Into::Tuples);
  paramTexts.clear();
  ASSERT_NO_FATAL_FAILURE(same(quick, slow, given, what));
  if (given.isFile)
    same(batches, slow, given, what + ", in batches");
}

/// Whether the events are those that there are to be.
void PlainRows::same(const std::vector<std::string> &quick, const std::vector<std::string> &slow,
                     const Given &given, const std::string &what) {
  for (size_t i = 0; i < std::min(quick.size(), slow.size()); ++i)
    ASSERT_EQ(quick[i], slow[i]) << what << ", event " << i << " of\n"
                                 << given.text.substr(0, 5000);
  ASSERT_EQ(quick.size(), slow.size()) << what;
}
} // namespace

TEST_F(PlainRows, AreReadAsByTheGeneralReader) {
  constexpr size_t kRows = 150;
  const char *wanted = getenv("SLUICE_ROWS");
  size_t rows = wanted ? strtoull(wanted, nullptr, 10) : 6'000;
  const unsigned most = vectorBytes;
  for (size_t seed = 0; seed * kRows < rows && !HasFatalFailure(); ++seed) {
    vectorBytes = std::min(most, 16u << seed % 3);
    compare(Maker(seed).make(kRows), "seed " + std::to_string(seed));
  }
  vectorBytes = most;
}

/// Of format `line`.
TEST_F(PlainRows, MayBeLines) {
  for (uint64_t seed = 0; seed < 30 && !HasFatalFailure(); ++seed) {
    Given given = Maker(seed).make(150);
    given.attributes = {{"text", &rstring}};
    given.hasDefaults = false;
    given.params = {{"format", &rstring, "line"}};
    if (seed % 3)
      given.params.push_back({"eolMarker", &rstring, seed % 3 == 1 ? "\r" : "\r\n"});
    compare(given, "seed " + std::to_string(seed));
  }
}

TEST_F(PlainRows, AreReadFromLongFiles) {
  if (!hasEncodings())
    GTEST_SKIP() << "there is no ICU";
  mostInBatch = 0;
  for (uint64_t seed = 0, files = 0; files < 3 && !HasFatalFailure(); ++seed)
    if (Given given = Maker(seed).make(8'000); given.isFile && given.text.size() > 300'000) {
      given.batchRows = "1024";
      compare(given, "seed " + std::to_string(seed));
      ++files;
    }
  EXPECT_GT(mostInBatch, 1u) << "how many is a matter of time";
}
