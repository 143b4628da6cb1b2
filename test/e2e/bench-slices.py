# REQUIRES: slow
# RUN: %python %s
"""How the bench compares programs that take turns: rounds, ratios, and when it is known how they
compare."""

import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "bench", "lib"))
import slices  # noqa: E402
from traces import Window  # noqa: E402

# --- a stop is no part of a window; each window belongs to the round in which it ended ---
windows = [
    Window(0.0, 0.5, 50, 50, 0.1),
    Window(0.5, 3.5, 50, 50, 2.0),
    Window(3.5, 4.0, 50, 150, 0.0),
]
active = slices.active(windows, [(1, 2.5)])
assert [window.end - window.begin for window in active] == [0.5, 0.5, 0.5], active
assert active[1].others == 0 and active[0].others == 0.1, "what others did during a stop"
changed = [
    Window(0.0, 0.5, 50, 50, 0.1),
    Window(3.0, 3.5, 50, 50, 0.0),
    Window(3.5, 5.0, 50, 50, 0.0),
]
lost = slices.active(changed, [(1, 2.0), (2, 1.0)])
assert [window.end - window.begin for window in lost] == [
    0.5,
    0.5,
    0.5,
], "a stop whose window is not in the trace takes no other's place"
assert slices.by_round(active, 7, [8, 8, 10]) == [
    100.0,
    None,
    200.0,
], "7 windows came before the first slice"

# --- ratios of rounds in which both have a rate ---
ratio, error = slices.compare([2.0, None, 4.0, 6.0], [1.0, 1.0, 2.0, 3.0])
assert abs(ratio - 2) < 1e-12 and error == 0, (ratio, error)
assert math.isnan(slices.compare([None], [1.0])[0])
assert slices.compare([1.0, 2.0], [1.0, 1.0])[1] == float(
    "inf"
), "two rounds say nothing of the error"

# --- the order of a round: all of them, nobody for two slices, everyone after everyone else as
# often ---
chance, last, before = random.Random(2), None, {}
for _ in range(3000):
    found = slices.order(["a", "b", "c"], last, chance)
    assert sorted(found) == ["a", "b", "c"] and found[0] != last
    for name in found:
        before[last, name] = before.get((last, name), 0) + 1
        last = name
assert all(1300 < before[pair] < 1700 for pair in before if pair[0]), before
assert slices.order(["a"], "a", chance) == ["a"] and slices.order(["a", "b"], "a", chance) == [
    "b",
    "a",
]

# --- it is known once the ratio is surely on one side, whichever ---
steady = [1.0, 1.01, 0.99, 1.0]
assert slices.known([1.0, 1.01, 1.0, 1.0], steady) and slices.known([0.9, 0.91, 0.9, 0.9], steady)
assert not slices.known([1.0, 2.0, 0.5], [1.0, 1.0, 1.0]), "noise is no knowledge"

# --- how often it is wrong to stop, with a tenth of noise ---
random.seed(1)


def found_good(truth, noise):
    ours, theirs = [], []
    for number in range(1, slices.MOST + 1):
        pace = random.gauss(0, 0.3)  # what the machine does meets both
        ours.append(truth * math.exp(pace + random.gauss(0, noise)))
        theirs.append(math.exp(pace + random.gauss(0, noise)))
        if number >= slices.ROUNDS and slices.known(ours, theirs):
            break
    return slices.compare(ours, theirs)[0] > slices.GOOD


for truth, least, most in ((0.90, 0, 20), (0.93, 0, 80), (0.97, 320, 400), (1.00, 380, 400)):
    good = sum(found_good(truth, 0.07) for _ in range(400))
    print(truth, good)
    assert least <= good <= most, (truth, good)
