"""DeDuplicate and Punctor: operators that pass tuples on and remember some."""

import expressions
from windows import MARKER, ROW

MARK = "WindowMarker"
DEFAULT_TIME = 600.0


class DeDuplicate:
    def __init__(self, invocation):
        self.invocation = invocation
        self.keys = invocation.expressions("key")
        self.flag = lambda name, default: invocation.params.get(name, [default]) == ["true"]
        self.streams = list(invocation.outputs)

    def value(self, name, default):
        found = self.invocation.expressions(name)
        return found[0]({}) if found else default

    def distance(self, number, event, old):
        """How far back a remembered tuple is, and how far it may be."""
        if "count" in self.invocation.params:
            return number - old[0], self.value("count", None)
        if "delta" in self.invocation.params:
            (attribute,) = self.invocation.expressions("deltaAttribute")
            return attribute(event.row) - attribute(old[1].row), self.value("delta", None)
        return event.time - old[1].time, self.value("timeOut", DEFAULT_TIME)

    def key(self, row):
        """None: it is like no other."""
        names = self.invocation.outputs[self.streams[0]]
        values = [e(row) for e in self.keys] or [row[name] for name in names]
        return None if any(v != v for v in values) else tuple(values)

    def run(self, events):
        seen, out = [], {stream: [] for stream in self.streams}
        for number, event in enumerate(events):
            if event.kind == MARKER:
                seen = [] if self.flag("flushOnPunctuation", "false") else seen
                for items in out.values():
                    items.append(MARK)
            elif event.kind == ROW:
                repeated = self.repeated(len(seen), event, seen)
                seen.append((len(seen), event, repeated))
                self.emit(event.row, repeated, out)
        return out

    def repeated(self, number, event, seen):
        reset, key = self.flag("resetOnDuplicate", "true"), self.key(event.row)
        alike = [s for s in seen if self.key(s[1].row) == key is not None and (reset or not s[2])]
        if not alike:
            return False
        distance, limit = self.distance(number, event, alike[-1])
        return distance <= limit

    def emit(self, row, repeated, out):
        if not repeated:
            names = self.invocation.outputs[self.streams[0]]
            assigns = self.invocation.assigns
            values = {n: expressions.read(assigns.get(n, n))(row) for n in names}
            out[self.streams[0]].append(values)
        elif len(self.streams) > 1:
            names = self.invocation.outputs[self.streams[1]]
            out[self.streams[1]].append({name: row[name] for name in names})


class Punctor:
    """A marker before or after some tuples; those that arrive end here."""

    def __init__(self, invocation):
        self.invocation = invocation
        (self.condition,) = invocation.expressions("punctuate")
        self.before = invocation.params["position"] == ["before"]

    def run(self, events):
        ((stream, names),) = self.invocation.outputs.items()
        assigns, out = self.invocation.assigns, []
        for event in events:
            if event.kind != ROW:
                continue
            row = {n: expressions.read(assigns.get(n, n))(event.row) for n in names}
            found = [MARK] if self.condition(event.row) else []
            out += [*found, row] if self.before else [row, *found]
        return {stream: out}
