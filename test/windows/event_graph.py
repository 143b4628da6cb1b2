"""Graphs of operators on streams with event time, one event at a time: what windows of intervals
make of the events that the given streams carry. `closes`: panes fire at the end, too.

An operator passes an event on before the next one comes. Where a stream has several consumers,
each gets it in the order of the program."""

import math
import re

import expressions
import invocations
from aggregate import Aggregate, fold_custom
from intervals import BILLION, EventTime, Intervals, Maker, nanos
from values import Timestamp
from windows import FINAL, ROW, WATERMARK, Bag, Event

TWICE = re.compile(r"c % (\d+)l == 0l")


def kind_of(schema, path):
    """The type of the attribute, or None."""
    for name in path[:-1]:
        inner = re.fullmatch(r"tuple<(.*)>", schema.get(name, ""))
        schema = invocations.schema(inner.group(1), {}) if inner else {}
    return schema.get(path[-1])


class Stage:
    """An operator that passes its tuples on as they are."""

    def __init__(self, graph, invocation):
        self.graph, self.invocation = graph, invocation
        self.ports = [[s.strip() for s in stream.split(",")] for stream, _ in invocation.inputs]
        self.open = {(p, s) for p, streams in enumerate(self.ports) for s in streams}
        self.marks = {(p, s): None for p, s in self.open if self.time_at(p)}
        self.last = None  # watermark, the least of those

    def time_at(self, port):
        """The event time of an input port, if all its streams carry one."""
        times = [self.graph.times.get(stream) for stream in self.ports[port]]
        return times[0] if all(times) else None

    def receive(self, port, stream, event):
        if event.kind == ROW:
            self.row(port, event.row)
        elif event.kind == WATERMARK and (port, stream) in self.marks:
            self.marks[port, stream] = event.time
            self.advance()
        elif event.kind == FINAL:
            self.open.remove((port, stream))
            self.advance()
            if not self.open:
                self.end()
                self.submit(event)

    def end(self):
        """All streams have ended."""

    def advance(self):
        marks = [self.marks[at] for at in self.marks if at in self.open]
        if not marks or None in marks:
            return
        if self.last is None or min(marks) > self.last:
            self.last = min(marks)
            self.watermark(self.last)

    def submit(self, event):
        for stream in self.invocation.outputs:
            self.graph.submit(stream, event)

    def row(self, port, row):
        self.submit(Event(ROW, row))

    def watermark(self, mark):
        for stream in self.invocation.outputs:
            if stream in self.graph.times and stream not in self.graph.makers:
                self.graph.submit(stream, Event(WATERMARK, time=mark))


class Filter(Stage):
    def __init__(self, graph, invocation):
        super().__init__(graph, invocation)
        (self.condition,) = invocation.expressions("filter")

    def row(self, port, row):
        if self.condition(row):
            super().row(port, row)


class Functor(Stage):
    def __init__(self, graph, invocation):
        super().__init__(graph, invocation)
        ((_, attributes),) = invocation.outputs.items()
        self.assigns = {n: expressions.read(invocation.assigns.get(n, n)) for n in attributes}

    def row(self, port, row):
        env = {**row, self.invocation.inputs[0][1]: row, "getEventTime": self.event_time}
        super().row(port, {name: value(env) for name, value in self.assigns.items()})

    def event_time(self, row):
        time = self.time_at(0)
        return Timestamp(*divmod(time.unbounded(row), BILLION))


class Split(Stage):
    def __init__(self, graph, invocation):
        super().__init__(graph, invocation)
        (self.index,) = invocation.expressions("index")

    def row(self, port, row):
        index, streams = self.index(row), list(self.invocation.outputs)
        if index >= 0:
            self.graph.submit(streams[index % len(streams)], Event(ROW, row))


class DynamicFilter(Stage):
    def __init__(self, graph, invocation):
        super().__init__(graph, invocation)
        (self.key,), (self.added,) = map(invocation.expressions, ("key", "addKey"))
        self.keys = set()

    def row(self, port, row):
        streams = list(self.invocation.outputs)
        if port == 1:
            self.keys.add(self.added(row))
        elif self.key(row) in self.keys:
            self.graph.submit(streams[0], Event(ROW, row))
        elif len(streams) > 1:
            self.graph.submit(streams[1], Event(ROW, row))


class Custom(Stage):
    """Submits what comes, and some tuples twice if its text says so."""

    def __init__(self, graph, invocation):
        super().__init__(graph, invocation)
        twice = TWICE.search(invocation.text)
        self.every, self.count = int(twice.group(1)) if twice else 0, 0

    def row(self, port, row):
        self.count += 1
        super().row(port, row)
        if self.every and self.count % self.every == 0:
            super().row(port, row)


