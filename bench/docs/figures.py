"""Files of figures, and how pages write them.

A file has three columns: what was measured, which column of its table, a number. It keeps the order
of its lines."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from programs import HERE  # noqa: E402
from tables import rate  # noqa: E402


def path(name):
    return os.path.join(HERE, "docs", name + ".tsv")


def read(name):
    """What was measured -> column -> number."""
    found = {}
    with open(path(name), encoding="utf-8") as file:
        for text in file:
            if not text.startswith("#"):
                what, column, number = text.rstrip("\n").split("\t")
                found.setdefault(what, {})[column] = float(number)
    return found


def write(name, found):
    """Leaves the comment at its head."""
    with open(path(name), encoding="utf-8") as file:
        head = [line for line in file if line.startswith("#")]
    with open(path(name), "w", encoding="utf-8") as file:
        file.writelines(head)
        for what, columns in found.items():
            file.writelines(f"{what}\t{column}\t{n:.4g}\n" for column, n in columns.items())


def line(cells):
    return "| " + " | ".join(cells) + " |"


def table(heads, rows):
    return [line(heads), "|---" * len(heads) + "|", *map(line, rows)]


def times(value):
    """A ratio with as many digits as it is good for."""
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def rated(value):
    """A rate as pages have it: 1.23 G, 45.6 M; a dash for None."""
    return "–" if value is None else re.sub(r"([kMG])$", r" \1", rate(value))
