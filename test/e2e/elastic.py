# REQUIRES: slow
# RUN: %python %s
"""Elastic programs: options and their mistakes, short runs, pause and resume, the last line of the
trace."""

import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import DATA, FOLDER, TIMEOUT, expect, expect_in, finish, sluice, write  # noqa: E402

SHORT = write(
    "Short.spl",
    """composite Short {
  graph
    stream<int64 n> Numbers = Beacon() {
      param iterations : 1000u;
      output Numbers : n = (int64) IterationCount();
    }
    stream<int64 n> Middle = Custom(Numbers) {
      logic
        state : mutable int64 sum = 0l;
        onTuple Numbers : { sum += n; submit({n = sum}, Middle); }
    }
    () as Sink = Custom(Middle) {
      logic
        state : mutable int64 last = 0l;
        onTuple Middle : last = n;
        onPunct Middle : if (currentPunct() == Sys.FinalMarker) printStringLn("sum " + (rstring) last);
    }
}
""",
)
ELASTIC = ["--boundaries=all", "--elastic=paper"]
trace = os.path.join(DATA, "trace.jsonl")


def lines(complete=False):
    """The objects of the trace. One that still grows may end in the middle of a line."""
    if not os.path.exists(trace):
        return []
    with open(trace) as file:
        text = file.read()
    return [
        json.loads(line)
        for line in (text if complete else text[: text.rfind("\n") + 1]).splitlines()
    ]


def environment(**more):
    return {"env": dict(os.environ, **more)}


# What is wrong is said, and which option or variable said it.
for options, more, code, message in (
    (["--elastic=nope"], {}, 2, "--elastic: there is no policy 'nope'"),
    (["--elastic="], {}, 2, "--elastic needs off or the name of a policy"),
    (
        ["--elastic=paper", "--elastic-option", "nope=1"],
        {},
        2,
        "policy 'paper' has no option 'nope'",
    ),
    (
        ["--elastic=paper", "--elastic-option", "period=-1"],
        {},
        2,
        "option 'period' of policy 'paper' must be from",
    ),
    (
        ["--elastic=paper", "--elastic-option", "period=soon"],
        {},
        2,
        "--elastic-option needs NAME=NUMBER, not 'period=soon'",
    ),
    (["--elastic=off", "--elastic-option", "period=1"], {}, 2, "--elastic-option needs a policy"),
    (
        ["--elastic-option", "period=1"],
        {},
        2,
        "--elastic-option: policy 'model' has no option 'period'",
    ),
    (["--queues=all", "--latency=5ms"], {}, 2, "--latency needs a policy"),
    (["--elastic=paper", "--latency=5"], {}, 2, "--latency needs a time like 5ms"),
    (["--elastic=paper", "--latency=5ms"], {}, 2, "--latency: policy 'paper' knows no such bound"),
    (["--elastic=paper", "--cpus=none"], {}, 2, "--cpus needs a number above 0"),
    (["--width=2", "--cpus=1.5"], {}, 2, "--cpus needs a policy"),
    (
        ["--elastic=paper", "--deterministic"],
        {},
        2,
        "--deterministic and --elastic=paper do not go together",
    ),
    (["--elastic=paper", "--chaos=1"], {}, 2, "--chaos and --elastic=paper do not go together"),
    (["--elastic=paper", "--trace=/nowhere/trace"], {}, 1, "--trace: cannot write /nowhere/trace"),
    (["--profiler=guess"], {}, 2, "--profiler needs cycles or sampling"),
    ([], environment(SLUICE_ELASTIC="nope"), 2, "SLUICE_ELASTIC: there is no policy 'nope'"),
    ([], environment(SLUICE_THREADS="0"), 2, "SLUICE_THREADS needs a number from 1 to 1024"),
    ([], environment(SLUICE_QUEUES="Nobody"), 2, "SLUICE_QUEUES: there is no operator 'Nobody'"),
):
    out = sluice("run", SHORT, "--boundaries=all", *options, **more)
    what = f"{options} {more and message}"
    expect(what + ": exit code", out.returncode, code)
    expect_in(what, message, out.stderr)

