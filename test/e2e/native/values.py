# REQUIRES: slow
# RUN: %python %s
"""Values of all types go through native functions and come back as they were; templates, mutable
arguments, enumerations and nested tuples; the same in a built program, for ppc64le, too."""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, expect, finish, sluice, write  # noqa: E402

VALUES = {
    "boolean": ["true", "false"],
    "int8": ["-128b", "127b"],
    "int16": ["-32768h"],
    "int32": ["-2147483647"],
    "int64": ["-9223372036854775807l"],
    "uint8": ["255ub"],
    "uint16": ["65535uh"],
    "uint32": ["4294967295u"],
    "uint64": ["18446744073709551615ul"],
    "float32": ["1.5w", "-0.25w"],
    "float64": ["1.0e300", "-0.0"],
    "decimal32": ["1.50dw"],
    "decimal64": ["(decimal64) 12.345"],
    "decimal128": ["(decimal128) 12.345"],
    "complex32": ["(complex32) [1.0, 2.0]"],
    "complex64": ["(complex64) [1.0, -2.0]"],
    "timestamp": ["createTimestamp(12l, 34u, 5)"],
    "rstring": ['""', '"short"', '"longer than twelve bytes"', '"\\0 in it"'],
    "ustring": ['"caf\\u00e9 with a long tail"u', '""u'],
    "blob": ["(blob) [1ub, 2ub, 255ub]", "(blob) (list<uint8>) []"],
    "list<rstring>": ['["a", "longer than twelve bytes"]', "[]"],
    "list<boolean>": ["[true, false]"],
    "set<int32>": ["{3}", "{}"],
    "map<rstring, list<int32>>": ['{"k" : [1, 2]}', "{}"],
    "list<map<int32, set<rstring>>>": ['[{1 : {"x"}}, {}]'],
    "optional<rstring>": ['"x"', "null"],
    "list<optional<int32>>": ["[1, null]"],
    "tuple<int8 a, float64 b, rstring c>": ['{a = 1b, b = 2.0, c = "three"}'],
    "tuple<boolean b, tuple<rstring s, list<int64> l> t>": [
        '{b = true, t = {s = "in", l = [1l, 2l]}}'
    ],
    "enum{red, green}": ["green"],
    "rstring[4]": ['"abcd"'],
}

write(
    "app/demo/native.function/all.xml",
    """<functionModel><functionSet><headerFileName>all.h</headerFileName><functions>
  <function><prototype><![CDATA[<any T> public T same(T value)]]></prototype></function>
  <function><prototype>&lt;any T&gt; public void change(mutable T to, T from)</prototype></function>
  <function><prototype>public rstring colour(enum{red, green} c)</prototype>
    <cppName>nameOf</cppName></function>
  <function><prototype>public stateful int32 next()</prototype></function>
  <function><prototype>public uint64 distinct(set&lt;int32&gt; values)</prototype></function>
  <function><prototype>public map&lt;int32, rstring&gt; table(int32 n)</prototype></function>
</functions></functionSet></functionModel>
""",
)
write(
    "app/impl/include/all.h",
    """#pragma once
#include <SPL/Runtime/Function/SPLFunctions.h>
namespace demo {
template <class T> T same(const T &value) { return value; }
template <class T> void change(T &to, const T &from) { to = from; }
template <class E> SPL::rstring nameOf(E e) { return e.getValue(); }
SPL::int32 next();
inline SPL::uint64 distinct(const SPL::set<SPL::int32> &values) { return values.size(); }
SPL::map<SPL::int32, SPL::rstring> table(SPL::int32 n);
}
""",
)
write(
    "app/impl/src/all.cpp",
    """#include "all.h"
SPL::int32 demo::next() { static SPL::int32 count = 0; return ++count; }
SPL::map<SPL::int32, SPL::rstring> demo::table(SPL::int32 n) {
  SPL::map<SPL::int32, SPL::rstring> result;
  for (SPL::int32 i = 0; i < n; ++i)
    result[i] = "the number " + std::to_string(i);
  return result;
}
""",
)
lines, wanted = [], []
for number, (spl, values) in enumerate(VALUES.items()):
    for at, value in enumerate(values):
        name = f"v{number}_{at}"
        lines.append(f"{spl} {name} = {value};")
        lines.append(f"mutable {spl} m{name} = {name};")
        lines.append(f"change(m{name}, {name});")
        lines.append(
            f'printStringLn("{name} " + (rstring) (same({name}) == {name} && m{name} == {name}));'
        )
        wanted.append(f"{name} true")
# Sets and maps with an index are found in.
lines.append("map<int32, rstring> t = table(100);")
lines.append('printStringLn(t[77] + " of " + (rstring) size(t));')
lines.append("printStringLn((rstring) distinct({1, 2, 3}) + colour(green));")
lines.append("println(next()); println(next());")
wanted += ["the number 77 of 100", "3green", "1", "2"]
program = write(
    "app/demo/Main.spl",
    "namespace demo;\ncomposite Main {\n  graph\n    () as Test = Custom() { logic onProcess : {\n"
    + "\n".join(lines)
    + "\n} }\n}\n",
)


def check(what, out):
    expect(what, (out.returncode, out.stderr), (0, ""))
    expect(what, out.stdout.splitlines(), wanted)


os.environ["SLUICE_CACHE"] = os.path.join(FOLDER, "cache")
check("run", sluice("run", program))
before = sorted(os.listdir(os.path.join(FOLDER, "cache", "native")))
check("run again", sluice("run", program, "--deterministic"))
expect(
    "nothing is compiled again", sorted(os.listdir(os.path.join(FOLDER, "cache", "native"))), before
)
expect(
    "no rests", [name for name in before if not re.fullmatch(r"[0-9a-f]{32}\.(o|so|cpp)", name)], []
)
for name, target, runner in (
    ("here", [], []),
    (
        "ppc64le",
        ["--target=powerpc64le-linux-gnu"],
        ["qemu-ppc64le-static", "-L", "/usr/powerpc64le-linux-gnu"],
    ),
):
    expect(name, sluice("build", program, "-o", name, *target).returncode, 0)
    path = os.path.join(FOLDER, name)
    check(name, subprocess.run([*runner, path], capture_output=True, text=True, timeout=120))
finish()
