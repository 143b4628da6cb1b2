# REQUIRES: slow
# RUN: %python %s
"""What is wrong with the C++ of toolkits is said where it is: in XML, C++, or at the call."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402
import subprocess  # noqa: E402

os.environ["SLUICE_CACHE"] = os.path.join(FOLDER, "cache")


def model(*prototypes, header="f.h"):
    functions = "".join(
        f"  <function><prototype><![CDATA[{text}]]></prototype></function>\n" for text in prototypes
    )
    return (
        f"<functionModel>\n<functionSet><headerFileName>{header}</headerFileName><functions>\n"
        f"{functions}</functions></functionSet>\n</functionModel>\n"
    )


def kit(name, functions=None, header="", source=""):
    if functions:
        write(f"{name}/k/native.function/f.xml", functions)
    write(f"{name}/impl/include/f.h", header)
    write(f"{name}/impl/src/f.cpp", source)
    return os.path.join(FOLDER, name)


def program(statements, catch=""):
    return write(
        "app/Main.spl",
        "use k::*;\ncomposite Main {\n  graph\n    stream<int32 n> A = Beacon() {\n"
        "      param iterations : 3;\n      output A : n = (int32) IterationCount();\n    }\n"
        f"    {catch}\n    () as B = Custom(A) {{ logic onTuple A : {{\n{statements}\n"
        "    } }\n}\n",
    )


def fails(what, code, part, *args):
    out = sluice(*args)
    expect(what, out.returncode, code)
    expect_in(what, part, out.stderr)


# --- whose C++ runs ---
good = kit(
    "good",
    model("public int32 half(int32 n)", "public void log(rstring s)"),
    "#include <stdexcept>\n#include <SPL/Types.h>\nnamespace k {\ninline int half(int n) {\n"
    '  if (n % 2) throw std::runtime_error("odd");\n  return n / 2;\n}\n'
    "inline void log(const SPL::rstring &) {}\n}\n",
)
main = program("println(half(n * 2)); log((rstring) n);")
fails(
    "it has to be allowed",
    1,
    "Main.spl:10:9: error: `half` is C++ of the toolkit",
    "run",
    main,
    "-t",
    good,
)
fails(
    "for build, too",
    1,
    ", which may do whatever you may: write `--allow-native` if you trust it",
    "build",
    main,
    "-t",
    good,
)
expect("check compiles nothing", sluice("check", main, "-t", good).returncode, 0)
out = sluice("run", main, "-t", good, "--allow-native")
expect("it runs", (out.returncode, out.stdout, out.stderr), (0, "0\n1\n2\n", ""))

# --- exceptions ---
main = program("println(half(n));")
args = ["run", main, "-t", good, "--allow-native"]
fails("an exception is the operator's failure", 1, "half: odd", *args)
fails("at the call", 1, "Main.spl:10:9", *args)
main = program("println(half(n));", catch="@catch(exception = all)")
out = sluice("run", main, "-t", good, "--allow-native")
expect("@catch catches it", (out.returncode, out.stdout), (0, "0\n1\n"))

# --- crashes ---
wild = kit(
    "wild",
    model("public int32 half(int32 n)"),
    "#include <csignal>\n#include <cstdlib>\nnamespace k {\ninline int half(int n) {\n"
    "  if (n == 0) raise(SIGSEGV);\n  if (n == 1) abort();\n  return n / 2;\n}\n}\n",
)
for n, reason in ((0, "Segmentation fault"), (1, "Aborted")):
    main = program(f"println(half({n}));")
    text = f"sluice: error: half, C++ of a toolkit, crashed: {reason}\n"
    out = sluice("run", main, "-t", wild, "--allow-native")
    expect("a crash is not ours", (out.returncode, out.stderr), (1, text))
    expect("build", sluice("build", main, "-t", wild, "--allow-native").returncode, 0)
    out = subprocess.run(
        [os.path.join(FOLDER, "Main")], capture_output=True, text=True, timeout=60
    )
    expect("of an executable", (out.returncode, out.stderr), (1, text))
    os.remove(os.path.join(FOLDER, "Main"))

# --- calls ---
main = program('println(half("x"));')
fails("types are checked", 1, "Main.spl:10", "check", main, "-t", good)
fails("the prototype is shown", 1, "f.xml:3", "check", main, "-t", good)

# --- another target ---
write("bin/clang++-22", "#!/bin/sh\necho libstdc++.a\n")  # it finds no library
os.chmod(os.path.join(FOLDER, "bin/clang++-22"), 0o755)
path = os.environ["PATH"]
os.environ["PATH"] = os.path.join(FOLDER, "bin") + ":" + path
main = program("println(half(n));")
args = ["build", main, "-t", good, "--allow-native", "--target=powerpc64le-linux-gnu"]
fails("the package is named", 1, "is missing: install libstdc++-12-dev-ppc64el-cross\n", *args)
os.environ["PATH"] = path

# --- XML ---
bad = kit("bad", "<functionModel>\n<functionSet>\n</functionModel>\n")
main = program("println(half(n));")
fails("no XML", 1, "f.xml:3:3: error: the model cannot be read:", "check", main, "-t", bad)
for text in (" ", "garbage", "<functionModel>", "<functionModel>\n<functionSet>\n"):
    bad = kit("broken", text)
    out = sluice("check", main, "-t", bad)
    expect("one error, that of the model", out.stderr.count("error:"), 1)
    expect_in(text, "f.xml:", out.stderr)
bad = kit("syntax", model("public int32 half(int32 n", "public int32 other(int32 n)"))
fails("no prototype", 1, "f.xml:3:", "check", main, "-t", bad)
bad = kit("types", model("public int32 half(integer n)"))
fails("no type", 1, "f.xml:3:", "check", main, "-t", bad)

# --- C++ ---
bad = kit("missing", model("public int32 half(int32 n)"), "namespace k {}\n")
fails("no function: at the prototype", 1, "f.xml:3:", "run", main, "-t", bad, "--allow-native")
bad = kit(
    "wrong",
    model("public int32 half(int32 n)"),
    "namespace k { int half(int); }\n",
    "\n\nint x = y;\n",
)
fails("wrong C++: at its line", 1, "f.cpp:3:9: error", "run", main, "-t", bad, "--allow-native")
fails("when building, too", 1, "f.cpp:3:9: error", "build", main, "-t", bad, "--allow-native")
bad = kit("undefined", model("public int32 half(int32 n)"), "namespace k { int half(int); }\n")
fails("no definition", 1, "k::half", "build", main, "-t", bad, "--allow-native")
fails("no definition, run", 1, "half", "run", main, "-t", bad, "--allow-native")

# --- libraries of the system ---
zlib = kit(
    "zlib",
    model("public uint32 check(rstring s)")
    .replace(
        "</functionSet>",
        "<dependencies><library><cmn:managedLibrary><cmn:lib>z</cmn:lib></cmn:managedLibrary>"
        "</library></dependencies></functionSet>",
    )
    .replace("<functionModel>", '<functionModel xmlns:cmn="common">'),
    "#include <SPL/Types.h>\n#include <zlib.h>\nnamespace k {\n"
    "inline SPL::uint32 check(const SPL::rstring &s) {\n"
    "  return crc32(0, reinterpret_cast<const Bytef *>(s.data()), s.size());\n}\n}\n",
)
main = program('if (n == 0) println(check("123456789"));')
out = sluice("run", main, "-t", zlib, "--allow-native")
expect("a library is linked", (out.returncode, out.stdout, out.stderr), (0, "3421780262\n", ""))

# --- the cache ---
write("file", "")
out = sluice(
    "run", main, "-t", zlib, "--allow-native", env=dict(os.environ, SLUICE_CACHE=FOLDER + "/file")
)
expect("no cache", out.returncode, 1)
expect_in("says which", "SLUICE_CACHE names another folder", out.stderr)

# --- other XML ---
write("app/data/data.xml", "<data><broken>")
main = program("println(half(n * 2));")
expect("is left alone", sluice("check", main, "-t", good).stderr, "")

# --- operators ---
MODEL = """<operatorModel>
  <%sOperatorModel>
    <context/>
    <parameters><parameter><name>by</name><optional>true</optional>
      <expressionMode>AttributeFree</expressionMode><type>%s</type></parameter></parameters>
    <inputPorts><inputPortSet>%s</inputPortSet></inputPorts>
    <outputPorts><outputPortSet/></outputPorts>
  </%sOperatorModel>
