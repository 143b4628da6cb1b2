"""The tables of README.md and docs/ that have measured figures.

bench/docs/results.tsv has the medians of every workload that was measured last, by program: what it
does in a second of processor time. `sluice bench --docs` puts those of a report there, and makes the
tables from it. A table stands between `<!-- measured: NAME -->` and `<!-- end -->`; lint checks that
it is what the results say, by running this file."""

import os
import re
import sys
from dataclasses import dataclass

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from programs import HERE, ROOT  # noqa: E402
from tables import rate  # noqa: E402
from timing import BenchError  # noqa: E402

RESULTS = os.path.join(HERE, "docs", "results.tsv")
APART = os.path.join(HERE, "docs", "apart.tsv")
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


def figures(path):
    """Workload -> program -> number of a file with these three columns."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for text in file:
            if not text.startswith("#"):
                workload, program, number = text.rstrip("\n").split("\t")
                found.setdefault(workload, {})[program] = float(number)
    return found


def results():
    """Workload -> program -> items in a second of processor time."""
    return figures(RESULTS)


def merge(report):
    """Puts the medians of a report into the results; each workload as a whole."""
    with open(RESULTS, encoding="utf-8") as file:
        head = [line for line in file if line.startswith("#")]
    found = results()
    for result in report["results"]:
        programs = result["programs"]
        found[result["workload"]] = {name: p["median_cpu"] for name, p in programs.items()}
    with open(RESULTS, "w", encoding="utf-8") as file:
        file.writelines(head)
        for workload, programs in sorted(found.items()):
            file.writelines(f"{workload}\t{name}\t{cpu:.4g}\n" for name, cpu in programs.items())


def line(cells):
    return "| " + " | ".join(cells) + " |"


def times(value):
    """A ratio with as many digits as it is good for."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def figure(value):
    """A rate as pages have it: 1.23 G, 45.6 M."""
    return re.sub(r"([kMG])$", r" \1", rate(value))


def readme_table(found):
    """Each work beside C++ by hand, which is 1; the fastest is bold."""
    heads = ["work", "Sluice", "others on one thread, in the same call", "others, measured apart"]
    rows, apart = [line(heads), "|---|---|---|---|"], figures(APART)
    for row in README_ROWS:
        rates = found.get(row.workload)
        if not rates:
            raise BenchError(f"{row.workload} is not in {RESULTS}")
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
    rows = [line(heads), "|---" * len(heads) + "|"]
    for workload, rates in sorted(found.items()):
        if not re.match(r"vwap|W[5678]", workload):
            continue
        cells = [workload, figure(rates[OURS]), figure(rates[HAND])]
        cells += [f"{rates[OURS] / rates[HAND]:.2f}"]
        rows.append(line(cells + [figure(rates[p]) if p in rates else "–" for p in peers]))
    return rows


TABLES = [("README.md", "against", readme_table), ("docs/experiments.md", "windows", windows_table)]


def replaced(text, name, rows):
    pattern = rf"(<!-- measured: {name} -->\n).*?(<!-- end -->)"
    new, count = re.subn(
        pattern, lambda m: m.group(1) + "\n".join(rows) + "\n" + m.group(2), text, flags=re.S
    )
    if count != 1:
        raise BenchError(f"`<!-- measured: {name} -->` is there {count} times")
    return new


def pages():
    """(path, what it holds, what it is to hold) of each page with a table."""
    found = results()
    for page, name, make in TABLES:
        path = os.path.join(ROOT, page)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        yield path, text, replaced(text, name, make(found))


def write():
    for path, _, text in pages():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def stale():
    """The pages whose tables are not those of the results."""
    return [os.path.relpath(path, ROOT) for path, old, new in pages() if old != new]


if __name__ == "__main__":
    wrong = stale()
    print("\n".join(f"{page} has other figures than bench/docs/results.tsv" for page in wrong))
    sys.exit(bool(wrong))
