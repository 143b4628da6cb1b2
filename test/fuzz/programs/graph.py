"""The operators of a program: a source, and chains and diamonds behind it.

A stream is exact if its tuples come in one order only. What keeps state comes behind exact streams
only. What an operator prints begins with a word of its own: `o` and a number where the order of its
lines counts, `u` and a number where it does not."""

from dataclasses import dataclass

from expressions import Scope, Variable
from operators import Operators
from spl_types import FLOAT64, INT32, RSTRING, Type, UINT64, body, tuple_type

SOURCE = Type("tuple", (UINT64, INT32, RSTRING, FLOAT64), ("n", "i", "r", "x"))


@dataclass
class Stream:
    name: str
    type: Type
    exact: bool = True
    used: bool = False

    def scope(self, rng, mutable=False, risky=False):
        """Its attributes, by one of their names."""
        if rng.random() < 0.5:
            return Scope([Variable(self.name, self.type, mutable)], risky)
        pairs = zip(self.type.names, self.type.args)
        return Scope([Variable(name, of, mutable) for name, of in pairs], risky)


class Graph(Operators):
    def __init__(self, rng, expressions, statements, errors):
        self.rng, self.expressions, self.statements = rng, expressions, statements
        self.errors = errors
        self.streams, self.lines, self.composites = [], [], []
        self.count = 0

    def name(self, letter):
        self.count += 1
        return f"{letter}{self.count}"

    def stream(self, of, exact=True):
        made = Stream(self.name("S"), of, exact)
        self.streams.append(made)
        return made

    def random_type(self):
        return tuple_type(self.rng, self.rng.choice((1, 1, 2, 3)), 2, "a")

    def make(self):
        self.source()
        for _ in range(self.rng.choice((0, 1, 1, 1, 2, 3))):
            # The newest streams most often, so that there are chains.
            one = self.streams[-1] if self.rng.random() < 0.6 else self.rng.choice(self.streams)
            ways = [self.functor, self.filter, self.custom, self.split, self.unite, self.parallel]
            ways += [self.functor, self.custom, self.composite]
            if one.exact:
                ways += [self.custom, self.aggregate, self.sort, self.deduplicate, self.punctor]
            one.used = True
            self.rng.choice(ways)(one)
        for one in self.streams:
            if not one.used or self.rng.random() < 0.1:
                self.sink(one)

    def source(self):
        count = self.rng.choice((1, 3, 5, 8, 12, 20))
        self.lines += [
            f"stream<{body(SOURCE)}> S0 = Beacon() {{",
            f"  param iterations : {count}u;",
            "  output S0 : n = IterationCount(), i = (int32) IterationCount(),",
            "    r = (rstring) IterationCount(), x = (float64) IterationCount();",
            "}",
        ]
        self.streams.append(Stream("S0", SOURCE))
        self.functor(self.streams[0])

    def risk(self):
        """Whether the operator that is made now may fail, and the annotation for that."""
        if self.errors == "caught" and self.rng.random() < 0.6:
            return True, ["@catch(exception = all)"]
        if self.errors == "one" and self.rng.random() < 0.4:
            self.errors = "none"
            return True, []
        return False, []

    def assignments(self, of, scope):
        value = self.statements.value
        return ", ".join(f"{n} = {value(t, scope)}" for n, t in zip(of.names, of.args))

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
