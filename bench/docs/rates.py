"""results.tsv: what each program does in a second of processor time. Two tables follow from it."""

import re
from dataclasses import dataclass

import figures
from figures import line, rated, times
from programs import VARIANTS
from timing import BenchError

FILE = "results"
OURS, HAND = "sluice", "hand-1t"
NAMES = {
    "hand-simd1": "C++ vectors",
    "tbb-pipe1": "oneTBB",
    "timely": "timely",
    "duckdb": "DuckDB",
    "polars": "Polars",
    "datafusion": "DataFusion",
}


@dataclass(frozen=True)
class Row:
    """A line of the table in README.md."""

    work: str
    workload: str


README_ROWS = [
    Row("100 steps of 100 flops", "W1-N100-F100-P8"),
    Row("100 steps of 1 flop", "W1-N100-F1-P8"),
    Row("one of 50 light steps for each tuple, in order", "W2-W50-F1-forks"),
    Row("the words of a text file, counted", "W5b"),
    Row("words, counted: each change is a result", "W5a"),
    Row("average prices from CSV, joined with quotes", "W6"),
    Row("sum of the last 1024 values, for each value", "W8a-sumint-n1024"),
    Row("sum and maximum of the last 16 values of each of a million keys", "W8c-1000000-uniform"),
    Row("views by campaign in the last 10 s (Yahoo)", "W8e-10s-number"),
    Row("two streams joined over 1000 tuples each", "W8f-10000"),
    Row("duplicates of the last million tuples left out", "W8h"),
]


def has_variants(result):
    """Whether a workload was measured with --boundaries (variants.tsv has those)."""
    return any(name in VARIANTS and name != OURS for name in result["programs"])


def merge(found, report):
    """Puts the medians of a report there; each workload as a whole."""
    for result in report["results"]:
        if not has_variants(result):
            programs = result["programs"]
            found[result["workload"]] = {name: p["median_cpu"] for name, p in programs.items()}
    return dict(sorted(found.items()))


def readme_table(found):
    """Each work beside C++ by hand, which is 1; the fastest is bold."""
    heads = ["work", "Sluice", "others on one thread, in the same call", "others, measured apart"]
    rows, apart = [line(heads), "|---|---|---|---|"], figures.read("apart")
    for row in README_ROWS:
        rates = found.get(row.workload)
        if not rates:
            raise BenchError(f"{row.workload} is not in {figures.path(FILE)}")
        best = max(cpu for name, cpu in rates.items() if name in (OURS, *NAMES))

        values = {name: times(cpu / rates[HAND]) for name, cpu in rates.items()}
        values |= {name: f"**{values[name]}**" for name in values if rates[name] == best}
        others = [f"{text} {values[name]}" for name, text in NAMES.items() if name in rates]
        more = [f"{system} {part:g}" for system, part in apart.get(row.workload, {}).items()]
        lists = [", ".join(cells) or "–" for cells in (others, more)]
        rows.append(line([row.work, values[OURS], *lists]))
    return rows


def windows_table(found):
    """Items in a second of all of W5a to W8 and of vwap."""
    peers = ("timely", "duckdb", "polars", "datafusion")
    heads = ["workload", OURS, "C++ by hand", "ratio", *(NAMES[p] for p in peers)]
    rows = []
    for workload, rates in sorted(found.items()):
        if not re.match(r"vwap|W[5678]", workload):
            continue
        cells = [workload, rated(rates[OURS]), rated(rates[HAND])]
        cells += [f"{rates[OURS] / rates[HAND]:.2f}"]
        rows.append(cells + [rated(rates.get(p)) for p in peers])
    return figures.table(heads, rows)
