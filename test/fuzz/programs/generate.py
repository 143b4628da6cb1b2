#!/usr/bin/env python3
"""Prints the well-typed program of a seed: generate.py SEED."""

import sys

from expressions import Expressions
from forks import FUNCTIONS
from graph import Graph
from spl_types import ENUMS, Choices
from statements import Statements

CAP = "rstring cap(rstring s) { return length(s) > 40 ? substring(s, 0, 40) : s; }"


def program(seed):
    rng = Choices(seed)
    rng.plain = rng.random() < 0.25
    rng.forks = rng.random() < 0.2
    expressions = Expressions(rng)
    statements = Statements(rng, expressions)
    # Errors: none; in one operator, which ends the program; or in any, which drop a tuple.
    errors = rng.choice(("none", "none", "one", "caught", "caught"))
    functions = []
    for _ in range(rng.choice((0, 0, 1, 2))):
        functions += statements.function(risky=errors != "none" and rng.random() < 0.5)
    graph = Graph(rng, expressions, statements, errors)
    graph.make()
    lines = [f"// seed {seed}, errors: {errors}"]
    lines += [f"type {name} = enum{{{', '.join(members)}}};" for name, members in ENUMS.items()]
    lines += [f"{t} {name}({t} x) {{ return x; }}" for t, name in expressions.identities.items()]
    lines += [CAP, *FUNCTIONS, *functions, *graph.composites, "composite Main {", "  graph"]
    lines += ["    " + line for line in graph.lines]
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    print(program(int(sys.argv[1])), end="")
