"""What the sources of conformance programs submit, by hand: program -> stream -> events."""

from values import Enum, Float32, Timestamp
from windows import FINAL, MARKER, ROW, Event


def rows(*tuples, marker_after=()):
    """The tuples, and a window marker after those whose number is named."""
    events = []
    for number, row in enumerate(tuples):
        events.append(Event(ROW, row))
        if number in marker_after:
            events.append(Event(MARKER))
    return [*events, Event(FINAL)]


def table(text, *names):
    """A list of rows from columns of values: `table("ab", "k")` has two."""
    return [dict(zip(names, values)) for values in zip(*text)]


def numbered(columns, **options):
    """Rows {n = 0, 1, …} with these columns."""
    names = list(columns)
    tuples = [
        {"n": n, **dict(zip(names, values))} for n, values in enumerate(zip(*columns.values()))
    ]
    return rows(*tuples, **options)


def with_times(times, **options):
    return numbered(
        {"t": times, "f": [float(t) for t in times], "ts": [Timestamp(t, 0) for t in times]},
        **options,
    )


TIMES = [0, 1, 3, 3, 7, 8, 12, 13, 20, 21, 22, 40, 41]
EVENT_TIMES = [11000, 11500, 12999, 13000, 12500, 14200, 13900, 17000, 16900, 19500, 12100]
EVENT_TIMES += [22000, 40000]
DISORDER = [5, 6, 4, 9, 1, 10, 10, 2, 20, 19, 30]
GROUPS = ["a", "b", "a", "c", "a", "b", "b", "a", "c", "a", "b", "c"]
EVICTED = ["a", "b", "a", "c", "b", "d", "a", "d", "e", "b", "c", "c", "a"]
PARTITIONS = ["a", "b", "a", "c", "d", "a", "b", "c", "a", "d", "d", "b"]
DUPLICATES = ["a", "b", "a", "a", "c", "b", "a", "d", "c", "a", "b", "b"]
DUPLICATE_TIMES = [0, 2, 4, 5, 9, 10, 10, 15, 16, 17, 26, 27]
DELTAS = [0.0, 0.5, 1.0, 1.0, 2.5, 4.0, 4.5, 9.0, 9.0, 10.5, 30.0, 31.0]


def delta_types():
    whole = [int(x) for x in DELTAS]
    return numbered(
        {
            "a": whole,
            "u": whole,
            "f": [Float32(x) for x in DELTAS],
            "g": DELTAS,
            "d": DELTAS,
            "t": [Timestamp(x, n % 2 * 500000000) for n, x in enumerate(whole)],
            "b": whole,
        }
    )


def two_ports(left, right, script):
    """`script` names the port of each tuple in turn; a capital letter is its marker."""
    events, tuples = [], {"l": iter(left), "r": iter(right)}
    for letter in script:
        port = "lr".index(letter.lower())
        if letter.isupper():
            events.append(Event(MARKER, port=port))
        else:
            events.append(Event(ROW, next(tuples[letter]), port))
    return [*events, Event(FINAL)]


def joined():
    left = [(1, "x", 1), (2, "y", 2), (3, "x", 4), (4, "z", 5)]
    left += [(5, "y", 9), (6, "x", 12), (7, "w", 21), (8, "x", 22)]
    right = [(101, "x", 1), (102, "y", 2), (103, "x", 6), (104, "z", 9)]
    right += [(105, "q", 12), (106, "x", 20), (107, "x", 22)]
    return two_ports(
        [dict(zip(("a", "k", "t"), v)) for v in left],
        [dict(zip(("b", "k", "t"), v)) for v in right],
        "lrrlLllrRrllrrllr",
    )


def joined_more():
    left = [(1, "x", True, 0), (2, "y", False, 1), (3, "x", True, 4), (4, "y", True, 9)]
    right = [(11, "x", False, 0, 0), (12, "y", True, 2, 0), (13, "x", True, 3, 0)]
    right += [(14, "z", True, 9, 1)]
    return two_ports(
        [{"a": a, "k": k, "p": p, "t": Timestamp(t, 0)} for a, k, p, t in left],
        [{"b": b, "k": k, "q": q, "t": Timestamp(t, ns)} for b, k, q, t, ns in right],
        "lrlrrllr",
    )


