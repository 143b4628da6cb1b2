# REQUIRES: slow
# RUN: %python %s
"""What the driver and programs answer to words on the command line that cannot be right."""

import os
import resource
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402
import subprocess  # noqa: E402

write(
    "Main.spl",
    """composite Main {
  graph
    stream<int32 n> S = Beacon() { param iterations : 2u; output S : n = 1; }
    () as Sink = Custom(S) { logic onTuple S : println(n); }
}
""",
)

NEEDS = """composite Main {
  graph
    stream<int32 n> S = Beacon() {
      param iterations : (int32) getSubmissionTimeValue("count");
    }
    () as Sink = Custom(S) { logic onTuple S : println(n); }
}
"""


def refused(code, *command, says, program=None):
    if program:
        command = (program, *command)
        out = subprocess.run(command, capture_output=True, text=True, cwd=FOLDER, timeout=60)
    else:
        out = sluice(*command)
    what = " ".join(command)
    expect(what, (out.returncode, out.stdout), (code, ""))
    expect_in(what, says, out.stderr)
    return out.stderr


# --- what is no program ---
write("orders.csv", "a,b\n1,2\n")
for command in ("run", "check", "build", "graph"):
    refused(1, command, "orders.csv", says="error: `orders.csv` is no SPL program")
refused(1, "check", "rows.json", says="error: `rows.json` is no SPL program")

# --- a folder instead of a program ---
write("folder/a.spl", "type A = int32 a;\n")
note = "note: a program is one file; in this folder there are `folder/a.spl`"
for command in ("run", "graph"):
    expect("one line", refused(1, command, "folder", says=note).count(note + "\n"), 1)
for name in "gfedcb":
    write(f"folder/{name}.spl", "")
refused(1, "run", "folder/", says="`folder/a.spl`, `folder/b.spl`, `folder/c.spl`, `folder/d.spl`")
refused(1, "run", "folder", says="`folder/e.spl`, ...\n")
os.makedirs(os.path.join(FOLDER, "empty/inner"))
expect("no program", "in this folder" in refused(1, "run", "empty", says="Is a directory"), False)

# --- what follows -- is no option ---
write("-odd.spl", "composite Main { graph () as S = Custom() { logic onProcess : println(1); } }\n")
out = sluice("run", "--deterministic", "--", "-odd.spl")
expect("-- and a name", (out.returncode, out.stdout), (0, "1\n"))
out = sluice("check", "--", "Main.spl")
expect("check --", (out.returncode, out.stdout), (0, ""))
refused(2, "run", "--", "Main.spl", "--stats", says="`--stats` is neither an option nor NAME=VALUE")
refused(2, "run", "Main.spl", "--", "n=1", says="no submission-time value 'n'")
refused(2, "run", "--", says="no source file was given")

# --- one dash instead of two ---
refused(2, "run", "Main.spl", "-main=Main", says="option `-main=Main` (did you mean `--main`?)")
refused(2, "run", "Main.spl", "-threads", "2", says="option `-threads` (did you mean `--threads`?)")
refused(2, "build", "Main.spl", "-cpu=native", says="(did you mean `--cpu`?)")

# --- the next option is no value ---
for option, following in (
    ("--trace", "--stats"),
    ("--seed", "--threads"),
    ("--data-dir", "--seed=1"),
):
    refused(2, "run", "Main.spl", option, following, says=f"`{option}` needs a value")
refused(2, "build", "Main.spl", "-o", "--time", says="`-o` needs a value")
made = [name for name in os.listdir(FOLDER) if name.startswith("-")]
expect("no file is made", made, ["-odd.spl"])
expect("with = it is one", sluice("run", "Main.spl", "--metrics-json=--odd").returncode, 0)
expect("its file", os.path.exists(os.path.join(FOLDER, "--odd")), True)

# --- where a program cannot be written ---
for output, reason in (
    ("/no/such/x", "No such file or directory"),
    (FOLDER, "Is a directory"),
    ("/dev/full", "No space left on device"),
    ("Main.spl/x", "Not a directory"),
):
    text = refused(1, "build", "Main.spl", "-o", output, says=f"cannot write {output}: {reason}")
    expect(output + ": one line", text.count("\n"), 1)
