"""Whether lines are what the reference allows."""

import re

from windows import Bag

# Attributes with this name may differ in the last digits.
APPROXIMATE = re.compile(r"(\bapprox\w*=)([-+.\w]+)")
TOLERANCE = 1e-11


def same(expected, got):
    if expected == got:
        return True
    parts, found = APPROXIMATE.split(expected), APPROXIMATE.split(got)
    return len(parts) == len(found) and all(map(close, range(len(parts)), parts, found))


def close(index, expected, got):
    if expected == got:
        return True
    if index % 3 != 2:
        return False
    a, b = float(expected), float(got)
    return abs(a - b) <= TOLERANCE * max(abs(a), abs(b), 1.0)


def ends(items, lines, at):
    """All places in `lines` where the items, put from `at` on, may end."""
    places = {at}
    for item in items:
        places = {end for place in places for end in item_ends(item, lines, place)}
        if not places:
            break
    return places


def item_ends(item, lines, at):
    if isinstance(item, Bag):
        return bag_ends(item.parts, lines, at)
    return {at + 1} if at < len(lines) and same(item, lines[at]) else set()


def bag_ends(parts, lines, at):
    if not parts:
        return {at}
    found = set()
    for number, part in enumerate(parts):
        for end in ends(part, lines, at):
            found |= bag_ends(parts[:number] + parts[number + 1 :], lines, end)
        if found:  # parts that begin alike are alike: the first way to put them will do
            return found
    return found


def flat(items):
    """The lines of items in one of the orders that are allowed."""
    result = []
    for item in items:
        if isinstance(item, Bag):
            result += [line for part in item.parts for line in flat(part)]
        else:
            result.append(item)
    return result


def difference(items, got):
    """None, or the first place where `got` is not what the items allow."""
    at = 0
    for number, item in enumerate(items):
        # Where an item may end in two places, the rest decides; that is rare.
        places = item_ends(item, got, at)
        if not places:
            return f"line {at + 1}: expected {flat([item])}, got {got[at : at + len(flat([item]))]}"
        if len(places) > 1:
            rest = ends(items[number:], got, at)
            return None if len(got) in rest else f"from line {at + 1} on: {got[at:]}"
        at = places.pop()
    return None if at == len(got) else f"line {at + 1}: nothing expected, got {got[at : at + 3]}"
