"""The tables of README.md and docs/ that have measured figures.

The files *.tsv have what was measured last: results.tsv, for one, the medians of every workload by
program. `sluice bench --docs` puts the figures of a report there, and makes the tables from them. A
table stands between `<!-- measured: NAME -->` and `<!-- end -->`; lint checks that it is what the
files say, by running this one."""

import os
import re
import sys
from dataclasses import dataclass

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import figures  # noqa: E402
import others  # noqa: E402
import policies  # noqa: E402
import rates  # noqa: E402
from programs import ROOT  # noqa: E402
from timing import BenchError  # noqa: E402


@dataclass(frozen=True)
class Table:
    """`lines(found)`: what it is, by the figures of the file."""

    page: str
    name: str
    file: str
    lines: object


EXPERIMENTS = "docs/experiments.md"
TABLES = [
    Table("README.md", "against", rates.FILE, rates.readme_table),
    Table(EXPERIMENTS, "elastic", "elastic", policies.elastic_table),
    Table(EXPERIMENTS, "fused", "variants", others.fused_table),
    Table(EXPERIMENTS, "compile", "compile", others.compile_table),
    Table(EXPERIMENTS, "windows", rates.FILE, rates.windows_table),
    Table(EXPERIMENTS, "memory", "memory", others.memory_table),
    Table(EXPERIMENTS, "simulated", "simulated", policies.simulated_table),
]
# By file: `merge(found, report)` is its figures with those that a report has.
FILES = {
    rates.FILE: rates.merge,
    "elastic": policies.merge_elastic,
    "variants": others.merge_variants,
    "compile": others.merge_compile,
    "memory": others.merge_memory,
    "simulated": policies.merge_simulated,
}


def calls():
    """What `sluice bench` is called with, one after the other, to measure all of it."""
    peers = "--peers=timely,tbb,duckdb,polars,datafusion"
    return [
        [peers, *figures.read(rates.FILE)],
        ["--boundaries", *(row.workload for row in others.FUSED)],
        ["compile", "memory", "simulated"],
        ["--elastic-table"],
    ]


def merge(report):
    """Puts what a report has into the files."""
    for name, merged in FILES.items():
        figures.write(name, merged(figures.read(name), report))


def replaced(text, table):
    lines = "\n".join(table.lines(figures.read(table.file)))
    pattern = rf"(<!-- measured: {table.name} -->\n).*?(<!-- end -->)"
    new, count = re.subn(pattern, lambda m: m[1] + lines + "\n" + m[2], text, flags=re.S)
    if count != 1:
        raise BenchError(f"`<!-- measured: {table.name} -->` is there {count} times")
    return new


def pages():
    """(path, what it holds, what it is to hold) of each page with a table."""
    for page in dict.fromkeys(table.page for table in TABLES):
        path = os.path.join(ROOT, page)
        with open(path, encoding="utf-8") as file:
            old = new = file.read()
        for table in TABLES:
            if table.page == page:
                new = replaced(new, table)
        yield path, old, new


def write():
    for path, _, text in pages():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def stale():
    """The pages whose tables are not those of the files."""
    return [os.path.relpath(path, ROOT) for path, old, new in pages() if old != new]


if __name__ == "__main__":
    wrong = stale()
    print("\n".join(f"{page} has other figures than bench/docs/*.tsv" for page in wrong))
    sys.exit(bool(wrong))
