# RUN: %python %s
"""sluice explain-error prints what a code means, however it is written, and lists all codes."""

import json
import os
import sys

from Inputs.support import expect, expect_in, finish, sluice, write

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
sys.path.insert(0, os.path.join(ROOT, "test", "lib"))
import errors  # noqa: E402

PROGRAM = """composite Main {
  graph
    () as Print = Custom() {
      logic onProcess : {
        println(nme);
      }
    }
}
"""
entries = sorted(errors.entries(ROOT), key=lambda entry: entry.code)
unknown = next(entry for entry in entries if entry.name == "err_unknown_name")

# --- the code stands behind the message, and in the object of --json ---
path = write("Main.spl", PROGRAM)
out = sluice("check", path)
expect_in("check", f":5:17: error: unknown name `nme` [{unknown.code}]\n", out.stderr)
out = sluice("check", path, "--json")
expect("check --json", json.loads(out.stdout)["code"], unknown.code)

# --- the list ---
out = sluice("explain-error")
lines = [f"{entry.code} {entry.severity}: {entry.message}" for entry in entries]
expect("the list", (out.returncode, out.stdout.splitlines(), out.stderr), (0, lines, ""))

# --- a page ---
pages = set()
number = unknown.code[2:]
for word in (
    *(unknown.code, unknown.code.lower(), number, number.lstrip("0"), f"[{unknown.code}]"),
    *("err_unknown_name", "unknown_name"),
):
    out = sluice("explain-error", word)
    expect(word, (out.returncode, out.stderr), (0, ""))
    pages.add(out.stdout)
expect("one page", len(pages), 1)
page = pages.pop()
expect("its title", page.splitlines()[0], f"{unknown.code} error: unknown name `...`")
expect_in("what is wrong", "\nwrong:\n\n    composite ", page)
expect_in("what is right", "\nright:\n\n    composite ", page)
expect("marks of the page", [mark for mark in ("```", "# SL") if mark in page], [])

# --- what is no code ---
for word, hint in (
    ("unknwon_name", " (did you mean `unknown_name`?)"),
    ("9999", f": they go from {entries[0].code} to {entries[-1].code}"),
    ("note_defined_here", ""),
    ("SL", ""),
):
    out = sluice("explain-error", word)
    said = f"sluice: no error or warning has the code `{word}`{hint}\nTry `sluice explain-error` "
    expect(word, (out.returncode, out.stdout), (2, ""))
    expect_in(word, said, out.stderr)
out = sluice("explain-error", unknown.code, "SL0001")
expect("two codes", out.returncode, 2)
expect_in("two codes", "`SL0001` is one code too many", out.stderr)

for command in ("explain", "doc"):
    out = sluice(command, unknown.code)
    expect(command, (out.returncode, out.stdout), (2, ""))
    expect_in(command, f"message: `sluice explain-error {unknown.code}` explains it", out.stderr)

for text in (sluice("--help").stdout, sluice("--man").stdout.replace("\\", "")):
    expect_in("help and manual", "explain-error", text)
for shell in ("bash", "zsh"):
    expect_in(shell, "explain-error", sluice(f"--completion={shell}").stdout)
finish()
