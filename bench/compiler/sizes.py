"""Programs with much of one thing, such as a list of 16,000 numbers: what `sluice run` takes for
them. test/e2e/compiler checks that time grows with the size."""

import os
import statistics

from large import timed
from timing import say


def custom(expression, functions=""):
    return f"""{functions}composite Main {{ graph
  stream<int32 i> In = Beacon() {{ param iterations : 1u; output In : i = 7; }}
  () as Out = Custom(In) {{ logic onTuple In : println({expression}); }}
}}
"""


def joined(n, text, separator=", "):
    return separator.join(text.format(i) for i in range(n))


def numbers(n):
    return custom(f"[{joined(n, '{0}')}][i]")


def entries(n):
    return custom(f'{{{joined(n, "{0} : [{0}, 2]")}}}[i]')


def tuples(n):
    items = ", ".join(f'{{a = {i}, b = [true, false], c = "c{i}"}}' for i in range(n))
    return custom(f"[{items}][i]")


def functor(to, source):
    return f"  stream<int32 i> {to} = Functor({source}) {{ output {to} : i = i + 1; }}\n"


def beacon(name):
    return f"""  stream<int32 i> {name} = Beacon() {{
    param iterations : 1u;
    output {name} : i = 7;
  }}
"""


def row(n):
    chain = "".join(functor(f"S{i}", f"S{i - 1}") for i in range(1, n - 1))
    sink = f"  () as Out = Custom(S{n - 2}) {{ logic onTuple S{n - 2} : println(i); }}\n"
    return f"composite Main {{ graph\n{beacon('S0')}{chain}{sink}}}\n"


def chain(c, operators):
    steps = "".join(functor(f"S{c}x{i}", f"S{c}x{i - 1}") for i in range(1, operators - 1))
    last = f"S{c}x{operators - 2}"
    sink = f"""  () as Out{c} = Custom({last}) {{ logic
    state : mutable int32 n = 0;
    onTuple {last} : n += i; }}
"""
    return beacon(f"S{c}x0") + steps + sink


def chains(n):
    return "composite Main { graph\n" + "".join(chain(c, 10) for c in range(n)) + "}\n"


def attributes(n):
    return f"""composite Main {{ type T = {joined(n, "int32 a{0}")};
graph
  stream<T> In = Beacon() {{ param iterations : 1u; output In : {joined(n, "a{0} = {0}")}; }}
  stream<T> More = Functor(In) {{ output More : a0 = a1 + a{n - 1}; }}
  () as Out = Custom(More) {{ logic onTuple More : println(a0); }}
}}
"""


def functions(lines):
    """Functions of ten lines, of which each calls the one before."""
    first = "int32 f0(int32 a) { return a; }\n"
    more = "".join(
        f"""int32 f{i}(int32 a) {{
  mutable int32 x = f{i - 1}(a);
  for (int32 j in range(a)) {{
    if (x % 2 == 0)
      x += j;
    else
      x -= {i};
  }}
  return x;
}}
"""
        for i in range(1, lines // 10)
    )
    return custom(f"f{lines // 10 - 1}(i)", first + more)


PROGRAMS = {
    "a list of 16,000 numbers": (numbers, 16_000),
    "a map of 5,000 entries": (entries, 5000),
    "a list of 5,000 tuples": (tuples, 5000),
    "5,000 operators in a row": (row, 5000),
    "500 chains of 10 operators": (chains, 500),
    "a tuple of 1,000 attributes": (attributes, 1000),
    "functions of 10,000 lines": (functions, 10_000),
}


def measure(programs, quick, runs):
    """Name -> seconds of processor time, the median; in a quick look of a tenth of the size."""
    found = {}
    for name, (make, size) in PROGRAMS.items():
        say(f"compile: {name}")
        folder = programs.path(f"size-{make.__name__}")
        os.makedirs(folder, exist_ok=True)  # of its own: see large.py
        source = os.path.join(folder, "Main.spl")
        with open(source, "w", encoding="utf-8") as file:
            file.write(make(size // 10 if quick else size))
        command = [programs.driver, "run", "-w", source]
        found[name] = statistics.median(timed(command, name)[1] for _ in range(runs))
    return found
