"""A word count over processes: `heron`. What each of the ways to save work at a link is worth."""

import statistics
import subprocess
from dataclasses import dataclass

from sums import WORD_STREAM
from tables import rate, table
from timing import Pair, expect, median_rate, run, say

OPTIONS = ["--pes=auto"]
CHECKED = min(WORD_STREAM)  # words whose counts are known
SHORT, LONG = 1_000_000, max(WORD_STREAM)  # what the long run has more is timed
QUICK_SHORT = 100_000
TURNS = 5


@dataclass(frozen=True)
class Row:
    """A row of the table: what is left out or added to the program as it is."""

    name: str
    options: tuple = ()


def without(*switches):
    return tuple(f"--transport-option={switch}=off" for switch in switches)


ROWS = [
    Row("all on, not acknowledged"),
    Row("pool off", without("pool")),
    Row("in place off", without("in-place")),
    Row("lazy off", without("lazy")),
    Row("all three off", without("pool", "in-place", "lazy")),
    Row("checksum off", without("checksum")),
    Row("acknowledged", ("--delivery=at-least-once", "--restart=1")),
]


class Heron:
    name, shared = "heron", False

    @staticmethod
    def file():
        return "Heron.spl"


def commands(programs):
    """Row name -> function from a number of words to a command line; and why others are left out.
    """
    program = programs.compiled(Heron, OPTIONS)
    found, skipped = {}, {}
    for row in ROWS:
        start = [program, "--elastic=off", *row.options]
        out = subprocess.run([*start, "n=10"], capture_output=True, text=True)
        if out.returncode == 2:  # an option that this program does not have
            skipped[row.name] = out.stderr.splitlines()[0]
        else:
            found[row.name] = lambda n, start=start: [*start, f"n={n}"]
    return found, skipped


def check(programs):
    for name, command in commands(programs)[0].items():
        expect(f"heron ({name})", run(command(CHECKED)), CHECKED, WORD_STREAM[CHECKED])


def measure(programs, quick):
    check(programs)
    found, skipped = commands(programs)
    sizes = (QUICK_SHORT, CHECKED) if quick else (SHORT, LONG)
    pairs = {name: [] for name in found}
    turns = 1 if quick else TURNS
    for turn in range(turns):
        say(f"heron: turn {turn + 1} of {turns}")
        for name, command in found.items():
            short, long = (run(command(n)) for n in sizes)
            expect(f"heron ({name})", long, sizes[1], WORD_STREAM[sizes[1]])
            pairs[name].append(Pair(short, long, long.count - short.count))
    return {
        "rows": {
            name: {
                "wall": median_rate(p, "wall"),
                "cpu": median_rate(p, "cpu"),
                "peak_kb": statistics.median(pair.long.peak_kb for pair in p),
                "samples": [pair.record() for pair in p],
            }
            for name, p in pairs.items()
        },
        "skipped": skipped,
    }


def text(record):
    rows = record["rows"]
    base = rows[ROWS[0].name]
    lines = [["word count", "words/s", "of all on", "CPU a word", "of all on"]]
    lines += [
        [
            name,
            rate(row["wall"]),
            f"{row['wall'] / base['wall']:.2f}",
            f"{1e9 / row['cpu']:.0f} ns",
            f"{base['cpu'] / row['cpu']:.2f}",
        ]
        for name, row in rows.items()
    ]
    left = [f"{name} is left out: {why}" for name, why in record["skipped"].items()]
    return "\n".join(
        ["Word count of 175,000 words over five processes, shared memory", table(lines), *left]
    )
