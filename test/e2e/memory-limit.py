# REQUIRES: slow
# RUN: %python %s
"""A program that needs more memory than --memory-limit ends with an error that names the operator
and its place. What sinks have accepted is written, and only whole lines."""

import gzip
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

LIMIT = "--memory-limit=40M"
HINT = "State grows with the input where a window is held by time"
COLLECTION_HINT = "State grows with the input in collections from which nothing is removed."
MODES = {
    "called": ["--elastic=off"],
    "queued": ["--queues=all", "--threads=2"],
    "wide": ["--queues=all", "--threads=2", "--width=2"],
    "deterministic": ["--deterministic"],
}
NUMBERS = """    stream<int64 n> Numbers = Beacon() { output Numbers : n = (int64) IterationCount(); }
"""
STORES = {
    "a window by time": """
    stream<int64 n> Store = Aggregate(Numbers) {
      window Numbers : sliding, time(100000.0), count(1000000000);
      output Store : n = Max(n);
    }""",
    "partitions": """
    stream<int64 n> Store = Aggregate(Numbers) {
      window Numbers : tumbling, count(2), partitioned;
      param partitionBy : n;
      output Store : n = Sum(n);
    }""",
    "groups": """
    stream<int64 n, int64 sum> Store = Aggregate(Numbers) {
      window Numbers : tumbling, time(100000.0);
      param groupBy : n;
      output Store : sum = Sum(n);
    }""",
    "a join": """
    stream<int64 n> Others = Beacon() { output Others : n = -1l; }
    stream<int64 n> Store = Join(Numbers; Others) {
      window Numbers : sliding, time(100000.0);
             Others : sliding, time(100000.0);
      param match : Numbers.n == Others.n;
      output Store : n = Numbers.n;
    }""",
    "a sort": """
    stream<int64 n> Store = Sort(Numbers) {
      window Numbers : tumbling, count(2000000000);
      param sortBy : n;
    }""",
    "a list": """
    stream<int64 n> Passed = Filter(Numbers) { param filter : n >= 0l; }
    stream<int64 n> Store = Custom(Passed) {
      logic state : mutable list<int64> all = [];
            onTuple Passed : appendM(all, n);
    }
    stream<int64 n> More = Functor(Store) { output More : n = n + 1l; }""",
    "a map of rstrings, keyed": """
    stream<int64 n> Store = Custom(Numbers) {
      logic state : mutable map<int64, rstring> names = {};
            onTuple Numbers : {
              names[n] = "a name that is longer than an inline one " + (rstring) n;
              submit({n = (int64) length(names[n])}, Store);
            }
    }
    () as Sink = Custom(Store) { logic onTuple Store : if (n < 0l) println(n); }""",
}


def place(source, name):
    """LINE:COLUMN of the invocation of an operator."""
    with open(source, encoding="ascii") as file:
        for number, line in enumerate(file, 1):
            start = line.find(f"{name} = ")
            if start >= 0:
                return f"{number}:{line.index('= ', start) + 3}"
    raise ValueError(name)


def check(what, out, source, operator, *parts):
    expect(what + ": exit code", out.returncode, 1)
    expect_in(
        what,
        f"{os.path.basename(source)}:{place(source, operator)}: error: operator {operator}: "
        "out of memory: ",
        out.stderr,
    )
    for part in (" were asked for", ", the limit is 40 MiB", *parts):
        expect_in(what, part, out.stderr)
    expect(what + ": one error", out.stderr.count("error:"), 1)


def build(source):
    program = source.removesuffix(".spl")
    built = sluice("build", source, "-o", program, "--boundaries=all")
    expect("building " + source, (built.returncode, "error" in built.stderr), (0, False))
    return program


def execute(program, *options):
    return subprocess.run(
        [program, "--data-dir", DATA, *options],
        capture_output=True,
        text=True,
        cwd=FOLDER,
        timeout=TIMEOUT,
    )


# --- what keeps too much, in memory and ahead of time ---
for store, text in STORES.items():
    source = write("Main.spl", f"composite Main {{\n  graph\n{NUMBERS}{text}\n}}\n")
    hint = COLLECTION_HINT if "Store = Custom" in text else HINT
    program = build(source)
    for mode, options in MODES.items():
        what = f"{store}, {mode}"
        out = execute(program, LIMIT, *options)
        check(what, out, source, "Store", "; its state holds at least ", hint)
    out = sluice("run", source, LIMIT)
    check(f"{store}, in memory", out, source, "Store", "; its state holds at least ", hint)

