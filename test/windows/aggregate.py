"""Aggregate: groups of a window's tuples, and the output functions over a list of tuples."""

import math
import re

import expressions
import values
from invocations import split
from windows import Bag, Firing, Sliding, Tumbling, findable, firings

MARK = "WindowMarker"


def int_average(kind, column):
    """Of a sum that wraps at 64 bits, cut towards zero."""
    wide = "uint64" if kind in values.UNSIGNED else "int64"
    return values.wrap(kind, expressions.divide(values.wrap(wide, sum(column)), len(column)))


def average(kind, column):
    if values.is_integer(kind):
        return int_average(kind, column)
    mean = math.fsum(column) / len(column)
    return values.Float32(mean) if kind == "float32" else mean


def total(kind, column):
    if values.is_integer(kind):
        return values.wrap(kind, sum(column))
    if kind in ("rstring", "ustring"):
        return "".join(column)
    return values.Float32(math.fsum(column)) if kind == "float32" else math.fsum(column)


def int_deviation(kind, column):
    """The sum of squared distances as the running algorithm gives it in an integer type."""
    result, mean = 0, column[0]
    for count in range(2, len(column) + 1):
        value, old = column[count - 1], mean
        mean = int_average(kind, column[:count])
        step = (value - old) * (value - mean)
        result = result + step if kind in values.WIDTHS else max(result + step, 0)
    return result


