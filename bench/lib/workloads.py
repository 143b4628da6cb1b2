"""What is measured: the configurations, how each is written in SPL and by hand."""

from dataclasses import dataclass

import handoffs
import spl
import sums
from apps import JSON, MARKET, NEXMARK, VWAP, VWAP_PARTS
from configs import FIRST, Config
from windows import WINDOWS
from words import LONG_WORDS, STREAM, WORDS


@dataclass(frozen=True)
class Pipeline(Config):
    """W1: a source, N operators of F flops (or skewed), a sink; tuples of P payload bytes.
    Late: F is a submission value."""

    operators: int
    flops: object
    payload: int
    late: bool = False
    reference, variants = "pipeline", ("hand-1t", "hand-simd1")

    @property
    def name(self):
        return f"W1-N{self.operators}-F{self.flops}-P{self.payload}" + (
            "-late" if self.late else ""
        )

    @property
    def heaviest(self):
        """The one operator that does more than all others, if there is one."""
        flops = spl.flops_of(self.operators, self.flops)
        return (
            f"O{flops.index(max(flops)) + 1}"
            if 2 * max(flops) > sum(flops) and len(flops) > 1
            else None
        )

    @property
    def sum(self):
        return sums.W1[self.operators, self.flops, self.payload]

    @property
    def quick(self):
        return (
            self.operators == 10
            and not self.late
            and (self.flops in (1, "skew") or self.payload == 8)
        )

    @property
    def peers(self):
        return ("tbb", "timely") if self.flops in (1, 100) and self.payload <= 128 else ("tbb",)

    def text(self):
        return spl.pipeline(spl.flops_of(self.operators, self.flops), self.payload, self.late)

    def sluice_arguments(self, count):
        return [f"n={count}", *([f"F={self.flops}"] if self.late else [])]

    def reference_arguments(self, count):
        flops = 0 if self.flops == "skew" else self.flops
        return [str(self.operators), str(flops), str(self.payload), str(count)]


@dataclass(frozen=True)
class Shape(Config):
    """W2 to W4: a region (@parallel), or forks and merges written by hand."""

    shape: str
    flops: int
    forks: bool
    folded: bool = False  # of W2: one operator with a factor that depends on the tuple
    reference = "shapes"

    @property
    def peers(self):
        return () if self.folded else ("tbb",)

    @property
    def name(self):
        form = "-forks" if self.forks else "-folded" if self.folded else ""
        return f"{self.shape}-F{self.flops}{form}"

    @property
    def sum(self):
        return sums.SHAPES[self.shape, self.flops]

    @property
    def quick(self):
        return (
            self.flops == 100
            and self.shape != "W2-W100"
            and not (self.shape in ("W3", "W4") and self.forks)
        )

    def text(self):
        if self.folded:
            return spl.folded(int(self.shape[4:]), self.flops)
        if self.shape == "W3":
            return spl.mixed(10, 50, self.flops, self.forks)
        if self.shape == "W4":
            return spl.bushy(self.flops, self.forks)
        return spl.data_parallel(int(self.shape[4:]), self.flops, self.forks)

    def reference_arguments(self, count):
        return [self.shape, str(self.flops), str(count)]

    def peer_arguments(self, count):
        return self.reference_arguments(count)


@dataclass(frozen=True)
class Fork(Config):
    """W2 with ten branches that filter, and so on. The sum depends on the order."""

    kind: str
    reference, shared, elastic = "forks", False, False

    @property
    def name(self):
        return f"W2-{self.kind}"

    def text(self):
        return spl.branches(self.kind)

    def reference_arguments(self, count):
        return [self.kind, str(count)]

    def more(self, sizes, short, long):
        return sizes[1] - sizes[0]


@dataclass(frozen=True)
class Heavy(Config):
    """Ten operators with state, one of which has 50 times the work of the others."""

    operators: int = 10
    place: int = 5
    name, reference = "heavy", "stateful"

    def text(self):
        return spl.heavy(self.operators, self.place)

    def reference_arguments(self, count):
        return [str(self.operators), str(self.place), str(count)]


@dataclass(frozen=True)
class LoadChange(Config):
    """A pipeline of which a tenth is heavy, and from one tuple on nine tenths. That tuple is
    the middle one, unless --elastic says otherwise."""

    payload: int
    operators: int = 100
    flops: int = 1000
    reference = "change"

    @property
    def quick(self):
        return self.payload == 8

    @property
    def name(self):
        return f"change-F{self.flops}-P{self.payload}"

    def text(self):
        return spl.change(self.operators, self.flops, self.payload)

    def sluice_arguments(self, count):
        return [f"n={count}", f"change={max(1, count // 2)}"]

    def reference_arguments(self, count):
        return [str(self.operators), str(self.flops), str(self.payload), str(count)]


