"""Traces for the console that no program has to run for."""

import json


def header(operators, streams, **more):
    nodes = [{"name": "Read", "domain": 0, "source": True, "to": [1], "operators": [{"name": "Read"}]},
             {"name": "Work[0]", "domain": 1, "changeable": True, "to": [], "operators": [{"name": "Work[0]"}]}]  # fmt: skip
    return {
        "line": "header", "version": 3, "program": "app", "composite": "demo::Main", "source": "app.spl",
        "host": "a test", "started": 1700000000, "graph": {"domains": 2, "nodes": nodes},
        "machine": {"cpus": 4, "maxThreads": 4, "handOffNanos": 50, "rowNanos": 1, "byteNanos": 0, "wakeNanos": 1000},
        "policy": {"name": "model", "constants": {}}, "options": [],
        "start": {"threads": 1, "queued": [], "widths": []}, "process": 17,
        "flow": {"operators": operators, "streams": streams}, **more,
    }  # fmt: skip


def figures(time, count, rates, cpu, queue=0, depth=0, blocked=0, **more):
    return {
        "line": "figures", "time": time,
        "operators": {"in": [r * time for r in rates], "out": [r * time for r in rates],
                      "cpu": [c * time for c in cpu]},
        "boundaries": {"port": list(range(count)), "queue": [queue] * count, "depth": [depth] * count,
                       "room": [64] * count, "blocked": [blocked] * count},
        "threads": [{"thread": "source Read", "state": "space", "operator": 1, "since": time - 0.5},
                    {"thread": "worker 0", "state": "runs", "operator": 1}],
        "latency": [0.0012, 0.0098], "cpu": 1.9 * time, "others": 0.1 * time, "memory": 2e8, "memoryLimit": 8e9,
        "cpus": 4, "workers": 2, "mostWorkers": 4, "busy": 1.9 * time, **more,
    }  # fmt: skip


def decision(time, kind, reason, **more):
    return {"line": "decision", "time": time, "kind": kind, "reason": reason, "numbers": {"throughput": 48e3},
            "warmUp": 0, "window": 1, **more}  # fmt: skip


def small():
    """Read -> Work, a region of two channels, behind a composite -> a sink with markup in its name."""
    operators = [
        {"name": "Read", "kind": "spl.utility::Beacon", "at": "app.spl:3:5", "source": True},
        {"name": "Work[0]", "kind": "spl.utility::Custom", "at": "app.spl:5:5", "group": "Work"},
        {"name": "Work[1]", "kind": "spl.utility::Custom", "at": "app.spl:5:5", "group": "Work"},
        {"name": "<img src=x onerror=alert(1)>", "kind": "spl.utility::Custom", "at": "app.spl:9:5"},
    ]
    streams = [
        {"from": 0, "to": 1, "port": 0, "boundary": "switchable"},
        {"from": 0, "to": 2, "port": 1, "boundary": "switchable"},
        {"from": 1, "to": 3, "port": 2, "boundary": "fused"},
        {"from": 2, "to": 3, "port": 2, "boundary": "fused"},
    ]
    limit = {"kind": "channel", "operator": 2, "text": "Work limits it: its 2 channels fill 1.9 of 4 processors, Work[1] 99 % of one"}  # fmt: skip
    lines = [header(operators, streams)]
    blocked = 0
    for half in range(1, 41):
        time = half / 2
        if time == 5:
            lines.append(decision(5, "try", "rows from Read rose", queue=[1], threads=2))
        blocked += 0.31 if time > 5 else 0
        lines.append(
            figures(time, 2, [48e3, 24e3, 24e3, 48e3], [0.1, 0.6, 0.95, 0.05], int(time > 5), 61 if time > 5 else 0,
                    blocked, limit=limit, leftOut=[{"operator": 3, "name": "late", "count": 3}])
        )  # fmt: skip
    lines.append(decision(12, "accept", "<b>better</b>", queue=[]))
    lines.append({"line": "settled", "time": 15, "since": "start", "seconds": 15, "throughput": 48e3, "threads": 2, "queues": 1})
    lines.append({"line": "final", "time": 20, "exitCode": 0, "rows": 96e4, "cpu": 38, "samples": 0, "decisions": 2, "lost": 0})
    return text(lines)


def large(count=2305, each=48):
    """Composites of some operators each."""
    operators, streams = [], []
    for i in range(count):
        operators.append({"name": f"C{i // each}.Op{i % each}", "kind": "spl.relational::Functor"})
        if i % each:
            streams.append({"from": i - (i % 6 or 6) if i % 6 == 0 else i - 1, "to": i, "port": i, "boundary": "fused"})
        elif i:
            streams.append({"from": max(0, i - 1 - (i // each % 3) * each), "to": i, "port": i, "boundary": "switchable"})
    operators[0]["source"] = True
    rates = [1e5 / (1 + i // each % 7) for i in range(count)]
    cpu = [i % 17 / 60 for i in range(count)]
    limit = {"kind": "operator", "operator": 777, "text": "C16.Op9 limits it"}
    return text([header(operators, streams)] + [figures(t / 2, 40, rates, cpu, limit=limit) for t in range(1, 9)])


def text(lines):
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
