# REQUIRES: slow
# RUN: %python %s
"""Whether the programs in the README, in docs/*.md and docs/connectors/*.md print what the text says. An `output` block is
what the `spl` block before it prints, and an `errors` block what it says besides; `output OPTION`
is what it prints with that option. One without an `output` block is only checked. An `input NAME`
block is a file that the programs after it read, and an `spl NAME` block one that they use."""

import glob
import os
import re

from Inputs.support import DATA, expect, finish, sluice, write

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
OWN_TEST = ["windows.md"]  # its examples are parts of programs: test/windows/check_docs.py
BLOCK = re.compile(
    r"^```(input|spl|output)( \S+)?\n(.*?)^```\n(?:\n```errors\n(.*?)^```\n)?", re.M | re.S
)



def check(name, program):
    """A program whose output is not shown."""
    if program:
        out = sluice("check", write("page.spl", program))
        expect(f"{name}: {program.splitlines()[0]} ...", (out.stderr, out.returncode), ("", 0))


pages = [os.path.join(ROOT, "README.md")]
for folder in ("docs", "docs/connectors"):
    pages += sorted(glob.glob(os.path.join(ROOT, folder, "*.md")))
checked = 0
for page in pages:
    name = os.path.basename(page)
    if name in OWN_TEST:
        continue
    program = unchecked = None
    with open(page, encoding="utf-8") as file:
        text = file.read()
    for kind, argument, block, errors in BLOCK.findall(text):
        if kind == "input":
            with open(os.path.join(DATA, argument.strip()), "w", encoding="utf-8") as file:
                file.write(block)
        elif kind == "spl" and argument:
            write(argument.strip(), block)
        elif kind == "spl":
            check(name, unchecked)
            program = unchecked = block
        elif not program:
            expect(f"{name}: an output block without a program before it", block, None)
        else:
            line = text[: text.index(block)].count("\n")
            option = argument.split()
            out = sluice("run", write("page.spl", program), *option, f"--data-dir={DATA}")
            said = out.stderr.replace(os.path.dirname(DATA) + "/", "").strip()
            expect(f"{name}:{line}", (out.stdout, said, out.returncode), (block, errors.strip(), 0))
            checked += 1
            unchecked = None
    check(name, unchecked)
expect("programs with outputs are found", checked > 0, True)
finish()