class Idle:
    """What a program costs that has next to nothing to do: 20 operators, all ports queues."""

    name, operators, options = "idle", 20, ["--boundaries=all"]
    shared = False  # its source has nothing of spl/common.spl

    def text(self):
        return handoffs.idle(self.operators)


@dataclass(frozen=True)
class Scale:
    """What a hop costs in a small program and in a large one, all ports queues: `sources`,
    each with so many chains of so many operators, one sink for all."""

    sources: int
    chains: int
    depth: int
    options = ["--boundaries=all"]
    shared = False

    @property
    def operators(self):
        return self.sources * (1 + self.chains * self.depth) + 1

    @property
    def name(self):
        return f"hops-{self.operators}"

    def text(self):
        return handoffs.scale(self.sources, self.chains, self.depth)


@dataclass(frozen=True)
class Large(Config):
    """A chain of operators that do next to nothing to tuples of 16 KiB, which are handed on, or
    left behind at the first."""

    operators: int
    carried: bool

    @property
    def name(self):
        return f"boundary-N{self.operators}-" + ("carried" if self.carried else "left")

    def text(self):
        return spl.large(self.operators, self.carried)


class Boundary:
    """What a boundary costs: chains with a queue at each operator; one with one queue; a long light
    one."""

    name, options = "boundary", ["--boundaries=all"]
    one, light = Pipeline(1, 1, 8), Pipeline(100, 1, 8)

    @staticmethod
    def chains(carried):
        """A short and a long one: what each has beside its queues is the same."""
        return Large(20, carried), Large(180, carried)


PIPELINES = [
    Pipeline(n, f, p)
    for n in (10, 100, 500)
    for f in (1, 100, 10000, "skew")
    for p in sums.PAYLOADS
]
LATE = [Pipeline(n, f, 8, True) for n in (10, 100, 500) for f in (1, 100, 10000)]
SHAPES = [
    Shape(s, f, forks)
    for forks in (False, True)
    for s in ("W2-W50", "W2-W100", "W3", "W4")
    for f in (1, 100, 10000)
]
FOLDED = [Shape(s, f, False, True) for s in ("W2-W50", "W2-W100") for f in (1, 100, 10000)]
FORKS = [Fork(kind) for kind in spl.BRANCHES]
HEAVY = Heavy()
CHANGES = [LoadChange(p) for p in (8, 1024)]
ALL = [
    *(*PIPELINES, *LATE, *SHAPES, *FOLDED, *FORKS, HEAVY, *CHANGES, STREAM, LONG_WORDS, WORDS),
    *(MARKET, VWAP, *VWAP_PARTS, *NEXMARK, *WINDOWS, JSON),
]
COMPILED = [Pipeline(n, 1, 8) for n in (10, 100, 500)]
COMPILE = "compile"
# What --elastic-table measures; forks also in any order.
ELASTIC_TABLE = [
    *(
        c
        for c in PIPELINES
        if c.operators > 10 and c.flops in (1, 100, "skew") and c.payload in (8, 1024, 16384)
    ),
    *(c for c in SHAPES if c.shape != "W2-W100"),
    HEAVY,
    *CHANGES,
    STREAM,
    MARKET,
]
IDLE, BOUNDARY = Idle(), Boundary()
MEMORY, HOPS, SCALES = "memory", "hops", [Scale(1, 1, 18), Scale(8, 7, 41)]
TRANSPORT, HERON, EXTERNAL = "transport", "heron", "external"
SIMULATED, LARGE_STATE, HOP = "simulated", "state", "hop"


EVERYTHING = [
    *(c.name for c in ALL),
    *(IDLE.name, HOPS, BOUNDARY.name, MEMORY, COMPILE, TRANSPORT, HERON, EXTERNAL, SIMULATED),
    *(LARGE_STATE, HOP),
]


# What `recovery` selects: what checkpoints cost.
RECOVERY = [
    *("W1-N100-F1-P8", "W5b", "W6", "W8b-four-n1000-k16", "W8c-1000-uniform"),
    *("W8c-1000000-uniform", "W8d-number", LARGE_STATE),
]


def selected(names, within):
    """Which of `within` are meant: those whose name is one of `names`; of a name that is
    nobody's, those that have all its parts (W1-P8, W2-F100-forks; W8 is W8a to W8h); all
    without any. And those names that fit none."""
    known = {name.lower() for name in within}

    def fits(name, wanted):
        if wanted.lower() in known:
            return name.lower() == wanted.lower()
        parts = name.lower().split("-")
        parts.append(parts[0].rstrip("abcdefgh"))
        return all(part in parts for part in wanted.lower().split("-"))

    chosen = [n for n in within if not names or any(fits(n, w) for w in names)]
    return chosen, [w for w in names if not any(fits(n, w) for n in within)]
