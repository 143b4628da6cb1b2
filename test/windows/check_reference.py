#!/usr/bin/env python3
"""Compares the reference with what conformance programs must print.

The invocations are read from the programs, their inputs are in conformance_inputs.py. The last
line says how many streams agreed."""

import os
import re
import sys
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import event_graph  # noqa: E402
import expressions  # noqa: E402
import invocations  # noqa: E402
import match  # noqa: E402
import reference  # noqa: E402
from conformance_inputs import INPUTS  # noqa: E402
from values import text_of  # noqa: E402

PROGRAMS = os.path.join(HERE, "..", "conformance", "toolkit")
# Streams whose operators work on decimals or history, which the reference does not have.
SKIPPED = {("agg-floats", "D64"), ("agg-lists", "F")}
# Streams that are not followed because another program feeds them.
SKIPPED |= {("punctor", name) for name in ("Change", "After", "Win")}
FOREIGN = {("win-punct", name) for name in ("AP", "APr", "ASrc")}


def sorted_lists(*names):
    def change(row):
        return {k: sorted(v) if k in names else v for k, v in row.items()}

    return change


def pairs(row):
    """The function of that name in agg-sliding."""
    row = sorted_lists("argMins", "argMaxs")(row)
    counted = zip(row["distinct"], row["byDistinct"])
    texts = sorted(f"{value}x{count}" for value, count in counted)
    return {**row, "distinct": [], "byDistinct": [], "distincts": text_of(texts)}


def part_key(row):
    return {"k": row["k"] + ("0" if row["even"] else "1"), "all": row["all"]}


# (program, stream that is shown) -> (stream of the operator, how its tuples are changed, or None
# to leave one out). These are Functors and Filters between an operator and what prints.
BETWEEN = {
    ("agg-floats", "F64S"): ("F64", sorted_lists("argMins", "argMaxs")),
    ("agg-floats", "F32S"): ("F32", sorted_lists("argMins", "argMaxs")),
    ("agg-group-sliding", "SlideS"): ("Slide", sorted_lists("byGroup")),
    ("agg-group-sliding", "PartK"): ("Part", part_key),
    ("agg-sliding", "SF"): ("S", pairs),
    ("agg-sliding", "IncF"): ("Inc", pairs),
    ("agg-sliding", "TF"): ("T", pairs),
    ("sort-progressive", "SP1"): ("SP", lambda row: row if row["n"] % 2 == 1 else None),
    ("sort-windows", "SldPk"): ("SldP", lambda row: row if row["k"] == "b" else None),
}


def product_of_custom(kind, arguments):
    """The Custom calls of agg-custom."""
    start, step, _ = arguments
    if step.startswith("step"):
        argument = expressions.read(re.fullmatch(r"step\(p, (.*)\)", step).group(1))

        def product(group):
            result = 1
            for row in group.rows:
                result *= argument(row)
            return result

        return product
    if step.startswith("count"):
        return lambda group: len(group.rows)
    return lambda group: "[" + "".join(row["k"] for row in group.rows) + "]"


# Label -> what is left out of a line: the recorded deviations of float32 have an error of 4e-7,
# as approximate square roots of the machine have.
LEFT_OUT = {"f32.txt": r",sd=[^,]*,psd=[^,}]*"}


def read(program, *names):
    path = os.path.join(PROGRAMS, program, *names)
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def input_of(program, invocation, made):
    """The events of an invocation's inputs, or None when they are not known."""
    names = [stream for stream, _ in invocation.inputs]
    known = INPUTS[program].get(";".join(names))
    if known is None and len(names) == 1 and names[0] in made:
        known = reference.events_of(made[names[0]])
    return known


def timed(program, text):
    """Items by stream, of windows of event time."""
    if "timeInterval" not in text:
        return {}
    ((stream, events),) = INPUTS[program].items()
    return event_graph.Graph(text, [stream]).run(events)


def evaluate(program, text):
    """Items by stream, of all invocations whose inputs are known."""
    made, schemas = timed(program, text), invocations.declared(text)
    for invocation in invocations.read(text):
        if (program, invocation.name) in SKIPPED | FOREIGN or invocation.name in made:
            continue
        events = input_of(program, invocation, made)
        if events is None:
            print(f"  {program}: no input for {invocation.name}")
            continue
        kinds = [schemas.get(stream) for stream, _ in invocation.inputs]
        made |= reference.run(invocation, events, kinds, product_of_custom)
    return made