def floats(text, kind):
    values = [kind(v) for v in text.split()]
    return rows(*[{"v": v, "name": chr(ord("a") + n)} for n, v in enumerate(values)])


def ints():
    columns = ("a", "l", "b", "s", "u")
    table_of = [
        (2147483647, 9223372036854775807, 250, -32768, 18446744073709551615),
        (1, 1, 10, -1, 1),
        (-7, -7, 3, 5, 7),
        (-1, 0, 0, 0, 0),
        (-2, 3, 7, -5, 2),
        (-4, 4, 8, 2, 4),
        (10, 9, 9, 4, 9),
    ]
    return [dict(zip(columns, values)) for values in table_of]


def lists():
    return rows(
        {"l": [1, 20], "f": [0.5, 1.0, -1.0], "n": 1, "x": 1.5},
        {"l": [5, 7], "f": [2.5, 3.0, 8.0], "n": 2, "x": -0.25},
        {"l": [-3, 40], "f": [1.0, 1.0, 1.0], "n": 3, "x": 1.0e10},
        {"l": [0, 0], "f": [4.0, -4.0, 0.25], "n": 4, "x": 0.1},
        {"l": [9, 9], "f": [0.0, 0.0, 0.0], "n": 5, "x": 3.25},
    )


LEVELS = ["low", "mid", "high"]


def texts():
    columns = ("s", "u", "b", "e", "t", "p")
    table_of = [
        ("pear", "ä", True, "mid", (5, 3), (1, "a")),
        ("Apple", "z", False, "high", (5, 2), (2, "b")),
        ("fig", "a", False, "low", (-1, 9), (3, "c")),
        ("", "", True, "high", (0, 0), (4, "d")),
        ("pear", "ä", True, "low", (7, 0), (5, "e")),
        ("kiwi", "b", False, "mid", (7, 0), (6, "f")),
    ]
    found = []
    for s, u, b, e, t, (x, y) in table_of:
        row = (s, u, b, Enum(LEVELS, e), Timestamp(*t), {"x": x, "y": y})
        found.append(dict(zip(columns, row)))
    return rows(*found)


def sort_keys():
    inf = float("inf")
    table_of = [
        ("b", "z", True, "high", (2, 0), 1.5, 1.1),
        ("B", "é", False, "low", (1, 999), -inf, 1.05),
        ("a", "e", True, "mid", (-3, 0), inf, -2.0),
        ("é", "E", False, "high", (1, 5), 0.0, 100.0),
        ("", "", True, "low", (9, 0), -2.5, 0.0),
        ("aa", "\uffff", False, "mid", (0, 0), 1e-300, 99.9),
    ]
    found = []
    for n, (s, u, b, e, t, f, d) in enumerate(table_of):
        row = {"n": n, "s": s, "u": u, "b": b, "e": Enum(LEVELS, e), "t": Timestamp(*t)}
        found.append({**row, "f": f, "d": d})
    return rows(*found)


def sort_windows():
    ns = [5, 3, 9, 1, 8, 2, 7, 4, 6, 0, 11]
    ts = [0, 1, 2, 4, 5, 6, 7, 11, 12, 13, 30]
    tuples = zip(ns, "babcabacbac", ts)
    found = [{"n": n, "k": k, "t": t, "f": float(n % 3)} for n, k, t in tuples]
    return rows(*found, marker_after=(3, 8))


def punctuated():
    script = [None, (1, "a"), (2, "b"), (3, "a"), None, None, (4, "b"), None, (5, "c")]
    events = [
        Event(ROW, {"n": item[0], "k": item[1]}) if item else Event(MARKER) for item in script
    ]
    return [*events, Event(FINAL)]


def punctor():
    """`c` is a state of the logic: the tuples seen so far."""
    tuples = [{"n": n, "k": k, "c": n + 1} for n, k in enumerate("aabbbca")]
    return [Event(MARKER), *rows(*tuples, marker_after=(2,))]


def bursts():
    """Three bursts of three tuples, two seconds apart, the first after one second."""
    events = [
        Event(ROW, {"n": burst * 10 + i, "k": "y" if i == 1 else "x"}, time=1.0 + 2 * burst)
        for burst in range(3)
        for i in range(3)
    ]
    return [*events, Event(FINAL, time=6.9)]