os.makedirs(os.path.join(FOLDER, "Main"))
another = "\nGive another name with `-o`"
refused(1, "build", "Main.spl", says="cannot write Main: Is a directory" + another)
os.rmdir(os.path.join(FOLDER, "Main"))
write(".spl", "composite Main { graph () as S = Custom() { } }\n")
refused(2, "build", ".spl", says="`.spl` gives the executable no name: `-o PROGRAM` does")
expect("build", sluice("build", "Main.spl", "-o", "app").returncode, 0)
expect("it is written again", sluice("build", "Main.spl", "-o", "app").returncode, 0)
if os.path.isdir("/dev/shm"):
    other = f"/dev/shm/sluice-{os.getpid()}"
    expect("another file system", sluice("build", "Main.spl", "-o", other).returncode, 0)
    out = subprocess.run([other], capture_output=True, text=True, timeout=60)
    expect("it runs there", (out.returncode, out.stdout), (0, "1\n1\n"))
    os.remove(other)


# --- what fails half-way leaves nothing ---
def limited():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))


for command, left in (
    (("graph", "Main.spl", "-o", "half.svg"), "half.svg"),
    (("explain", "Main.spl", "-o", "half.txt"), "half.txt"),
    (("new", "Half"), "Half"),
):
    out = sluice(*command, preexec_fn=limited)
    expect(f"{left}: exit code", out.returncode, 1)
    expect_in(left, "File too large", out.stderr)
    expect(f"{left} is not left", os.path.exists(os.path.join(FOLDER, left)), False)


def short(bytes):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes, bytes))


for bytes, code in ((64, 1), (100000, 1)):  # object code; the executable
    out = sluice("build", "Main.spl", "-o", "half", preexec_fn=short(bytes))
    expect(f"build: {bytes} bytes", out.returncode, code)
    expect_in("build", "sluice: cannot write ", out.stderr)
    expect_in("build", ": File too large\n", out.stderr)
    expect("one line", out.stderr.count("\n"), 1)
temporary = os.path.join(FOLDER, "temporary")
os.makedirs(temporary)
build = subprocess.Popen(
    ["sluice", "build", "Main.spl", "-o", "stopped"],
    cwd=FOLDER,
    env=dict(os.environ, TMPDIR=temporary),
    stderr=subprocess.DEVNULL,
)
while build.poll() is None and not os.listdir(temporary):
    pass
build.terminate()
expect("stopped", build.wait(), -signal.SIGTERM)
expect("its temporary files", os.listdir(temporary), [])

# Perl waits, and a signal ends the compiler: it leaves no file either.
template = write("Waits.splmm", "composite Waits {\n<% sleep(20); %>}\n")
checking = subprocess.Popen(
    ["sluice", "check", template],
    stderr=subprocess.DEVNULL,
    env=dict(os.environ, TMPDIR=temporary),
)
while checking.poll() is None and len(os.listdir(temporary)) < 3:
    time.sleep(0.01)
checking.terminate()
expect("waiting for Perl: its exit code", checking.wait(60), -15)
expect("waiting for Perl: its temporary files", os.listdir(temporary), [])
os.remove(template)  # the files of a folder are one program

# --- standard output and error as files ---
for option in ("--metrics-json", "--trace"):
    for name, number in (("/dev/stdout", 1), ("/dev/stderr", 2)):
        words = ["run", "Main.spl", f"{option}={name}", "--elastic=model"]
        with open(os.path.join(FOLDER, "both"), "w+") as both:
            subprocess.run(["sluice", *words], stdout=both, stderr=both, cwd=FOLDER, timeout=60)
            both.seek(0)
            text = both.read()
        expect(f"{option}={name} keeps the output", text.count("1\n") >= 2, True)
        expect_in(f"{option}={name}", '"version"', text)
out = subprocess.run("sluice run - <&-", shell=True, capture_output=True, text=True, cwd=FOLDER)
expect_in("no standard input", "cannot open `<stdin>`: Bad file descriptor", out.stderr)
write(
    "Read.spl",
    """composite Main {
  graph
    stream<rstring line> S = FileSource() { param file : "in.txt"; format : line; }
    () as Sink = Custom(S) { logic onTuple S : println(line); }
}
""",
)
hint = "in.txt: No such file or directory (there is no data directory; --data-dir names another)"
refused(1, "run", "Read.spl", "--data-dir=/nope", says="cannot open /nope/" + hint)
os.makedirs(os.path.join(FOLDER, "there"))
text = refused(1, "run", "Read.spl", "--data-dir=there", says="in.txt: No such file or directory")
expect("the directory is there", "--data-dir" in text, False)
source = 'stream<rstring line> S = FileSource() { param file : "/dev/stdin"; format : line; }'
write("Read.spl", "composite Main { graph " + source + " () as K = Custom(S) { } }\n")
out = subprocess.run("sluice run Read.spl -w <&-", shell=True, capture_output=True, cwd=FOLDER)
expect("standard input is closed", out.returncode, 1)
expect_in("it says so", "cannot open /dev/stdin: Bad file descriptor", out.stderr.decode())
os.symlink("nowhere.spl", os.path.join(FOLDER, "Link.spl"))
expect("another name", "`Link.spl`?" in refused(1, "run", "Link.spl", says="cannot open"), False)

