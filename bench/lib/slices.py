"""Programs that take turns in slices of less than a second, all but one of them stopped meanwhile.
What a shared machine does from one second to the next, and it does more than policies differ by,
meets all of them alike. So does what its processors differ by for longer, and what is left by
whoever ran before: each round has an order of its own, and each slice begins on whichever
processor, by chance. (In a fixed order, each on the next processor, one had 1.1 of the same
program: it always began on one that had been idle.) They go on until it is known whether one has
enough of the other."""

import math
import random
import statistics
from dataclasses import replace

SLICE = 0.75  # seconds: less than the machine stays slow for
ROUNDS = 10  # at least
MOST = 60  # rounds
CLOSE = 0.0075  # the standard error of a ratio that is known well enough
GOOD = 0.95  # what is surely more, or surely less, need not be known better:
SURE = 2.5  # standard errors
PLACES = 1 << 10  # where a slice begins: modulo the number of processors


def take_turns(running, rounds, enough=None, most=MOST):
    """Each of the programs, which are halted, has a slice in each of so many rounds, or of `most`
    unless before that `enough(rates)`: a list for each program with its rows a second by round.
    Then they are halted again. The windows of the traces of each from the first slice on, less
    the time that it was stopped, and those rates."""
    begin = [len(program.trace.read().windows) for program in running]
    marks = [[] for _ in running]  # how many windows there were after each round
    chance, last = random.Random(), None
    for number in range(1, (most if enough else rounds) + 1):
        for last in order(running, last, chance):
            last.go(chance.randrange(PLACES))
            last.watch_for(SLICE)
            last.halt()
        for program, seen in zip(running, marks):
            seen.append(len(program.trace.read().windows))
        windows = [
            active(program.trace.windows, program.stops)[first:]
            for program, first in zip(running, begin)
        ]
        rates = [by_round(found, first, seen) for found, first, seen in zip(windows, begin, marks)]
        if enough and number >= rounds and enough(rates):
            break
    return windows, rates


def order(running, last, chance):
    """All of them, in any order in which the `last` one of the round before is not the first:
    nobody runs for two slices."""
    found = chance.sample(running, len(running))
    while len(found) > 1 and found[0] is last:
        chance.shuffle(found)
    return found


def active(windows, stops):
    """A window with a stop in it is shorter by that; what others did meanwhile is nobody's concern.
    `stops`: how many windows had ended before each, and how long it was. It is in none of them
    if something was changed: such a window is not in the trace."""
    found = list(windows)
    for (index, seconds), (end, _) in zip(stops, [*stops[1:], (len(found), 0.0)]):
        for i in range(index, min(end, len(found))):
            if found[i].end - found[i].begin > seconds:
                found[i] = replace(found[i], begin=found[i].begin + seconds, others=0.0)
                break
    return found


def by_round(windows, first, marks):
    """Rows a second in each round; None where no window ended, or nothing arrived."""
    rates, begin = [], 0
    for end in (mark - first for mark in marks):
        seconds = sum(w.end - w.begin for w in windows[begin:end])
        rows = sum(w.sink for w in windows[begin:end])
        rates.append(rows / seconds if rows and seconds > 0 else None)
        begin = end
    return rates


def compare(ours, theirs):
    """By what factor ours are more, and the standard error of that, as a share: from the rounds in
    which both have a rate. No error if there are fewer than three of those."""
    logs = [math.log(a / b) for a, b in zip(ours, theirs) if a and b]
    if not logs:
        return float("nan"), float("inf")
    error = statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 2 else float("inf")
    return math.exp(statistics.fmean(logs)), error


def known(ours, theirs):
    """It need not be measured any longer: it is sure on which side of GOOD the ratio is, or it is
    known well enough. Both sides alike: to go on only while it looks bad would favour ours."""
    ratio, error = compare(ours, theirs)
    return error <= CLOSE or (error < float("inf") and abs(math.log(ratio / GOOD)) > SURE * error)
