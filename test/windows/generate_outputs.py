"""Random output clauses of Aggregate."""

INTS = {"int64": ["n", "t", "n * 3l - t", "t % 5l"], "int32": ["k", "k * k", "k * 7 - 2"]}
UNSIGNED = {"uint32": ["u", "u % 5u"]}
FLOATS = ["x", "x * 2.0", "x - 0.5"]
TEXTS = ["s", 's + "."']
WRAPPED = {"int64": "n * 4611686018427387904l", "int32": "k * 715827883"}


def values(random, fixed=False):
    kind = random.choice(["int64", "int32", "uint32", "float64", "rstring"][: 4 if fixed else 5])
    texts = {"float64": FLOATS, "rstring": TEXTS, **INTS, **UNSIGNED}[kind]
    return kind, random.choice(texts)


def numbers(random):
    kind = random.choice(["int64", "int32", "float64"])
    return kind, random.choice({"float64": FLOATS, **INTS}[kind])


class Outputs:
    """The output clause of an Aggregate, and what the Functor behind it puts in order.

    `ordered`: the tuples of the window have an order, which functions may depend on. `exact`: only
    functions whose states have one size and are merged without rounding."""

    def __init__(self, random, ordered=True, exact=False):
        self.random, self.exact = random, exact
        self.choices = EXACT if exact else CHOICES if ordered else UNORDERED
        self.kinds, self.assigns, self.changes = {}, {}, {}
        self.custom = False

    def add(self, kind, text, sort=False, name="a"):
        name = f"{name}{len(self.kinds)}"
        self.kinds[name], self.assigns[name] = kind, text
        if sort:
            self.changes[name] = f"sort({name})"
        return name

    def pick(self):
        getattr(self, self.random.choice(self.choices))()

    def values(self):
        return values(self.random, self.exact)

    def counts(self):
        self.add("int32", self.random.choice(["Count()", "CountAll()", "CountGroups()"]))

    def by_group(self):
        self.add("list<int32>", "CountByGroup()", sort=True)

    def one(self):
        kind, text = self.values()
        self.add(kind, f"{self.random.choice(['Any', 'First', 'Last', 'Max', 'Min'])}({text})")

    def plain(self):
        self.add("int64", self.random.choice(["n", "n * 2l + t", "(int64) k"]))

    def collect(self):
        kind, text = self.values()
        self.add(f"list<{kind}>", f"Collect({text})")

    def distinct(self):
        text = self.random.choice(INTS["int32"])
        found = self.add("list<int32>", f"CollectDistinct({text})", sort=True)
        if self.random.random() < 0.5:
            counts = self.add("list<int32>", f"CountByDistinct({text})", sort=True)
            self.changes[self.add("int64", "0l")] = f"pairs({found}, {counts})"

    def count_distinct(self):
        self.add("int32", f"CountDistinct({self.values()[1]})")

    def average(self):
        kind, text = numbers(self.random)
        name = "approx" if kind == "float64" else "a"
        self.add(kind, f"Average({text})", name=name)

    def deviation(self):
        kind, text = numbers(self.random)
        name = "approx" if kind == "float64" else "a"
        function = self.random.choice(["SampleStdDev", "PopulationStdDev"])
        self.add(kind, f"{function}({text})", name=name)

    def total(self):
        kind, text = self.values()
        if kind in WRAPPED and self.random.random() < 0.3:
            text = WRAPPED[kind]
        self.add(kind, f"Sum({text})")

    def sum_of_integers(self):
        kind = self.random.choice(["int64", "int32"])
        self.add(kind, f"Sum({self.random.choice(INTS[kind])})")

    def extreme_count(self):
        function = self.random.choice(["MaxCount", "MinCount"])
        self.add("int32", f"{function}({self.values()[1]})")

    def arg(self):
        function = self.random.choice(["ArgMax", "ArgMin"])
        kind, what = self.values()
        self.add(kind, f"{function}({self.values()[1]}, {what})")

    def collect_arg(self):
        function = self.random.choice(["CollectArgMax", "CollectArgMin"])
        self.add("list<int64>", f"{function}({self.values()[1]}, n)", sort=True)

    def custom_fold(self):
        if not self.custom:  # the state is one variable
            self.custom = True
            self.add("int64", "Custom(start(p, 7l), step(p, n), result(p))")


CHOICES = ["counts", "by_group", "one", "one", "plain", "collect", "collect", "distinct"]
CHOICES += ["count_distinct", "average", "deviation", "total", "total", "extreme_count", "arg"]
CHOICES += ["collect_arg", "custom_fold"]
UNORDERED = ["counts", "by_group", "distinct", "count_distinct", "average", "sum_of_integers"]
UNORDERED += ["extreme_count"]
EXACT = ["counts", "by_group", "one", "one", "plain", "sum_of_integers", "extreme_count", "arg"]
