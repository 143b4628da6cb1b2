# REQUIRES: slow
# RUN: %python %s
"""sluice doc explains every operator of the toolkit, and each function that there is."""

import functools
import glob
import os
import re

from Inputs.support import expect, expect_in, finish, sluice

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")


@functools.lru_cache
def doc(*name):
    out = sluice("doc", *name)
    expect(f"doc {name}", (out.returncode, out.stderr), (0, ""))
    return out.stdout


listed = doc()
for path in glob.glob(os.path.join(ROOT, "stdlib", "operators", "*", "*.spl")):
    name = os.path.splitext(os.path.basename(path))[0]
    with open(path, encoding="utf-8") as file:
        declaration = file.read()
    if f"operator {name} " not in declaration or "namespace sluice.lang" in declaration:
        continue  # a test, or a part of SPL itself
    expect_in("doc", f"\n  {name}\n      ", listed)
    page = doc(name)
    parameters = re.search(r"\n  param\b(.*?)(\n  function|\n  config|\n})", declaration, re.S)
    for parameter in re.findall(r"^\s*(\w+)\s*:", parameters.group(1) if parameters else "", re.M):
        expect_in(f"doc {name}", f"\n  {parameter} ", page)

# Pages, with their tables, fit into a terminal of 80 columns.
for name in re.findall(r"^  (\w+)$", listed, re.M):
    wide = [line for line in doc(name).splitlines() if len(line) > 80]
    expect(f"doc {name}: lines", wide, [])
    expect(f"doc {name}: rows of tables", "|--" in doc(name), False)
policies = doc("TCPSource").split("with a warning")[0]
expect_in("a table", "InfiniteRetry (default)  it waits for another one ", policies)
expect_in("a table", "\n  NoRetry                  it ends ", policies)

expect_in("an output function", "SampleStdDev(T value)\n      The standard", doc("Aggregate"))
expect_in("a parameter", "one of inner, outer, leftOuter, rightOuter", doc("Join"))
expect_in("overloads", "int32 findFirst(rstring text, rstring what, int32 start)", doc("findFirst"))
expect_in("a whole name", "a function of spl.math", doc("spl.math::abs"))
expect_in("what is planned", "not in this release", doc("UDPSink"))
packing = re.search(r"^  compression .*", doc("FileSource"), re.M).group(0)
expect_in("literals", "one of zlib, gzip, bzip2", packing)
for operator, parameter, words in (
    ("Throttle", "rate", "above 0"),
    ("Throttle", "period", "not below 0"),
    ("Beacon", "iterations", "not below 0"),
    ("Gate", "maxUnackedTupleCount", "required; above 0"),
):
    said = re.search(rf"^  {parameter} .*(\n {{9,}}.*)*", doc(operator), re.M).group(0)
    expect_in(f"{operator}: {parameter}", words, " ".join(said.split()))
for namespace, text in (
    ("spl.utility", "Printing, reports, and what surrounds a program. "),
    ("spl.utility", "The job, its host, application configurations, and streams between jobs."),
    ("spl.adapter", "Operators that connect a program with the world outside."),
):
    expect_in(namespace, text, " ".join(doc(namespace).split()) + " ")
for namespace in re.findall(r"^  (spl\.?\S*)$", listed, re.M):
    expect_in(namespace, f"namespace {namespace}\n", doc(namespace))
for part, lines in (
    ("hasHeader", ["parameter hasHeaderLine of FileSource: "]),
    ("HASHEADERLINE", ["parameter hasHeaderLine of FileSource: "]),
    ("countBy", ["  <any T> list<int32> CountByDistinct(T value)"]),
    ("partitionby", ["parameter partitionBy of Aggregate: ", "parameter partitionByLHS of Join: "]),
):
    for line in lines:
        expect_in(f"doc {part}", line, doc(part))

