# REQUIRES: slow
# RUN: %python %s %source
"""sluice install and uninstall, the installed driver, its manual page and completion of bash."""

import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice  # noqa: E402

HELLO = os.path.join(sys.argv[1], "examples", "hello", "Hello.spl")
GREETING = "".join(f"Hello, stream {n}\n" for n in range(3))
prefix = os.path.join(FOLDER, "opt")
theirs = os.path.join(prefix, "share", "theirs")
os.makedirs(os.path.join(prefix, "bin"))
os.makedirs(theirs)


def run(*command, **more):
    return subprocess.run(
        command, capture_output=True, text=True, cwd=FOLDER, timeout=TIMEOUT, **more
    )


def everything(folder):
    return sorted(
        os.path.relpath(os.path.join(base, name), folder)
        for base, folders, files in os.walk(folder)
        for name in folders + files
    )


# What a run of an example has left behind; git ignores it.
output = os.path.join(sys.argv[1], "examples", "filter_functor", "data", "left.csv")
os.makedirs(os.path.dirname(output), exist_ok=True)
before = everything(prefix)
with open(output, "w", encoding="utf-8") as file:
    file.write("1\n")
try:
    out = sluice("install", "--prefix", prefix)
finally:
    os.remove(output)
expect("install", (out.returncode, out.stderr), (0, ""))
installed = everything(prefix)
expect("outputs of examples", [name for name in installed if "left.csv" in name], [])
for name in (
    *("bin/sluice", "share/sluice/spl/utility.spl", "include/sluice/native.h"),
    *("share/sluice/errors/SL0053.md", "share/doc/sluice/docs/errors.md"),
    *("lib/sluice/x86_64-linux-gnu/libsluicert.a", "lib/sluice/x86_64-linux-gnu/hot.bc"),
    *("share/man/man1/sluice.1", "share/doc/sluice/examples/hello/Hello.spl"),
    *("share/doc/sluice/README.md", "share/doc/sluice/docs/installing.md"),
):
    expect(name, name in installed, True)
dangling = []
for page in (
    "README.md",
    *(f"docs/{name}" for name in os.listdir(f"{prefix}/share/doc/sluice/docs")),
):
    path = os.path.join(prefix, "share", "doc", "sluice", page)
    if not page.endswith(".md"):
        continue
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"```.*?```|`[^`\n]*`", "", file.read(), flags=re.S)
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" not in target and not os.path.exists(os.path.join(os.path.dirname(path), target)):
            dangling.append((page, target))
expect("links in pages", dangling, [])

# --- the installed driver, also when it is moved and called by a link ---
moved = os.path.join(FOLDER, "moved")
shutil.copytree(prefix, moved)
link = os.path.join(FOLDER, "sluice")
os.symlink(os.path.join(moved, "bin", "sluice"), link)
for driver in (os.path.join(prefix, "bin", "sluice"), link):
    out = run(driver, "run", HELLO)
    expect(f"{driver}: run", (out.returncode, out.stdout, out.stderr), (0, GREETING, ""))
    out = run(driver, "build", HELLO, "-o", "hello")
    expect(f"{driver}: build", (out.returncode, out.stderr), (0, ""))
    expect(f"{driver}: built", run("./hello").stdout, GREETING)
    out = run(driver, "explain-error", "SL0053")
    expect(f"{driver}: explain-error", (out.returncode, out.stderr), (0, ""))
    expect_in(f"{driver}: explain-error", "unknown name `...`\n\nNothing that", out.stdout)
    for command in ("test", "bench", "install", "package"):
        out = run(driver, command)
        expect(f"{driver}: {command}", out.returncode, 1)
        expect_in(f"{driver}: {command}", "this command needs the source tree", out.stderr)
    expect(f"{driver}: help does not list them", "  bench " in run(driver, "--help").stdout, False)

# --- the manual page and completion ---
if shutil.which("man"):
    page = run("man", "--warnings", "-l", os.path.join(prefix, "share/man/man1/sluice.1"))
    expect("the page has no mistakes", (page.returncode, page.stderr), (0, ""))
    expect_in("the page", "sluice trace show TRACE", page.stdout)
    expect_in("the page", "--cpu=native|baseline|levels|CPU", page.stdout)
    for command in ("test", "bench", "install", "uninstall", "package"):
        expect(f"the page: {command}", f"sluice {command}" in page.stdout, False)


