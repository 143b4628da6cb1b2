# RUN: %python %s
"""What `sluice trace show` says first: what the policy chose, and why."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import expect, expect_in, finish, sluice, write  # noqa: E402

HEADER = {
    "line": "header",
    "version": 2,
    "program": "app",
    "composite": "Main",
    "source": "app.spl",
    "host": "a test",
    "graph": {
        "domains": 3,
        "nodes": [
            {"name": "In", "domain": 0, "source": True, "to": [1]},
            {"name": "A", "domain": 1, "changeable": True, "to": [2]},
            {"name": "B", "domain": 2, "changeable": True, "to": []},
        ],
    },
    "machine": {
        **{"cpus": 2, "maxThreads": 2, "handOffNanos": 50, "rowNanos": 0, "byteNanos": 0},
        "wakeNanos": 1,
    },
    "policy": {"name": "model", "constants": {}},
    "options": [],
    "start": {"threads": 1, "queued": []},
}
time = 0.0


def sample(rate):
    global time
    time += 0.5
    zero = {name: 0 for name in ("busy", "idle", "parked", "cpu", "others")}
    nodes = {"rows": [rate * 0.5, 0, 0]}
    return {"line": "sample", "time": time, "length": 0.5, "latency": -1, "nodes": nodes, **zero}


def decide(kind, threads=None, queue=(), unqueue=(), reason="a reason"):
    line = {"line": "decision", "time": time, "kind": kind, "reason": reason, "numbers": {}}
    change = {"queue": list(queue), "unqueue": list(unqueue)} if queue or unqueue else {}
    workers = {"threads": threads} if threads else {}
    lines = [{**line, **change, **workers, "warmUp": 0, "window": 1}]
    if change:
        lines.append({"line": "switch", "time": time, **change})
    if threads:
        lines.append({"line": "threads", "time": time, "from": 1, "to": threads})
    return lines


def settle(rate, threads, queues):
    settled = {"line": "settled", "time": time, "since": "start", "seconds": time}
    return decide("settled") + [
        {**settled, "throughput": rate, "threads": threads, "queues": queues}
    ]


def summary(lines, **header):
    global time
    time = 0.0
    path = write("t.jsonl", "".join(json.dumps(l) + "\n" for l in [{**HEADER, **header}, *lines]))
    out = sluice("trace", "show", path, "--columns=1000")
    expect("exit code", out.returncode, 0)
    return out.stdout.split("\n\n")[1]


BOTH_SET = {"threads": 2, "queued": [1]}
BOTH, ONE = {"threads": 2, "queue": [1]}, {"threads": 1, "unqueue": [1]}
ROUNDS = [sample(1000)]
for _ in range(6):
    ROUNDS += decide("try", **BOTH) + [sample(960)] + decide("try", **ONE) + [sample(1000)]
expect(
    "it stays",
    summary(ROUNDS + settle(1000, 1, 0) + [sample(1)]),  # what comes later is no comparison
    "What it started with stays: 1 worker and no queue, 1 k rows/s, settled after 6.50 s. The only"
    " other one, 2 workers and 1 queue, was 4 % slower, measured 6 times.",
)
expect(
    "it changes",
    summary(
        [sample(1000)]
        + decide("try", **BOTH)
        + [sample(2100)]
        + decide("try", queue=[2], unqueue=[1])
        + [sample(1995)]
        + decide("accept", queue=[1], unqueue=[2])
        + [sample(2100)]
        + settle(2100, 2, 1)
    ),
    "It chose 2 workers and 1 queue, 2.1 k rows/s, settled after 2.00 s. That was 2.1 times as fast"
    " as at the start (1 worker and no queue). Of 2 other configurations the best, the same numbers"
    " at other places, was 5 % slower, measured once.",
)
waits = [sample(1000)] + decide("settled", reason="the sources wait for time")
expect(
    "nothing else was measured",
    summary(waits + settle(1000, 1, 0)[1:]),
    "What it started with stays: 1 worker and no queue, 1 k rows/s, settled after 0.50 s. Nothing"
    " else was measured: the sources wait for time.",
)
text = summary([sample(1000)] + decide("try", **BOTH) + [sample(1500)])
for part in (
    "The trace ends after 1.00 s, before the policy settled",
    "it had measured 2 configurations, twice in all",
    "2 workers and 1 queue, is a step of the search and no result",
    "The best so far was 2 workers and 1 queue, 1.5 k rows/s. A longer run shows more.",
):
    expect_in("it had not settled", part, text)
expect_in("too short", "before anything was measured", summary(decide("wait")))
change = [{"line": "load-change", "time": 9.0, "reason": "x"}]
before = [sample(1000)] + settle(1000, 1, 0) + decide("load-change") + change
text = summary(before + decide("try", **BOTH) + [sample(10)] + settle(10, 2, 1))
start = "The load changed once in 9.00 s. Until 9.00 s it had 1 worker and no queue, 1 k rows/s. "
start += "Since then: It chose "
expect_in("the load changed", start, text)
# Six changes, of which the policy settled behind the first, the third and the last.
many = []
for n in range(6):
    many += [sample(1000)] + (settle(1000 + n, 1, 0) if n % 2 == 0 else [])
    many += decide("load-change") + [{"line": "load-change", "time": n + 1.0, "reason": "x"}]
text = summary(many + decide("try", **BOTH) + [sample(10)] + settle(10, 2, 1))
expect_in(
    "the whole run",
    "The load changed 6 times in 6.00 s. Until 1.00 s it had 1 worker and no queue, 1 k rows/s."
    " Until 2.00 s the policy had not settled. Until 3.00 s it had 1 worker and no queue, 1 k"
    " rows/s. So it went on twice more. Until 6.00 s the policy had not settled. Since then: It"
    " chose 2 workers and 1 queue",
    text,
)
expect(
    "it changed at the end",
    summary(before),
    "The load changed once in 9.00 s. Until 9.00 s it had 1 worker and no queue, 1 k rows/s. Since"
    " then: The trace ends after 9.00 s, before anything was measured since the load changed: 1"
    " worker and no queue is what it had then, not what was chosen.",
)
resume = [{"line": "resume", "time": 9.0, "start": BOTH_SET}]
expect(
    "the policy began anew at the end",
    summary([sample(1000), *settle(1000, 1, 0), {"line": "pause", "time": 8.0}, *resume]),
    "The trace ends after 9.00 s, before anything was measured since the policy began anew: 2"
    " workers and 1 queue is what it had then, not what was chosen.",
)
expect(
    "nothing came at the start",
    summary([sample(0)] + decide("try", **BOTH) + [sample(2100)] + settle(2100, 2, 1)),
    "It chose 2 workers and 1 queue, 2.1 k rows/s, settled after 1.00 s. The only other one, 1"
    " worker and no queue, was 100 % slower, measured once.",
)
expect(
    "nothing came with what it chose",
    summary([sample(1000)] + decide("try", **BOTH) + [sample(0)] + settle(0, 2, 1)),
    "It chose 2 workers and 1 queue, 0 rows/s, settled after 1.00 s. That was 100 % slower than at"
    " the start (1 worker and no queue).",
)
expect(
    "nothing came at all",
    summary([sample(0)] + decide("try", **BOTH) + [sample(0)] + settle(0, 2, 1)),
    "It chose 2 workers and 1 queue, 0 rows/s, settled after 1.00 s. The only other one, 1 worker"
    " and no queue, was at 0 rows/s, measured once.",
)
expect(
    "no policy",
    summary([{**sample(1000), "used": False}], policy={"name": "off", "constants": {}}),
    "No policy decided anything: it ran with 1 worker and no queue, 1 k rows/s on average.",
)
finish()
