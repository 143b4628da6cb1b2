//===- LanguageWords.cpp - words of SPL itself, for sluice doc ------------===//
#include "tools/driver/doc/LanguageWords.h"

using namespace sluice::driver;

static const LanguageWord kWords[] = {
    // programs
    {"composite", "A named part of a graph. A program runs a composite without ports.",
     "composite Main {\n  graph\n    stream<int32 x> S = Beacon() { }\n}", "graph param"},
    {"graph",
     "Begins the operators of a composite. Each names its output streams, their type, and "
     "the streams that it reads.",
     "graph\n  stream<int32 x> S = Beacon() { }\n  () as Out = FileSink(S) { param file : "
     "\"out.csv\"; }",
     "stream composite"},
    {"stream as",
     "A sequence of tuples of one type. An operator without output streams has `()`, "
     "and a name behind `as`.",
     "stream<int32 x, rstring s> A = Beacon() { }\nstream<A> B = Filter(A) { param filter : x > 0; "
     "}\n() as Out = FileSink(B) { param file : \"out.csv\"; }",
     "tuple Custom FileSink"},
    {"input output",
     "In the head of a composite: its ports. In an operator, `output` begins "
     "what the attributes of an output stream get.",
     "composite Half(input In; output Out) {\n  graph\n    stream<In> Out = Functor(In) {\n      "
     "output Out : x = x / 2;\n    }\n}",
     "Functor Aggregate"},
    {"param expression attribute function operator",
     "In an operator: begins its parameters. In a composite: begins those that it takes, with what "
     "they stand for, as `expression<int32> $n : 5;`.",
     "stream<S> F = Filter(S) { param filter : x > 0; }", "Filter composite"},
    {"logic onTuple onPunct onProcess state",
     "What an operator does with each tuple and each punctuation of an input port; onProcess runs "
     "once, in an operator without input. `state` declares variables that last.",
     "() as Print = Custom(S) {\n  logic\n    state : mutable int32 n = 0;\n    onTuple S : "
     "println(++n);\n}",
     "Custom submit currentPunct"},
    {"window tumbling sliding partitioned timeInterval",
     "The tuples over which an operator computes. A tumbling window is emptied when it is full; of "
     "a sliding one the oldest tuples go, and a second policy says when it is evaluated.",
     "stream<int32 most> A = Aggregate(S) {\n  window S : sliding, count(10), count(1);\n  output "
     "A "
     ": most = Max(x);\n}",
     "Aggregate Join Sort docs/windows.md"},
    {"config", "Settings of an operator or a composite, as a queue before an input port.",
     "config threadedPort : queue(S, Sys.Wait, 1000);", "threadedPort"},
    {"threadedPort",
     "A configuration: the input port gets a queue and a thread of its own, so that the operator "
     "works while those before it go on. Without it a stream is a call, as long as no queue pays.",
     "config threadedPort : queue(S, Sys.Wait, 1000);", "queue config docs/pipelines.md"},
    {"queue",
     "Tuples that have come to an input port and wait there, in their order, until the operator "
     "takes them on a thread of its own. It has room for so many as the last argument says. If it "
     "is full, Sys.Wait makes the operator before it wait; Sys.DropLast drops what comes, "
     "Sys.DropFirst what has waited longest. `sluice run --queues=all` gives queues to all ports "
     "that may have one, and `--elastic=model` decides while the program runs where one pays.",
     "() as Out = FileSink(S) {\n  param file : \"out.csv\";\n  config threadedPort : queue(S, "
     "Sys.Wait, 1000);\n}",
     "threadedPort Sys docs/elasticity.md"},
    {"history",
     "The tuples that came before on an input port. S[0] is the current tuple, S[1] the one before "
     "it, and S[k] came k tuples ago; k is a constant. At the beginning, where there is no such "
     "tuple yet, its attributes have the default values of their types: 0, false, an empty text.",
     "stream<int32 change> C = Functor(S) {\n  output C : change = x - S[1].x;\n}",
     "window Functor"},
    {"placement partitionColocation partitionExlocation partitionIsolation host hostPool",
     "A configuration: which operators run in one process (partitionColocation), in different ones "
     "(partitionExlocation) or alone (partitionIsolation), if there are several. What it says of "
     "hosts is read, and does nothing here.",
     "config placement : partitionColocation(\"a\"), partitionExlocation(\"b\");",
     "config docs/processes.md"},
    {"use namespace",
     "`namespace` names what the file belongs to; `use` makes a name of another "
     "namespace known.",
     "namespace my.app;\nuse my.library::Scale;", ""},
    {"type static",
     "Gives a type a name: in a file, or in the clause `type` of a composite, where "
     "`static` makes it known outside.",
     "type Order = rstring item, int32 count;", "tuple"},
    {"public", "What is public can be used by files of other namespaces.",
     "public int32 twice(int32 x) { return 2 * x; }", ""},
    // annotations
    {"parallel", "Runs an operator or a composite several times, each with a part of the tuples.",
     "@parallel(width = 4, partitionBy = [{port = S, attributes = [key]}])\nstream<S> F = Work(S) "
     "{ }",
     "getChannel docs/elasticity.md"},
    {"threading", "Says which threads run the operators of a composite.",
     "@threading(model = dynamic, threads = 4)\ncomposite Main { ... }", "docs/elasticity.md"},
    {"catch", "An operator that goes on after a failure: the tuple is dropped.",
     "@catch(exception = all)\nstream<S> F = Functor(S) { output F : x = 10 / x; }", "assert"},
    {"eventTime",
     "Names the attribute that says when a tuple's event was, for timeInterval "
     "windows.",
     "@eventTime(eventTimeAttribute = when)\nstream<int64 when> S = Beacon() { }",
     "window getEventTime docs/windows.md"},
    {"consistent",
     "Starts a consistent region: in a run with --checkpoint it says how often checkpoints are "
     "made.",
     "@consistent(trigger = periodic, period = 5.0)\nstream<int32 n> S = Beacon() { }",
     "autonomous docs/recovery.md"},
    {"autonomous", "An operator that is not restored from checkpoints, and what is behind it.",
     "@autonomous\n() as Log = FileSink(S) { param file : \"log.csv\"; }",
     "consistent docs/recovery.md"},
    {"view", "An annotation of IBM Streams. It is read, and does nothing here.",
     "@view(name = \"v\", port = S, sampleSize = 10)", ""},
    // statements
    {"if else", "A condition is a boolean in parentheses.",
     "if (x > 0) println(\"above\"); else println(\"not above\");", ""},
    {"for in",
     "`for` goes through the elements of a list, set or map; `in` asks whether one is "
     "there.",
     "for (int32 i in range(10)) println(i);\nboolean there = 3 in [1, 2, 3];", "range while"},
    {"while break continue",
     "Repeats a statement; `break` leaves the loop, `continue` begins its "
     "next turn.",
     "while (x > 1) { x /= 2; if (x == 7) break; }", "for"},
    {"return void", "Ends a function, with its value unless its type is `void`.",
     "int32 twice(int32 x) { return 2 * x; }", "stateful"},
    {"mutable", "What is declared without it cannot be changed.", "mutable int32 n = 0;\nn++;", ""},
    {"stateful",
     "A function that calls stateful ones, or whose result depends on more than its "
     "arguments.",
     "stateful float64 dice() { return floor(random() * 6.0); }", "random"},
    {"true false", "The values of `boolean`.", "boolean b = true;", "boolean"},
    {"null optional",
     "`optional<T>` is a T or `null`. `x ?: y` is its value, or y if it has none; `x??` says "
     "whether it has one; `x!` is the value, and fails without one.",
     "optional<int32> x = null;\nint32 y = x ?: 0;\nif (x??) println(x!);", "if"},
    // types
    {"boolean", "`true` or `false`. Operators: ! && || == !=", "boolean b = x > 0 && !(y == 1);",
     "if"},
    {"int8 int16 int32 int64",
     "Integers with a sign, of so many bits. A literal is an int32 "
     "unless it has a suffix: 1b 1h 1w 1l.",
     "int64 big = 5000000000l;\nint32 small = (int32) big;", "uint32 float64"},
    {"uint8 uint16 uint32 uint64",
     "Integers without a sign, of so many bits. Literals: 1ub 1uh 1u "
     "1ul.",
     "uint32 n = 3u;", "int32"},
    {"float32 float64",
     "IEEE numbers of 32 and 64 bits. A literal with a point is a float64; 1.5w "
     "is a float32.",
     "float64 x = 1.5;\nint32 i = (int32) x;", "int32 spl.math"},
    {"decimal32 decimal64 decimal128",
     "Decimal numbers of 7, 16 and 34 digits: 1.10d is exact. Literals: 1.1wd 1.1d 1.1qd.",
     "decimal64 price = 1.10d;\nprintln(price * 3.0d);", "float64"},
    {"complex32 complex64",
     "Complex numbers of two float32 or two float64, which are written as a list.",
     "complex64 c = (complex64) [1.0, -2.0];\nprintln(c * c);", "float64"},
    {"rstring",
     "Text, as bytes of UTF-8. Any value becomes text by a cast. rstring[8] holds at most 8 bytes; "
     "what is behind them is dropped.",
     "rstring s = \"x is \" + (rstring) x;\nrstring first = s[0:3];", "spl.string ustring"},
    {"ustring", "Text as code points: lengths, subscripts and slices count them.",
     "ustring u = \"stra\\u00dfe\"u;\nustring first = u[0];\nrstring bytes = (rstring) u;",
     "rstring spl.string"},
    {"blob", "Bytes. Subscripts are uint8. Its text is two hexadecimal digits a byte.",
     "mutable blob b = (blob) [1ub, 255ub];\nb[0] = 7ub;\nblob text = convertToBlob(\"abc\");",
     "list spl.string spl.collection"},
    {"xml", "A well-formed XML document. `(xml) text` fails if the text is none.",
     "xml x = \"<a b='1'/>\"x;", "rstring"},
    {"timestamp", "A time: seconds since 1970, nanoseconds, and the id of a machine.",
     "timestamp t = getTimestamp();", "spl.time"},
    {"enum", "One of some names.", "type Colour = enum{red, green};\nColour c = red;", "Sys"},
    {"list", "Values of one type, in order; list<int32>[5] holds at most 5. Subscripts begin at 0.",
     "mutable list<int32> l = [1, 2];\nappendM(l, 3);\nint32 last = l[size(l) - 1];",
     "spl.collection set map"},
    {"set", "Different values of one type, in no order.",
     "set<rstring> s = {\"a\", \"b\"};\nboolean there = \"a\" in s;", "spl.collection list"},
    {"map", "Values, each with a key.",
     "mutable map<rstring, int32> m = {\"a\" : 1};\nm[\"b\"] = 2;\nfor (rstring key in m) "
     "println(m[key]);",
     "spl.collection"},
    {"tuple", "Attributes, each with a name and a type.",
     "tuple<int32 x, rstring s> t = {x = 1, s = \"a\"};\nprintln(t.x);", "stream type"},
    // functions that the compiler knows
    {"submit", "Sends a tuple, or a punctuation, from the logic of a Custom to an output stream.",
     "submit({x = 1}, Out);\nsubmit(Sys.WindowMarker, Out);", "Custom"},
    {"currentPunct", "In onPunct: which punctuation has come.",
     "onPunct S : if (currentPunct() == Sys.FinalMarker) println(\"end\");", "logic Sys"},
    {"getSubmissionTimeValue getSubmissionTimeListValue",
     "A text that is given when the program starts, as `sluice run X.spl limit=5`; the second "
     "argument is what holds otherwise.",
     "expression<int32> $limit : (int32) getSubmissionTimeValue(\"limit\", \"10\");",
     "getCompileTimeValue"},
    {"getCompileTimeValue getCompileTimeListValue",
     "A text that is given when the program is compiled.",
     "expression<rstring> $name : getCompileTimeValue(\"name\", \"x\");", "getSubmissionTimeValue"},
    {"inputPort outputPort", "The number of a port, as an int32.", "int32 n = inputPort(S);", ""},
    {"getThisFileName getThisFileDir getThisFilePath getThisLine",
     "Where in the source the call stands.", "println(getThisLine());", ""},
    {"getMainCompositeName getThisCompositeInstanceName getThisOperatorName "
     "getThisOperatorLogicalName",
     "Names in the graph: of the main composite, of the instance of a composite, and of the "
     "operator.",
     "println(getThisOperatorName());", "composite"},
};

llvm::ArrayRef<LanguageWord> sluice::driver::languageWords() { return kWords; }
