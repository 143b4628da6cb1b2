"""Branches with loops that meet again: their segments run in steps over selected rows where they can
(codegen/selections)."""

from spl_types import FLOAT64, INT64, RSTRING, Type, body

NUMBERS = Type("tuple", (INT64, FLOAT64, RSTRING, Type("float32")), ("n", "x", "s", "f"))
TURNED = Type("tuple", (RSTRING, Type("float32"), INT64, FLOAT64), ("s", "f", "n", "x"))
# What loops call.
FUNCTIONS = [
    "float64 spin(float64 x, float64 by) {",
    "  mutable float64 y = x;",
    "  for (int32 k in range(60)) y = y * by + 0.5;",
    "  return y;",
    "}",
    "int64 stir(int64 n) {",
    "  mutable int64 m = n;",
    "  for (int32 k in range(50)) m = m * 31l + (int64) k;",
    "  return m;",
    "}",
]
VALUES = {
    "n": ("stir(n)", "n + 1l", "n * 3l", "n / 2l"),
    "x": ("spin(x, 0.75)", "spin(x, 0.5)", "spin((float64) f, 0.25)", "x + (float64) n", "x * 0.5"),
    "s": ('cap(s + "!")', "(rstring) n", "s"),
    "f": ("f * 0.5w", "(float32) x", "(float32) spin((float64) f, 0.125)"),
}
CONDITIONS = ("n % 3l != 0l", "n % 5l < 3l", "x > 1.5", "f < 2.0w || n % 2l == 0l", "length(s) > 5")
INDICES = ("n", "n / 3l", "n % 4l - 1l", "stir(n)", "(int64) x")


