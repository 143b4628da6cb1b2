"""Event time by brute force: watermarks, and windows of intervals that keep all their tuples.

Times are nanoseconds since 1970, without bounds except where they are made of tuples."""

from collections import Counter
from dataclasses import dataclass

from expressions import BILLION, SYS
from values import Timestamp
from windows import Bag, Firing, findable

FARTHEST = 2**62  # no tuple has a time beyond it, nor before its negative


def nanos(seconds):
    """The words of programs are in seconds."""
    return round(float(seconds) * BILLION)


@dataclass(frozen=True)
class EventTime:
    """Where the time of a stream's tuples is."""

    path: tuple  # names of attributes, the outermost first
    kind: str
    resolution: str

    def unbounded(self, row):
        value = row
        for name in self.path:
            value = value[name]
        if isinstance(value, Timestamp):
            return value.seconds * BILLION + value.nanoseconds
        return value * SYS[self.resolution]

    def of(self, row):
        return max(-FARTHEST, min(self.unbounded(row), FARTHEST))


class Maker:
    """Makes watermarks of the times of tuples."""

    def __init__(self, gap, lag):
        self.gap, self.lag, self.last = gap, lag, None

    def after(self, time):
        """The watermark that follows a tuple of this time, or None."""
        mark = time - self.lag
        if self.last is not None and (mark <= self.last or mark < self.last + self.gap):
            return None
        self.last = mark
        return mark


@dataclass
class Lengths:
    duration: int
    period: int
    offset: int = 0
    discard_age: int = 0


class Intervals:
    """The panes of a port: number n begins at n * period + offset."""

    def __init__(self, lengths, key, time_of):
        self.lengths, self.key, self.time_of = lengths, key, time_of
        self.entered = []  # (panes, key, row) of all tuples that were not late
        self.latest = None  # watermark
        self.fired = Counter()  # by pane and key
        self.counts = Counter()  # what is left out

    def start(self, pane):
        return pane * self.lengths.period + self.lengths.offset

    def end(self, pane):
        return self.start(pane) + self.lengths.duration

    def covering(self, time):
        """The panes whose interval has the time."""
        period = self.lengths.period
        near = (time - self.lengths.offset) // period
        numbers = range(near - self.lengths.duration // period - 2, near + 3)
        return [pane for pane in numbers if self.start(pane) <= time < self.end(pane)]

    def fire(self, pane, key, timing):
        facts = {
            "paneTiming()": SYS[timing],
            "intervalStart()": Timestamp(*divmod(self.start(pane), BILLION)),
            "intervalEnd()": Timestamp(*divmod(self.end(pane), BILLION)),
            "paneIndex()": self.fired[pane, key],
        }
        self.fired[pane, key] += 1
        return Firing([r for panes, k, r in self.entered if pane in panes and k == key], facts)

    def row(self, row):
        time, key = self.time_of(row), self.key(row)
        if self.latest is not None and time < self.latest - self.lengths.discard_age:
            self.counts["late"] += 1
            return []
        panes = self.covering(time)
        if not findable(key):
            self.counts["noKey"] += bool(panes)
            return []
        self.entered.append((panes, key, row))
        late = [p for p in panes if self.latest is not None and self.end(p) <= self.latest]
        self.counts["lateFirings"] += len(late)
        return [self.fire(pane, key, "paneLate") for pane in late]

    def leave(self):
        """At the end of the input: a row counts in each pane that has not fired."""
        self.counts["inWindows"] = sum(
            not self.fired[pane, key] for panes, key, _ in self.entered for pane in panes
        )

    def watermark(self, mark):
        """Firings, or bags of those of the partitions of a pane."""
        before, result, complete = self.latest, [], {}
        if before is not None and mark <= before:
            return []
        self.latest = mark
        for panes, key, _ in self.entered:
            for pane in panes:
                if self.end(pane) <= mark and (before is None or self.end(pane) > before):
                    complete.setdefault(pane, {})[key] = True
        for pane in sorted(complete):
            firings = [self.fire(pane, key, "paneOnComplete") for key in complete[pane]]
            result.append(Bag(firings) if len(firings) > 1 else firings[0])
        return result

    def forwarded(self):
        """What watermark results have: where the first pane that may still fire begins."""
        over = self.latest - self.lengths.discard_age
        pane = (over - self.lengths.offset - self.lengths.duration) // self.lengths.period
        while self.end(pane) <= over:
            pane += 1
        return min(self.start(pane), self.latest)
