"""The policies of windows by brute force: every partition keeps all its tuples, and what lies in
the window, whether it was ever full and when it fires is computed anew from them each time.

Facts: toolkit.md 3.6 and the conformance programs. Time is that of the events."""

from collections import Counter
from dataclasses import dataclass, field

ROW, MARKER, FINAL, WATERMARK = "row", "marker", "final", "watermark"


@dataclass
class Event:
    kind: str  # ROW, MARKER, FINAL, WATERMARK
    row: dict = None
    port: int = 0
    time: float = 0.0  # by the clock; of a watermark the event time


@dataclass
class Firing:
    """A window hands on its tuples; none of them: a lone marker."""

    rows: list
    facts: dict = field(default_factory=dict)  # of a pane, by the function that tells it


@dataclass
class Bag:
    """Parts whose order is not specified."""

    parts: list


@dataclass
class Partition:
    rows: list = field(default_factory=list)  # all, in the order of their arrival
    times: list = field(default_factory=list)
    seen: int = 0  # how many of the rows had come when it last fired
    used: int = 0  # grows with every arrival in the window: the least recently used is evicted
    used_time: float = 0.0


def exceeds(policy, new, old):
    """Delta: strictly more, and never when the attribute has gone back."""
    new, old = new[policy.attribute], old[policy.attribute]
    return not new < old and new - old > policy.size


def findable(key):
    """Not so a key with a NaN: it equals no key, so a tuple with it is in no partition."""
    return all(value == value for value in key)


class Partitions:
    """What tumbling and sliding windows share: the partitions and how they are evicted."""

    def __init__(self, window, key):
        self.window, self.key = window, key
        self.partitions, self.clock = {}, 0
        self.counts = Counter()  # what is left out, by the names of runtime/.../LeftOut.def

    def content(self, partition, now):
        raise NotImplementedError

    def insert(self, row, now):
        key = self.key(row)
        partition = self.partitions.setdefault(key, Partition())
        partition.rows.append(row)
        partition.times.append(now)
        self.clock += 1
        partition.used, partition.used_time = self.clock, now
        return key

    def by_use(self):
        used = [(p.used, k) for k, p in self.partitions.items()]
        return [key for _, key in sorted(used, key=lambda pair: pair[0])]

    def evict_by_age(self, now):
        """Before an insertion, a marker or a trigger."""
        policy = self.window.evict_partitions
        if policy is None or policy.kind != "partitionAge":
            return []
        old = [k for k in self.by_use() if now - self.partitions[k].used_time > policy.size]
        return [self.lose(key, now) for key in old]

    def evict_by_number(self, now):
        """After an insertion."""
        policy, gone = self.window.evict_partitions, []
        if policy is None or policy.kind == "partitionAge":
            return gone
        while self.partitions and self.number(policy.kind, now) > policy.size:
            gone.append(self.lose(self.by_use()[0], now))
        return gone

    def unseen(self, partition, now):
        """How many rows no firing has seen."""
        held = self.content(partition, now)
        return sum(any(row is kept for kept in held) for row in partition.rows[partition.seen :])

    def lose(self, key, now):
        """A partition is evicted."""
        self.counts["inPartitions"] += self.unseen(self.partitions[key], now)
        return self.remove(key, now)

    def leave(self, now):
        """At the end of the input."""
        self.counts["inWindows"] += sum(self.unseen(p, now) for p in self.partitions.values())

    def number(self, kind, now):
        if kind == "partitionCount":
            return len(self.partitions)
        return sum(len(self.content(p, now)) for p in self.partitions.values())

    def remove(self, key, now):
        return self.content(self.partitions.pop(key), now)


class Tumbling(Partitions):
    """`emit_evicted`: evicted partitions fire (aggregateEvictedPartitions)."""

    def __init__(self, window, key, emit_evicted=False):
        super().__init__(window, key)
        self.emit_evicted = emit_evicted
        self.flushes = 0  # of a time window

    def content(self, partition, now):
        return partition.rows

    def unseen(self, partition, now):
        return len(partition.rows)

    def lose(self, key, now):
        return self.remove(key, now) if self.emit_evicted else super().lose(key, now)

    def evicted(self, gone):
        return [Firing(rows) for rows in gone if rows and self.emit_evicted]

    def next_timer(self):
        if self.window.evict.kind != "time":
            return None
        return (self.flushes + 1) * self.window.evict.size

    def timer(self, now):
        self.flushes += 1
        return self.evicted(self.evict_by_age(now)) + self.flush_all(now)

    def close(self, now):
        return self.flush_all(now) if self.partitions else []

    def flush_all(self, now):
        rows = [self.remove(key, now) for key in list(self.partitions)]
        if len(rows) < 2:
            return [Firing(rows[0] if rows else [])]
        return [Bag([Firing(r) for r in rows])]

    def marker(self, now):
        if self.window.evict.kind != "punct":
            return []
        return self.evicted(self.evict_by_age(now)) + self.flush_all(now)

    def row(self, row, now):
        policy = self.window.evict
        self.counts["noKey"] += not findable(self.key(row))
        if policy.kind == "count" and policy.size == 0:
            return []
        fired = self.evicted(self.evict_by_age(now))
        if not findable(self.key(row)):
            return fired
        held = self.partitions.get(self.key(row))
        if policy.kind == "delta" and held and exceeds(policy, row, held.rows[0]):
            fired.append(Firing(self.remove(self.key(row), now)))
        key = self.insert(row, now)
        fired += self.evicted(self.evict_by_number(now))
        held = self.partitions.get(key)
        if policy.kind == "count" and held and len(held.rows) == policy.size:
            fired.append(Firing(self.remove(key, now)))
        return fired


