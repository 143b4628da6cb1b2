"""Sort: the tuples of a tumbling window in order, or a sliding window as a progressive sort."""

from functools import cmp_to_key

from windows import FINAL, ROW, Bag, Firing, Partitions, Tumbling, findable, firings

MARK = "WindowMarker"


class Sort:
    """Tuples with equal keys stay in the order they came in."""

    def __init__(self, invocation, closes=False):
        self.invocation, self.closes = invocation, closes
        self.stream = invocation.name
        self.keys = invocation.expressions("sortBy")
        order = invocation.params.get("order", ["ascending"])
        self.orders = order if len(order) > 1 else order * len(self.keys)

    def compare(self, a, b):
        for key, order in zip(self.keys, self.orders):
            left, right = key(a), key(b)
            if left != left or right != right:  # NaN is behind all numbers
                left, right = left != left, right != right
            if left != right:
                return -1 if (left < right) == (order == "ascending") else 1
        return 0

    def ordered(self, rows):
        return sorted(rows, key=cmp_to_key(self.compare))

    def output(self, row):
        return {name: row[name] for name in self.invocation.outputs[self.stream]}

    def result(self, fired):
        if isinstance(fired, Firing):
            return [*map(self.output, self.ordered(fired.rows)), MARK]
        return [Bag([self.result(part) for part in fired.parts])]

    def run(self, events):
        by = self.invocation.expressions("partitionBy")
        window = self.invocation.windows[self.invocation.inputs[0][1]]
        key = lambda row: tuple(e(row) for e in by)
        if not window.tumbling:
            return {self.stream: self.progressive(window, key, events)}
        policy = Tumbling(window, key)
        self.counts = policy.counts
        fired = firings(policy, events, self.closes)
        return {self.stream: [item for firing in fired for item in self.result(firing)]}

    def progressive(self, window, key, events):
        """Filled up to n; then each arrival first evicts the tuple that comes first."""
        held, out = Progressive(window, key), []
        self.counts = held.counts
        for event in events:
            if event.kind == ROW:
                out += self.arrive(held, event.row, event.time)
            elif event.kind == FINAL:
                rest = [
                    [self.output(row) for row in self.ordered(p.rows)]
                    for p in held.partitions.values()
                ]
                out += [Bag(rest)] if len(rest) > 1 else [row for part in rest for row in part]
        return out

    def arrive(self, held, row, now):
        size = held.window.evict.size
        held.counts["noKey"] += not findable(held.key(row))
        if size == 0:
            return []
        held.evict_by_age(now)
        if not findable(held.key(row)):
            return []
        partition, out = held.partitions.get(held.key(row)), []
        if partition and len(partition.rows) == size:
            first = self.ordered(partition.rows)[0]
            out = [self.output(first)]
            partition.rows = [r for r in partition.rows if r is not first]
        held.insert(row, now)
        held.evict_by_number(now)
        return out


class Progressive(Partitions):
    def content(self, partition, now):
        return partition.rows
