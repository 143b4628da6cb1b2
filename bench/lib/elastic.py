"""Programs that adapt against those that do not: what --elastic of the bench measures.

Every contestant runs the same number of tuples, once enough for a policy to settle and
once more than that; its rate is that of the tuples in between."""
import json
import statistics

import fixed
from timing import Pair, run, say


def settling(path):
    """When the policy of a trace first said that it had settled, in seconds, and how many
    decisions came after that; None and 0 if it never did."""
    settled, after = None, 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                entry = json.loads(line)
            except ValueError:
                break  # the last line of a run that was cut off
            if entry.get("type") == "settled" and settled is None:
                settled = entry["time"]
            after += settled is not None and entry.get("type") in ("switch", "threads")
    return settled, after


def measure(config, programs, args):
    """One line of the table, as a record."""
    say(f"{config.name}: searching the best fixed configuration")
    program = [programs.sluice(config, args.compiled)[0]]
    trace = programs.path(config.name + ".trace")
    best, options, rate, tried = fixed.search(program, config.sluice_arguments, programs.path("ports.json"), args.seconds)
    contestants = {"fixed": options, "direct": [], "queued": ["--queues=all"]}
    contestants |= {policy: [f"--elastic={policy}", f"--trace={trace}"] for policy in args.elastic}
    sizes = max(10, int(rate * args.settle)), max(20, int(rate * (args.settle + 3 * args.seconds)))
    rates, settled = {name: [] for name in contestants}, {policy: [] for policy in args.elastic}
    for turn in range(args.runs):
        say(f"{config.name}: turn {turn + 1} of {args.runs}")
        for name, more in contestants.items():
            pair = Pair(*(run([*program, *more, *config.sluice_arguments(n)]) for n in sizes))
            rates[name].append(pair.rate("wall"))
            if name in settled:
                settled[name].append(settling(trace))
    return {"workload": config.name, "best": best, "tried": tried, "rates": rates,
            "medians": {name: statistics.median(r) for name, r in rates.items()}, "settled": settled}