def complete(*words):
    """What bash offers for the last of these words."""
    script = os.path.join(prefix, "share/bash-completion/completions/sluice")
    quoted = " ".join(f"'{word}'" for word in words)
    text = f"""source '{script}'
COMP_WORDS=({quoted}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_sluice 2>/dev/null; printf '%s\\n' "${{COMPREPLY[@]}}" """
    return run("bash", "-c", text).stdout.split()


expect("a command", complete("sluice", "ex"), ["explain", "explain-error"])
for command in ("test", "bench", "install", "uninstall", "package"):
    expect(f"no command: {command}", complete("sluice", command), [])
expect("commands of trace", complete("sluice", "trace", "p"), ["plot", "perfetto"])
expect("an option", complete("sluice", "build", "--cp"), ["--cpu="])
expect("not one of another command", complete("sluice", "check", "--cp"), [])
expect("a flag of trace show", complete("sluice", "trace", "show", "--fo"), ["--follow"])
expect("a value", complete("sluice", "run", "--merge-order", "=", "e"), ["exact"])
expect("all values", complete("sluice", "run", "--boundaries", "="), ["none", "auto", "all"])
expect("a file", complete("sluice", "run", "hel"), ["hello"])
zsh = open(os.path.join(prefix, "share/zsh/site-functions/_sluice"), encoding="utf-8").read()
expect("zsh: no command of the tree", "'bench:" in zsh, False)
expect_in("zsh", "'--merge-order=[any\\: merges of one source", zsh)
expect_in("zsh", ":exact|any:(exact any)'", zsh)
if shutil.which("zsh"):
    expect("zsh", run("zsh", "-n", "-c", zsh).returncode, 0)

# --- uninstall removes exactly that; installing twice is as once ---
with open(os.path.join(theirs, "file"), "w", encoding="utf-8") as file:
    file.write("theirs")
expect("again", sluice("install", "--prefix", prefix).returncode, 0)
expect("the same", everything(prefix), sorted([*installed, "share/theirs/file"]))

# --- an installation that fails: what was there stays, or uninstall removes all that was copied ---
tools = os.path.join(FOLDER, "tools")
os.mkdir(tools)
with open(os.path.join(tools, "cmake"), "w", encoding="utf-8") as file:
    file.write("#!/bin/sh\necho no space >&2\nexit 1\n")
os.chmod(os.path.join(tools, "cmake"), 0o755)
failing = dict(os.environ, PATH=tools + ":" + os.environ["PATH"], SLUICE_NO_BUILD="1")
out = sluice("install", "--prefix", prefix, env=failing)
expect("cmake fails", out.returncode, 1)
expect_in("cmake fails", "cmake failed\nno space", out.stderr)
expect("what was there stays", everything(prefix), sorted([*installed, "share/theirs/file"]))
for name in ("bin/sluice", "share/man/man1/sluice.1", "share/sluice/spl/utility.spl", "include"):
    half = os.path.join(FOLDER, "half-" + os.path.basename(name))
    path = os.path.join(half, name)  # cannot be replaced
    os.makedirs(os.path.dirname(path) if name == "include" else path)
    if name == "include":
        open(path, "w", encoding="utf-8").close()
    there = everything(half)
    out = sluice("install", "--prefix", half)
    expect(f"{name} is in the way", out.returncode, 1)
    expect_in(f"{name} is in the way", "sluice install: ", out.stderr)
    expect(f"{name}: uninstall", sluice("uninstall", "--prefix", half).returncode, 0)
    expect(f"{name}: what was there is there", everything(half), there)

out = sluice("uninstall", "--prefix", prefix)
expect("uninstall", (out.returncode, out.stderr), (0, ""))
expect("what was there is there", everything(prefix), sorted([*before, "share/theirs/file"]))
out = sluice("uninstall", "--prefix", prefix)
expect("nothing to remove", out.returncode, 1)
expect_in("nothing to remove", f"nothing is installed in {prefix}", out.stderr)
stage = os.path.join(FOLDER, "stage")
environment = dict(os.environ, DESTDIR=stage)
for prefix in ("/usr", "/opt/sluice"):
    out = sluice("install", f"--prefix={prefix}", env=environment)
    expect("DESTDIR", (out.returncode, out.stderr), (0, ""))
    expect("DESTDIR", os.path.exists(stage + prefix + "/bin/sluice"), True)
    expect("DESTDIR", sluice("uninstall", f"--prefix={prefix}", env=environment).returncode, 0)
    expect("nothing is left", os.path.exists(stage + prefix), False)
out = sluice("install", "--prefix", "/proc/none")
expect("where nobody can write", out.returncode, 1)
finish()
