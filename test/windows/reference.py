"""Brute-force reference of the operators with windows: what an invocation makes of events.

The result are items: tuples (dicts), markers (MARK) and bags, whose parts come in any order. The
final marker is not among them."""

from aggregate import MARK, Aggregate, fold_custom
from filters import DeDuplicate, Punctor
from join import Join
from sort import Sort
from values import text_of
from windows import FINAL, MARKER, ROW, Bag, Event

SIMPLE = {"DeDuplicate": DeDuplicate, "Punctor": Punctor}
__all__ = ["MARK", "Bag", "Event", "events_of", "lines", "run"]


def run(invocation, events, schemas=(), customs=fold_custom, closes=False, counts=None):
    """Items by output stream. `schemas` are those of the two inputs of a Join. `closes`: windows
    fire at the end, too. `counts` gets what the operator leaves out."""
    items, counted = run_one(invocation, events, schemas, customs, closes)
    if counts is not None:
        counts[invocation.name] = counted
    return items


def run_one(invocation, events, schemas, customs, closes):
    if invocation.kind == "Join":
        operator = Join(invocation, closes)
        return operator.run(events, schemas), operator.counts
    if invocation.kind == "Aggregate":
        operator = Aggregate(invocation, customs, closes)
    elif invocation.kind == "Sort":
        operator = Sort(invocation, closes)
    else:
        operator = SIMPLE[invocation.kind](invocation)
    events = [qualified(event, invocation.inputs[0][1]) for event in events]
    return operator.run(events), getattr(operator, "counts", None)


def qualified(event, name):
    """Expressions may say `In.n` for `n`."""
    if event.kind != ROW:
        return event
    return Event(ROW, {**event.row, name: event.row}, event.port, event.time)


def events_of(items, port=0):
    """Items of one operator as the input of the next; they must have an order."""
    found = []
    for item in items:
        if isinstance(item, Bag):
            raise ValueError("the order of the input is not specified")
        found.append(Event(MARKER if item == MARK else ROW, item, port))
    return [*found, Event(FINAL, port=port)]


def lines(items, text=text_of):
    """The items as text, for match.py; `text` prints a tuple."""
    return [
        Bag([lines(part, text) for part in item.parts])
        if isinstance(item, Bag)
        else item if item == MARK else text(item)
        for item in items
    ]