out = sluice("run", SHORT, "--elastic=paper", "--elastic-option", "help")
expect("--elastic-option help", (out.returncode, out.stderr), (0, ""))
expect_in("--elastic-option help", "period = ", out.stdout)

# Without a port that may change there is nothing to adapt, and nobody asked.
out = sluice("run", SHORT, "--boundaries=none", "--stats")
expect("no queues", (out.returncode, "elastic:" in out.stderr), (0, False))

# The command line wins over the environment; what that makes useless is not looked at.
for options, variables, wanted in (
    ([], {"SLUICE_ELASTIC": "paper"}, "elastic: paper, "),
    # `model` unless where queues are or how many share one was said.
    ([], {}, "elastic: model, "),
    (["--threads=2"], {}, "elastic: model, "),
    (["--cpus=1.5", "--latency=5ms", "--elastic-option=settle=3"], {}, "elastic: model, "),
    (["--queues=none"], {}, None),
    (["--width=1"], {}, None),
    (["--deterministic"], {}, None),
    ([], {"SLUICE_QUEUES": "all"}, None),
    (["--queues=all"], {"SLUICE_ELASTIC": "paper"}, "elastic: paper, "),
    (["--elastic=off"], {"SLUICE_ELASTIC": "paper"}, None),
    (["--elastic=off"], {"SLUICE_ELASTIC": "nope"}, None),
    (["--deterministic"], {"SLUICE_ELASTIC": "paper", "SLUICE_QUEUES": "all"}, None),
    (["--chaos=1"], {"SLUICE_ELASTIC": "paper"}, None),
    (["--threads=3"], {"SLUICE_THREADS": "5"}, "workers: 3,"),
    ([], {"SLUICE_THREADS": "5"}, "workers: 5,"),
):
    out = sluice("run", SHORT, "--boundaries=all", "--stats", *options, **environment(**variables))
    expect(f"{options} {variables}", (out.returncode, out.stdout), (0, "sum 499500\n"))
    if wanted:
        expect_in(f"{options} {variables}", wanted, out.stderr)
    else:
        expect(f"{options} {variables}", "elastic:" in out.stderr, False)

# Shorter than one window: the policy has decided once, at the beginning.
out = sluice("run", SHORT, *ELASTIC, "--stats", "--trace", trace, "--elastic-option=period=60")
expect("short run", (out.returncode, out.stdout), (0, "sum 499500\n"))
expect_in("short run", "elastic: paper, 1 decision, ", out.stderr)
expect_in("short run", " s of processor time, ", out.stderr)
kinds = [line["line"] for line in lines(complete=True)]
expect(
    "short run: lines",
    (kinds[:2], kinds[-1], kinds.count("sample")),
    (["header", "decision"], "final", 0),
)
expect("short run: rows", (lines()[-1]["rows"], lines()[-1]["exitCode"]), (1000, 0))
names = [node["name"] for node in lines()[0]["graph"]["nodes"]]
expect("names of nodes", names, ["Numbers", "Middle", "Sink"])

# --queues is where it starts.
out = sluice("run", SHORT, *ELASTIC, "--trace", trace, "--queues=Sink")
expect("start", (out.returncode, lines(complete=True)[0]["start"]["queued"]), (0, [2]))

# No port that may change: said once, and only to those who ask.
for level, wanted in (("info", 1), ("error", 0)):
    out = sluice("run", SHORT, "--boundaries=none", "--elastic=paper", "--trace-level", level)
    expect("nothing to adapt", (out.returncode, out.stdout), (0, "sum 499500\n"))
    expect("nothing to adapt, said", out.stderr.count("nothing to adapt"), wanted)

