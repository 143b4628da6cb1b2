"""Programs that take turns in slices of less than a second, all but one of them stopped meanwhile. What a shared
machine does from one second to the next, and it does more than policies differ by, meets all of them alike."""
from dataclasses import replace

SLICE = 0.75  # seconds: less than the machine stays slow for
ROUNDS = 14


def take_turns(running, rounds):
    """Each of the programs, which are halted, has so many slices, in turn; then they are halted again. The windows of
    the traces of each from then on, less the time that it was stopped."""
    begin = [len(program.trace.read().windows) for program in running]
    for _ in range(rounds):
        for program in running:
            program.go()
            program.watch_for(SLICE)
            program.halt()
    return [active(program.trace.read().windows[first:], program.stops) for program, first in zip(running, begin)]


def active(windows, stops):
    """A window with a stop in it is shorter by that; what others did meanwhile is nobody's concern."""
    found, stops = [], list(stops)
    for window in windows:
        if stops and window.end - window.begin > stops[0]:
            window = replace(window, begin=window.begin + stops.pop(0), others=0.0)
        found.append(window)
    return found
