"""The operators of a program: sources, and chains and diamonds behind them.

A stream is exact if its tuples come in one order only. What keeps state comes behind exact streams
only. What an operator prints begins with a word of its own: `o` and a number where the order of its
lines counts, `u` and a number where it does not."""

from dataclasses import dataclass

from expressions import Scope, Variable
from forks import Forks
from operators import Operators
from spl_types import FLOAT64, INT32, RSTRING, Type, UINT64, body, tuple_type
from windowed import Windowed

SOURCE = Type("tuple", (UINT64, INT32, RSTRING, FLOAT64), ("n", "i", "r", "x"))


@dataclass
class Stream:
    name: str
    type: Type
    exact: bool = True
    source: int = 0  # which one its tuples come from
    used: bool = False
    inner: bool = False  # of a fork: it has no other consumer

    def scope(self, rng, mutable=False, risky=False):
        """Its attributes, by one of their names."""
        if rng.random() < 0.5:
            return Scope([Variable(self.name, self.type, mutable)], risky)
        pairs = zip(self.type.names, self.type.args)
        return Scope([Variable(name, of, mutable) for name, of in pairs], risky)


class Graph(Operators, Windowed, Forks):
    def __init__(self, rng, expressions, statements, errors):
        self.rng, self.expressions, self.statements = rng, expressions, statements
        self.errors = errors
        self.streams, self.lines, self.composites = [], [], []
        self.count = 0
        self.origin = 0  # the source of the streams that are made now

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def stream(self, of, exact=True):
        made = Stream(self.name("S"), of, exact, self.origin)
        self.streams.append(made)
        return made

    def random_type(self):
        return tuple_type(self.rng, self.rng.choice((1, 1, 2, 3)), 2, "a")

    def make(self):
        for self.origin in range(1 if self.rng.random() < 0.85 else 2):
            self.source()
        one = None
        for _ in range(self.rng.choice((0, 1, 1, 2, 2, 3))):
            # The newest streams most often, so that there are chains, but for a second consumer.
            if not one or self.rng.random() < 0.7:
                newest = self.rng.forks or self.rng.random() < 0.6
                outer = [s for s in self.streams if not s.inner]
                one = self.streams[-1] if newest else self.rng.choice(outer)
            ways = [self.functor, self.filter, self.custom, self.split, self.unite, self.parallel]
            ways += [self.functor, self.custom, self.composite, self.diamond, self.diamond]
            if one.exact:
                ways += [self.custom, self.keyed, self.aggregate, self.sort, self.deduplicate]
                ways += [self.punctor, self.paired, self.steps, self.steps]
                ways = [self.steps] if self.rng.forks else ways
            one.used, self.origin = True, one.source
            self.rng.choice(ways)(one)
        for one in self.streams:
            if not one.used or (
                self.rng.random() < 0.1 and not (one.inner or self.rng.forks)
            ):
                self.sink(one)

    def source(self):
        name = self.name("B")
        count = self.rng.choice((20, 100, 300) if self.rng.plain else (1, 3, 5, 8, 12, 20))
        self.lines += [
            f"stream<{body(SOURCE)}> {name} = Beacon() {{",
            f"  param iterations : {count}u;",
            f"  output {name} : n = IterationCount(), i = (int32) IterationCount(),",
            "    r = (rstring) IterationCount(), x = (float64) IterationCount();",
            "}",
        ]
        self.functor(Stream(name, SOURCE, source=self.origin))

    def risk(self):
        """Whether the operator that is made now may fail, and the annotation for that."""
        if self.errors == "caught" and self.rng.random() < 0.6:
            return True, ["@catch(exception = all)"]
        if self.errors == "one" and self.rng.random() < 0.4:
            self.errors = "none"
            return True, []
        return False, []

    def assignments(self, of, scope, some=False):
        """Of an output clause; with `some`, attributes may be left to those of the input."""
        pairs = [p for p in zip(of.names, of.args) if not some or self.rng.random() < 0.6]
        return ", ".join(f"{name} = {self.statements.value(t, scope)}" for name, t in pairs)

    def sink(self, one):
        word = self.name("o" if one.exact else "u")
        self.lines += [
            f"() as {word.upper()} = Custom({one.name}) {{",
            "  logic",
            f'    onTuple {one.name} : printStringLn("{word} " + (rstring) {one.name});',
        ]
        if one.exact:
            text = f'"{word} punct " + (rstring) currentPunct()'
            self.lines += [f"    onPunct {one.name} : printStringLn({text});"]
        self.lines += ["}"]
