"""Random windows of event time, and the operators between them and the sources.

The time of a tuple is made of its attribute t, as milliseconds. Windows last some milliseconds, as
t grows by some with each tuple."""

from generate import Generator, aggregate_text
from generate_outputs import Outputs
from windows import FINAL, Event

# Milliseconds: near each other, far jumps, and beyond what a time may be.
TIMES = ["t", "t", "t", "t * 3l", "t - 50l", "t / 4l", "-t", "t * 86400000l"]
TIMES += ["n % 11l == 5l ? t + 100000l : t", "n % 7l == 2l ? t - 40l : t", "k == 3 ? -t : t"]
TIMES += ["t * 1000000000l"]
TIMES += ["n % 17l == 9l ? t + 6000000000000l : t", "n % 13l == 4l ? t - 6000000000000l : t"]
# (attribute, its path, resolution, what it is of milliseconds, whether aggregates can make it)
KINDS = [
    ("int64 e", "e", "Milliseconds", "{0}", True),
    ("int64 e", "e", "", "{0}", True),
    ("int64 e", "e", "Microseconds", "({0}) * 1000l + n % 2l", True),
    ("int64 e", "e", "Nanoseconds", "({0}) * 1000000l - n % 3l", True),
    ("uint64 e", "e", "Milliseconds", "(uint64) (({0}) + 1000l)", True),
    ("uint64 e", "e", "Nanoseconds", "(uint64) (({0}) * 1000000l + 100000000000l)", True),
    ("timestamp e", "e", "Nanoseconds", "toTimestamp({0}, Sys.Milliseconds)", True),
    ("timestamp e", "e", "", "toTimestamp(({0}) * 1000l - n % 3l, Sys.Microseconds)", True),
    ("tuple<int64 e> a", "a.e", "Milliseconds", "{{e = {0}}}", False),
]
CONDITIONS = ["k > 0", "n % 3l != 1l", "t % 5l < 3l", "true", "x < 0.0"]
STEPS = ["filter", "functor", "custom", "split", "split", "throttle", "known", "another", "another"]


def seconds(milliseconds):
    return f"{milliseconds / 1000:.9f}".rstrip("0") + "0"


def eighths(milliseconds):
    return max(round(milliseconds * 8), 1) / 8


