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


CHANNELS = ["getChannel()", "getChannel()", "getLocalChannel()", "getMaxChannels()"]


class Operators:
    def functor(self, one, parallel=False):
        risky, lines = (False, []) if parallel else self.risk()
        of, scope = self.result_type(one), one.scope(self.rng, risky=risky)
        made = self.stream(of, one.exact and not parallel)
        if one.exact and not parallel and self.rng.random() < 0.2:
            of_before, before = self.rng.choice([*zip(one.type.args, one.type.names)])
            past = f"{one.name}[{self.rng.randint(0, 3)}].{before}"
            scope.variables.append(Variable(past, of_before))
        if one.exact and parallel:  # the turns begin at the first tuple
            scope.variables.append(Variable(self.rng.choice(CHANNELS), INT32))
        lines += [f"@parallel(width = {self.rng.randint(2, 3)})"] if parallel else []
        lines += [f"stream<{body(of)}> {made.name} = Functor({one.name}) {{"]
        if self.rng.random() < 0.3:
            lines += [f"  param filter : {self.expressions.make(BOOLEAN, scope, 2)};"]
        assigned = self.assignments(of, scope, some=of == one.type)
        lines += [f"  output {made.name} : {assigned};"] if assigned else []
        self.lines += [*lines, "}"]

    def result_type(self, one):
        """Often the type of the input: then a batch may be changed in place."""
        return one.type if self.rng.random() < 0.6 else self.random_type()

    def parallel(self, one):
        if one.exact and self.rng.random() < 0.5:
            self.keyed(one, parallel=True)
        else:
            self.functor(one, parallel=True)

    def keyed(self, one, parallel=False):
        """With state by the value of an attribute, so that several workers may run it."""
        keys = [(t, n) for t, n in zip(one.type.args, one.type.names) if is_key(t)]
        if not keys:
            return self.functor(one, parallel)
        (key, name), value = self.rng.choice(keys), random_type(self.rng)
        pairs = zip(one.type.names, one.type.args)
        scope = Scope([Variable(n, t) for n, t in pairs])
        held = scope.inner()
        held.variables.append(Variable(f"held[{name}]", value))
        of = Type("tuple", (key, value), ("a0", "a1"))
        made, port = self.stream(of, one.exact and not parallel), one.name
        if parallel:
            by = f"[{{port = {port}, attributes = [{name}]}}]"
            self.lines += [f"@parallel(width = {self.rng.randint(2, 3)}, partitionBy = {by})"]
        value_of = self.statements.value
        self.lines += [
            f"stream<{body(of)}> {made.name} = Custom({port}) {{",
            "  logic",
            f"    state : mutable map<{key}, {value}> held = {{}};",
            f"    onTuple {port} : {{",
            f"      if (!({name} in held)) held[{name}] = {value_of(value, scope)};",
            f"      held[{name}] = {value_of(value, held)};",
            f"      submit({{a0 = {name}, a1 = held[{name}]}}, {made.name});",
            "    }",
            "}",
        ]

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
        of, scope = self.result_type(one), one.scope(self.rng, mutable=True, risky=risky)
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
        same = of == one.type and self.rng.random() < 0.7
        whole = f"submit({one.name}, {made.name});"
        logic += [whole if same else self.statements.submission(scope, place)]
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
        others = [s for s in self.streams if s.type == one.type and s is not one and not s.inner]
        if not others:
            self.filter(one)
            others = [self.streams[-1]]
        other = self.rng.choice(others)
        other.used = True
        made = self.stream(one.type, one.exact and other.exact and one.source == other.source)
        self.lines += [f"stream<{one.name}> {made.name} = Union({one.name}; {other.name}) {{ }}"]

    def diamond(self, one):
        """Branches that meet again, each a chain of its own."""
        if self.rng.random() < 0.5:
            before = len(self.streams)
            self.split(one)
            branches = self.streams[before:]
        else:
            branches = [one] * self.rng.randint(2, 3)
        self.meet([self.chain(branch) for branch in branches])

    def chain(self, one):
        """The end of a few operators behind a stream, or the stream itself."""
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            ways = [self.functor, self.filter, self.custom, self.custom]
            self.rng.choice(ways + [self.punctor] * one.exact)(one)
            one = self.streams[-1]
            one.used = True
        return one

    def meet(self, ends):
        """Streams of one type may come to one port."""
        exact = all(s.exact and s.source == ends[0].source for s in ends)
        made = self.stream(Type("tuple", (INT32, RSTRING), ("a0", "a1")), exact)
        ports = [[ends[0]]]
        for one in ends[1:]:
            same = one.type == ports[-1][0].type and self.rng.random() < 0.5
            ports[-1].append(one) if same else ports.append([one])
        ports = [list(dict.fromkeys(s.name for s in port)) for port in ports]
        names = [name for port in ports for name in port]
        if len(set(names)) < len(names):  # a stream at two ports, which would have one name
            ports = [list(dict.fromkeys(s.name for s in ends if s.type == ends[0].type))]
        inputs = "; ".join(", ".join(port) for port in ports)
        self.lines += [f"stream<{body(made.type)}> {made.name} = Custom({inputs}) {{", "  logic"]
        self.lines += ["    state : mutable int32 seen = 0;"] if exact else []
        for port in (names[0] for names in ports):
            seen = "seen++" if exact else "0"
            self.lines += [
                f"    onTuple {port} : submit({{a0 = {seen}, a1 = (rstring) {port}}}, {made.name});"
            ]
            if exact:
                forward = f"submit(Sys.WindowMarker, {made.name})"
                text = f"    onPunct {port} : if (currentPunct() == Sys.WindowMarker) {forward};"
                self.lines += [text]
        self.lines += ["}"]

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
