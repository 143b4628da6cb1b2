# REQUIRES: slow
# RUN: %python %s
"""sluice trace show, diff, replay and perfetto: what they print, and what they refuse."""

import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

INPUTS = os.path.join(os.path.dirname(__file__), "Inputs", "traces")
with open(os.path.join(INPUTS, "small.jsonl"), encoding="utf-8") as file:
    LINES = file.read().splitlines(keepends=True)
whole = write("whole.jsonl", "".join(LINES))


def trace(*args):
    return sluice("trace", *args)


def check(what, out, code, *parts):
    expect(what + ": exit code", out.returncode, code)
    for part in parts:
        expect_in(what, part, out.stdout + out.stderr)


# --- narrow terminals ---
for columns in (60, 73, 89, 100, 150):
    for words in (["show", whole], ["show", whole, "--numbers"]):
        lines = trace(*words, f"--columns={columns}").stdout.splitlines()
        wide = [line for line in lines if len(line) > columns]
        expect(f"{' '.join(words)} in {columns} columns", wide, [])

# --- show ---
out = trace("show", whole, "--columns=100")
check(
    "show",
    out,
    0,
    "demo::Main, policy paper\n1 source, 3 nodes, 2 boundaries that may be queues; 4 hardware"
    " threads, at most 4 workers\n",
)
expect("nothing is missing", out.stderr, "")
for part in (
    (
        "\nthroughput  ▃▅████▇▇▇ at most 400 k rows/s\nthreads     ▅▅▅▅▅▅▇▇█ at most 4\nqueues     "
        " ▅█████▅▅▅ at most 2\n"
    ),
    (
        "    0.00 s                                       1      1  try: threads 1 -> 2 (more"
        " workers)\n"
    ),
    "    1.00 s     100 k █████                       2      1  try: queue Work (the heaviest)\n",
    "    2.00 s     200 k ██████████                  2      2  accept (better)\n",
    (
        "    3.00 s     400 k ████████████████████        2      2  settled 3.00 s after start: 400"
        " k rows/s,\n"
    ),
    "\n" + " " * 59 + "2 threads, 2 queues\n",
    (
        "    5.00 s     390 k ███████████████████▌        2      2  2 samples from 3.50 s;"
        " load-change\n"
    ),
    "    7.00 s     300 k ███████████████             3      1\n",
):
    expect_in("show", part, out.stdout)
text = " ".join(out.stdout.split())  # whatever the breaks of lines
for part in (
    "load-change (slower)",
    "undo: threads 2 -> 3; call Work (it was better)",
    "8.00 s 3 1 adaptation is switched off",
    "set: threads 3 -> 4",
    "adaptation is switched on: the policy goes on",
    (
        "the program ended with exit code 0: 2.2 M rows, 12.50 s of processor time; 9 samples, 9"
        " decisions"
    ),
):
    expect_in("show", part, text)
for line in out.stdout.splitlines():
    expect("a line fits", len(line) <= 100, True)
piped = subprocess.run(
    ["sluice", "trace", "show", "-", "--columns=100"],
    input="".join(LINES),
    capture_output=True,
    text=True,
    timeout=TIMEOUT,
)
expect("the standard input", piped.stdout, out.stdout)

text = " ".join(trace("show", whole, "--numbers").stdout.split())
expect_in("numbers", "accept (better); throughput 200 k, best 100 k 3.00 s", text)

# --- what is cut off ---
for cut in range(len("".join(LINES)) - 400, len("".join(LINES)), 7):
    text = "".join(LINES)[:cut]
    out = trace("show", write("cut.jsonl", text))
    check(f"cut at {cut}", out, 0, "warning: ", "the end is missing: the last line is of ")
    if not text.endswith("\n"):
        expect_in(
            f"cut at {cut}",
            f"line {text.count(chr(10)) + 1} is cut off after {len(text) - text.rfind(chr(10)) - 1}"
            " bytes",
            out.stderr,
        )

# --- what is refused ---
check("no such file", trace("show", "nowhere"), 1, "cannot read nowhere: No such file")
check("a folder", trace("show", FOLDER), 1, "cannot read ")
for command in (["show"], ["replay"], ["perfetto", "-o", "never.json"], ["diff", whole]):
    damaged = write("damaged.jsonl", LINES[0] + LINES[1][:20] + "\n" + "".join(LINES[2:]))
    check(
        f"damaged, {command}", trace(*command, damaged), 1, "damaged.jsonl:2: the line is damaged: "
    )
    newer = write(
        "newer.jsonl", LINES[0].replace('"version":1', '"version":9') + "".join(LINES[1:])
    )
    check(
        f"newer, {command}",
        trace(*command, newer),
        1,
        "newer.jsonl:1: the trace has version 9, and this sluice reads up to version 3",
    )
    check(
        f"empty, {command}",
        trace(*command, write("empty.jsonl", "")),
        1,
        "empty.jsonl: this is no trace: it is empty",
    )
    check(
        f"no trace, {command}",
        trace(*command, write("Main.spl", "composite Main {}\n")),
        1,
        "Main.spl:1: ",
    )