ENDLESS = write(
    "Endless.spl",
    """composite Endless {
  graph
    stream<int64 n> Numbers = Beacon() { output Numbers : n = (int64) IterationCount(); }
    stream<int64 n> Middle = Custom(Numbers) {
      logic
        state : mutable int64 sum = 0l;
        onTuple Numbers : { sum += n; submit({n = sum}, Middle); }
    }
    () as Sink = Custom(Middle) {
      logic
        state : mutable int64 count = 0l;
        onTuple Middle : count++;
        onPunct Middle : if (currentPunct() == Sys.FinalMarker) printStringLn("done");
    }
}
""",
)


def wait_for(process, what, reached):
    start = time.time()
    while not reached([line["line"] for line in lines()]):
        if process.poll() is not None or time.time() - start > TIMEOUT:
            expect(what, "not seen", "seen")
            return
        time.sleep(0.01)


def after(kinds, word):
    return kinds[len(kinds) - kinds[::-1].index(word) :] if word in kinds else []


built = os.path.join(FOLDER, "endless")
expect("building", sluice("build", ENDLESS, "-o", built, "--boundaries=all").returncode, 0)
for profiler in ("cycles", "sampling"):
    os.remove(trace)
    process = subprocess.Popen(
        [
            built,
            "--elastic=paper",
            "--elastic-option=period=0.02",
            "--profiler",
            profiler,
            "--trace",
            trace,
            "--data-dir",
            DATA,
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    wait_for(process, "decisions", lambda kinds: kinds.count("decision") > 3)
    process.send_signal(signal.SIGUSR1)
    wait_for(process, "pause", lambda kinds: "pause" in kinds)
    wait_for(process, "samples while it is paused", lambda kinds: "sample" in after(kinds, "pause"))
    expect(
        "no decision while it is paused",
        "decision" in after([line["line"] for line in lines()], "pause"),
        False,
    )
    process.send_signal(signal.SIGUSR2)
    wait_for(
        process,
        "decisions after resume",
        lambda kinds: after(kinds, "resume").count("decision") > 3,
    )
    for _ in range(20):  # it may be stopped between two windows
        process.send_signal(signal.SIGSTOP)
        time.sleep(1.0)
        process.send_signal(signal.SIGCONT)
        time.sleep(0.3)
        if any(
            line["line"] == "sample" and line["length"] > 0.95 and line.get("used") is False
            for line in lines()
        ):
            break
    else:
        expect(profiler + ": a window with a stop in it is not used", False, True)
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate(timeout=TIMEOUT)
    expect(profiler + ": the end", (process.returncode, text), (0, "done\n"))
    kinds = [line["line"] for line in lines(complete=True)]
    expect(profiler + ": resumes anew", after(kinds, "resume")[:1], ["decision"])
    expect(profiler + ": last line", (kinds[-1], lines()[-1]["exitCode"]), ("final", 0))
    busy = sum(line["nodes"].get("busy", [0])[0] for line in lines() if line["line"] == "sample")
    expect(profiler + ": the source was seen busy", busy > 0, True)

# Without a policy there is nothing to pause: the signals do no harm, and the trace has samples.
os.remove(trace)
process = subprocess.Popen(
    [built, "--elastic=off", "--trace", trace, "--data-dir", DATA],
    stdout=subprocess.PIPE,
    text=True,
)
wait_for(process, "the header", lambda kinds: kinds[:1] == ["header"])
process.send_signal(signal.SIGUSR1)
process.send_signal(signal.SIGUSR2)
wait_for(process, "a sample", lambda kinds: "sample" in kinds)
process.send_signal(signal.SIGTERM)
text, _ = process.communicate(timeout=TIMEOUT)
expect("off: the end", (process.returncode, text), (0, "done\n"))
expect(
    "off: policy and decisions",
    (lines()[0]["policy"]["name"], "decision" in [line["line"] for line in lines()]),
    ("off", False),
)
finish()