# --- no state, but a large tuple ---
source = write(
    "Large.spl",
    f"""composite Large {{
  graph
{NUMBERS}
    stream<rstring text> Long = Custom(Numbers) {{
      logic onTuple Numbers : {{
        mutable rstring text = "0123456789abcdef";
        while (length(text) < 1000000000) text = text + text;
        submit({{text = text}}, Long);
      }}
    }}
    stream<rstring text> Next = Functor(Long) {{ output Next : text = text + "!"; }}
}}
""",
)
for mode, options in MODES.items():
    out = sluice("run", source, "--boundaries=none", LIMIT, *options)
    check(
        f"a large tuple, {mode}",
        out,
        source,
        "Numbers",
        "; by it, or by one that is called with it: Long",
        "No large state was found",
    )

# --- another operator holds the memory ---
source = write(
    "Holder.spl",
    f"""composite Holder {{
  graph
    stream<int64 n> Numbers = Beacon() {{
      param iterations : 1000001u;
      output Numbers : n = (int64) IterationCount();
    }}
    () as Keep = Custom(Numbers) {{
      logic state : mutable list<int64> all = [];
            onTuple Numbers : appendM(all, n);
    }}
    stream<rstring text> Long = Custom(Numbers) {{
      logic onTuple Numbers : {{
        mutable rstring text = "0123456789abcdef";
        while (n == 1000000l) text = text + text;
      }}
    }}
}}
""",
)
program = build(source)
for mode, options in MODES.items():
    check(
        f"another operator, {mode}",
        execute(program, LIMIT, *options),
        source,
        "Long",
        f"{place(source, 'Keep')}: operator Keep holds the most state: at least ",
        COLLECTION_HINT,
    )

# --- what was accepted before is written ---
source = write(
    "Sinks.spl",
    f"""composite Sinks {{
  graph
{NUMBERS}
    stream<int64 n> Some = Functor(Numbers) {{ param filter : n % 1000l == 0l; }}
    () as Plain = FileSink(Some) {{ param file : "plain.csv"; }}
    () as Packed = FileSink(Some) {{ param file : "packed.csv.gz"; compression : gzip; }}
    () as Shown = FileSink(Some) {{ param file : "/dev/stdout"; }}
    () as Store = Custom(Numbers) {{
      logic state : mutable list<int64> all = [];
            onTuple Numbers : appendM(all, n);
    }}
}}
""",
)
program = build(source)
for boundaries in ("all", "none"):
    for mode, options in MODES.items():
        what = f"sinks, {mode}, boundaries: {boundaries}"
        if boundaries == "all":
            out = execute(program, LIMIT, *options)
        else:
            out = sluice("run", source, "--data-dir", DATA, "--boundaries=none", LIMIT, *options)
        check(what, out, source, "Store")
        with open(os.path.join(DATA, "plain.csv"), encoding="ascii") as file:
            plain = file.read()
        with gzip.open(os.path.join(DATA, "packed.csv.gz"), "rt") as file:
            packed = file.read()
        for name, text in (("plain", plain), ("packed", packed), ("shown", out.stdout)):
            numbers = [int(line) for line in text.splitlines()]
            expect(f"{what}: {name}: whole lines", text[-1:], "\n")
            expect(
                f"{what}: {name}: no gaps", numbers, list(range(0, 1000 * len(numbers), 1000))
            )
            expect(f"{what}: {name}: most were written", len(numbers) > 500, True)

# --- limits ---
for limit in ("0", "x", "-1", "10X", "M"):
    out = sluice("run", source, f"--memory-limit={limit}")
    expect("a wrong limit: exit code", out.returncode, 2)
    expect_in("a wrong limit", "--memory-limit needs a size like 512M or 2G", out.stderr)
out = execute(program, "--memory-limit=1K")
expect("less than a program begins with: exit code", out.returncode, 1)
expect_in("less than a program begins with", "error: out of memory", out.stderr)
finish()
