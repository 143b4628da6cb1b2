"""Searches the best fixed configuration of a program: which ports are queues, and how
many workers. There are few enough to try them; the best ones meet again."""
import json
import os
import statistics

from timing import Pair, lengths, run

PORTS = 8      # that are tried alone, spread over the graph
FINALISTS = 3


def switchable(program, arguments, path):
    """The ports that may be queues, as --queues names them."""
    run([*program, "--metrics-json", path, *arguments])
    with open(path, encoding="utf-8") as file:
        operators = json.load(file)["operators"]
    return [f"{op['name']}:{i}" for op in operators for i, port in enumerate(op["inputs"]) if port["boundary"] == "switchable"]


def candidates(ports):
    """Name -> options of the program."""
    found = {"direct": []}
    if not ports:
        return found
    for threads in range(1, (os.cpu_count() or 1) + 1):
        found[f"all queued, {threads} workers"] = ["--queues=all", f"--threads={threads}"]
    step = max(1, len(ports) // PORTS)
    for port in ports[step // 2::step][:PORTS] if len(ports) > 1 else []:
        found[f"queue {port}"] = [f"--queues={port}", "--threads=1"]
    return found


def search(program, arguments, path, seconds):
    """The best configuration of `program` (words that start it; `arguments(n)` are those
    for n tuples): its name, its options, its rate, and the rates of all."""
    options = candidates(switchable(program, arguments(1), path))

    def command(name):
        return lambda n: [*program, *options[name], *arguments(n)]
    sizes = lengths(command("direct"), seconds)

    def rate(name):
        return Pair(*(run(command(name)(n)) for n in sizes)).rate("wall")
    rates = {name: [rate(name)] for name in options}

    def typical(name):
        return statistics.median(rates[name])
    finalists = sorted(options, key=typical, reverse=True)[:FINALISTS]
    for _ in range(3):
        for name in finalists:
            rates[name].append(rate(name))
    best = max(finalists, key=typical)
    return best, options[best], typical(best), {name: typical(name) for name in options}
