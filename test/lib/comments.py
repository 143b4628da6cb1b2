"""Rules for comments and numbers: a doc comment stands on what it describes, and a number that is
referred to is there."""

import os
import re

import layout
from layout import text

KEYWORD = re.compile(r"^\w+\s*:\s*'(\w+)'", re.M)  # of SPL.g4
DECLARED = re.compile(r"^[ \t]*[\w:<>,*&~ \t]*[\w>*&][ *&]+(?:\w+::)*(\w+)\(([^()]*)\)", re.M)
PARAMETER = re.compile(r"[\w>*&]\s+[*&]*(\w+)\s*(?:=.*)?$")
NUMBERED = re.compile(r"( *)(\d+)\. ")
LETTERED = re.compile(r"^[ */]*\((\w)\) ", re.M)
TEXTS = (".md", ".h", ".cpp", ".td", ".def", ".py", ".pml", ".spl")


class Comment:
    """A block of `///`: where it stands, what it says, and the declarations up to a blank line or the
    next block."""

    def __init__(self, lines, start):
        end = start
        while end < len(lines) and lines[end].lstrip().startswith("///"):
            end += 1
        stop = end
        while stop < len(lines) and lines[stop].strip():
            if lines[stop].lstrip().startswith("///"):
                break
            stop += 1
        said = lines[start:end]
        self.line, self.end = start + 1, end
        self.words = " ".join(line.strip()[3:].strip() for line in said)
        self.indent = len(said[0]) - len(said[0].lstrip())
        self.code = lines[end:stop]

    def functions(self):
        """The names of those declared beside each other below it."""
        for line in self.code:
            found = re.match(rf"^ {{{self.indent}}}(?! |using\b|template\b)[^=;]*?\b(\w+)\(", line)
            if found:
                yield found.group(1)


def comments(root):
    """(path, text, comment) of each doc comment of the C++ code."""
    for path in layout.files(root, *layout.FOLDERS):
        if path.endswith((".cpp", ".h")):
            content = text(path)
            lines = content.splitlines()
            at = 0
            while at < len(lines):
                if not lines[at].lstrip().startswith("///"):
                    at += 1
                    continue
                comment = Comment(lines, at)
                yield os.path.relpath(path, root), content, comment
                at = comment.end


def comments_stand_on_declarations(root):
    wrong = [
        f"{path}:{comment.line}: nothing stands below this comment: {comment.words[:60]}"
        for path, _, comment in comments(root)
        if not comment.code or comment.code[0].lstrip().startswith("}")
    ]
    return "\n".join(wrong) or None


def parameters(content):
    """Name -> functions of the file that have a parameter of this name."""
    found = {}
    for function, listed in DECLARED.findall(content):
        for one in listed.split(","):
            if name := PARAMETER.search(one.strip()):
                found.setdefault(name.group(1), set()).add(function)
    return found


def comments_name_parameters_below(root):
    """A word in backticks that is a parameter of a function of the file is one of the functions below
    the comment, or their code has it. Keywords of SPL stand for themselves."""
    keywords = set(KEYWORD.findall(text(os.path.join(root, "frontend/syntax/SPL.g4"))))
    wrong = []
    for path, content, comment in comments(root):
        if not any(comment.functions()):
            continue
        of = parameters(content)
        code = "\n".join(comment.code)
        for word in sorted(set(re.findall(r"`(\w+)`", comment.words)) & set(of) - keywords):
            if not re.search(rf"\b{word}\b", code):
                others = ", ".join(sorted(of[word])[:3])
                wrong.append(f"{path}:{comment.line}: `{word}` is a parameter of {others}")
    return "\n".join(wrong) or None


def comments_begin_with_their_verb(root):
    """`Notes ...` stands on noteName, not on what is declared before it."""
    wrong = []
    for path, _, comment in comments(root):
        functions = list(comment.functions())
        verb = re.match(r"([A-Z][a-z]+?)(e?)s\b", comment.words)
        if not verb or len(functions) < 2:
            continue
        stem = verb.group(1).lower()
        fits = [bool(re.match(rf"{stem}e?(?![a-z])", name)) for name in functions]
        if any(fits) and not fits[0]:
            name = functions[fits.index(True)]
            wrong.append(f"{path}:{comment.line}: this seems to describe {name}, further down")
    return "\n".join(wrong) or None


def numbers(root, path):
    """(line, number, the one before) of each item of numbered lists in a page, by indentation. The
    invariants of a page may go on behind a heading."""
    last, code = {}, False
    for line_number, line in enumerate(text(os.path.join(root, path)).splitlines(), 1):
        code ^= line.lstrip().startswith("```")
        found = NUMBERED.match(line)
        if code or not found:
            continue
        indent, number = len(found.group(1)), int(found.group(2))
        yield line_number, number, last.get(indent, 0)
        last = {depth: at for depth, at in last.items() if depth < indent}
        last[indent] = number


def pages(root):
    yield from (name for name in os.listdir(root) if name.endswith(".md"))
    for path in layout.files(root, *layout.FOLDERS):
        if path.endswith(".md"):
            yield os.path.relpath(path, root)


def numbered_lists_have_no_holes(root):
    """Each item has the next number, or begins a list with 1."""
    wrong = [
        f"{path}:{line}: {number}. follows {before}."
        for path in pages(root)
        for line, number, before in numbers(root, path)
        if number not in (1, before + 1)
    ]
    return "\n".join(wrong) or None


def referred_numbers_are_there(root):
    """`invariant 7` is in the page or in the README beside it; `rule (b)` and `rules (a), (b)` are
    letters at the beginning of lines in the page or beside it or above it."""
    wrong = []
    for path in layout.files(root, *layout.FOLDERS):
        if not path.endswith(TEXTS) or os.path.dirname(path).endswith("test/lib"):
            continue  # it speaks of all rules
        with open(path, encoding="utf-8", errors="replace") as file:
            name, content = os.path.relpath(path, root), file.read()
        for number in re.findall(r"\binvariants? \(?(\d+)\b", content):
            beside = os.path.join(os.path.dirname(name), "README.md")
            page = name if name.endswith(".md") else beside
            there = os.path.exists(os.path.join(root, page))
            if not there or int(number) not in {n for _, n, _ in numbers(root, page)}:
                wrong.append(f"{name}: {page} has no invariant {number}")
        for letters in re.findall(r"\brules? ((?:\(\w\)(?:, | and | to )?)+)", content):
            wanted = set(re.findall(r"\w", letters.replace(" and ", " ").replace(" to ", " ")))
            if wanted - lettered(root, name):
                wrong.append(f"{name}: there is no rule {letters.strip(', ')}")
    return "\n".join(wrong) or None


def lettered(root, name):
    """The letters that begin lines of files of this folder and of the one above it."""
    found = set()
    for folder in (os.path.dirname(name), os.path.dirname(os.path.dirname(name))):
        for other in os.listdir(os.path.join(root, folder)):
            path = os.path.join(root, folder, other)
            if os.path.isfile(path) and other.endswith(TEXTS):
                found |= set(LETTERED.findall(text(path)))
    return found


RULES = [
    comments_stand_on_declarations,
    comments_name_parameters_below,
    comments_begin_with_their_verb,
    numbered_lists_have_no_holes,
    referred_numbers_are_there,
]
