#!/usr/bin/env python3
"""Whether the examples of docs/windows.md print what it says: by the reference, and by sluice.

An `input` block is what the examples after it read; annotations of its source come first. An
`output` block belongs to the `spl` block before it; `output --close-windows` is what it prints with
that option. The last line says how many examples agree."""

import argparse
import itertools
import os
import re
import sys
import tempfile
import textwrap

import event_graph
import execute
import invocations
import match
import program_text
import reference
from windows import FINAL, MARKER, ROW, Event

HERE = os.path.dirname(os.path.abspath(__file__))
DOC = os.path.join(HERE, "..", "..", "docs", "windows.md")
SCHEMAS = {
    "In": "int32 n, rstring k, int32 v, int64 t",
    "L": "int32 a, rstring k",
    "R": "int32 b, rstring k",
    "Clicks": "int32 n, rstring user, int64 t",
    "East": "int32 n, int64 t",
    "West": "int32 n, int64 t",
}
CLOSING = f"output {execute.CLOSE_WINDOWS}"
BLOCK = re.compile(r"^```(input|spl|output(?: --close-windows)?)\n(.*?)^```\n", re.M | re.S)
WIDTH = 96
MODES = ["batched", "deterministic", "queued", "chaos"]


def value(kind, text):
    return text if kind == "rstring" else int(text)


def literal(kind, text):
    return f'"{text}"' if kind == "rstring" else text + "l" * (kind == "int64")


def source(block):
    """(the source of a program, its streams, events) of an input block."""
    statements, events, streams, annotations = [], [], [], []
    for line in block.splitlines():
        if line.startswith("@"):
            annotations.append(f"    {line}\n")
            continue
        stream, *words = line.split()
        if stream not in streams:
            streams.append(stream)
        if words == ["marker"]:
            statements.append(f"submit(Sys.WindowMarker, {stream});")
            events.append((stream, Event(MARKER)))
            continue
        kinds = invocations.schema(SCHEMAS[stream], {})
        row = dict(word.split("=") for word in words)
        members = ", ".join(f"{n} = {literal(kinds[n], v)}" for n, v in row.items())
        statements.append(f"submit({{{members}}}, {stream});")
        events.append((stream, Event(ROW, {n: value(kinds[n], v) for n, v in row.items()})))
    for stream, event in events:
        event.port = streams.index(stream)
    declared = "; ".join(f"stream<{SCHEMAS[stream]}> {stream}" for stream in streams)
    body = "\n            ".join(statements)
    return (
        f"{''.join(annotations)}    ({declared}) = Custom() {{\n"
        f"        logic onProcess : {{\n            {body}\n        }}\n    }}\n"
    ), streams, [*[event for _, event in events], Event(FINAL)]


def evaluate(text, given, events, closes):
    """The items of the stream Out."""
    made = event_graph.Graph(text, given, closes=closes).run(events)
    declared = invocations.declared(text)
    for invocation in invocations.read(text):
        if invocation.name in made:
            continue
        streams = [stream for stream, _ in invocation.inputs]
        mine = events
        if streams[0] in made:
            # Sort does not care for the order of groups.
            mine = reference.events_of(match.flat(made[streams[0]]))
        schemas = [declared.get(stream) for stream in streams]
        made |= reference.run(invocation, mine, schemas, closes=closes)
    return reference.lines(made["Out"])


def page_lines(block):
    """The lines that an output block stands for."""
    found = [w if w != "|" else reference.MARK for w in re.findall(r"\{[^}]*\}|\|", block)]
    return [*found, "FinalMarker"]


def page_text(lines):
    """The output block of such lines."""
    text = " ".join("|" if line == reference.MARK else line for line in lines)
    windows = re.sub(r" ?\| ?", " |\n", text).strip().splitlines()
    return "".join(textwrap.fill(window, WIDTH) + "\n" for window in windows)


def given_for(code, inputs):
    """The input block that feeds an example: the last one with its streams."""
    streams = re.search(r"(?:Aggregate|Join|Sort|Union)\((.*?)\)", code).group(1).split("; ")
    feeding = [block for block in inputs if all(f"{s} " in block for s in streams)]
    return feeding[-1]


def examples(page):
    """(input, program, output or None, whether windows close) of each output."""
    inputs, blocks = [], BLOCK.findall(page)
    for number, (kind, block) in enumerate(blocks):
        if kind == "input":
            inputs.append(block)
        elif kind == "spl":
            is_output = lambda b: b[0] in ("output", CLOSING)
            outputs = list(itertools.takewhile(is_output, blocks[number + 1 :]))
            for output_kind, output in outputs or [("output", None)]:
                yield given_for(block, inputs), block, output, output_kind == CLOSING


def check(driver, given, code, output, closes):
    """None, or what is wrong."""
    head, streams, events = source(given)
    text = f"composite Main {{\n    graph\n{head}{code}{program_text.printer('Out')}}}\n"
    items = [*evaluate(text, streams, events, closes), "FinalMarker"]
    if output is None:
        return "an output block is missing"
    wrong = match.difference(items, page_lines(output))
    if wrong:
        return f"the reference: {wrong}"
    with tempfile.TemporaryDirectory() as folder:
        program = execute.Program(driver, folder, text, closes=closes)
        try:
            program.build(MODES)
        except execute.BuildError as error:
            return str(error)
        for mode in MODES:
            got, problem = program.run(mode)
            wrong = problem or match.difference(page_lines(output), got.get("Out", []))
            if wrong:
                return f"{mode}: {wrong}"
    return None


def written(page):
    """The page with the outputs that the reference gives."""
    inputs, code = [], ""

    def block(found):
        nonlocal code
        kind, text = found.groups()
        if kind == "input":
            inputs.append(text)
        elif kind == "spl":
            code = text
        else:
            head, streams, events = source(given_for(code, inputs))
            items = evaluate(head + code, streams, events, kind == CLOSING)
            text = page_text(match.flat(items))
        return f"```{kind}\n{text}```\n"

    return BLOCK.sub(block, page)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", default=execute.DRIVER, help="the sluice to test")
    parser.add_argument("--write", action="store_true", help="put the reference's outputs in")
    options = parser.parse_args()
    with open(DOC, encoding="utf-8") as file:
        page = file.read()
    if options.write:
        page = written(page)
        with open(DOC, "w", encoding="utf-8") as file:
            file.write(page)
        return 0
    passed = failed = 0
    for given, code, output, closes in examples(page):
        wrong = check(options.driver, given, code, output, closes)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        if wrong:
            print(f"FAIL docs/windows.md: {wrong}\n{code}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
