"""Programs that take turns in slices of a second or two, all but one of them stopped meanwhile. What a shared
machine does from one second to the next, and it does more than policies differ by, meets all of them alike."""
from traces import SAMPLE

SLICE = 6 * SAMPLE  # the end of the sample that holds the stop, one to get warm in, and four that count
ROUNDS = 7


def take_turns(running, rounds):
    """Each of the programs, which are halted and have traces with a sample each SAMPLE seconds, has so many slices, there and
    back; then they are halted again. The windows of each that count."""
    begin = [len(program.trace.read().windows) for program in running]
    for number in range(rounds):
        for program in running if number % 2 == 0 else running[::-1]:
            program.go()
            program.watch_for(SLICE)
            program.halt()
    return [whole(program.trace.read().windows[first:]) for program, first in zip(running, begin)]


def whole(windows):
    """Without those in which the program was stopped, nor the first after each: caches were somebody else's."""
    found, warm = [], False
    for window in windows:
        short = window.end - window.begin < 1.5 * SAMPLE
        if short and warm:
            found.append(window)
        warm = short
    return found
