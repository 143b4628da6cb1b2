# REQUIRES: slow
# RUN: %python %s
"""Operators in C++: sources, several ports, window punctuation, whole batches, literals; the same in
every mode, in two processes, and in regions."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, MODES, expect, finish, sluice, write  # noqa: E402

os.environ["SLUICE_CACHE"] = os.path.join(FOLDER, "cache")


def operator(name, inputs, outputs, body, context="", parameters=""):
    ports = (
        "<inputPortSet><windowPunctuationInputMode>Oblivious</windowPunctuationInputMode>"
        "</inputPortSet>"
    )
    out = (
        "<outputPortSet><windowPunctuationOutputMode>Generating</windowPunctuationOutputMode>"
        "</outputPortSet>"
    )
    write(
        f"app/demo/{name}/{name}.xml",
        f"<operatorModel><cppOperatorModel><context>{context}</context>"
        f"<parameters>{parameters}</parameters><inputPorts>{ports * inputs}</inputPorts>"
        f"<outputPorts>{out * outputs}</outputPorts></cppOperatorModel></operatorModel>\n",
    )
    write(
        f"app/demo/{name}/{name}.cpp",
        "#include <sluice/operator.h>\nusing namespace sluice;\n"
        f'class {name} : public Operator {{\n{body}}};\nSLUICE_OPERATOR("demo::{name}", {name})\n',
    )


def parameter(name, type, mode="AttributeFree", cardinality=1):
    return (
        f"<parameter><name>{name}</name><optional>true</optional><expressionMode>{mode}"
        f"</expressionMode><type>{type}</type><cardinality>{cardinality}</cardinality></parameter>"
    )


operator(
    "Numbers",
    0,
    1,
    """
  void produce() override {
    auto n = output<SPL::int64>("n");
    auto text = output<SPL::rstring>("text");
    int64_t count = parameter<SPL::int64>("count", 5);
    for (int64_t i = 0; i < count && !isShutdown(); ++i) {
      OutTuple out(*this);
      out.set(n, i);
      out.set(text, "a text that is longer than twelve bytes: " + std::to_string(i));
      submit(out);
      if (i % 1000 == 999)
        submitWindow();
    }
  }
""",
    parameters=parameter("count", "int64"),
)
operator(
    "Sums",
    1,
    1,
    """
  Attribute<SPL::int64> n, sum, bytes;
  Attribute<SPL::rstring> text;
  int64_t total = 0, length = 0;
  void start() override {
    n = input<SPL::int64>("n");
    text = input<SPL::rstring>("text");
    sum = output<SPL::int64>("sum");
    bytes = output<SPL::int64>("bytes");
  }
  void processBatch(const InBatch &batch, uint32_t) override {
    for (int64_t value : batch.column(n))
      total += value;
    for (const Str &s : batch.column(text))
      length += s.len;
  }
  void portClosed(uint32_t) override {
    OutTuple out(*this);
    out.set(sum, total);
    out.set(bytes, length);
    submit(out);
  }
""",
    context="<batches>true</batches>",
)
operator(
    "Route",
    2,
    2,
    """
  SPL::rstring how;
  SPL::list<SPL::int64> keep;
  int32_t windows = 0;
  void start() override {
    how = parameter<SPL::rstring>("how", "same");
    keep = parameters<SPL::int64>("keep");
  }
  void process(InTuple tuple, uint32_t port) override {
    int64_t n = tuple.get(input<SPL::int64>("n", port));
    if (std::find(keep.begin(), keep.end(), n) == keep.end())
      return;
    OutTuple out(*this, how == "crossed" ? 1 - port : port);
    out.copy(tuple);
    submit(out);
  }
  void processWindow(uint32_t port) override { ++windows; submitWindow(port); }
""",
    context="<customLiterals><enumeration><name>How</name><value>same</value><value>crossed</value>"
    "</enumeration></customLiterals>",
    parameters=parameter("how", "How", "CustomLiteral")
    + parameter("keep", "int64", cardinality=-1),
)
program = write(
    "app/demo/Main.spl",
    """namespace demo;
composite Main {
  graph
    stream<int64 n, rstring text> A = Numbers() { param count : 3000l; }
    stream<int64 n, rstring text> B = Functor(A) { output B : n = n * 2l; }
    stream<int64 sum, int64 bytes> S = Sums(B) {}
    (stream<int64 n> X; stream<A> Y) = Route(A; B) {
      param how : crossed; keep : 1l, 2l, 2999l, 9l;
    }
    () as PrintS = Custom(S) {
      logic onTuple S : printStringLn("sum " + (rstring) sum + " " + (rstring) bytes);
    }
    // What may be in another process.
    stream<int64 n> C = Beacon() {
      param iterations : 5u;
      output C : n = (int64) IterationCount();
    }
    () as PrintC = Custom(C) { logic onTuple C : printStringLn("C " + (rstring) n); }
    () as PrintX = Custom(X) {
      logic state : mutable int32 windows = 0;
            onTuple X : printStringLn("X " + (rstring) n);
            onPunct X : if (currentPunct() == Sys.WindowMarker) windows++;
                        else printStringLn("X windows " + (rstring) windows);
    }
    () as PrintY = Custom(Y) { logic onTuple Y : printStringLn("Y " + (rstring) n + " " + text); }
}
""",
)
LONG = "a text that is longer than twelve bytes: "
bytes = sum(len(LONG + str(n)) for n in range(3000))
wanted = sorted(
    [f"sum {2 * sum(range(3000))} {bytes}", "X 2", "X windows 3"]
    + [f"Y {n} {LONG}{n}" for n in (1, 2, 9, 2999)]
    + [f"C {n}" for n in range(5)]
)
for mode, options in {**MODES, "two processes": ["--pes=2"]}.items():
    out = sluice("run", program, *options)
    expect(mode, (out.returncode, out.stderr), (0, ""))
    expect(mode, sorted(out.stdout.splitlines()), wanted)

# --- one instance for each channel of a region ---
program = write(
    "app/demo/Regions.spl",
    """namespace demo;
composite Regions {
  graph
    stream<int64 n, rstring text> A = Numbers() { param count : 3000l; }
    @parallel(width = 3)
    stream<int64 sum, int64 bytes> S = Sums(A) {}
    () as Print = Custom(S) {
      logic state : { mutable int64 total = 0l; mutable int32 count = 0; }
            onTuple S : { total += sum; count++; }
            onPunct S : if (currentPunct() == Sys.FinalMarker) { println(total); println(count); }
    }
}
""",
)
for mode, options in MODES.items():
    out = sluice("run", program, *options)
    expect(mode, (out.returncode, out.stdout), (0, f"{sum(range(3000))}\n3\n"))
finish()
