"""Operators that keep tuples; a method adds the lines of one and what comes out of it."""

from expressions import Scope, Variable
from spl_types import (
    BOOLEAN,
    COMPLEX,
    INT32,
    RSTRING,
    Type,
    body,
    is_key,
    is_numeric,
    is_ordered,
    list_of,
    random_type,
)


class Windowed:
    def aggregate(self, one):
        scope, results, types = one.scope(self.rng), [], []
        for i in range(self.rng.randint(1, 3)):
            of, text = self.aggregation(scope)
            results.append(f"a{i} = {text}")
            types.append(of)
        of = Type("tuple", tuple(types), tuple(f"a{i}" for i in range(len(types))))
        made = self.stream(of)
        size, step = self.rng.randint(1, 5), self.rng.randint(1, 4)
        kind = self.rng.choice(
            (f"tumbling, count({size})", f"sliding, count({size}), count({step})")
        )
        lines = [f"stream<{body(of)}> {made.name} = Aggregate({one.name}) {{"]
        lines += [f"  window {one.name} : {kind};"]
        keys = ["groupBy"] * (self.rng.random() < 0.4)
        if keys:
            lines += [f"  param groupBy : {self.key(scope)};"]
        self.lines += [*lines, f"  output {made.name} : {', '.join(results)};", "}"]

    def key(self, scope):
        """An expression to sort by."""
        while True:
            of = random_type(self.rng, 0)
            if is_key(of) and of.kind not in ("blob", "boolean"):
                return self.expressions.make(of, scope, 2)

    def aggregation(self, scope):
        """The type of an output function of Aggregate, and the call."""
        of = random_type(self.rng, 1)
        value = self.expressions.make(of, scope, 2)
        ways = [(of, f"{f}({value})") for f in ("First", "Last", "Any")] + [(INT32, "Count()")]
        ways += [(list_of(of), f"Collect({value})")]
        if is_key(of) and of.kind != "blob":
            ways += [(list_of(of), f"CollectDistinct({value})"), (INT32, f"CountDistinct({value})")]
        if is_ordered(of) and of.kind != "blob" and not of.bound:
            ways += [(of, f"{f}({value})") for f in ("Max", "Min")] * 2
            ways += [(INT32, f"MaxCount({value})")]
            ways += [(RSTRING, f"ArgMin({value}, {self.expressions.make(RSTRING, scope, 1)})")]
        if is_numeric(of):
            ways += [(of, f"{f}({value})") for f in ("Sum", "Average")] * 2
        if is_numeric(of) and of.kind not in COMPLEX:
            ways += [(of, f"PopulationStdDev({value})")]
        return self.rng.choice(ways)

    def sort(self, one):
        made, scope = self.stream(one.type), one.scope(self.rng)
        window = self.rng.choice(("tumbling", "sliding"))
        order = self.rng.choice(("ascending", "descending"))
        self.lines += [
            f"stream<{one.name}> {made.name} = Sort({one.name}) {{",
            f"  window {one.name} : {window}, count({self.rng.randint(1, 6)});",
            f"  param sortBy : {self.key(scope)}; order : {order};",
            "}",
        ]

    def deduplicate(self, one):
        made, scope = self.stream(one.type), one.scope(self.rng)
        self.lines += [
            f"stream<{one.name}> {made.name} = DeDuplicate({one.name}) {{",
            f"  param key : {self.key(scope)}; count : {self.rng.randint(1, 5)}ul;",
            "}",
        ]

    def punctor(self, one):
        made, scope = self.stream(one.type), one.scope(self.rng)
        self.lines += [
            f"stream<{one.name}> {made.name} = Punctor({one.name}) {{",
            f"  param punctuate : {self.expressions.make(BOOLEAN, scope, 2)};",
            f"    position : {self.rng.choice(('before', 'after'))};",
            "}",
        ]

    def paired(self, one):
        """Join or Barrier, of two streams."""
        others = [s for s in self.streams if s.exact and s.source == one.source and s is not one]
        if not others:
            return self.sort(one)
        other = self.rng.choice(others)
        other.used = True
        scope = Scope([Variable(s.name, s.type) for s in (one, other)])
        made, ports = self.stream(self.random_type()), (one.name, other.name)
        join = self.rng.random() < 0.6
        kind = "Join" if join else "Barrier"
        self.lines += [f"stream<{body(made.type)}> {made.name} = {kind}({'; '.join(ports)}) {{"]
        if join:
            sizes = [f"{p} : sliding, count({self.rng.randint(0, 4)});" for p in ports]
            self.lines += [f"  window {' '.join(sizes)}"]
            self.lines += [f"  param match : {self.expressions.make(BOOLEAN, scope, 2)};"]
        self.lines += [f"  output {made.name} : {self.assignments(made.type, scope)};", "}"]
