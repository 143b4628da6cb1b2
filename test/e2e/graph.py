# RUN: %python %s
"""`sluice graph`: the json is json, the dot is dot, and they say the same."""

import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
from support import expect, finish, sluice  # noqa: E402

examples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples")
GRAPHS = {  # operators, and streams as (from, output, to, input)
    "hello/Hello.spl": (["Greetings", "Print"], {("Greetings", 0, "Print", 0)}),
    "filter_functor/FilterFunctor.spl": (
        ["Trades", "Large", "Values", "PrintValues", "SmallOnes"],
        {
            ("Trades", 0, "Large", 0),
            ("Large", 0, "Values", 0),
            ("Large", 1, "SmallOnes", 0),
            ("Values", 0, "PrintValues", 0),
        },
    ),
    "multi_composite/MultiComposite.spl": (
        ["Lengths", "Feet.Kept", "Feet.Out", "A.Print", "B.Print"],
        {
            ("Lengths", 0, "Feet.Kept", 0),
            ("Feet.Kept", 0, "Feet.Out", 0),
            ("Feet.Out", 0, "B.Print", 0),
            ("Lengths", 0, "A.Print", 0),
        },
    ),
}
for file, (operators, streams) in GRAPHS.items():
    out = sluice("graph", os.path.join(examples, file), "--format=json")
    expect(file + ": json", (out.returncode, out.stderr), (0, ""))
    graph = json.loads(out.stdout)
    names = [operator["name"] for operator in graph["operators"]]
    expect(file + ": operators", sorted(names), sorted(operators))
    expect(
        file + ": streams",
        {(names[s["from"]], s["output"], names[s["to"]], s["input"]) for s in graph["streams"]},
        streams,
    )
    out = sluice("graph", os.path.join(examples, file))
    expect(file + ": dot", (out.returncode, out.stderr), (0, ""))
    labels = dict(re.findall(r'^  (n\d+) \[label="([^\\"]*)', out.stdout, re.M))
    expect(file + ": nodes", sorted(labels.values()), sorted(operators))
    expect(
        file + ": edges",
        {(labels[a], labels[b]) for a, b in re.findall(r"(n\d+) -> (n\d+)", out.stdout)},
        {(a, b) for a, _, b, _ in streams},
    )
    if shutil.which("dot"):
        expect(
            file + ": Graphviz reads it",
            subprocess.run(
                ["dot", "-Tplain"], input=out.stdout, text=True, capture_output=True
            ).returncode,
            0,
        )
finish()
