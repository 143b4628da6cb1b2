# REQUIRES: slow
# RUN: %python %s
"""Whether the pages of errors in docs/errors are true: the compiler reports this very code for the
program that is wrong, and nothing for the one that is right. An `spl NAME` block is a file beside
them."""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor

from Inputs.support import expect, finish, sluice, write

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
sys.path.insert(0, os.path.join(ROOT, "test", "lib"))
import errors  # noqa: E402

# Those that no program on a page can show, and why.
TOOLKIT = "it is about the files of a toolkit"
PERL = "it is about a file in mixed mode, whose name ends otherwise"
COMMAND = "it is about the command line"
BYTES = "it takes bytes that a page cannot have"
FILE = "it takes a file that may not be read"
LARGE = "it takes a very large program"
WITHOUT_PROGRAM = {
    "err_cannot_open": COMMAND,
    "err_no_program_file": COMMAND,
    "err_bad_utf8": BYTES,
    "err_no_text": BYTES,
    "warn_unreadable_file": FILE,
    "err_too_deep": LARGE,
    "err_prototype_expected": TOOLKIT,
    "err_fact_word": TOOLKIT,
    "err_model_word": TOOLKIT,
    "err_template": PERL,
    "warn_template": PERL,
    "warn_toolkits_missing": TOOLKIT,
    "err_toolkit_version": TOOLKIT,
    "err_native_model": TOOLKIT,
    "err_cpp_operator": TOOLKIT,
    "err_native_forbidden": TOOLKIT,
    "err_toolkit_info": TOOLKIT,
    "warn_unasked_value": COMMAND,
    "warn_fewer_pes": COMMAND,
    "err_many_pes": COMMAND,
    "err_no_main": COMMAND,
    "err_no_main_named": COMMAND,
    "err_several_mains": COMMAND,
    "err_bad_main": COMMAND,
}


def codes(folder, name, program):
    """The codes and severities that the compiler reports for a program."""
    out = sluice("check", write(f"{folder}/{name}.spl", program), "--json")
    found = [json.loads(line) for line in out.stdout.splitlines()]
    return [(each.get("code"), each["severity"], each["message"]) for each in found]


def examine(entry):
    """What is wrong with a page."""
    blocks = errors.BLOCK.findall(errors.text(ROOT, f"{errors.PAGES}/{entry.code}.md"))
    if any(kind == "text" for kind, *_ in blocks):
        return [] if entry.name in WITHOUT_PROGRAM else ["it shows no program"]
    for kind, name, content in blocks:
        if kind == "spl" and name not in ("wrong", "right"):
            write(f"{entry.code}/{name}", content)
    problems = []
    for kind, name, program in blocks:
        if name not in ("wrong", "right"):
            continue
        reported = codes(entry.code, "Example", program)
        if name == "wrong" and entry.code not in [code for code, *_ in reported]:
            problems.append(f"the wrong program gives {reported}")
        if name == "wrong" and len({code for code, *_ in reported}) > 2:
            problems.append(f"the wrong program gives too much: {reported}")
        if name == "right" and reported:
            problems.append(f"the right program gives {reported}")
    return problems


entries = errors.entries(ROOT)
with ThreadPoolExecutor(2) as pool:
    for entry, problems in zip(entries, pool.map(examine, entries)):
        expect(f"{entry.code} {entry.name}", problems, [])
expect("pages are found", len(entries) > 0, True)
expect("pages without a program", set(WITHOUT_PROGRAM) - {e.name for e in entries}, set())
finish()
