"""Programs that hold or emit much at a time (spl/memory): what they need at most, and how long."""

from dataclasses import dataclass

from timing import expect, run, say

LIMIT = 600  # seconds after which a run is stopped
QUICK = 100  # so many times fewer tuples, and smaller windows


def triangle(n):
    """0 + 1 + ... + (n - 1)."""
    return n * (n - 1) // 2


def partitions(n, size):
    """`size` is whole rounds of what the values repeat after, and n whole rounds of keys."""
    one = sum((x & 1023) + 10000 * (x & 127) for x in range(1024)) * (size // 1024)
    return n, sum(min(4, round + 1) for round in range(n // size)) * one


def held(n, size):
    return n // size, sum(triangle(k * size) for k in range(1, n // size + 1))


def largest(n, size):
    return n // size, sum(k * size - 1 for k in range(1, n // size + 1))


def flushed(n, size):
    whole = n // size * size
    return whole, triangle(whole)


def one_key(n, size):
    """Tuple i meets the last tuples of the other side: i - 1, i - 3, ..."""
    count = total = 0
    for i in range(n):
        met = min(size, (i + 1) // 2)
        count += met
        total += met * (2 * i) - met * met
    return count, total


def twice(n, size):
    """Of each key a first tuple, then a second one, whose window holds both."""
    return n, 3 * (n // 2) ** 2 - n


def once(n, size):
    """Each key comes once."""
    return n, triangle(n)


@dataclass(frozen=True)
class Large:
    """A program of spl/memory. `expected(n, size)`: count and sum; `size`: see there."""

    composite: str
    what: str
    n: int
    size: int
    expected: object
    quick_size: int = 0

    @property
    def name(self):
        return f"memory-{self.composite}"

    @property
    def compiled(self):
        return [f"--main=memory::{self.composite}"]

    def file(self):
        return "memory/Large.spl"

    def lengths(self, quick):
        size = self.quick_size or self.size // QUICK
        return (self.n // self.size * size, size) if quick else (self.n, self.size)


KEYS = 10 << 20
PROGRAMS = [
    Large("Partitions", "10,485,760 partitions of count(4)", 5 * KEYS, KEYS, partitions, 1 << 16),
    Large("HeldByTime", "100 million tuples by time, Sum", 100_000_000, 10_000_000, held),
    Large("LargestByTime", "100 million tuples by time, Max", 100_000_000, 10_000_000, largest),
    Large("Flushes", "Sort of 10 million tuples", 20_000_000, 10_000_000, flushed),
    Large("Groups", "10 million groups in a window", 20_000_000, 10_000_000, flushed),
    Large("OneKey", "Join of 10,000 and 10,000, one key", 40_000, 10_000, one_key),
    Large("NewKeys", "keys do not return, partitionCount(100,000)", 50_000_000, 100_000, twice),
    Large("NewNames", "the same, texts, tupleCount(200,000)", 20_000_000, 200_000, twice),
    Large("Stall", "10 million new keys beside a ticking source", 10_000_000, 4_000, once),
]


def measure(programs, quick, modes=(("--elastic=off",),)):
    """A record for each program; in a quick look at small sizes, in all of these modes."""
    records = []
    for config in PROGRAMS:
        say(f"{config.name}: compiling")
        program = programs.sluice(config)[0]
        n, size = config.lengths(quick)
        for mode in modes:
            sample = run([program, *mode, f"n={n}", f"size={size}"], LIMIT)
            expect(f"{config.name} ({' '.join(mode)})", sample, *config.expected(n, size))
        records.append(
            {
                "workload": config.name,
                "what": config.what,
                "tuples": n,
                "results": sample.count,
                "size": size,
                "peak_kb": sample.peak_kb,
                "cpu": sample.cpu,
                "wall": sample.wall,
                "printed": sample.lines,
            }
        )
    return records


def check(programs):
    measure(programs, True, (("--elastic=off",), ("--deterministic",), ("--queues=all",)))
