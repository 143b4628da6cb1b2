"""Join: two sliding windows; each arrival meets all tuples in the other one."""

from collections import Counter

import values
import expressions
from windows import FINAL, ROW, Bag, Sliding, findable

MARK = "WindowMarker"


class Entry(dict):
    """A tuple that knows the number of its arrival and whether it has ever matched."""

    def __init__(self, row, number):
        super().__init__(row)
        self.number, self.matched = number, False


class Side:
    """A window of entries."""

    def __init__(self, window, name, by):
        self.key = lambda entry: tuple(e({**entry, name: entry}) for e in by)
        self.window = window
        self.policy = Sliding(window, self.key)
        self.lost = []  # entries of evicted partitions

    def empty(self):
        return self.window.evict.kind == "count" and self.window.evict.size == 0

    def now_in(self, now):
        found = [
            entry
            for partition in self.policy.partitions.values()
            for entry in self.policy.content(partition, now)
        ]
        return sorted(found, key=lambda entry: entry.number)

    def insert(self, entry, now):
        """The entries that this arrival pushes out of their window."""
        self.lost += [e for gone in self.policy.evict_by_age(now) for e in gone]
        key = self.key(entry)
        if not findable(key):
            return [entry]
        held = self.policy.partitions.get(key)
        before = self.policy.content(held, now) if held else []
        self.policy.insert(entry, now)
        after = self.policy.content(self.policy.partitions[key], now)
        gone = self.policy.evict_by_number(now)  # evicted partitions vanish
        self.lost += [e for rows in gone for e in rows]
        return [e for e in before if not any(e is kept for kept in after)]

    def expiries(self, since, until):
        """(time, entry) of those whose time runs out in between, in that order."""
        if self.window.evict.kind != "time":
            return []
        size = self.window.evict.size
        return [
            (time + size, entry)
            for partition in self.policy.partitions.values()
            for entry, time in zip(partition.rows, partition.times)
            if since <= time + size < until
        ]


class Join:
    def __init__(self, invocation, closes=False):
        self.invocation, self.closes = invocation, closes
        self.counts = Counter()
        streams = list(invocation.outputs)
        self.main, self.extra = streams[0], streams[1:]
        self.algorithm = invocation.params.get("algorithm", ["inner"])[0]
        self.match = [*invocation.expressions("match"), lambda env: True][0]
        self.equal = list(
            zip(invocation.expressions("equalityLHS"), invocation.expressions("equalityRHS"))
        )
        self.names = [alias for _, alias in invocation.inputs]
        self.assigns = {n: expressions.read(t) for n, t in invocation.assigns.items()}

    def environment(self, left, right):
        return {**right, **left, self.names[0]: left, self.names[1]: right}

    def matches(self, left, right):
        env = self.environment(left, right)
        return all(a(env) == b(env) for a, b in self.equal) and self.match(env)

    def output(self, left, right):
        env = self.environment(left, right)
        kinds = self.invocation.outputs[self.main]
        return {n: self.assigns[n](env) if n in self.assigns else env[n] for n in kinds}

    def missing(self, port, schemas):
        """What stands for the tuple of a side that there is none of."""
        name = ["defaultTupleLHS", "defaultTupleRHS"][port]
        if name in self.invocation.params:
            text = ", ".join(self.invocation.params[name])
            return expressions.read(text)({})
        return {n: values.zero(kind) for n, kind in schemas[port].items()}

    def wants(self, port):
        return self.algorithm == "outer" or self.algorithm == ["leftOuter", "rightOuter"][port]

    def unmatched(self, port, entry, out):
        """Emits a tuple that leaves without ever having matched."""
        if entry.matched or not self.wants(port):
            return
        if self.extra:
            out[self.extra[port if self.algorithm == "outer" else 0]].append(dict(entry))
            return
        pair = [entry] * 2
        pair[1 - port] = self.defaults[1 - port]
        out[self.main].append(self.output(*pair))

    def run(self, events, schemas):
        self.defaults = [self.missing(port, schemas) for port in (0, 1)]
        by = ["partitionByLHS", "partitionByRHS"]
        self.sides = [
            Side(self.invocation.windows[name], name, self.invocation.expressions(by[port]))
            for port, name in enumerate(self.names)
        ]
        out = {stream: [] for stream in self.invocation.outputs}
        since = 0.0
        for number, event in enumerate(events):
            self.expire(since, event.time, out)
            since = event.time
            if event.kind == ROW:
                self.arrive(event.port, Entry(event.row, number), event.time, out)
            elif event.kind == FINAL:
                if self.closes:
                    self.close(event.time, out)
                else:
                    self.leave(event.time)
                break
        for port, side in enumerate(self.sides):
            lost = side.lost if self.wants(port) else []
            self.counts["inPartitions"] += sum(not entry.matched for entry in lost)
        return out

    def leave(self, now):
        """What never matched is left in the windows."""
        for port, side in enumerate(self.sides):
            if self.wants(port) and not side.empty():
                self.counts["inWindows"] += sum(not entry.matched for entry in side.now_in(now))

    def close(self, now, out):
        """What never matched leaves; the order of partitions is not specified."""
        for port, side in enumerate(self.sides):
            left = {stream: [] for stream in out}
            for entry in [] if side.empty() else side.now_in(now):
                self.unmatched(port, entry, left)
            for stream, rows in left.items():
                apart = side.window.partitioned and len(rows) > 1
                out[stream] += [Bag([[row] for row in rows])] if apart else rows

    def expire(self, since, until, out):
        gone = [
            (time, port, entry.number, entry)
            for port, side in enumerate(self.sides)
            for time, entry in side.expiries(since, until)
        ]
        for _, port, _, entry in sorted(gone, key=lambda item: item[:3]):
            self.unmatched(port, entry, out)

    def arrive(self, port, entry, now, out):
        mine, other = self.sides[port], self.sides[1 - port]
        before = len(out[self.main])
        found = []
        for candidate in [] if other.empty() else other.now_in(now):
            pair = [candidate] * 2
            pair[port] = entry
            if self.matches(*pair):
                entry.matched = candidate.matched = True
                found.append(self.output(*pair))
        if other.window.partitioned and len(found) > 1:
            found = [Bag([[row] for row in found])]  # the order of partitions is not specified
        out[self.main] += found
        gone = [entry] if mine.empty() else mine.insert(entry, now)
        for left in gone:
            self.unmatched(port, left, out)
        if len(out[self.main]) > before:
            out[self.main].append(MARK)
