# REQUIRES: slow
# RUN: %python %s
"""What limits programs that run: each is made so that it is one thing."""

import json

from Inputs.support import expect, finish, write
from Inputs.watching import Program, get, until

NUMBERS = "stream<int64 n> Numbers = Beacon() { %s output Numbers : n = (int64) IterationCount(); }"
WORK = """mutable int64 i = 0l; while (i < %dl) { sum += (i * n) %% 7l; i += 1l; }"""
SINK = "() as Sink = Custom(%s) { logic state : mutable int64 sum = 0l; onTuple %s : { %s } }"


def program(name, *operators):
    body = "\n    ".join(operators)
    return write(name + ".spl", f"composite {name} {{\n  graph\n    {body}\n}}\n")


def heavy(name, of, count=300):
    return (
        f"stream<int64 n> {name} = Custom({of}) {{ logic state : mutable int64 sum = 0l;"
        f" onTuple {of} : {{ {WORK % count} submit({{n = sum}}, {name}); }} }}"
    )


def light(of):
    return SINK % (of, of, "sum += n;")


QUEUES = ("--boundaries=all", "--queues=all", "--elastic=off", "--threads=2")
CALLS = ("--elastic=off",)
BUSY = {"operator", "processors"}  # on a machine with much else to do it is the latter
SLEEP = SINK % ("Numbers", "Numbers", "if (n % 50l == 0l) block(0.02);")
STUCK = SINK % ("Numbers", "Numbers", "if (n == 1000l) block(1000.0);")
FAST = light("Numbers").replace("as Sink", "as Fast")
REGION = "@parallel(width = 2, partitionBy = [{port = Numbers, attributes = [n]}])"
SKEWED = (
    "stream<int64 n> Heavy = Custom(Numbers) { logic state : mutable int64 sum = 0l;"
    " onTuple Numbers : { if (getChannel() == 1) { "
    + WORK % 600
    + " } submit({n = sum}, Heavy); } }"
)
THROTTLE = "stream<int64 n> Slow = Throttle(Numbers) { param rate : 100.0; }"
ALL = NUMBERS % ""
HEAVY = heavy("Heavy", "Numbers")
AFTER = light("Heavy")
# What it is, the program, options, the kinds that are right, and the operators.
CASES = [
    ("slow call", program("Call", ALL, HEAVY, AFTER), CALLS, BUSY, {"Heavy"}),
    ("slow queue", program("Queue", ALL, HEAVY, AFTER), QUEUES, BUSY, {"Heavy"}),
    ("slow branch", program("Branch", ALL, FAST, HEAVY, AFTER), QUEUES, BUSY, {"Heavy"}),
    (
        "skewed region",
        program("Skew", ALL, REGION, SKEWED, AFTER),
        QUEUES,
        {"channel", "processors"},
        {"Heavy[1]"},
    ),
    ("sink that sleeps", program("Device", ALL, SLEEP), QUEUES, {"device"}, {"Sink"}),
    ("called sink that sleeps", program("Called", ALL, SLEEP), CALLS, {"device"}, {"Sink"}),
    ("stuck sink", program("Stuck", ALL, STUCK), QUEUES, {"stuck"}, {"Sink"}),
    (
        "slow input",
        program("Input", NUMBERS % "param period : 0.01;", light("Numbers")),
        (),
        {"input"},
        {"Numbers"},
    ),
    (
        "Throttle",
        program("Throttled", ALL, THROTTLE, light("Slow")),
        QUEUES,
        {"operator"},
        {"Slow"},
    ),
    (
        "called Throttle",
        program("Paced", ALL, THROTTLE, light("Slow")),
        CALLS,
        {"operator"},
        {"Slow"},
    ),
    (
        "slow PE",
        program("Peer", ALL, SLEEP),
        ("--pes=2",),
        {"device", "peer"},
        {"Sink", "Numbers"},
    ),
]


def limits(url, token):
    """The causes so far, by kind and name of the operator."""
    text = get(url + "lines?from=0", Authorization="Bearer " + token)[2]
    lines = [json.loads(line) for line in text.splitlines()]
    names = next((l["flow"]["operators"] for l in lines if l["line"] == "header"), [])
    found = [l["limit"] for l in lines if l["line"] == "figures" and "limit" in l]
    where = lambda l: names[l["operator"]]["name"] if "operator" in l else ""
    return [(l["kind"], where(l), l["text"]) for l in found]


for what, source, options, kinds, operators in CASES:
    command = ("sluice", "run", source, "-O1", "--console", "--stop-timeout=1s", *options)
    with Program(*command) as running:
        url, _, token = running.where("console").partition("#k=")
        seen = until(
            f"{what}: {kinds} at {operators}",
            lambda: [l for l in limits(url, token) if l[0] in kinds and l[1] in operators],
        )
        print(f"{what}: {seen[-1][0]}: {seen[-1][2]}")
        if what == "stuck sink":
            blocked = "source Numbers waits for space before Sink"
            text = until(
                "who waits", lambda: [l[2] for l in limits(url, token) if blocked in l[2]]
            )
            expect("and since when", "sleeps in Sink since" in text[-1], True)
        if "Throttle" in what:
            expect("and why", "Slow limits it by its rate: it waits" in seen[-1][2], True)
finish()