def timed_ports():
    script = [
        (0.0, 0, 1, "x"), (0.0, 1, 11, "x"), (0.0, 0, 2, "y"),
        (2.0, 1, 12, "y"), (2.0, 0, 3, "x"), (2.0, 1, 13, "x"), (2.0, 0, 4, "z"),
        (4.0, 0, 5, "x"), (4.0, 0, 6, "z"), (4.0, 1, 14, "z"),
    ]  # fmt: skip
    events = [
        Event(ROW, {"nm"[port]: number, "k": k}, port, time) for time, port, number, k in script
    ]
    return [*events, Event(FINAL, time=4.5)]


def left_only(events):
    return [event for event in events if event.port == 0]


NAMES = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]
PROGRESSIVE = [5, 3, 9, 3, 8, 1, 1, 7, 2, 9, 4]
# Program -> input stream, or the inputs of a Join as one -> events.
INPUTS = {
    "agg-custom": {
        "In": rows(*[{"n": i + 1, "k": "x" if i % 3 == 0 else "y"} for i in range(8)])
    },
    "agg-default": {
        "In": rows(  # `seen` is a state of the logic
            *[{"n": i, "k": "eo"[i % 2], "t": {"x": i * i}, "seen": i + 1} for i in range(7)]
        )
    },
    "agg-evicted": {"In": numbered({"k": EVICTED})},
    "agg-floats": {
        "F64In": floats("1.5 -0.25 1e10 0.1 3.25 1 2 7", float),
        "F32In": floats("0.1 0.2 0.3 16777216", Float32),
    },
    "agg-group": {
        "In": numbered({"k": GROUPS, "odd": [i % 2 == 1 for i in range(12)]}, marker_after=(6,))
    },
    "agg-group-sliding": {
        "In": numbered({"k": GROUPS, "t": [i * i for i in range(12)]}, marker_after=(6,))
    },
    "agg-ints": {
        "In": rows(*ints()),
        "Small": rows(*[r for r in ints() if r["a"] < 100 and r["u"] < 100 and r["a"] != 1]),
    },
    "agg-lists": {"In": lists()},
    "agg-sliding": {
        "In": rows(
            *[
                {"v": v, "name": name}
                for v, name in zip([5, 3, 5, 9, -2, 7, 7, 1, 1, 1, 4], NAMES)
            ]
        )
    },
    "agg-text": {"In": texts()},
    "dedup": {
        "In": numbered({"k": DUPLICATES, "t": DUPLICATE_TIMES}, marker_after=(5,)),
        "NanIn": numbered(
            {"k": DUPLICATES, "f": [1.5, float("nan")] * 6, "t": DUPLICATE_TIMES},
            marker_after=(5,),
        ),
    },
    "eventtime": {"In": rows(*[{"t": t, "n": n} for n, t in enumerate(EVENT_TIMES)])},
    "join-delta": {"L;R": joined()},
    "join-inner": {"L;R": joined()},
    "join-more": {
        "L;R": joined_more(),
        "L;L": [
            Event(e.kind, e.row, port, e.time)
            for e in left_only(joined_more())
            for port in ((0, 1) if e.kind == ROW else (0,))
        ],
    },
    "join-outer": {"L;R": joined()},
    "join-partition": {"L;R": joined()},
    "join-ports": {"L;R": joined()},
    "punctor": {"In": punctor()},
    "sort-keys": {"In": sort_keys()},
    "sort-progressive": {
        "In": rows(
            *[{"n": n, "seq": i} for i, n in enumerate(PROGRESSIVE)], marker_after=(5,)
        )
    },
    "sort-windows": {"In": sort_windows()},
    "win-delta-types": {"In": delta_types()},
    "win-disorder": {"In": with_times(DISORDER, marker_after=(4, 9))},
    "win-partition": {"In": numbered({"k": PARTITIONS, "t": [i * 2 for i in range(12)]})},
    "win-punct": {"In": punctuated()},
    "win-sliding-count": {"In": with_times(TIMES, marker_after=(4, 9))},
    "win-sliding-delta": {"In": with_times(TIMES, marker_after=(4, 9))},
    "win-time": {"In": bursts()},
    "win-time-other": {"A;B": timed_ports(), "A": left_only(timed_ports())},
    "win-tumbling": {"In": with_times(TIMES, marker_after=(4, 9))},
}