# --- words in the wrong place ---
refused(2, "--stats", "run", "Main.spl", says="options stand behind it, as in `sluice run --stats")
refused(2, "run", "Main.spl", "--help=1", says="`--help` takes no value")
refused(2, "run", "Main.spl", "--memory=1G", says="--memory needs a number of MiB from 1")
refused(2, "run", "Main.spl", "--queues=S", says="'S' is a source: no stream enters it")
refused(2, "build", "Main.spl", "--threads=2", says="and the program that is built")
refused(2, "doc", "-o", "x", "Beacon", says="not an option of `sluice doc`: `> FILE` takes what it")
refused(2, "ir", "Main.spl", "--diff=flat,lowerd", says="(did you mean `lowered`?)")
refused(1, "job", "/bin/true", says="`/bin/true` is no program that `sluice build` has made")
expect(
    "help of version", sluice("version", "--help").stdout.split("\n")[0], "Usage: sluice version"
)
expect("help of help", sluice("help", "--help").stdout, sluice("help").stdout)
useless = sluice("run", "Main.spl", "--receive=poll")
expect("it runs", (useless.returncode, useless.stdout), (0, "1\n1\n"))
expect_in("one process", "--receive=poll has no effect: the program runs as one", useless.stderr)

# --- a value with spaces, or with an option ---
odd = "neither an option nor NAME=VALUE, which has no spaces"
refused(2, "run", "Main.spl", "n", "=", "5", says=odd)
refused(2, "-P", "n=5", says="-P; a value of the program is NAME=VALUE, without", program="./app")
refused(2, "n", "5", says=f"'n' is {odd}", program="./app")

# --- more processes than a machine should have ---
streams = "".join(
    f"    stream<int32 n> S{i} = Beacon() {{}}\n    () as K{i} = Custom(S{i}) {{}}\n"
    for i in range(600)
)
write("Huge.spl", "composite Main {\n  graph\n" + streams + "}\n")
for command in ("run", "explain"):
    refused(
        1, command, "Huge.spl", "-w", "--pes=all", says="more than 512: write `--pes=N` for fewer"
    )

# --- of a built program ---
for words in (("--trace", "--stats"), ("--trace-level=off", "--metrics-json", "--stats")):
    refused(2, *words, says=f"option {words[-2]} needs a value", program="./app")
for words in (("--deterministic", "--threads=2"), ("--threads=2", "--clock=virtual")):
    refused(2, *words, says="it has no --threads", program="./app")
refused(2, "--queues=Nope", says="no operator 'Nope'; there are Sink", program="./app")
write(
    "Inner.spl",
    """composite Half(output Out; input In) {
  graph
    stream<In> First = Filter(In) {}
    stream<In> Out = Filter(First) {}
}
composite Main {
  graph
    stream<int32 n> Numbers = Beacon() { param iterations : 1u; }
    @parallel(width = 2)
    stream<int32 n> Outer = Half(Numbers) {}
    () as Sink = Custom(Outer) { logic onTuple Outer : println(n); }
}
""",
)
for words, says in (
    ("--queues=Outer", "'Outer'; it is a composite with the operators Outer.First, Outer.Out\n"),
    ("--width=Outer=2", "'Outer'; it is a composite with the operators Outer.First, Outer.Out\n"),
    ("--queues=Sink,First", "'First' (did you mean 'Outer.First'?)"),
    ("--queues=Outr.First", "'Outr.First' (did you mean 'Outer.First'?)"),
    ("--queues=Nope", "'Nope'; there are Outer.First, Outer.Out, Sink\n"),
):
    refused(2, "run", "Inner.spl", "--boundaries=all", words, says=f"there is no operator {says}")
