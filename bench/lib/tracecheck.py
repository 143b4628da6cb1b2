"""Made-up traces and what has to be read from them."""

import json

import change
from elastic import Durations, measured_from
from timing import BenchError
from slices import active
from traces import Trace, Window


def made_up(path, lines, rest=""):
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(json.dumps(line) + "\n" for line in lines) + rest)
    return Trace(path).read()


def adapting(path):
    """Ten windows of a second, 100 k rows into the graph in each, twice as many in the first two
    and none in the fourth and fifth; three workers in the first two, then one; a change of load
    at 6."""
    nodes = [{"name": "A", "source": True, "to": [1]}, {"name": "B", "changeable": True, "to": []}]
    lines = [
        {
            "line": "header",
            "policy": {"name": "model"},
            "graph": {"nodes": nodes},
            "start": {"threads": 3},
        }
    ]
    for second in range(10):
        made = 200_000 if second < 2 else 0 if second in (3, 4) else 100_000
        lines.append(
            {
                "line": "sample",
                "time": second + 1.0,
                "length": 1.0,
                "others": 0.1 * second,
                "nodes": {"rows": [made, 100_000]},
            }
        )
        if second == 1:
            lines += [
                {"line": "switch", "time": 2.0},
                {"line": "threads", "time": 2.0, "from": 3, "to": 1},
            ]
        if second in (2, 8):
            lines.append({"line": "settled", "time": second + 1.0})
        if second == 7:
            lines += [{"line": "load-change", "time": 8.0}, {"line": "switch", "time": 8.1}]
    lines.append({"line": "final", "rows": 1_000_000})
    return made_up(path, lines, '{"line": "cut o')


def fixed(path, policy, changeable):
    """A program that starts for two seconds and a half."""
    nodes = [
        {"name": "A", "source": True, "to": [1]},
        {"name": "B", "changeable": changeable, "to": []},
    ]
    arrived = (0, 0, 50_000, 90_000, 100_000, 100_000, 100_000)
    return made_up(
        path,
        [
            {
                "line": "header",
                "policy": {"name": policy},
                "graph": {"nodes": nodes},
                "start": {"threads": 1},
            },
            *(
                {
                    "line": "sample",
                    "time": second + 1.0,
                    "length": 1.0,
                    "nodes": {"rows": [rows, rows]},
                }
                for second, rows in enumerate(arrived)
            ),
        ],
    )


def check(path):
    """Raises BenchError if something else is read."""
    trace = adapting(path)
    durations = object.__new__(Durations)
    durations.settle, durations.window, durations.rows = 12.0, 1.0, 0
    found = {
        "settled": (trace.settled_after(0.0), 3.0),
        "changes later": (trace.changes_after(3.0), 1),
        "changes, two at once": (trace.changes_after(0.0), 2),
        "whole run is balanced": (trace.flow(0.0).balanced, True),
        # The windows that only drain what was queued before are left out.
        "rate after settling": (
            (trace.flow(3.0, least=1.0).begin, trace.flow(3.0, least=1.0).rate),
            (5.0, 100_000.0),
        ),
        "enough rows arrived, or not": (
            [trace.flow(3.0, least=1.0, rows=rows).begin for rows in (500_000, 600_000)],
            [5.0, 3.0],
        ),
        "others": (
            [round(trace.flow(8.0).others, 6), fixed(path, "off", True).flow(0.0).others],
            [0.85, 0.0],
        ),
        "not balanced": (trace.flow(2.0, 5.0, least=3.0).balanced, False),
        "measured after settling": (measured_from(trace, durations), 3.0),
        # What a fixed configuration and a policy without a choice reach is taken from the same
        # time.
        "measured when warm": (
            [
                measured_from(fixed(path, *kind), durations)
                for kind in (("off", True), ("off", False), ("model", False))
            ],
            [3.0] * 3,
        ),
        "measured though it never settled": (
            measured_from(fixed(path, "model", True), durations),
            12.0,
        ),
        "switchable": (
            [fixed(path, "model", changeable).switchable for changeable in (False, True)],
            [0, 1],
        ),
        "workers above those of the end": (
            (trace.overshoot(3.0), trace.overshoot(1.0)),
            ((2, 2.0), (0, 0)),
        ),
        "settled again": (
            [change.settled_again(trace, 2.5, limit) for limit in (12.0, 5.0)],
            [9.0, 3.0],
        ),
        "acted": ((change.acted(trace, 6.0), change.acted(trace, 8.5)), (True, False)),
        "flow after the change": (change.flow_after(trace, 6.0, durations).begin, 9.0),
        "stops are left out": (
            [
                (w.begin, w.end, w.others)
                for w in active(
                    [Window(0, 1, 5, 5, 0.1), Window(1, 5, 5, 5, 3.0), Window(5, 6, 5, 5, 0.2)],
                    [(1, 3.0)],
                )
            ],
            [(0, 1, 0.1), (4.0, 5, 0.0), (5, 6, 0.2)],
        ),
        "the last line is cut off": (
            (trace.final["rows"], trace.rest),
            (1_000_000, '{"line": "cut o'),
        ),
    }
    for name, (got, wanted) in found.items():
        if got != wanted:
            raise BenchError(f"{name}: {got}, expected {wanted}")
