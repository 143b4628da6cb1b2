"""Reads the trace of a run (docs/traces.md), while it runs or later: what flowed, when the
policy settled, what it changed."""

import json
from dataclasses import dataclass

WAITING_ROWS = 2048  # batches on their way are not a backlog
BALANCE = 0.05  # nor are differences below this share


@dataclass
class Window:
    begin: float  # seconds since the program began
    end: float
    source: int  # rows that the sources submitted
    sink: int  # rows that arrived where nothing leads on
    others: float  # seconds of processor time that other programs used


@dataclass
class Flow:
    """What arrived at the sinks in the windows from `begin` on. `balanced`: the sources submitted
    as much, so that no backlog grew or shrank. `others`: processors that other programs had."""

    begin: float
    rows: int
    seconds: float
    balanced: bool
    others: float

    @property
    def rate(self):
        return self.rows / self.seconds if self.seconds > 0 else float("nan")


class Trace:
    """`read` takes what has been written since."""

    def __init__(self, path):
        self.path, self.place, self.rest = path, 0, ""
        self.nodes, self.sources, self.sinks, self.policy = [], [], [], None
        self.windows, self.settled, self.changes, self.final = [], [], [], None
        self.load_changes, self.threads = [], []  # threads: (time, workers from then on)

    def read(self):
        try:
            with open(self.path, encoding="utf-8") as file:
                file.seek(self.place)
                text = file.read()
                self.place = file.tell()
        except FileNotFoundError:
            return self
        *lines, self.rest = (self.rest + text).split("\n")
        for line in lines:
            self.take(json.loads(line))
        return self

    def take(self, entry):
        kind = entry["line"]
        if kind == "header":
            self.nodes, self.policy = entry["graph"]["nodes"], entry["policy"]["name"]
            self.sources = [i for i, node in enumerate(self.nodes) if node.get("source")]
            self.sinks = [i for i, node in enumerate(self.nodes) if not node["to"]]
            self.threads = [(0.0, entry["start"]["threads"])]
        elif kind == "sample":
            rows = entry["nodes"].get("rows", [0] * len(self.nodes))
            self.windows.append(
                Window(
                    entry["time"] - entry["length"],
                    entry["time"],
                    sum(rows[i] for i in self.sources),
                    sum(rows[i] for i in self.sinks),
                    entry.get("others", 0.0),
                )
            )
        elif kind == "settled":
            self.settled.append(entry["time"])
        elif kind in ("switch", "threads"):
            self.changes.append(entry["time"])
            if kind == "threads":
                self.threads.append((entry["time"], entry["to"]))
        elif kind == "load-change":
            self.load_changes.append(entry["time"])
        elif kind == "final":
            self.final = entry

    @property
    def switchable(self):
        """How many boundaries a policy may change."""
        return sum(bool(node.get("changeable")) for node in self.nodes)

    @property
    def adapts(self):
        """Is there a policy that has anything to change?"""
        return self.policy != "off" and self.switchable > 0

    @property
    def flowing(self):
        """When rows began to arrive: the beginning of the first window with some; None before."""
        return next((window.begin for window in self.windows if window.sink), None)

    def settled_after(self, time, before=float("inf")):
        return next((at for at in self.settled if time <= at <= before), None)

    def changes_after(self, time, before=float("inf")):
        """Moments at which something was changed (threads and queues at once count once)."""
        return len({round(at, 3) for at in self.changes if time < at <= before})

    def overshoot(self, settled):
        """Up to when it settled: how many workers more than then there were, at most, and for how
        many seconds there were more."""
        spans = [
            (at, end, workers)
            for (at, workers), (end, _) in zip(self.threads, [*self.threads[1:], (settled, 0)])
            if at < settled
        ]
        more = [
            (workers - spans[-1][2], min(end, settled) - at)
            for at, end, workers in spans
            if workers > spans[-1][2]
        ]
        return max((workers for workers, _ in more), default=0), sum(seconds for _, seconds in more)

    def flow(self, begin, end=float("inf"), least=0.0, rows=0):
        """What flowed from `begin` to `end`: from the first moment on from which no backlog
        grew or shrank, if `least` seconds and so many rows are left then."""
        windows = [w for w in self.windows if w.begin >= begin - 1e-6 and w.end <= end]
        for first in range(len(windows)):
            flow = self.sum(windows[first:])
            if flow.balanced and flow.seconds >= least and flow.rows >= rows:
                return flow
        return self.sum(windows)

    @staticmethod
    def sum(windows):
        sources, sinks = sum(w.source for w in windows), sum(w.sink for w in windows)
        seconds = sum(w.end - w.begin for w in windows)
        return Flow(
            windows[0].begin if windows else 0.0,
            sinks,
            seconds,
            abs(sources - sinks) <= BALANCE * sinks + WAITING_ROWS and sinks > 0,
            sum(w.others for w in windows) / seconds if seconds else 0.0,
        )