class Forks:
    def steps(self, one):
        """Numbers of a stream, and a fork of them."""
        before = len(self.streams)
        made = self.stream(NUMBERS)
        self.lines += [
            f"stream<{body(NUMBERS)}> {made.name} = Custom({one.name}) {{",
            "  logic",
            "    state : mutable int64 seen = 0l;",
            f"    onTuple {one.name} : {{",
            "      seen++;",
            f"      submit({{n = seen, x = (float64) seen / 7.0, s = cap((rstring) {one.name}),",
            f"        f = (float32) (seen % 5l)}}, {made.name});",
            "    }",
            f"    onPunct {one.name} : if (currentPunct() == Sys.WindowMarker)",
            f"      submit(Sys.WindowMarker, {made.name});",
            "}",
        ]
        if self.rng.random() < 0.3:
            made.used = True
            made = self.marked(made)
        self.together(self.branches(made, 2))
        for inner in self.streams[before:-1]:
            inner.inner = self.rng.random() < 0.99

    def marked(self, one):
        made = self.stream(NUMBERS)
        self.lines += [
            f"stream<{one.name}> {made.name} = Punctor({one.name}) {{",
            f"  param punctuate : n % {self.rng.randint(2, 9)}l == 1l; position : after;",
            "}",
        ]
        return made

    def branches(self, one, depth):
        """The ends of the branches of a fork; forks in them are `depth` at most."""
        one.used = True
        made = [self.stream(one.type) for _ in range(self.rng.randint(2, 4))]
        self.rng.choice((self.deal, self.deal, self.choose))(one, made)
        return [self.branch(branch, depth) for branch in made]

    def deal(self, one, made):
        results = "; ".join(f"stream<{one.name}> {s.name}" for s in made)
        self.lines += [
            f"({results}) as {self.name('F')} = Split({one.name}) {{",
            f"  param index : {self.rng.choice(INDICES)};",
            "}",
        ]

    def choose(self, one, made):
        """By conditions; a tuple that meets none is dropped, or goes to the last branch."""
        results = "; ".join(f"stream<{one.name}> {s.name}" for s in made)
        logic = [
            f"if ({self.rng.choice(CONDITIONS)}) submit({self.value(one)}, {s.name}); else"
            for s in made[:-1]
        ]
        last = f"submit({one.name}, {made[-1].name});"
        if self.rng.random() < 0.4:
            last = f"if ({self.rng.choice(CONDITIONS)}) {last}"
        self.lines += [f"({results}) as {self.name('F')} = Custom({one.name}) {{"]
        self.lines += [f"  logic onTuple {one.name} : {{", *logic, last, "  }", "}"]

    def value(self, one):
        """The tuple of a stream, or one that differs in some attributes."""
        if self.rng.random() < 0.5:
            return one.name
        return "{" + ", ".join(self.changes(one.type, 0.3, True)) + "}"

    def changes(self, of, often, every=False):
        """Of a tuple of this type."""
        return [
            f"{name} = {self.rng.choice(VALUES[name]) if self.rng.random() < often else name}"
            for name in of.names
            if every or self.rng.random() < 0.6
        ]

    def branch(self, one, depth):
        for _ in range(self.rng.choice((0, 1, 1, 2, 3))):
            one.used = True
            ways = [self.changed] * 4 + [self.kept, self.counted] + [self.multiplied]
            one = self.rng.choice(ways)(one)
        if depth and self.rng.random() < 0.25:
            one = self.together(self.branches(one, depth - 1))
        return one

    def changed(self, one):
        of = one.type if self.rng.random() < 0.8 else self.rng.choice((NUMBERS, TURNED))
        made = self.stream(of)
        filters = f"param filter : {self.rng.choice(CONDITIONS)}; " * (self.rng.random() < 0.2)
        risky, lines = self.risk() if self.rng.random() < 0.1 else (False, [])
        changes = self.changes(of, 0.7)
        if risky:
            changes = [c for c in changes if c[:4] != "n = "] + ["n = 1000l / (n % 11l - 3l)"]
        assigned = ", ".join(changes)
        output = f"output {made.name} : {assigned};" if assigned else ""
        self.lines += [
            *lines,
            f"stream<{body(of)}> {made.name} = Functor({one.name}) {{ {filters}{output} }}",
        ]
        return made

    def kept(self, one):
        made = self.stream(one.type)
        filters = f"param filter : {self.rng.choice(CONDITIONS)};"
        self.lines += [f"stream<{one.name}> {made.name} = Filter({one.name}) {{ {filters} }}"]
        return made

    def counted(self, one):
        """With state."""
        made = self.stream(one.type)
        when = f"if (had % 3l != {self.rng.randint(0, 5)}l) "
        sent = "{n = had, x = last, s = s, f = f}"
        if one.type == TURNED:
            sent = "{s = s, f = f, n = had, x = last}"
        self.lines += [
            f"stream<{one.name}> {made.name} = Custom({one.name}) {{",
            "  logic",
            "    state : { mutable int64 had = 0l; mutable float64 last = 0.0; }",
            f"    onTuple {one.name} : {{",
            "      had++;",
            "      last = last * 0.25 + x;",
            f"      {when}submit({sent}, {made.name});",
            "    }",
            "}",
        ]
        return made

    def multiplied(self, one):
        if self.rng.random() < 0.9:
            return self.changed(one)
        made = self.stream(one.type)
        self.lines += [
            f"stream<{one.name}> {made.name} = Custom({one.name}) {{",
            f"  logic onTuple {one.name} : for (int32 k in range((int32) n % 3))",
            f"    submit({one.name}, {made.name});",
            "}",
        ]
        return made

    def together(self, ends):
        """One port for all of one type; those of the other type come to it through a Functor."""
        names = []
        for one in ends:
            one.used = True
            if one.type != NUMBERS:
                made = self.stream(NUMBERS)
                made.used = True
                self.lines += [
                    f"stream<{body(NUMBERS)}> {made.name} = Functor({one.name}) {{ }}"
                ]
                one = made
            names.append(one.name)
        made = self.stream(NUMBERS)
        port = names[0]
        if self.rng.random() < 0.5:
            assigned = ", ".join(self.changes(NUMBERS, 0.5, True))
            self.lines += [
                f"stream<{body(NUMBERS)}> {made.name} = Functor({', '.join(names)}) {{",
                f"  output {made.name} : {assigned};",
                "}",
            ]
            return made
        self.lines += [
            f"stream<{body(NUMBERS)}> {made.name} = Custom({', '.join(names)}) {{",
            "  logic",
            "    state : mutable int64 met = 0l;",
            f"    onTuple {port} : {{",
            "      met++;",
            f"      submit({{n = n * 2l + met, x = x, s = s, f = f}}, {made.name});",
            "    }",
            f"    onPunct {port} : if (currentPunct() == Sys.WindowMarker)",
            f"      submit(Sys.WindowMarker, {made.name});",
            "}",
        ]
        return made
