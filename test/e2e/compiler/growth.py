# REQUIRES: slow
# RUN: %python %s
# UNSUPPORTED: sanitized
"""Compiling takes time in proportion to the program. Each program is made in two sizes; eight times
the size may take at most 24 times the processor time (quadratic growth would be 64). What an empty
program takes is subtracted. What each program prints is checked, too."""

import os

from Inputs.support import expect, finish, sluice, write

STEP = 8
MOST = 24
LEAST = 0.05  # seconds, as times are those of a clock that ticks each 10 ms


def custom(expression, functions=""):
    return f"""{functions}composite Main {{ graph
  stream<int32 i> In = Beacon() {{ param iterations : 1u; output In : i = 7; }}
  () as Out = Custom(In) {{ logic onTuple In : println({expression}); }}
}}
"""


def joined(n, text, separator=", "):
    return separator.join(text.format(i) for i in range(n))


def numbers(n):
    return custom(f"[{joined(n, '{0}')}][i]"), "7"


def texts(n):
    return custom(f'[{joined(n, chr(34) + "text {0}" + chr(34))}][i]'), '"text 7"'


def booleans(n):
    items = ", ".join("true" if i % 3 == 1 else "false" for i in range(n))
    return custom(f"[{items}][i]"), "true"


def entries(n):
    return custom(f'{{{joined(n, "{0} : [{0}, 2]")}}}[i]'), "[7,2]"


def members(n):
    return custom(f"(i in {{{joined(n, '{0}')}}} ? 1 : 0)"), "1"


def tuples(n):
    items = ", ".join(f'{{a = {i}, b = [true, false], c = "c{i}"}}' for i in range(n))
    return custom(f"[{items}][i]"), '{a=7,b=[true,false],c="c7"}'


def computed(n):
    return custom(f"[{joined(n, 'i + {0}')}][i]"), "14"


def sums(n):
    return custom(joined(n, "i", " + ")), str(7 * n)


def statements(n):
    body = joined(n, " x = x * 3 + {0}; if (x > 1000) x -= 1000 * (x / 1000);\n", "")
    x = 7
    for i in range(n):
        x = x * 3 + i
        x -= 1000 * (x // 1000) if x > 1000 else 0
    function = f"int32 f(int32 i) {{ mutable int32 x = i;\n{body} return x; }}\n"
    return custom("f(i)", function), str(x)


def library(n):
    first = "int32 f0(int32 a) { return a; }\n"
    more = "".join(
        f"int32 f{i}(int32 a) {{ mutable int32 x = f{i - 1}(a);\n"
        f" for (int32 j in range(a)) {{\n  if (x % 2 == 0) x += j;\n }}\n return x; }}\n"
        for i in range(1, n)
    )
    x = 7
    for _ in range(1, n):
        for j in range(7):
            x += j if x % 2 == 0 else 0
    return custom(f"f{n - 1}(i)", first + more), str(x)


def attributes(n):
    program = f"""composite Main {{ type T = {joined(n, "int32 a{0}")};
graph
  stream<T> In = Beacon() {{ param iterations : 1u; output In : {joined(n, "a{0} = {0}")}; }}
  stream<T> More = Functor(In) {{ output More : a0 = a1 + a{n - 1}; }}
  () as Out = Custom(More) {{ logic onTuple More : println(a0); }}
}}
"""
    return program, str(n)


def row(n):
    streams = "".join(
        f"  stream<int32 i> S{i} = Functor(S{i - 1}) {{ output S{i} : i = i + 1; }}\n"
        for i in range(1, n)
    )
    program = f"""composite Main {{ graph
  stream<int32 i> S0 = Beacon() {{ param iterations : 1u; output S0 : i = 7; }}
{streams}  () as Out = Custom(S{n - 1}) {{ logic onTuple S{n - 1} : println(i); }}
}}
"""
    return program, str(n + 6)


def branches(n):
    """Each branch prints to one place, so that their order matters."""
    sinks = "".join(
        f"  stream<int32 i> S{i} = Functor(In) {{ output S{i} : i = i + {i}; }}\n"
        f"  () as Out{i} = Custom(S{i}) {{ logic onTuple S{i} : println(i); }}\n"
        for i in range(n)
    )
    program = f"""composite Main {{ graph
  stream<int32 i> In = Beacon() {{ param iterations : 1u; output In : i = 7; }}
{sinks}}}
"""
    return program, "\n".join(str(7 + i) for i in range(n))


def chains(n):
    """Sources with a few operators each."""
    graph = "".join(
        f"""  stream<int32 i> A{i} = Beacon() {{ param iterations : 1u; output A{i} : i = {i}; }}
  stream<int32 i> B{i} = Functor(A{i}) {{ output B{i} : i = i + 1; }}
  () as C{i} = Custom(B{i}) {{ logic state : mutable int32 n = 0; onTuple B{i} : n += i; }}
"""
        for i in range(n)
    )
    return f"composite Main {{ graph\n{graph}}}\n", ""


PROGRAMS = {
    numbers: 5000,
    texts: 3000,
    booleans: 6000,
    entries: 500,
    members: 3000,
    tuples: 500,
    computed: 300,
    sums: 100,
    statements: 300,
    library: 80,
    attributes: 120,
    row: 100,
    branches: 30,
    chains: 40,
}


def seconds(name, program, wanted):
    """The processor time of compiling and running it."""
    path = write(f"{name}.spl", program)
    before = os.times()
    out = sluice("run", "-w", path)
    after = os.times()
    expect(f"{name}: exit code", (out.returncode, out.stderr), (0, ""))
    expect(f"{name}: output", out.stdout.strip(), wanted)
    return (after.children_user - before.children_user) + (
        after.children_system - before.children_system
    )


def growth(make, size):
    """How many times longer the larger program takes."""
    least = seconds("nothing", custom("i"), "7")
    small = seconds(f"{make.__name__}{size}", *make(size)) - least
    large = seconds(f"{make.__name__}{size * STEP}", *make(size * STEP)) - least
    print(f"{make.__name__:12} {size:6}: {small:6.3f} s   {size * STEP:6}: {large:6.3f} s")
    return large / max(small, LEAST)


for make, size in PROGRAMS.items():
    found = growth(make, size)
    for _ in range(2):  # where others have the processors, caches are cold in some runs
        if found > MOST:
            found = min(found, growth(make, size))
    if found > MOST:
        expect(f"{make.__name__}: the growth of {STEP} times the size", found, MOST)
finish()
