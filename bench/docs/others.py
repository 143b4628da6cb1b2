"""variants.tsv, memory.tsv and compile.tsv: where boundaries are, memory, and the compiler."""

from dataclasses import dataclass

import figures
from figures import rated
from rates import has_variants


@dataclass(frozen=True)
class Fused:
    """`two`: which program has two workers, or None."""

    text: str
    workload: str
    two: str | None = "queued"


FUSED = [
    Fused("100 operators of 1 flop, 16-byte tuples", "W1-N100-F1-P8", None),
    Fused("100 operators of 100 flops, 16-byte tuples", "W1-N100-F100-P8"),
    Fused("the same, 1 KiB of payload", "W1-N100-F100-P1024"),
    Fused("10 operators, one of them 10,000 flops, 16-byte tuples", "W1-N10-Fskew-P8", "wide"),
    Fused("500 operators of 10,000 flops, 16-byte tuples", "W1-N500-F10000-P8"),
    Fused("10 channels of 50 operators, 10,000 flops", "W3-F10000"),
    Fused("100 channels of one operator, 100 flops", "W2-W100-F100"),
]


def merge_variants(found, report):
    """By workload and program, tuples in a second by the wall clock."""
    for result in filter(has_variants, report["results"]):
        programs = result["programs"]
        found[result["workload"]] = {name: p["median_wall"] for name, p in programs.items()}
    return found


def fused_table(found):
    heads = ["workload", "C++ by hand", "with vectors, by hand", "sluice, one thread"]
    rows = []
    for row in FUSED:
        of = found[row.workload]
        one = [rated(of.get(name)) for name in ("hand-1t", "hand-simd1", "sluice")]
        rows.append([row.text, *one, rated(of[row.two] if row.two else None)])
    return figures.table([*heads, "two workers"], rows)


# By line of the table: what it says, and the program of bench/spl/memory.
MEMORY = [
    ("10,485,760 partitions of `count(4)`, Sum of two float64", "memory-Partitions"),
    ("`time(1e6)` with 100 million tuples, Sum of an uint64", "memory-HeldByTime"),
    ("the same, Max", "memory-LargestByTime"),
    ("Sort of 10 million tuples of 16 bytes, twice", "memory-Flushes"),
    ("10 million groups in a tumbling window, twice", "memory-Groups"),
    ("Join of two windows of 10,000 with one key: 300 M results", "memory-OneKey"),
    ("keys that do not return, `partitionCount(100000)`", "memory-NewKeys"),
    ("the same with texts, `tupleCount(200000)`", "memory-NewNames"),
]


def merge_memory(found, report):
    """By program: tuples, KiB at its peak, seconds of processor time."""
    for record in report["memory"] or []:
        columns = {column: record[column] for column in ("tuples", "peak_kb", "cpu")}
        found[record["workload"]] = columns
    return found


def memory_table(found):
    heads = ["held or emitted", "tuples", "peak memory", "processor time"]
    rows = []
    for text, workload in MEMORY:
        of = found[workload]
        peak = f"{of['peak_kb'] / 1024:.0f} MiB"
        rows.append([text, rated(of["tuples"]), peak, f"{of['cpu']:.1f} s"])
    return figures.table(heads, rows)


def merge_compile(found, report):
    """By program, seconds of processor time; `before` is of a compiler that nobody builds now."""
    for name, seconds in (report["compile"] or {}).get("sizes", {}).items():
        found.setdefault(name, {})["now"] = seconds
    return found


def compile_table(found):
    def cell(value):
        return f"{value:.3g}" if value >= 1 else f"{value:.2f}"

    rows = [[name, cell(of["before"]), cell(of["now"])] for name, of in found.items()]
    return figures.table(["program", "before", "now"], rows)
