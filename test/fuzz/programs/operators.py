"""One operator of each kind; a method adds its lines and what comes out of it."""

from expressions import Scope, Variable
from spl_types import (
    BOOLEAN,
    INT32,
    RSTRING,
    COMPLEX,
    Type,
    body,
    is_key,
    is_numeric,
    is_ordered,
    list_of,
    literal,
    random_type,
)
from statements import Place


class Operators:
    def functor(self, one, parallel=False):
        risky, lines = (False, []) if parallel else self.risk()
        of, scope = self.random_type(), one.scope(self.rng, risky=risky)
        made = self.stream(of, one.exact and not parallel)
        lines += [f"@parallel(width = {self.rng.randint(2, 3)})"] if parallel else []
        lines += [f"stream<{body(of)}> {made.name} = Functor({one.name}) {{"]
        if self.rng.random() < 0.3:
            lines += [f"  param filter : {self.expressions.make(BOOLEAN, scope, 2)};"]
        lines += [f"  output {made.name} : {self.assignments(of, scope)};", "}"]
        self.lines += lines

    def parallel(self, one):
        self.functor(one, parallel=True)

    def filter(self, one):
        risky, lines = self.risk()
        scope = one.scope(self.rng, risky=risky)
        made, results = self.stream(one.type, one.exact), ""
        if self.rng.random() < 0.5:
            rest = self.stream(one.type, one.exact)
            results = f"(stream<{one.name}> {made.name}; stream<{one.name}> {rest.name})"
            results += f" as {self.name('F')}"
        self.lines += lines
        self.lines += [
            f"{results or f'stream<{one.name}> {made.name}'} = Filter({one.name}) {{",
            f"  param filter : {self.expressions.make(BOOLEAN, scope)};",
            "}",
        ]

    def custom(self, one):
        risky, lines = self.risk()
        of, scope = self.random_type(), one.scope(self.rng, mutable=True, risky=risky)
        made = self.stream(of, one.exact)
        word = f"{'o' if one.exact else 'u'}{made.name}"
        place = Place(word, made.name, of)
        states, state = [], Scope([], False)
        for _ in range(self.rng.randint(0, 2) if one.exact else 0):
            states += [f"      {line}" for line in self.statements.declaration(state)]
        scope.variables += state.variables
        at_punct = Scope(list(state.variables), False)
        lines += [f"stream<{body(of)}> {made.name} = Custom({one.name}) {{", "  logic"]
        lines += ["    state : {", *states, "    }"] if states else []
        logic = self.statements.fill(scope, place, self.rng.randint(1, 3))
        logic += [self.statements.submission(scope, place)]
        lines += [f"    onTuple {one.name} : {{", *(f"      {line}" for line in logic), "    }"]
        if one.exact and self.rng.random() < 0.5:
            logic = self.statements.fill(at_punct, place, self.rng.randint(1, 2))
            logic += [
                "if (currentPunct() == Sys.WindowMarker) submit(Sys.WindowMarker, %s);" % made.name
            ]
            lines += [f"    onPunct {one.name} : {{", *(f"      {line}" for line in logic), "    }"]
        self.lines += [*lines, "}"]

    def split(self, one):
        scope = one.scope(self.rng)
        made = [self.stream(one.type, one.exact) for _ in range(self.rng.randint(2, 3))]
        results = "; ".join(f"stream<{one.name}> {s.name}" for s in made)
        index = self.expressions.make(Type("int64"), scope, 2)
        self.lines += [
            f"({results}) as {self.name('F')} = Split({one.name}) {{",
            f"  param index : {index};",
            "}",
        ]

    def unite(self, one):
        """With another stream of its type, if there is one, else with a changed one."""
        others = [s for s in self.streams if s.type == one.type and s is not one]
        if not others:
            self.filter(one)
            others = [self.streams[-1]]
        other = self.rng.choice(others)
        other.used = True
        made = self.stream(one.type, one.exact and other.exact)
        self.lines += [f"stream<{one.name}> {made.name} = Union({one.name}; {other.name}) {{ }}"]

    def composite(self, one):
        """One with parameters of all kinds: expressions, a type and an operator."""
        name, of, scope = self.name("C"), random_type(self.rng), one.scope(self.rng)
        made = self.stream(Type("tuple", (of,), ("a0",)), one.exact)
        inner = Scope([Variable("$e", of), Variable("$f", INT32)])
        step = f"{name}Step"
        self.composites += [
            f"composite {step}(output Out; input In) {{",
            "  graph stream<In> Out = Functor(In) { }",
            "}",
            f"composite {name}(output Out; input In) {{",
            "  param",
            f"    expression<{of}> $e;",
            f"    expression<int32> $f : {literal(self.rng, INT32)};",
            "    expression $keep;",
            "    type $t;",
            "    operator $op;",
            "  graph",
            "    stream<In> Kept = Filter(In) { param filter : $keep; }",
            "    stream<$t> Mid = Functor(Kept) {",
            f"      output Mid : a0 = {self.statements.value(of, inner)};",
            "    }",
            "    stream<Mid> Out = $op(Mid) { }",
            "}",
        ]
        self.lines += [
            f"stream<{of} a0> {made.name} = {name}({one.name}) {{",
            "  param",
            f"    e : {self.expressions.make(of, scope, 2)};",
            *([f"    f : {self.expressions.make(INT32, scope, 2)};"] * (self.rng.random() < 0.5)),
            f"    keep : {self.expressions.make(BOOLEAN, scope, 2)};",
            f"    t : tuple<{of} a0>;",
            f"    op : {self.rng.choice(('Functor', step))};",
            "}",
        ]

    # ===--- windows --------------------------------------------------------===

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