refused(2, "-threads=2", says="unknown option -threads (did you mean --threads?)", program="./app")
refused(2, "-stats", says="unknown option -stats (did you mean --stats?)", program="./app")
for words, meant in (
    ("--dta-dir=x", "--data-dir"),
    ("--stat", "--stats"),
    ("--treads=2", "--threads"),
):
    refused(2, words, says=f" (did you mean {meant}?)", program="./app")
refused(2, "--nothing-like=it", says="a value of the program has no dashes", program="./app")
refused(2, "--stats=1", says="option --stats takes no value", program="./app")
refused(2, "--", "--stats", says="'--stats' is neither an option nor NAME=VALUE", program="./app")
refused(2, "--", "--help", says="'--help' is neither an option nor NAME=VALUE", program="./app")
refused(2, "--", "n=1", says="no submission-time value 'n'", program="./app")
write("Needs.spl", NEEDS)
expect("build", sluice("build", "Needs.spl", "-o", "needs").returncode, 0)
for words in (["--help"], ["--list-values"], ["count=1", "--elastic-option=help"]):
    with open("/dev/full", "wb") as full:
        out = subprocess.run(
            ["./needs", *words], stdout=full, stderr=subprocess.PIPE, cwd=FOLDER, timeout=60
        )
    expect_in(words, "cannot write standard output: No space left", out.stderr.decode())
    expect(words, out.returncode, 1)
refused(2, "--width=Nope=2", says="no operator 'Nope'; there are Sink", program="./app")

# --- the format of a graph ---
refused(2, "graph", "Main.spl", "-o", "x.png", says="end the name with .dot, .json or .svg")
refused(2, "graph", "Main.spl", "-o", "x.dot.gz", says="`.gz` is no format of a graph")
for name, start, *more in (
    ("x.SVG", "<svg"),
    ("x.Json", "{"),
    ("plain", "digraph"),
    ("y.d/plain", "digraph"),
    ("x.txt", "<svg", "--format=svg"),
):
    os.makedirs(os.path.join(FOLDER, "y.d"), exist_ok=True)
    expect(name, sluice("graph", "Main.spl", "-o", name, *more).returncode, 0)
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        expect(name, file.read(len(start)), start)

# --- commands ---
for words in (("help", "trace"), ("trace", "--help")):
    out = sluice(*words)
    expect(words, out.returncode, 0)
    expect_in(words, "trace replay", out.stdout)
expect("help help", sluice("help", "help").returncode, 0)
refused(2, "Main.spl", says="`sluice run Main.spl`")
refused(2, "a/b.spl", says="`sluice run a/b.spl`")
refused(2, "explain-error", "SL0053", "SL0054", says="`SL0054` is one code too many")
refused(2, "ir", "Main.spl", says="`--stop-after=PHASE`")
refused(2, "ir", "Main.spl", "--source", says="`--emit=KIND`")
for only, says in (("nosuch", "; there are "), ("Sinc", "did you mean `Sink`")):
    refused(2, "ir", "Main.spl", "--stop-after=flat", "--only=" + only, says=says)
    refused(2, "ir", "Main.spl", "--diff=flat,placed", "--only=" + only, says=says)
    refused(2, "ir", "Main.spl", "--stop-after=flat", "--only=Sink", "--only=" + only, says=says)
refused(2, "ir", "Main.spl", "--diff=flat", says="as in `--diff=flat,placed`")
refused(2, "build", "Main.spl", "--target=arm", says="arm")
refused(2, "ir", "Main.spl", "--emit=asm", "--cpu=foo", says="foo")
refused(2, "build", "Main.spl", "--cpu=foo", says="foo")
for command in ("check", "run", "build", "graph", "explain"):
    refused(2, command, "Main.spl", "--main=Nope", says="there is no composite `Nope`")
refused(2, "run", "Main.spl", "nope=1", says="the program has no submission-time value 'nope'")
refused(2, "nope=1", says="the program has no submission-time value", program="./app")
refused(1, "run", "Needs.spl", says="required submission-time value missing: Main.count")
refused(2, "rn", "Main.spl", says="did you mean `run`?")
refused(2, "chekc", "Main.spl", says="did you mean `check`?")
for command in ("show", "plot", "replay"):
    refused(1, "trace", command, "Main.spl", says="Main.spl:1: this is no trace")
refused(1, "trace", "diff", "Main.spl", "Main.spl", says="this is no trace")
finish()