class Sliding(Partitions):
    """`incomplete`: the first window needs not be full (aggregateIncompleteWindows)."""

    def __init__(self, window, key, incomplete=False):
        super().__init__(window, key)
        self.incomplete = incomplete
        self.triggers = 0  # of a time trigger

    def content(self, partition, now):
        policy = self.window.evict
        rows = partition.rows
        if policy.kind == "count":
            return rows[-policy.size :] if policy.size else []
        if policy.kind == "time":
            return [r for r, t in zip(rows, partition.times) if now - t <= policy.size]
        return [
            row
            for at, row in enumerate(rows)
            if not any(exceeds(policy, later, row) for later in rows[at + 1 :])
        ]

    def was_full(self, partition):
        policy, rows = self.window.evict, partition.rows
        if policy.kind == "count":
            return 0 < policy.size <= len(rows)
        if policy.kind == "time":
            return bool(rows)
        return any(
            exceeds(policy, later, row)
            for at, row in enumerate(rows)
            for later in rows[at + 1 :]
        )

    def fire(self, partition, now):
        if not self.incomplete and not self.was_full(partition):
            return []
        partition.seen = len(partition.rows)
        return [Firing(self.content(partition, now))]

    def close(self, now):
        """Those windows fire that hold rows which no firing has seen."""
        fired = []
        for partition in self.partitions.values():
            if self.unseen(partition, now):
                fired.append(Firing(self.content(partition, now)))
                partition.seen = len(partition.rows)
        return [Bag(fired)] if len(fired) > 1 else fired

    def delta_reference(self, partition):
        """The tuple of the last trigger, at first the first tuple."""
        reference = partition.rows[0]
        for row in partition.rows[1:]:
            if exceeds(self.window.trigger, row, reference):
                reference = row
        return reference

    def row(self, row, now):
        trigger, fired = self.window.trigger, []
        self.evict_by_age(now)
        if not findable(self.key(row)):
            self.counts["noKey"] += 1
            return fired
        held = self.partitions.get(self.key(row))
        emptied = self.window.evict.kind == "time" and held and not self.content(held, now)
        if emptied and self.window.partitioned:
            held = self.partitions.pop(self.key(row)) and None  # it begins anew
        if trigger.kind == "delta" and held:
            if exceeds(trigger, row, self.delta_reference(held)):
                fired += self.fire(held, now)
        key = self.insert(row, now)
        self.evict_by_number(now)
        held = self.partitions.get(key)
        if trigger.kind == "count" and held and trigger.size:
            if len(held.rows) % trigger.size == 0:
                fired += self.fire(held, now)
        return fired

    def marker(self, now):
        return []

    def next_timer(self):
        trigger = self.window.trigger
        return (self.triggers + 1) * trigger.size if trigger.kind == "time" else None

    def timer(self, now):
        self.triggers += 1
        self.evict_by_age(now)
        alive = self.partitions
        if self.window.evict.kind == "time":
            alive = {key: p for key, p in alive.items() if self.content(p, now)}
        if self.window.partitioned:
            self.partitions = alive
        fired = [f for p in alive.values() for f in self.fire(p, now)]
        if alive:
            return [Bag(fired)] if len(fired) > 1 else fired
        # Nothing is there: a lone marker, if the rule of the first window lets it pass.
        full = not self.window.partitioned and any(map(self.was_full, self.partitions.values()))
        return [Firing([])] if self.incomplete or full else []


def firings(policy, events, closes=False):
    """What the window hands on, event by event; `policy` is a Tumbling or a Sliding. `closes`: at
    the end, too, what would be left in it."""
    for event in events:
        while policy.next_timer() is not None and policy.next_timer() < event.time:
            yield from policy.timer(policy.next_timer())
        if event.kind == ROW:
            yield from policy.row(event.row, event.time)
        elif event.kind == MARKER:
            yield from policy.marker(event.time)
        elif event.kind == FINAL:
            if closes:
                yield from policy.close(event.time)
            policy.leave(event.time)
