"""Brute-force reference of the operators with windows: what an invocation makes of events.

The result are items: tuples (dicts), markers (MARK) and bags, whose parts come in any order. The
final marker is not among them."""

from aggregate import MARK, Aggregate, fold_custom
from filters import DeDuplicate, Punctor
from join import Join
from sort import Sort
from values import text_of
from windows import FINAL, MARKER, ROW, Bag, Event

SIMPLE = {"Sort": Sort, "DeDuplicate": DeDuplicate, "Punctor": Punctor}
__all__ = ["MARK", "Bag", "Event", "events_of", "lines", "run"]


def run(invocation, events, schemas=(), customs=fold_custom):
    """Items by output stream. `schemas` are those of the two inputs of a Join."""
    if invocation.kind == "Join":
        return Join(invocation).run(events, schemas)
    if invocation.kind == "Aggregate":
        operator = Aggregate(invocation, customs)
    else:
        operator = SIMPLE[invocation.kind](invocation)
    return operator.run([qualified(event, invocation.inputs[0][1]) for event in events])


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