</operatorModel>
"""


def operator(name, source="", of="cpp", type="int32", port="", more=None):
    write(f"ops/k/{name}/{name}.xml", MODEL % (of, type, port, of))
    if source:
        write(f"ops/k/{name}/{name}.cpp", source)
    for path in more or []:
        write(f"ops/k/{name}/{path}", "")


CODE = """#include <sluice/operator.h>
#include <csignal>
#include <stdexcept>
class Op : public sluice::Operator {
  void start() override { in = input<SPL::%s>("n"); by = parameter<SPL::int32>("by", 1); }
  void process(sluice::InTuple tuple, uint32_t) override {
    sluice::OutTuple out(*this);
    if (tuple.get(in) == 2 && by < 0) throw std::runtime_error("by is negative");
    if (by == 77) raise(SIGSEGV);
    out.set(output<SPL::int32>("n"), tuple.get(in) + by);
    submit(out);
  }
  sluice::Attribute<SPL::%s> in; int by;
};
SLUICE_OPERATOR("k::%s", Op)
"""
operator("Add", CODE % ("int32", "int32", "Add"))
operator("Typed", CODE.replace("tuple.get(in) + by", "by") % ("int64", "int64", "Typed"))
operator("Templates", more=["Templates_cpp.cgt", "Templates_h.cgt"])
operator("Java", of="java")
operator("Gone")
operator("Windowed", "x", port="<windowingMode>Windowed</windowingMode>")
ops = os.path.join(FOLDER, "ops")


def uses(name, params=""):
    return write(
        "app/Main.spl",
        "composite Main {\n  graph\n    stream<int32 n> A = Beacon() { param iterations : 3;"
        f" output A : n = (int32) IterationCount(); }}\n"
        f"    stream<int32 n> B = k::{name}(A) {{ {params} }}\n"
        "    () as C = Custom(B) { logic onTuple B : println(n); }\n}\n",
    )


run = ["run", os.path.join(FOLDER, "app/Main.spl"), "-t", ops, "--allow-native"]
uses("Add", "param by : 10;")
out = sluice(*run)
expect("an operator", (out.returncode, out.stdout, out.stderr), (0, "10\n11\n12\n", ""))
uses("Add", "param by : -1;")
fails("its exception", 1, "by is negative", *run)
fails("names the operator", 1, "B", *run)
uses("Add", "param by : 77;")
fails("its crash", 1, "error: k::Add, C++ of a toolkit, crashed: Segmentation fault\n", *run)
uses("Add", 'param by : "x";')
fails("parameters are checked", 1, "Main.spl:4:", *run)
uses("Add", "param bye : 1;")
fails("unknown ones, too", 1, "did you mean `by`", *run)
uses("Typed")
fails("attributes are checked", 1, "attribute n has another type", *run)
uses("Templates")
fails("templates", 1, "Templates_cpp.cgt is a template of IBM's code generator", *run)
uses("Java")
fails(
    "Java",
    1,
    "Main.spl:4:28: error: the operator `k::Java` cannot be used: it is written in Java",
    *run,
)
uses("Gone")
fails("no code", 1, "Gone.cpp` is not there", *run)
uses("Windowed", "window A : tumbling, count(2);")
fails("windows", 1, "its ports have windows", *run)
finish()