class Window(Stage):
    """Aggregate with timeInterval."""

    def __init__(self, graph, invocation):
        super().__init__(graph, invocation)
        name = invocation.inputs[0][1]
        self.name, by = name, invocation.expressions("partitionBy")
        self.aggregate = Aggregate(invocation, graph.customs)
        self.policy = Intervals(
            invocation.windows[name].lengths,
            lambda row: tuple(value(row) for value in by),
            self.time_at(0).of,
        )

    def row(self, port, row):
        self.results(self.policy.row({**row, self.name: row}))

    def watermark(self, mark):
        self.results(self.policy.watermark(mark))
        super().watermark(self.policy.forwarded())

    def end(self):
        if self.graph.closes:
            self.results(self.policy.watermark(math.inf))
        self.policy.leave()
        self.graph.counts[self.invocation.name] = self.policy.counts

    def results(self, fired):
        items = [item for firing in fired for item in self.aggregate.result(firing)]
        self.graph.items[self.invocation.name] += items
        for row in rows_of(items):
            self.submit(Event(ROW, row))


def rows_of(items):
    """The tuples, in one of the orders that are allowed."""
    for item in items:
        if isinstance(item, Bag):
            for part in item.parts:
                yield from rows_of(part)
        elif isinstance(item, dict):
            yield item


STAGES = {"Aggregate": Window, "Custom": Custom, "Filter": Filter, "Functor": Functor}
STAGES |= {"DynamicFilter": DynamicFilter, "Split": Split, "Throttle": Stage, "Union": Stage}
KINDS = "|".join(STAGES)


def inputs_of(invocation):
    return [s.strip() for streams, _ in invocation.inputs for s in streams.split(",")]


def needed(found):
    """The invocations that lead to a window of event time, and these."""
    streams, result = set(), []
    for invocation in reversed(found):
        interval = any(window.lengths for window in invocation.windows.values())
        if interval or streams & invocation.outputs.keys():
            streams |= set(inputs_of(invocation))
            result.insert(0, invocation)
    return result


class Graph:
    """What lies between the streams `given` and windows of event time."""

    def __init__(self, text, given, customs=fold_custom, closes=False):
        self.customs, self.closes = customs, closes
        self.times, self.makers = {}, {}  # by stream
        self.consumers = {stream: [] for stream in given}
        self.items = {}  # what each window makes
        self.counts = {}  # what each leaves out
        self.given = given
        for invocation in needed(invocations.read(text, KINDS)):
            if invocation.outputs.keys() & set(given):
                for stream in invocation.outputs:
                    self.carry(stream, invocation, None)
            else:
                self.add(invocation)

    def add(self, invocation):
        if invocation.kind == "Aggregate":
            self.items[invocation.name] = []
        stage = STAGES[invocation.kind](self, invocation)
        for stream in invocation.outputs:
            self.consumers[stream] = []
            self.carry(stream, invocation, stage)
        for port, streams in enumerate(stage.ports):
            for stream in streams:
                self.consumers[stream].append((stage, port))

    def carry(self, stream, invocation, stage):
        """Finds the event time of a stream."""
        attributes, mark = invocation.outputs[stream], invocation.event_time or {}
        path = tuple(mark.get("eventTimeAttribute", "").split("."))
        kind = kind_of(attributes, path)
        if kind:
            self.times[stream] = EventTime(path, kind, mark.get("resolution", "Milliseconds"))
            gap, lag = mark.get("minimumGap", "0.1"), mark.get("lag", "0.0")
            self.makers[stream] = Maker(nanos(gap), nanos(lag))
            return
        for port in range(len(stage.ports) if stage else 0):
            time = stage.time_at(port)
            if time and kind_of(attributes, time.path) == time.kind:
                self.times[stream] = time
                return

    def submit(self, stream, event):
        for stage, port in self.consumers[stream]:
            stage.receive(port, stream, event)
        if event.kind == ROW and stream in self.makers:
            mark = self.makers[stream].after(self.times[stream].of(event.row))
            if mark is not None:
                self.submit(stream, Event(WATERMARK, time=mark))

    def run(self, events):
        """Items by stream. The last event ends the streams that have not ended."""
        left = list(self.given)
        for event in events[:-1]:
            stream = self.given[event.port]
            if event.kind == FINAL:
                left.remove(stream)
            self.submit(stream, event)
        for stream in left:
            self.submit(stream, Event(FINAL))
        return self.items