class EventGenerator(Generator):
    lengths, steps = [1, 5, 20, 40, 60, 80], [0, 1, 2, 2, 6, 20]
    disorders, latest = [0.0, 0.0, 0.1, 0.3, 0.7], 25

    # Sources and what follows them: each adds to `texts` and gives the name of its stream.

    def begin(self, name):
        self.name, self.texts = name, []
        kind = self.random.choice(KINDS)
        self.attribute, self.path, self.resolution, self.value, self.made = kind
        self.time = self.random.choice(TIMES)

    def new(self):
        return f"{self.name}S{len(self.texts)}"

    def add(self, text):
        self.texts.append(text)

    def source(self):
        """A stream with event time; each has a gap and a lag of its own."""
        stream, of = self.new(), self.random.choice("AAAB")
        given = [f"eventTimeAttribute = {self.path}"]
        given += [f"resolution = {self.resolution}"] * bool(self.resolution)
        if self.chance(0.95):
            given.append(f"minimumGap = {seconds(self.random.choice([0, 0, 0, 0, 1, 3, 10, 40]))}")
        if self.chance(0.6):
            given.append(f"lag = {seconds(self.random.choice([0, 1, 2, 7]))}")
        self.add(
            f"@eventTime({', '.join(given)}) stream<Row, tuple<{self.attribute}>> {stream} ="
            f" Functor({of}) {{ output {stream} : {self.attribute.split()[-1]} ="
            f" {self.value.format(self.time)}; }}"
        )
        return stream

    def timeless(self):
        """A stream of the same type that has none."""
        stream, of = self.new(), self.random.choice("AB")
        self.add(
            f"stream<Row, tuple<{self.attribute}>> {stream} = Functor({of}) {{ output {stream} :"
            f" {self.attribute.split()[-1]} = {self.value.format(self.time)}; }}"
        )
        return stream

    def filter(self, inner):
        stream, condition = self.new(), self.random.choice(CONDITIONS)
        first = inner.split(",")[0]
        self.add(f"stream<{first}> {stream} = Filter({inner}) {{ param filter : {condition}; }}")
        return stream

    def functor(self, inner):
        stream, change = self.new(), self.random.choice(["k = k + 1", "n = n * 2l", "x = x * 2.0"])
        if self.attribute == "int64 e" and self.chance(0.4):
            change = self.random.choice(["e = e + 3l", "e = e - 5l", "e = k > 0 ? e : 0l"])
        self.add(f"stream<{inner}> {stream} = Functor({inner}) {{ output {stream} : {change}; }}")
        return stream

    def custom(self, inner):
        stream, every = self.new(), self.random.randint(1, 4)
        self.add(
            f"stream<{inner}> {stream} = Custom({inner}) {{ logic state : mutable int64 c = 0l;"
            f" onTuple {inner} : {{ c++; submit({inner}, {stream});"
            f" if (c % {every}l == 0l) submit({inner}, {stream}); }} }}"
        )
        return stream

    def split(self, inner):
        stream, index = self.new(), self.random.choice(["k", "k * k", "n", "t"])
        streams = f"{stream}L", f"{stream}R"
        types = "; ".join(f"stream<{inner}> {part}" for part in streams)
        self.add(f"({types}) = Split({inner}) {{ param index : {index}; }}")
        if self.chance(0.3):
            return self.random.choice(streams)
        left, right = streams
        if self.chance(0.4):
            left = self.step(left, ["filter", "functor"])
        return self.meet(left, right)

    def throttle(self, inner):
        stream = self.new()
        self.add(f"stream<{inner}> {stream} = Throttle({inner}) {{ param rate : 1000000000.0; }}")
        return stream

    def known(self, inner):
        """Tuples whose key has come on another stream, or all, in two streams that meet."""
        keys, stream = self.random.choice([self.source, self.timeless])(), self.new()
        param = "param key : k; addKey : k * 2;"
        if self.chance(0.5):
            self.add(
                f"stream<{inner}> {stream} = DynamicFilter({inner}; {keys}) {{ {param} }}"
            )
            return stream
        streams = f"{stream}L", f"{stream}R"
        types = "; ".join(f"stream<{inner}> {part}" for part in streams)
        self.add(f"({types}) = DynamicFilter({inner}; {keys}) {{ {param} }}")
        return self.meet(*streams)

    def meet(self, left, right, timed=True):
        """Two streams become one; both have event time unless `timed` is false."""
        if timed and self.chance(0.3):  # at one port
            return self.filter(f"{left}, {right}")
        stream = self.new()
        if self.chance(0.5):
            self.add(f"stream<{left}> {stream} = Union({left}; {right}) {{}}")
        else:
            self.add(
                f"stream<{left}> {stream} = Custom({left}; {right}) {{ logic"
                f" onTuple {left} : submit({left}, {stream});"
                f" onTuple {right} : submit({right}, {stream}); }}"
            )
        return stream

    def interrupted(self):
        """A stream that loses the attribute and gets another of that name, which is none."""
        before, lost, stream = self.source(), self.new(), f"{self.new()}B"
        name = self.attribute.split()[-1]
        lost_attribute = f"{self.attribute[: -len(name)]}lost"
        self.add(
            f"stream<Row, tuple<{lost_attribute}>> {lost} = Functor({before})"
            f" {{ output {lost} : lost = {name}; }}"
        )
        self.add(
            f"stream<{before}> {stream} = Functor({lost}) {{ output {stream} : {name} = lost; }}"
        )
        return stream

    def another(self, inner):
        kind = self.random.choice(["source", "source", "source", "timeless", "interrupted"])
        other = getattr(self, kind)()
        timed = kind == "source"
        return self.meet(inner, other, timed)

    def step(self, inner, kinds=STEPS):
        return getattr(self, self.random.choice(kinds))(inner)

    # Windows.

    def interval(self):
        duration = self.random.choice([1, 2, 3, 5, 8, 12, 20, 60, 0.125])
        words = [f"intervalDuration({seconds(duration)})"]
        if self.chance(0.6):
            low = duration / 12
            periods = [duration, duration / 2, duration / 3, duration / 4, duration * 1.5]
            periods += [duration + 1, 2, 3, 7, self.random.uniform(low, duration)]
            period = eighths(max(self.random.choice(periods), low))
            words.append(f"creationPeriod({seconds(period)})")
        if self.chance(0.4):
            offset = eighths(duration * self.random.choice([0.25, 0.5, 0.9]))
            offset = offset if offset < duration else 0
            words.append(f"intervalOffset({seconds(offset)})")
        if self.chance(0.6):
            age = self.random.choice([0, 1, 2.5, 5, 10, 10, 30, 200, 1e9])
            words.append(f"discardAge({seconds(age)})")
        self.random.shuffle(words)
        return f"timeInterval, {', '.join(words)}"

    def interval_params(self, keys):
        window, params = self.interval(), []
        if self.chance(0.4):
            window += ", partitioned"
            params.append(f"partitionBy : {keys()};")
        if self.chance(0.3):
            params.append(f"groupBy : {keys()};")
        return window, params

    def pane_facts(self, outputs):
        facts = [("rstring", "(rstring) paneTiming()"), ("Sys.PaneTiming", "paneTiming()")]
        facts += [("boolean", "paneTiming() == Sys.paneLate"), ("uint64", "paneIndex()")]
        facts += [("timestamp", "intervalStart()"), ("timestamp", "intervalEnd()")]
        facts += [("int64", "(int64) paneIndex() * 10l + n")]
        for kind, text in self.random.sample(facts, self.random.choice([0, 1, 2, 3])):
            outputs.add(kind, text)

    def panes(self, inner):
        """Windows whose results have event time, and whether these have an order."""
        stream = self.new()
        window, params = self.interval_params(lambda: "k")
        ordered = not params
        times = ["Min(e)", "Max(e)"] + ["First(e)", "Last(e)"] * ordered
        times += ["intervalStart()"] * ("timestamp" in self.attribute)
        param = f" param {' '.join(params)}" if params else ""
        self.add(
            f"stream<Row, tuple<{self.attribute}>> {stream} = Aggregate({inner}) {{"
            f" window {inner} : {window};{param} output {stream} : n = Max(n), k = Last(k),"
            f" s = Max(s), x = Sum(x), t = Min(t), e = {self.random.choice(times)}; }}"
        )
        return stream, ordered

    def aggregate(self, name):
        self.begin(name)
        stream, ordered = self.source(), True
        for _ in range(self.random.choice([0, 0, 1, 2, 3])):
            stream = self.step(stream)
        if self.made and self.chance(0.3):
            stream, ordered = self.panes(stream)
            if ordered and self.chance(0.4):
                stream = self.step(stream, ["filter", "functor", "custom", "split"])
        window, params = self.interval_params(self.keys)
        outputs = Outputs(self.random, ordered)
        for _ in range(self.random.randint(1, 4)):
            outputs.pick()
        self.pane_facts(outputs)
        self.add(aggregate_text(name, window, params, outputs, stream))
        return "\n        ".join(self.texts)

    def operator(self, name):
        return self.aggregate(name)

    def script(self):
        """One of the streams may end before the other."""
        script = super().script()
        if script and self.chance(0.3):
            port, at = self.random.randint(0, 1), self.random.randint(0, len(script))
            rest = [event for event in script[at:] if event.port != port]
            script = [*script[:at], Event(FINAL, port=port), *rest]
        return script
