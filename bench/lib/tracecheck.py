"""A made-up trace and what has to be read from it."""
import json

import change
from elastic import Durations
from timing import BenchError
from traces import Trace


def write(path):
    """Ten windows of a second, 100 k rows into the graph in each, twice as many in the first
    two and none in the fourth and fifth; a change of load at 6."""
    nodes = [{"name": "A", "source": True, "to": [1]}, {"name": "B", "changeable": True, "to": []}]
    lines = [{"line": "header", "graph": {"nodes": nodes}}]
    for second in range(10):
        made = 200_000 if second < 2 else 0 if second in (3, 4) else 100_000
        lines.append({"line": "sample", "time": second + 1.0, "length": 1.0, "nodes": {"rows": [made, 100_000]}})
        if second == 1:
            lines += [{"line": "switch", "time": 2.0}, {"line": "threads", "time": 2.0}]
        if second in (2, 8):
            lines.append({"line": "settled", "time": second + 1.0})
        if second == 7:
            lines += [{"line": "load-change", "time": 8.0}, {"line": "switch", "time": 8.1}]
    lines.append({"line": "final", "rows": 1_000_000})
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(json.dumps(line) + "\n" for line in lines) + '{"line": "cut o')


def check(path):
    """Raises BenchError if something else is read."""
    write(path)
    trace = Trace(path).read()
    durations = object.__new__(Durations)
    durations.settle, durations.window = 12.0, 1.0
    found = {
        "settled": (trace.settled_after(0.0), 3.0),
        "changes later": (trace.changes_after(3.0), 1),
        "changes, two at once": (trace.changes_after(0.0), 2),
        "whole run is balanced": (trace.flow(0.0).balanced, True),
        # The windows that only drain what was queued before are left out.
        "rate after settling": ((trace.flow(3.0, least=1.0).begin, trace.flow(3.0, least=1.0).rate), (5.0, 100_000.0)),
        "not balanced": (trace.flow(2.0, 5.0, least=3.0).balanced, False),
        "settled again": (change.settled_again(trace, 6.0), 9.0),
        "acted": ((change.acted(trace, 6.0), change.acted(trace, 8.5)), (True, False)),
        "flow after the change": (change.flow_after(trace, 6.0, durations).begin, 9.0),
        "the last line is cut off": ((trace.final["rows"], trace.rest), (1_000_000, '{"line": "cut o')),
    }
    for name, (got, wanted) in found.items():
        if got != wanted:
            raise BenchError(f"{name}: {got}, expected {wanted}")
