# REQUIRES: slow
# RUN: %python %s
"""`sluice new`: the project runs and its test passes; what cannot be a name gets a message."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402


def shell(folder, command):
    return subprocess.run(
        ["sh", "-c", command],
        cwd=os.path.join(FOLDER, folder),
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


# Names that the program inside uses, too, are names like any other.
NAMES = ("App", "my_app2", "Readings", "Print", "place", "Functor", "MyFilter", "printStringLn")
for name in NAMES:
    out = sluice("new", name)
    expect(name, (out.returncode, out.stderr), (0, ""))
    expect_in(name, f"cd {name}\n  sluice run {name}.spl\n", out.stdout)
    out = shell(name, f"sluice run {name}.spl")
    wanted = (0, "kitchen: 25.5\nattic: 31.25\n", "")
    expect(name + " runs", (out.returncode, out.stdout, out.stderr), wanted)
    out = shell(name, "./test.sh")
    with open(os.path.join(FOLDER, name, "data", "too_warm.csv"), encoding="utf-8") as file:
        expect(name + ": its file", file.read(), '"kitchen",25.5\n"attic",31.25\n')
    expect(name + ": its test", (out.returncode, out.stdout), (0, "passed\n"))
mode = os.stat(os.path.join(FOLDER, "App", "data")).st_mode & 0o777
expect("folders are as umask says", mode, 0o777 & ~os.umask(0o022))
expect("a value", shell("App", "sluice run App.spl limit=30").stdout, "attic: 31.25\n")
with open(os.path.join(FOLDER, "App", "README.md"), encoding="utf-8") as file:
    commands = [line.split("#")[0].strip() for line in file if line.startswith("    ")]
expect("commands of its README", len(commands) >= 5, True)
for command in commands:
    expect(command, shell("App", command).returncode, 0)
write("App/data/readings.csv", '"cellar",99.0\n')
out = shell("App", "./test.sh")
expect("a test that fails", (out.returncode, "cellar" in out.stdout), (1, True))
write("App/App.spl", "composite App { graph\n")
expect("a program that does not compile", shell("App", "./test.sh").returncode, 1)

for words, code, message in [
    (["App"], 1, "`App` exists already"),
    (["my-app"], 1, "try `sluice new MyApp`"),
    (["9lives"], 1, "try `sluice new Lives`"),
    (["a/b"], 1, "try `sluice new AB`"),
    (["stream"], 1, "try `sluice new Stream`"),
    (["grüße"], 1, "cannot be the name of a program"),
    (["..."], 1, "try `sluice new MyProgram`"),
    (["A B"], 1, "try `sluice new AB`"),
    (["Filter"], 1, "uses the operator `Filter` of the standard toolkit"),
    (["Filter"], 1, "try `sluice new MyFilter`"),
    (["FileSource"], 1, "try `sluice new MyFileSource`"),
    (["Custom"], 1, "try `sluice new MyCustom`"),
    (["file-source"], 1, "try `sluice new MyProgram`"),
    ([], 2, "no name was given"),
    (["A", "B"], 2, "`B` is one name too many"),
    (["A", "--main=B"], 2, "`--main` is not an option of `sluice new`"),
]:
    out = sluice("new", *words)
    expect(f"new {words}", (out.returncode, out.stdout), (code, ""))
    expect_in(f"new {words}", message, out.stderr)
expect("nothing is made", sorted(os.listdir(FOLDER)), sorted([*NAMES, "data"]))
write("file", "")
expect_in("a file", "exists already", sluice("new", "file").stderr)
os.mkdir(os.path.join(FOLDER, "closed"))
if os.geteuid():
    os.chmod(os.path.join(FOLDER, "closed"), 0o500)
    expect_in("a closed folder", "cannot write", shell("closed", "sluice new A").stderr)
finish()
