"""Codes of errors and warnings: what Diagnostics.def says of them, and their pages in docs/errors.

`python3 test/lib/errors.py` writes what follows from Diagnostics.def: the page of all,
docs/errors.md, and what the others begin with. The lint compares."""

import os
import re
import sys
import textwrap
from dataclasses import dataclass

DEFINITIONS = "frontend/diagnostics/Diagnostics.def"
INDEX = "docs/errors.md"
PAGES = "docs/errors"
ENTRY = re.compile(r'^DIAG\((\w+),\s*(\w+),\s*(\d+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', re.M)
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```\n", re.M | re.S)
WHOLE_WORDS = {"break_long_words": False, "break_on_hyphens": False}
HEAD = """# Errors and warnings

Each message of the compiler has a code, which stands behind it in brackets and never changes its
meaning. `sluice explain-error CODE` prints the page of a code: what the message says, why the
language is so, a program that is wrong, and the same program right. `...` stands for what depends
on the program.
"""


@dataclass
class Entry:
    name: str
    severity: str
    code: str  # SL0123
    message: str

    @property
    def said(self):
        return f"{self.severity}: {self.message}"

    @property
    def head(self):
        """What its page begins with."""
        return f"# {self.code}\n\n{wrapped(self.said, '> ', '> ')}\n\n"


def wrapped(words, first, others):
    return textwrap.fill(words, 100, initial_indent=first, subsequent_indent=others, **WHOLE_WORDS)


def text(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return file.read()


def entries(root):
    """Those with a code, in the order of the file."""
    result = []
    for name, severity, code, literals in ENTRY.findall(text(root, DEFINITIONS)):
        message = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))
        message = re.sub(r"\\(.)", r"\1", message)
        message = re.sub(r"\{\d+\}", "...", message).replace("{{", "{")
        result.append(Entry(name, severity.lower(), f"SL{int(code):04}", message))
    return result


def retired(root):
    words = re.search(r"^// Retired:(.*)$", text(root, DEFINITIONS), re.M).group(1)
    return [f"SL{int(word):04}" for word in words.split()]


def pages(root):
    """The codes that have a page."""
    return {name[: -len(".md")] for name in os.listdir(os.path.join(root, PAGES))}


def index(root):
    """What docs/errors.md has to be."""
    lines = [HEAD]
    for entry in sorted(entries(root), key=lambda e: e.code):
        link = f"[{entry.code}](errors/{entry.code}.md)"
        lines.append(wrapped(f"{link}: {entry.said}", "* ", "  "))
    return "\n".join(lines) + "\n"


def each_code_is_used_once(root):
    """A code is never given to another message: all numbers up to the greatest are in use, or
    stand in the list of those that are retired."""
    codes = [entry.code for entry in entries(root)] + retired(root)
    wrong = [f"{code} is given twice" for code in sorted(set(codes)) if codes.count(code) > 1]
    wrong += [
        f"SL{number:04} is gone: `// Retired:` of {DEFINITIONS} has to list it"
        for number in range(1, len(set(codes)) + 1)
        if f"SL{number:04}" not in codes
    ]
    return "\n".join(wrong) or None


def body(page):
    """A page without its code and message."""
    return re.sub(r"\A(#.*\n|>.*\n|\n)*", "", page)


def pages_of_errors_are_whole(root):
    """Each code has a page, which begins with its code and message. It has a text, and a program wrong and right, or a
    block of text instead."""
    known = {entry.code: entry for entry in entries(root)}
    wrong = [f"{PAGES}/{code}.md is missing" for code in sorted(set(known) - pages(root))]
    for code in sorted(pages(root)):
        if code not in known:
            wrong.append(f"{PAGES}/{code}.md: there is no such code")
            continue
        page = text(root, f"{PAGES}/{code}.md")
        rest = body(page)
        if page != known[code].head + rest:
            wrong.append(f"{PAGES}/{code}.md does not begin as it has to: run test/lib/errors.py")
        if set(re.findall(r"SL\d{4}", page)) != {code}:
            wrong.append(f"{PAGES}/{code}.md names the code of another message")
        words = BLOCK.sub("", rest)
        blocks = [f"{kind} {name}" for kind, name, _ in BLOCK.findall(rest)]
        if not words.strip() or "```" in words:
            wrong.append(f"{PAGES}/{code}.md: a text is missing, or the end of a block")
        if "text " not in blocks and not {"spl wrong", "spl right"} <= set(blocks):
            wrong.append(f"{PAGES}/{code}.md: blocks `spl wrong` and `spl right` are needed")
    if text(root, INDEX) != index(root):
        wrong.append(f"{INDEX} is not what {DEFINITIONS} says: run test/lib/errors.py")
    return "\n".join(wrong) or None


RULES = [each_code_is_used_once, pages_of_errors_are_whole]


def update(root):
    known = pages(root)
    for entry in entries(root):
        if entry.code in known:
            path = os.path.join(root, PAGES, f"{entry.code}.md")
            rest = body(text(root, f"{PAGES}/{entry.code}.md"))
            with open(path, "w", encoding="utf-8") as file:
                file.write(entry.head + rest)
    with open(os.path.join(root, INDEX), "w", encoding="utf-8") as file:
        file.write(index(root))


if __name__ == "__main__":
    update(os.path.join(os.path.dirname(os.path.abspath(sys.argv[0])), "..", ".."))
