"""The tables of docs/metrics.md that list counters: what Counters.def says of them.

`python3 test/lib/counters.py` writes them. The lint compares."""

import os
import re
import sys

from layout import text

DEFINITIONS = "runtime/exec/counters/Counters.def"
PAGE = "docs/metrics.md"
STRING = r'((?:"(?:[^"\\]|\\.)*"\s*)+)'
ENTRY = re.compile(rf"^SLUICE_(\w+?)(?:_DERIVED)?\([^\"]*?{STRING},\s*{STRING}\)", re.M)
# Kind of counter -> the head of its table.
HEADS = {
    "IN_PORT": "| of an input port that is not `fused` | meaning |",
    "OUT_PORT": "| of an output port | meaning |",
    "SOURCE": "| of a source | meaning |",
    "WORKER": "| of a worker | meaning |",
    "LINK": "| of a link | meaning |",
}


def joined(literals):
    return "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def rows(root):
    """Kind of counter -> the lines of its table."""
    found = {kind: [] for kind in HEADS}
    for kind, key, meaning in ENTRY.findall(text(os.path.join(root, DEFINITIONS))):
        found[kind].append(f"| `{joined(key)}` | {joined(meaning)} |")
    return found


def updated(root):
    """What docs/metrics.md has to be."""
    page = text(os.path.join(root, PAGE))
    for kind, lines in rows(root).items():
        head = HEADS[kind] + "\n|---|---|\n"
        if page.count(head) != 1:
            raise ValueError(f"{PAGE} needs one table `{HEADS[kind]}`")
        before, after = page.split(head)
        page = before + head + "\n".join(lines) + "\n" + re.sub(r"\A(\|.*\n)*", "", after)
    return page


def counters_are_documented(root):
    try:
        if text(os.path.join(root, PAGE)) == updated(root):
            return None
    except ValueError as problem:
        return str(problem)
    return f"{PAGE} is not what {DEFINITIONS} says: run test/lib/counters.py"


RULES = [counters_are_documented]


if __name__ == "__main__":
    root = os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "..", "..")
    page = updated(root)
    with open(os.path.join(root, PAGE), "w", encoding="utf-8") as file:
        file.write(page)
