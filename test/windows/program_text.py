"""Programs around invocations of window operators, and what the reference says they print.

A program reads what its two streams A and B carry from rows.csv, so that one executable runs with
many inputs. Each operator's streams are printed behind their name."""

import os
import re

import event_graph
import invocations
import reference
from windows import FINAL, MARKER, ROW, Event

ROW_TYPE = {"n": "int64", "k": "int32", "s": "rstring", "x": "float64", "t": "int64"}
ROW_TYPE["u"] = "uint32"
SCHEMA = ", ".join(f"{kind} {name}" for name, kind in ROW_TYPE.items())
PAUSE = "pause"  # a kind of input event besides those of windows.py: time passes
KINDS = (ROW, MARKER, PAUSE, FINAL)  # by their numbers in the file
HEAD = f"""// Made by test/windows/random_programs.py.
int64 pairs(list<int32> values, list<int32> counts) {{
    mutable int64 sum = (int64) size(values) * 1000003l;
    for (int32 i in range(size(values)))
        sum += ((int64) values[i] * 37l + 11l) * ((int64) counts[i] * 101l + 7l);
    return sum;
}}
boolean start(mutable int64 p, int64 value) {{ p = value; return true; }}
boolean step(mutable int64 p, int64 value) {{ p = p * 31l + value; return true; }}
int64 result(int64 p) {{ return p; }}
composite Main {{
    type Row = tuple<{SCHEMA}>;
    graph
        stream<int32 kind, int32 port, float64 pause, {SCHEMA}> Rows = FileSource() {{
            param file : "rows.csv";
        }}
        (stream<Row> A; stream<Row> B) = Custom(Rows) {{
            logic onTuple Rows : {{
                Row row = {{n = n, k = k, s = s, x = x, t = t, u = u}};
                if (kind == 0 && port == 0) submit(row, A);
                else if (kind == 0) submit(row, B);
                else if (kind == 1 && port == 0) submit(Sys.WindowMarker, A);
                else if (kind == 1) submit(Sys.WindowMarker, B);
                else if (kind == 3 && port == 0) submit(Sys.FinalMarker, A);
                else if (kind == 3) submit(Sys.FinalMarker, B);
                else block(pause);
            }}
        }}
"""


def is_quiet(stream):
    """Whether nobody hears the markers of a stream: the compiler then drops them."""
    return "Quiet" in stream


def printer(stream):
    """What prints a stream, markers included unless it is quiet."""
    show = f'printStringLn("{stream} " + (rstring) '
    hears = f"                  onPunct {stream} : {show}currentPunct());\n"
    return (
        f"        () as Print{stream} = Custom({stream}) {{\n"
        f"            logic onTuple {stream} : {show}{stream});\n"
        + hears * (not is_quiet(stream))
        + "        }\n"
    )


def program(operators):
    """`operators`: texts of invocations, each with the Functor behind it, if there is one."""
    body = "".join(f"        {text}\n" for text in operators)
    found = invocations.read(HEAD + body)
    functors = behind(body)
    for invocation in found:
        for stream in invocation.outputs:
            body += printer(functors.get(stream, (stream, {}))[0])
    return HEAD + body + "}\n"


FUNCTOR = re.compile(r"stream<(\w+)> (F\1) = Functor\(\1\) \{ output \2 : (.*?); \}")


def behind(text):
    """Stream -> (stream of the Functor behind it, {attribute: how it is changed})."""
    found = {}
    for match in FUNCTOR.finditer(text):
        assigns = [a.partition(" = ") for a in invocations.split(match.group(3))]
        found[match.group(1)] = match.group(2), {name: value for name, _, value in assigns}
    return found


def pairing(values, counts):
    """The function pairs of the program."""
    return 1000003 * len(values) + sum(
        (v * 37 + 11) * (c * 101 + 7) for v, c in zip(values, counts)
    )


def change(row, assigns):
    result = dict(row)
    for name, text in assigns.items():
        function, _, arguments = text.rstrip(")").partition("(")
        columns = [row[argument] for argument in invocations.split(arguments)]
        result[name] = pairing(*columns) if function == "pairs" else sorted(*columns)
    return result


def printed(text, name):
    """A stream of the operator that is printed."""
    invocation = next(each for each in invocations.read(text) if each.name == name)
    stream = next(iter(invocation.outputs))
    return behind(text).get(stream, (stream,))[0]


def changed(items, assigns):
    return [
        reference.Bag([changed(part, assigns) for part in item.parts])
        if isinstance(item, reference.Bag)
        else item if item == reference.MARK else change(item, assigns)
        for item in items
    ]


def events_of(script):
    """The events that both streams carry, in order; a pause moves the clock."""
    now, events = 0.0, []
    for event in script:
        if event.kind == PAUSE:
            now += event.time
        else:
            events.append(Event(event.kind, event.row, event.port, now))
    return [*events, Event(FINAL, time=now)]


def expected(text, script, closes=False, counts=None):
    """Items to print, by the stream that is printed. `closes`: windows fire at the end, too.
    `counts` gets what each operator leaves out."""
    functors, found, events = behind(text), {}, events_of(script)
    counts = {} if counts is None else counts
    graph = event_graph.Graph(text, ["A", "B"], closes=closes)
    timed = graph.run(events)
    counts |= graph.counts
    for invocation in invocations.read(text):
        for stream, items in items_of(invocation, events, timed, closes, counts).items():
            shown, assigns = functors.get(stream, (stream, {}))
            made = reference.lines(changed(items, assigns))
            found[shown] = without_markers(made) if is_quiet(shown) else [*made, "FinalMarker"]
    return found


def without_markers(items):
    return [
        reference.Bag(list(map(without_markers, item.parts)))
        if isinstance(item, reference.Bag)
        else item
        for item in items
        if item != reference.MARK
    ]


def items_of(invocation, events, timed, closes, counts):
    """`timed`: what windows of event time make."""
    if invocation.name in timed:
        return {invocation.name: timed[invocation.name]}
    streams = [stream for stream, _ in invocation.inputs]
    mine = events if len(streams) == 2 else [e for e in events if heard(e, streams[0])]
    return reference.run(invocation, mine, [ROW_TYPE, ROW_TYPE], closes=closes, counts=counts)


def heard(event, stream):
    return event.kind == FINAL or event.port == "AB".index(stream)


def csv(script):
    lines = []
    for event in script:
        row = event.row or {"n": 0, "k": 0, "s": "", "x": 0.0, "t": 0, "u": 0}
        kind = KINDS.index(event.kind)
        pause = event.time if event.kind == PAUSE else 0
        values = [kind, event.port, repr(float(pause)), row["n"], row["k"], f'"{row["s"]}"']
        lines.append(",".join(map(str, [*values, repr(row["x"]), row["t"], row["u"]])) + "\n")
    return "".join(lines)


def script_of(text):
    """The script that `csv` has written."""
    script = []
    for line in text.splitlines():
        kind, port, pause, n, k, s, x, t, u = line.split(",")
        row = {"n": int(n), "k": int(k), "s": s[1:-1], "x": float(x), "t": int(t), "u": int(u)}
        kind = KINDS[int(kind)]
        script.append(Event(kind, row if kind == ROW else None, int(port), float(pause)))
    return script


def write(folder, text, script):
    os.makedirs(folder, exist_ok=True)
    for name, content in (("Main.spl", text), ("rows.csv", csv(script))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)
