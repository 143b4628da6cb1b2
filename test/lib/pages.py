"""docs/architecture.md speaks of what is there, and of all of it; figures are measured."""

import glob
import os
import re
import subprocess
import sys

PAGE = "docs/architecture.md"
PARTS = ["frontend", "ir", "passes", "codegen", "runtime", "stdlib", "toolkits", "tools", "test"]
PARTS += ["support"]
SOURCE = (".cpp", ".h", ".td", ".def", ".spl", ".py")


def named(root):
    """The paths that the page names; `runtime/exec/options`, `saved` names two folders."""
    with open(os.path.join(root, PAGE), encoding="utf-8") as file:
        page = file.read()
    for line in page.splitlines():
        base = ""
        for word in re.findall(r"`([\w./*-]+)`", line):
            if word.split("/")[0] in PARTS and "/" in word:
                base = os.path.dirname(word.rstrip("/"))
                yield word
            elif line.startswith("| `") and os.path.isdir(os.path.join(root, base, word)):
                yield os.path.join(base, word)


def architecture_names_what_is_there(root):
    wrong = [
        path
        for path in named(root)
        if "NAME" not in path and not glob.glob(os.path.join(root, path))
        and not glob.glob(os.path.join(root, path + ".*"))
    ]
    return f"{PAGE} names what is not there: " + ", ".join(wrong) if wrong else None


def architecture_has_all_folders(root):
    """A folder of sources is named, or one above it below a part of the project."""
    known = {path.rstrip("/") for path in named(root)}
    known |= {os.path.dirname(path) for path in known if path.endswith(SOURCE)}
    missing = []
    for part in ("frontend", "passes", "codegen", "runtime"):
        for base, _, names in os.walk(os.path.join(root, part)):
            folder = os.path.relpath(base, root)
            steps = folder.split("/")
            above = {"/".join(steps[:n]) for n in range(2, len(steps) + 1)}
            has_sources = any(name.endswith((".cpp", ".h")) for name in names)
            if has_sources and len(steps) > 1 and not above & known and "test" not in steps:
                missing.append(folder)
    return f"{PAGE} has no row for: " + ", ".join(sorted(missing)) if missing else None


def tables_are_measured(root):
    """Tables of figures are made from the results of the bench, never by hand."""
    command = [sys.executable, "-B", os.path.join(root, "bench", "docs", "docs.py")]
    out = subprocess.run(command, capture_output=True, text=True)
    return (out.stdout + out.stderr).strip() if out.returncode else None


RULES = [architecture_names_what_is_there, architecture_has_all_folders, tables_are_measured]