def deviation(kind, column, sample):
    count = len(column) - 1 if sample else len(column)
    if values.is_integer(kind):
        return math.isqrt(int_deviation(kind, column) // count) if count else 0
    if len(column) == 1:
        return 0.0  # of a NaN, too
    mean = math.fsum(column) / len(column)
    squares = math.fsum((v - mean) ** 2 for v in column)
    result = math.sqrt(squares / count) if count else 0.0
    return values.Float32(result) if kind == "float32" else result


def distinct(column):
    found = []
    for value in column:
        if value == value and value not in found:
            found.append(value)
    return found


def numbers(column):
    """NaN counts only where there is nothing else: the first one."""
    return [value for value in column if value == value] or column[:1]


def largest(column):
    return max(numbers(column))


def smallest(column):
    return min(numbers(column))


def places(column, extreme):
    """Where the extreme is; a NaN equals none: only the first."""
    return [i for i, value in enumerate(column) if value == extreme] or [0]


def by_column(function, column):
    return [function(list(part)) for part in zip(*column)]


def fold(kind, column, start):
    """Custom(start(p, c), step(p, v), result(p)) of random_programs.py."""
    result = start
    for value in column:
        result = values.wrap(kind, result * 31 + value)
    return result


class Group:
    """What the functions see: the tuples of the group, those of the window, all groups."""

    def __init__(self, rows, window, groups):
        self.rows, self.window, self.groups = rows, window, groups


# Name -> function of (type of the result, group, columns of the arguments).
FUNCTIONS = {
    "Count": lambda kind, g: len(g.rows),
    "CountAll": lambda kind, g: len(g.window),
    "CountGroups": lambda kind, g: len(g.groups),
    "CountByGroup": lambda kind, g: [len(rows) for rows in g.groups],
    "Any": lambda kind, g, v: v[-1],
    "Last": lambda kind, g, v: v[-1],
    "First": lambda kind, g, v: v[0],
    "Collect": lambda kind, g, v: list(v),
    "CollectDistinct": lambda kind, g, v: distinct(v),
    "CountDistinct": lambda kind, g, v: len(distinct(v)),
    "CountByDistinct": lambda kind, g, v: [v.count(d) for d in distinct(v)],
    "Average": lambda kind, g, v: scalar_or_list(average, kind, v),
    "Sum": lambda kind, g, v: scalar_or_list(total, kind, v),
    "Max": lambda kind, g, v: scalar_or_list(lambda k, c: largest(c), kind, v),
    "Min": lambda kind, g, v: scalar_or_list(lambda k, c: smallest(c), kind, v),
    "MaxCount": lambda kind, g, v: len(places(v, largest(v))),
    "MinCount": lambda kind, g, v: len(places(v, smallest(v))),
    "ArgMax": lambda kind, g, v, a: a[places(v, largest(v))[0]],
    "ArgMin": lambda kind, g, v, a: a[places(v, smallest(v))[0]],
    "CollectArgMax": lambda kind, g, v, a: [a[i] for i in places(v, largest(v))],
    "CollectArgMin": lambda kind, g, v, a: [a[i] for i in places(v, smallest(v))],
    "SampleStdDev": lambda kind, g, v: deviation(kind, v, sample=True),
    "PopulationStdDev": lambda kind, g, v: deviation(kind, v, sample=False),
}


def scalar_or_list(function, kind, column):
    element = re.fullmatch(r"list<(\w+)>(\[\d+\])?", kind)
    if not element:
        return function(kind, column)
    return by_column(lambda part: function(element.group(1), part), column)


CALL = re.compile(r"(\w+)\s*\((.*)\)", re.DOTALL)


def read_assign(kind, text, customs):
    """The function of a Group that an assignment of the output clause stands for."""
    found = CALL.fullmatch(text)
    if found and found.group(1) == "Custom":
        return customs(kind, split(found.group(2)))
    if found and found.group(1) in FUNCTIONS:
        function = FUNCTIONS[found.group(1)]
        columns = [expressions.read(part) for part in split(found.group(2))]
        return lambda group: function(kind, group, *[list(map(c, group.rows)) for c in columns])
    plain = expressions.read(text)
    return lambda group: plain(group.rows[-1])


def fold_custom(kind, arguments):
    found = [CALL.fullmatch(argument) for argument in arguments]
    if [f and f.group(1) for f in found] != ["start", "step", "result"]:
        raise ValueError(f"not the Custom of random programs: {arguments}")
    start = expressions.read(split(found[0].group(2))[1])({})
    step = expressions.read(split(found[1].group(2))[1])
    return lambda group: fold(kind, list(map(step, group.rows)), start)


class Aggregate:
    """`customs` reads the arguments of Custom. `closes`: the window fires at the end."""

    def __init__(self, invocation, customs=fold_custom, closes=False):
        self.invocation, self.closes = invocation, closes
        self.keys = invocation.expressions("groupBy")
        ((self.stream, attributes),) = invocation.outputs.items()
        self.assigns = {
            name: read_assign(kind, invocation.assigns.get(name, f"Last({name})"), customs)
            for name, kind in attributes.items()
        }

    def policy(self):
        by = self.invocation.expressions("partitionBy")
        window = self.invocation.windows[self.invocation.inputs[0][1]]
        key = lambda row: tuple(e(row) for e in by)
        if window.tumbling:
            return Tumbling(window, key, self.invocation.flag("aggregateEvictedPartitions"))
        return Sliding(window, key, self.invocation.flag("aggregateIncompleteWindows"))

    def result(self, fired):
        """The items that a firing becomes: tuples, markers and bags of such."""
        if isinstance(fired, Bag):
            return [Bag([self.result(part) for part in fired.parts])]
        assert isinstance(fired, Firing)
        if not fired.rows:
            return [MARK]
        groups, window = {}, [{**row, **fired.facts} for row in fired.rows]
        for number, row in enumerate(window):
            key = tuple(key(row) for key in self.keys)
            groups.setdefault(key if findable(key) else number, []).append(row)
        members = list(groups.values())
        tuples = [[self.tuple_of(Group(rows, window, members))] for rows in members]
        return [Bag(tuples) if len(tuples) > 1 else tuples[0][0], MARK]

    def tuple_of(self, group):
        return {name: function(group) for name, function in self.assigns.items()}

    def run(self, events):
        policy = self.policy()
        self.counts = policy.counts
        fired = firings(policy, events, self.closes)
        return {self.stream: [item for firing in fired for item in self.result(firing)]}
