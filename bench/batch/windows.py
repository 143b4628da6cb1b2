"""A workload of W8 in a batch engine, on one thread: windows.py duckdb|polars|datafusion NAME PASSES.

The tables are in memory before the clock starts. Prints how many tuples they have; the processor
time and the time on the wall of each pass, in seconds; then the number of results and the sum."""

import importlib
import os
import re
import sys
import time

COUNT = 3 << 20
PATTERNS = {
    "sliding": r"W8a-(\w+)-n(\d+)",
    "hopping": r"W8b-(\w+)-n(\d+)-k(\d+)",
    "keyed": r"W8c-(\d+)-(\w+)",
    "grouped": r"W8d-(\w+)",
    "yahoo": r"W8e-(\w+)-(\w+)",
    "joined": r"W8f-(\d+)",
    "ordered": r"W8g-(\w+)",
    "unique": r"W8h",
}


def main(engine, name, passes):
    os.environ["POLARS_MAX_THREADS"] = "1"
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    from tables import Tuples

    module = importlib.import_module({"duckdb": "duck", "polars": "polar"}.get(engine, "fusion"))

    module.start(1)
    function, values = next(
        (f, m.groups()) for f, p in PATTERNS.items() if (m := re.fullmatch(p, name))
    )
    values = [int(v) if v.isdigit() else v for v in values]
    query = getattr(module, function)(Tuples(COUNT), *values)
    print(COUNT)
    for _ in range(int(passes)):
        wall, cpu = time.perf_counter(), time.process_time()
        count, *sums = query()
        print(time.process_time() - cpu, time.perf_counter() - wall)
    print(count, sum((2 * a + 1) * int(s) for a, s in enumerate(sums)) % (1 << 64))


main(*sys.argv[1:])