# --- words that are no names: all pages are searched ---
for words, pages in (
    (["late"], ["docs/windows.md:"]),
    (["watermark"], ["docs/windows.md:"]),
    (["how", "to", "read", "csv"], ["operator FileSource", "docs/"]),
    (["how to read csv"], ["operator FileSource", "README.md:"]),
    (["several machines"], ["docs/processes.md:"]),
    (["checkpoints"], ["README.md:"]),
    (["LATE tuples"], ["docs/windows.md:"]),
):
    text = doc(*words)
    expect_in(f"doc {words}", "Nothing is called `" + " ".join(words) + "`", text)
    expect_in(f"doc {words}", "\nPages, in ", text)
    for page in pages:
        expect_in(f"doc {words}", page, text)
    folder = re.search(r"Pages, in (.*)", text).group(1)
    for path, line, heading in re.findall(r"^  (\S+\.md):(\d+): (.*)$", text, re.M):
        with open(os.path.join(folder, path), encoding="utf-8") as file:
            expect_in(f"{path}:{line}", heading, file.read().splitlines()[int(line) - 1])
out = sluice("doc", "xylophone", "zugzwang")
expect("what no page has", out.returncode, 1)
expect_in("what no page has", "have no `xylophone zugzwang`", out.stderr)

# --- words of the language ---
with open(os.path.join(ROOT, "frontend", "syntax", "SPL.g4"), encoding="utf-8") as file:
    grammar = file.read()
tokens = grammar[grammar.index("AS : 'as'") : grammar.index("RESERVED :")]
keywords = set(re.findall(r"'(\w+)'", tokens)) - {"var"}  # which SPL keeps for later
with open(os.path.join(ROOT, "frontend/sema/expr/call/Intrinsic.cpp"), encoding="utf-8") as file:
    known = set(re.findall(r'\{"(\w+)", Intrinsic::', file.read()))
with open(os.path.join(ROOT, "frontend/sema/graph/Annotation.cpp"), encoding="utf-8") as file:
    annotations = set(re.findall(r'\{"(\w+)",\s*(?:true|false),', file.read()))
annotations -= {name for name in annotations if name.startswith("spl_")}
expect("they were found", min(map(len, (keywords, known, annotations))) > 6, True)
words = set(re.findall(r"\w+", listed.split("\nWords of the language\n")[1]))
expect("all words are listed", (keywords | known | annotations) - words, set())
for name, text in (
    ("window", "window S : sliding, count(10), count(1);"),
    ("parallel", "@parallel(width = 4"),
    ("@parallel", "@parallel(width = 4"),
    ("param", "parameters"),
    ("logic", "onTuple S : println(++n);"),
    ("rstring", "holds at most 8 bytes"),
    ("blob", "two hexadecimal digits a byte"),
    ("submit", "submit({x = 1}, Out);"),
    ("optional", "`x ?: y` is its value"),
    ("queue", "Sys.DropLast drops what comes"),
    ("history", "S[0] is the current tuple"),
    ("decimal64", "1.10d is exact"),
    ("complex32", "(complex64) [1.0, -2.0]"),
    ("partitionIsolation", "config placement : partitionColocation"),
    ("Sys", "Sys.LogLevel = enum{error, info, debug, trace}"),
    ("Sys.LogLevel", "Sys.LogLevel = enum{"),
    ("spl::Trace", "Trace.Level = enum{error, warn, info, debug, trace}"),
    ("Log", "Levels of appLog()."),
):
    expect_in(f"doc {name}", text, doc(name))
expect_in("types of a namespace", "The types of Sys", doc("spl"))
parallel = doc("HTTPParallelRequest")
expect_in("a composite", "composite com.ibm.streamsx.inet.http::HTTPParallelRequest", parallel)
expect_in("its parameters", "expression<int32> $width : 8", parallel)
expect_in("its types", "HTTPParallelRequest.HttpMethod = enum{httpGet,", parallel)
expect_in("a search", "composite HTTPParallelRequest", doc("parallelrequest"))
for name in words:  # what is said to be worth seeing is there
    page = doc(name)
    expect(f"{name} is there", "not in this release" in page, False)
    for other in re.findall(r"See also: (.*)", page)[:1]:
        for see in other.split(", "):
            if see.startswith("docs/"):
                expect(f"{name}: {see}", os.path.exists(os.path.join(ROOT, see)), True)
            else:
                doc(see)

out = sluice("doc", "Agregate")
expect("a name that is not there", (out.returncode, out.stdout), (1, ""))
expect_in("a name that is not there", "did you mean `Aggregate`?", out.stderr)
finish()