def changed(items, change):
    """The items behind a Functor or a Filter."""
    result = []
    for item in items:
        if isinstance(item, reference.Bag):
            result.append(reference.Bag([changed(part, change) for part in item.parts]))
        elif item == reference.MARK:
            result.append(item)
        elif change(item) is not None:
            result.append(change(item))
    return result


@dataclass
class Printer:
    """What a program prints of a stream: to a file, or to stdout behind a label."""

    stream: str
    label: str
    kind: str = "Show"  # Log: a file; Show: label.number; Group: label.window.group; Tuples
    text: callable = text_of
    final: bool = True
    limit: int = None  # only that many lines


def of_all(row):
    return text_of(row["all"])


def tuples_only(text, **streams):
    return [
        Printer(stream, label, "Tuples", text, False) for stream, label in streams.items()
    ]


# What programs print without the composites Log, Show and Group.
OTHERS = {
    "agg-custom": [Printer("G", "group", "Tuples", lambda row: str(row["product"]), False)],
    "agg-default": [Printer("C", "group", "Tuples", lambda row: str(row["n"]), False)],
    "win-punct": [Printer("P", "partition", "Tuples", of_all, False)],
    "win-time": [
        *tuples_only(of_all, T="tumbling", Evict="evict1", Evict2="evict3", Long="long"),
        *tuples_only(text_of, Part="partition", Sorted="sort"),
        Printer("Trig", "trigger", "Tuples", of_all, False, 2),
    ],
    "win-time-other": [
        Printer("J", "join", final=False),
        Printer("JC", "join.mixed", final=False),
        Printer("PL", "age.60", final=False),
        Printer("P", "age.1", "Tuples", text_of, False),
    ],
}
SHAPE = re.compile(r"(Log|Show|Group|Short)\((\w+)\)\s*\{\s*param (?:file|label) : \"([^\"]+)\"")


def printers(program, text):
    if program in OTHERS and program.startswith("win-time"):
        return OTHERS[program]
    found = [Printer(m.group(2), m.group(3), m.group(1)) for m in SHAPE.finditer(text)]
    for printer in found:
        if printer.kind == "Short":
            printer.text = lambda row: f'"{row["n"]}"'
    return found + OTHERS.get(program, [])


def expected_lines(program, printer):
    if printer.kind == "Log":
        return read(program, "expected", printer.label).splitlines()
    label, found, lines = re.escape(printer.label), None, {}
    for name in ("stdout", "also"):  # lines of `also` take the place of others
        for line in read(program, "expected", name).splitlines():
            if printer.kind == "Short":
                found = re.fullmatch(rf"{label} = \[(.*)\]", line)
                if found:
                    marked = found.group(1).replace('"|"', reference.MARK)
                    return [*marked.split(","), "FinalMarker"]
            numbers = r"(\d+)" if printer.kind == "Show" else r"((?!markers)[\w.<>]+)"
            found = re.fullmatch(rf"{label}\.{numbers} = (.*)", line)
            if found:
                number = found.group(1) if printer.kind == "Show" else len(lines)
                lines[int(number)] = found.group(2)
    return [lines[number] for number in sorted(lines)]


def actual_items(printer, items):
    items = reference.lines(items, printer.text)
    if printer.kind == "Tuples":
        items = list(without_markers(items))[: printer.limit]
    return items + ["FinalMarker"] * printer.final


def without_markers(items):
    for item in items:
        if isinstance(item, reference.Bag):
            yield reference.Bag([list(without_markers(part)) for part in item.parts])
        elif item != reference.MARK:
            yield item


def check(program):
    """(number of streams compared, list of problems)."""
    text = read(program, "Main.spl")
    made, problems, compared = evaluate(program, text), [], 0
    for printer in printers(program, text):
        name = (program, printer.stream)
        source, change = BETWEEN.get(name, (printer.stream, lambda row: row))
        if source not in made:
            continue
        items = actual_items(printer, changed(made[source], change))
        expected = expected_lines(program, printer)
        if printer.label in LEFT_OUT:
            drop = lambda line: re.sub(LEFT_OUT[printer.label], "", line)
            items, expected = list(map(drop, items)), list(map(drop, expected))
        wrong = match.difference(items, expected)
        compared += 1
        if wrong:
            problems.append(f"{program} {printer.stream}: {wrong}")
    return compared, problems


def main():
    """Other arguments, which the scripts beside this one take, are of no use here."""
    compared, problems = 0, []
    for program in sorted(INPUTS):
        number, wrong = check(program)
        compared += number
        problems += wrong
        if not number:
            problems.append(f"{program}: no stream was compared")
    for problem in problems:
        print(f"FAIL {problem}")
    print(f"{compared - len(problems)} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
