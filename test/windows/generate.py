"""Random invocations of window operators, and random inputs for them.

`times` adds windows over time. Tuples then arrive a sixteenth after a whole second; windows last
eighths, but no whole seconds, and partitions halves: nothing happens to a window when a tuple
arrives."""

import math
import re

import program_text
from generate_outputs import Outputs
from windows import MARKER, ROW, Event

KEYS = ["k", "s", "k % 2", "t % 3l == 0l", "n % 4l", "x < 0.0", "x", "x * 0.0"]
KEYS += ["n % 37l", "n / 3l"]
# The size of a policy, and the attribute of delta. Some triggers have to be count(1) as it stands.
SIZE = re.compile(r"\((?:(\w+), )?(?!1\))([\d.]+)[lu]?\)")


def size_at_start(match):
    attribute, size = match.groups()
    kind = program_text.ROW_TYPE[attribute] if attribute else "float64" if "." in size else "int32"
    first = f"{attribute}, " if attribute else ""
    return f'({first}({kind}) getSubmissionTimeValue("size{size}", "{size}"))'


class Generator:
    lengths, steps = [0, 1, 2, 5, 10, 20, 40, 60, 200], [0, 1, 2, 6]  # of scripts, of times
    disorders, latest = [0.0, 0.0, 0.0, 0.1, 0.4], 9  # how often tuples are late, and how much

    def __init__(self, random, times=False):
        self.random, self.times = random, times

    def chance(self, probability):
        return self.random.random() < probability

    def seconds(self):
        return f"{(self.random.randrange(40) // 7 * 8 + self.random.randint(1, 7)) / 8}"

    def count(self, low, high):
        high *= 10 if self.chance(0.1) else 1
        return f"count({self.random.randint(low, high)})"

    def at_start(self, window):
        """The window, or one whose sizes are known at the start only."""
        return SIZE.sub(size_at_start, window) if self.chance(0.2) else window

    def delta(self):
        attribute, sizes = self.random.choice(
            [("t", "0l 1l 3l 3l 8l 20l"), ("t", "1l 2l 5l"), ("n", "0l 1l 4l"), ("k", "0 1 2"),
             ("x", "0.0 0.5 1.5 40.0"), ("u", "0u 2u 9u")]
        )  # fmt: skip
        return f"delta({attribute}, {self.random.choice(sizes.split())})"

    def policy(self, low=1, high=7):
        kinds = ["count", "count", "delta"] + ["time", "time"] * self.times
        kind = self.random.choice(kinds)
        if kind == "count":
            return self.count(low, high)
        return self.delta() if kind == "delta" else f"time({self.seconds()})"

    def tumbling(self):
        if self.chance(0.2):
            return "punct()"
        return self.policy(0 if self.chance(0.1) else 1)

    def evict_partitions(self, policy):
        """A policy for evicting partitions, or nothing."""
        if not self.chance(0.5):
            return ""
        if self.times and "punct" not in policy and self.chance(0.4):
            return f", partitionAge({self.random.randint(0, 4)}.5)"
        if self.chance(0.5):
            return f", partitionCount({self.random.choice([1, 2, 3, 4, 12])})"
        return f", tupleCount({self.random.randint(1, 12)})"

    def pane_window(self):
        """Tuples with equal values leave together, and are summarised together."""
        evict = f"time({self.seconds()})" if self.times and self.chance(0.4) else self.delta()
        trigger = self.delta() if self.chance(0.3) else self.policy(0 if self.chance(0.1) else 1, 5)
        return f"sliding, {evict}, {trigger}", False, evict

    def window(self):
        """(text without partitions, tumbling, the eviction policy)."""
        if self.chance(0.45):
            policy = self.tumbling()
            return f"tumbling, {policy}", True, policy
        evict = self.policy(0 if self.chance(0.1) else 1)
        if self.chance(0.2):
            return f"sliding, {evict}", False, evict
        if self.chance(0.25):  # whole panes
            pane = self.random.randint(2, 4)
            evict, trigger = (f"count({pane * self.random.randint(1, 4)})" for _ in "et")
            return f"sliding, {evict}, {trigger}", False, evict
        trigger = self.policy(0 if self.chance(0.1) else 1, 5)
        return f"sliding, {evict}, {trigger}", False, evict

    def keys(self):
        return ", ".join(self.random.sample(KEYS, 2 if self.chance(0.2) else 1))

    def panes(self, name):
        return self.aggregate(name, panes=True)

    def aggregate(self, name, panes=False):
        window, tumbling, policy = self.pane_window() if panes else self.window()
        params = []
        if self.chance(0.45):
            evict = self.evict_partitions(policy)
            window += ", partitioned" + evict
            params.append(f"partitionBy : {self.keys()};")
            if tumbling and evict and self.chance(0.6):
                params.append("aggregateEvictedPartitions : true;")
        if self.chance(0.7 if panes else 0.35):
            params.append(f"groupBy : {self.keys()};")
        if not tumbling and self.chance(0.4):
            params.append("aggregateIncompleteWindows : true;")
        outputs = Outputs(self.random, exact=panes)
        for _ in range(self.random.randint(1, 5)):
            outputs.pick()
        return aggregate_text(name, self.at_start(window), params, outputs)

    def sort(self, name):
        keys = ["k", "s", "x", "-t", "n % 3l", "t", "-k"]
        keys = self.random.sample(keys, self.random.randint(0, 2))
        tumbling = self.chance(0.5)
        policy = self.tumbling() if tumbling else self.count(1, 6)
        window = f"tumbling, {policy}" if tumbling else f"sliding, {policy}"
        window += ", count(1)" * (not tumbling and self.chance(0.3))
        if not tumbling or not keys or self.chance(0.6):
            keys.append(self.random.choice(["n", "-n"]))
        params = [f"sortBy : {', '.join(keys)};"]
        orders = ["ascending", "descending"]
        if self.chance(0.3):
            params.append(f"order : {self.random.choice(orders)};")
        elif self.chance(0.5):
            params.append(f"order : {', '.join(self.random.choices(orders, k=len(keys)))};")
        if self.chance(0.4):
            window += ", partitioned" + self.evict_partitions(policy)
            params.append(f"partitionBy : {self.keys()};")
        return (
            f"stream<A> {name} = Sort(A) {{ window A : {self.at_start(window)};"
            f" param {' '.join(params)} }}"
        )

    def join_window(self, port):
        policy = self.policy(0 if self.chance(0.2) else 1, 6)
        if self.chance(0.2):  # tuples leave that came after one that stays
            policy = self.random.choice(["delta(x, 0.5)", "delta(x, 1.5)", "delta(t, 20l)"])
        text, param = f"sliding, {policy}" + ", count(1)" * self.chance(0.2), None
        if self.chance(0.3):
            text += ", partitioned" + self.evict_partitions(policy)
            by = self.random.choice(["{0}.k", "{0}.s", "{0}.n % 3l", "{0}.k, {0}.s", "{0}.x"])
            param = f"partitionBy{'LR'[port]}HS : {by.format('AB'[port])};"
        return self.at_start(text), param

    def join_condition(self):
        equal = [("A.k", "B.k"), ("A.s", "B.s"), ("A.k % 2", "B.k % 2"), ("A.t", "B.t")]
        equal.append(("A.x", "B.x"))
        match = ["A.k == B.k", "A.k <= B.k", "A.t - B.t < 3l && B.t - A.t < 3l", "true"]
        match += ["A.s == B.s && A.n % 2l == 0l", "A.k > 0", "A.x < B.x"]
        match += ["A.k == B.k && A.s == B.s"]
        params = []
        if self.chance(0.5):
            pairs = self.random.sample(equal, 2 if self.chance(0.25) else 1)
            params.append(f"equalityLHS : {', '.join(left for left, _ in pairs)};")
            params.append(f"equalityRHS : {', '.join(right for _, right in pairs)};")
        if self.chance(0.5 if params else 0.9):
            params.append(f"match : {self.random.choice(match)};")
        return params

    def join(self, name):
        windows = [self.join_window(port) for port in (0, 1)]
        params = self.join_condition() + [param for _, param in windows if param]
        algorithm = self.random.choice(["", "inner", "leftOuter", "rightOuter", "outer", "outer"])
        extra = []
        if algorithm:
            params.append(f"algorithm : {algorithm};")
        if algorithm in ("leftOuter", "rightOuter", "outer"):
            if self.chance(0.35):
                extra = {"leftOuter": "A", "rightOuter": "B", "outer": "AB"}[algorithm]
            for side in ("LHS", "RHS"):
                if self.chance(0.25):
                    default = '{n = -1l, k = -7, s = "none", x = 0.5, t = -9l, u = 4u}'
                    params.append(f"defaultTuple{side} : {default};")
        streams = [f"stream<int64 a, int64 b, rstring s, int32 k, rstring r> {name}"]
        streams += [f"stream<{schema}> {name}{schema}" for schema in extra]
        head = f"({'; '.join(streams)})" if extra else streams[0]
        return (
            f"{head} = Join(A; B) {{ window A : {windows[0][0]}; B : {windows[1][0]};"
            + (f" param {' '.join(params)}" if params else "")
            + f" output {name} : a = A.n, b = B.n, r = B.s; }}"
        )

    def deduplicate(self, name):
        params = [f"key : {self.keys()};"] if self.chance(0.8) else []
        limit = self.random.choice(["count", "delta", ""])
        if limit == "count":
            params.append(f"count : {self.random.choice([0, 1, 2, 5, 100])}lu;")
        elif limit == "delta":
            params.append(f"deltaAttribute : A.n; delta : {self.random.choice([0, 2, 9])}l;")
        elif self.times:
            params.append(f"timeOut : {self.seconds()};")
        params += ["resetOnDuplicate : false;"] * self.chance(0.4)
        params += ["flushOnPunctuation : true;"] * self.chance(0.3)
        head = f"stream<A> {name}"
        head = f"({head}; stream<A> {name}D)" if self.chance(0.4) else head
        clause = f" param {' '.join(params)}" if params else ""
        return f"{head} = DeDuplicate(A) {{{clause} }}"

    def punctor(self, name):
        condition = self.random.choice(["k > 0", "n % 3l == 0l", "true", "x < 0.0 && k != 1"])
        position = self.random.choice(["before", "after"])
        return (
            f"stream<A> {name} = Punctor(A) {{"
            f" param punctuate : {condition}; position : {position}; }}"
        )

    def operator(self, name):
        kinds = ["aggregate"] * 12 + ["panes"] * 3
        kinds += ["join"] * 6 + ["sort"] * 4 + ["deduplicate"] * 2
        return getattr(self, self.random.choice([*kinds, "punctor"]))(name)

    def program(self, size):
        names = [f"O{number}" + "Quiet" * self.chance(0.15) for number in range(size)]
        return program_text.program(map(self.operator, names))

    # Inputs.

    def real(self, odd):
        if self.chance(odd):
            return self.random.choice([math.nan, -math.nan, 0.0, -0.0, 1.0])
        large = self.random.choice([1, 1, 1, 1000]) * 2048
        return self.random.randint(-large, large) / 1024

    def row(self, n, t, start, odd):
        return {
            "n": n,
            "k": self.random.randint(-3, 3),
            "s": self.random.choice(["", "a", "a", "b", "bb", "c"]),
            "x": self.real(odd),
            "t": t,
            "u": start + t % 32,
        }

    def script(self):
        """A few rounds with a mood each: how likely markers, pauses and the second port are."""
        length = self.random.choice(self.lengths)
        disorder = self.random.choice(self.disorders)
        step = self.random.choice(self.steps)
        second, markers = self.random.choice([0.1, 0.5]), self.random.choice([0.0, 0.1, 0.4])
        odd = self.random.choice([0.0, 0.2, 0.8])  # floats that are like others, or NaN
        pauses = self.random.choice([0.05, 0.2]) if self.times else 0.0
        script = [Event(program_text.PAUSE, time=1 / 16)] if self.times else []
        n, t = self.random.choice([0, -5, 1000]), self.random.choice([0, -20])
        start = self.random.choice([0, 2**32 - 32])
        while len(script) < length:
            port = int(self.chance(second))
            if self.chance(pauses):
                script.append(Event(program_text.PAUSE, time=float(self.random.randint(1, 3))))
            elif self.chance(markers):
                script += [Event(MARKER, port=port)] * self.random.choice([1, 1, 1, 3])
            else:
                n, t = n + 1, t + self.random.randint(0, step)
                late = self.random.randint(1, self.latest) if self.chance(disorder) else 0
                script.append(Event(ROW, self.row(n, t - late, start, odd), port))
        return script


def aggregate_text(name, window, params, outputs, stream="A"):
    schema = ", ".join(f"{kind} {attribute}" for attribute, kind in outputs.kinds.items())
    assigns = ", ".join(f"{attribute} = {text}" for attribute, text in outputs.assigns.items())
    text = f"stream<{schema}> {name} = Aggregate({stream}) {{"
    if outputs.custom:
        text += " logic state : mutable int64 p = 0l;"
    text += f" window {stream} : {window};"
    if params:
        text += f" param {' '.join(params)}"
    text += f" output {name} : {assigns}; }}"
    if outputs.changes:
        changes = ", ".join(f"{name} = {value}" for name, value in outputs.changes.items())
        text += f"\n        stream<{name}> F{name} = Functor({name}) {{"
        text += f" output F{name} : {changes}; }}"
    return text
