"""Makes a failing program smaller while it fails in the same way."""

import re


def shrink(text, fails, tries=400):
    """`fails(text)`: whether it still does."""
    left = [tries]

    def attempt(smaller):
        if left[0] <= 0 or smaller == text:
            return False
        left[0] -= 1
        return fails(smaller)

    changed = True
    while changed and left[0] > 0:
        changed = False
        for candidates in (without_blocks, with_parts):
            position = 0
            while True:
                found = False
                for position, smaller in candidates(text, position):
                    if attempt(smaller):
                        text, found, changed = smaller, True, True
                        break
                    if left[0] <= 0:
                        return text
                if not found:
                    break
    return text


def without_blocks(text, start):
    """Without a line, and what it opens up to its end."""
    lines = text.split("\n")
    for first in range(start, len(lines)):
        indent = len(lines[first]) - len(lines[first].lstrip())
        last = first
        if lines[first].rstrip().endswith(("{", "=", "(")):
            last = next(
                (
                    i
                    for i in range(first + 1, len(lines))
                    if lines[i].startswith(" " * indent + "}")
                ),
                first,
            )
        if lines[first].strip() and not lines[first].startswith("composite Main"):
            yield first, "\n".join(lines[:first] + lines[last + 1 :])


def matching(text, at):
    """The position of the bracket that closes the one at `at`, or -1."""
    depth = 0
    for i in range(at, len(text)):
        depth += text[i] in "([{"
        depth -= text[i] in ")]}"
        if depth == 0:
            return i
    return -1


def with_parts(text, start):
    """With a part of an expression in place of the whole: `(a + b)` becomes `a`."""
    for match in re.finditer(r"\w*\(", text):
        if match.start() < start:
            continue
        opened = match.end() - 1
        closed = matching(text, opened)
        if closed < 0:
            continue
        inside = text[opened + 1 : closed]
        for part in pieces(inside):
            if part and part != inside or match.group(0) != "(":
                yield match.start(), text[: match.start()] + part + text[closed + 1 :]


def pieces(inside):
    """What stands between operators and commas that are in no brackets."""
    depth, begin = 0, 0
    for i, c in enumerate(inside):
        depth += c in "([{"
        depth -= c in ")]}"
        if depth == 0 and c == " ":
            yield inside[begin:i].rstrip(",")
            begin = i + 1
    yield inside[begin:]