for words in (
    [],
    ["soup"],
    ["show"],
    ["show", whole, whole],
    ["diff", whole],
    ["show", whole, "--columns=5"],
    ["replay", "--follow", whole],
):
    out = trace(*words)
    expect("wrong usage: " + " ".join(words), out.returncode, 2)
for words in (
    ["--help"],
    ["show", "--help"],
    ["replay", "--help"],
    ["diff", "--help"],
    ["perfetto", "--help"],
):
    check("help: " + " ".join(words), trace(*words), 0, "TRACE")

# --- follow ---
growing = os.path.join(FOLDER, "growing.jsonl")
process = subprocess.Popen(
    ["sluice", "trace", "show", growing, "--follow", "--columns=100"],
    stdout=subprocess.PIPE,
    stderr=subprocess.PIPE,
    text=True,
    cwd=FOLDER,
)
expect("it waits for the file", process.stderr.readline(), f"sluice: waiting for {growing}\n")
with open(growing, "a", encoding="utf-8") as file:
    for line in LINES:
        for part in (line[: len(line) // 2], line[len(line) // 2 :]):
            file.write(part)
            file.flush()
            time.sleep(0.01)
followed, _ = process.communicate(timeout=TIMEOUT)
expect("it ends with the program", process.returncode, 0)
expect_in("follow", "load-change", followed)
expect_in("follow", "the program ended with exit code 0", followed)

# --- diff ---
other = write(
    "other.jsonl",
    "".join(LINES[:6]).replace('"name":"paper"', '"name":"model"')
    + LINES[-1].replace('"rows":2.2e6', '"rows":1.1e6'),
)
out = trace("diff", whole, other)
check(
    "diff",
    out,
    0,
    "policy                    paper                   model",
    "rows                      2.2 M                   1.1 M                   -50.0 %",
    "settled first after       3.00 s                  -",
    "threads at the end        4                       2",
    "queues at the end of both: Sink:1\n",
    "queues at the end of B only: Work\n",
    "decision 3\n",
    "5 of 7 decisions differ in kind or change (those that only wait are left out)\n",
    "A: whole.jsonl          B: other.jsonl",
)
out = trace("diff", whole, whole)
check(
    "diff of the same",
    out,
    0,
    "The last configuration is the same.\n",
    "0 of 7 decisions differ in kind or change (those",
)
header = json.loads(LINES[0])
header["graph"]["nodes"][1]["name"] = "Other"
check(
    "diff of other graphs",
    trace("diff", whole, write("graph.jsonl", json.dumps(header) + "\n" + "".join(LINES[1:]))),
    0,
    "The graphs differ: 4 and 4 nodes.",
)

# --- perfetto ---
check("perfetto", trace("perfetto", whole), 0, "whole.perfetto.json is written")
with open(os.path.join(FOLDER, "whole.perfetto.json"), encoding="utf-8") as file:
    converted = json.load(file)
events = converted["traceEvents"]
counters = {
    name: [(e["ts"], *e["args"].values()) for e in events if e["ph"] == "C" and e["name"] == name]
    for name in ("throughput", "threads", "queues")
}
expect(
    "throughput stands where its window begins",
    counters["throughput"][:3],
    [(500000, 100000), (1500000, 200000), (2500000, 400000)],
)
expect(
    "threads",
    counters["threads"],
    [(0, 1), (500000, 2), (1100000, 2), (6100000, 2), (6100000, 3), (8500000, 4)],
)
expect("queues", [v for _, v in counters["queues"]], [1, 1, 2, 1, 1, 1])
instants = [e for e in events if e["ph"] == "i"]
expect(
    "decisions and what else happened",
    [e["name"] for e in instants],
    [
        "try",
        "try",
        "accept",
        "settled",
        "settled",
        "wait",
        "load-change",
        "load-change",
        "undo",
        "wait",
        "pause",
        "resume",
        "settled",
        "settled",
        "final",
    ],
)
expect(
    "a reason",
    instants[1]["args"],
    {"reason": "the heaviest", "change": "queue Work", "throughput": 100000},
)
expect(
    "the heaviest first",
    [e["name"] for e in events if e["name"].startswith("busy")][:3],
    ["busy: Work", "busy: Source", "busy: Sink:1"],
)
check("to the console", trace("perfetto", whole, "-o", "-"), 0, '"traceEvents":[')
check(
    "nowhere to write",
    trace("perfetto", whole, "-o", "/nonexistent/x"),
    1,
    "cannot write /nonexistent/x: No such file or directory",
)
if os.path.exists("/dev/full"):
    check(
        "a full disk",
        trace("perfetto", whole, "-o", "/dev/full"),
        1,
        "cannot write /dev/full: No space left on device",
    )
finish()
