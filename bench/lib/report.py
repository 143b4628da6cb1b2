"""The table that people read, and the JSON that programs read."""
import json

from programs import VARIANTS


def rate(value):
    """Three digits and a unit: 1.23G, 45.6M, 789k."""
    if value != value:
        return "?"
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:.3g}{unit}"
    return f"{value:.3g}"


def ratio(ours, other):
    return f"{ours / other:.3g}" if ours == ours and other == other and other else "?"


def table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths)))
                     for row in rows)


def rates_table(results, clock, columns):
    """One row a configuration, from the medians by that clock."""
    head = ["workload", "sluice", "hand-1t", "ratio", "hand-simd1", *columns, "compile"]
    rows = [head]
    for result in results:
        medians = {name: p["median_" + clock] for name, p in result["programs"].items()}
        row = [result["workload"], rate(medians["sluice"]), rate(medians["hand-1t"]),
               ratio(medians["sluice"], medians["hand-1t"])]
        row += [rate(medians[p]) if p in medians else "-" for p in ("hand-simd1", *columns)]
        rows.append(row + [f"{result['compile_seconds']:.2f} s"])
    return table(rows)


def against_table(results, others):
    """Ours (the fastest column) against each kind of peer measured elsewhere."""
    rows = [["workload", "fastest of ours", "", "oneTBB flow graph", "ours / it", "FastFlow", "ours / it"]]
    for result in results:
        peers = others.get(result["workload"], {})
        ours = {name: p["median_wall"] for name, p in result["programs"].items() if name in VARIANTS}
        if not peers or not ours:
            continue
        best = max(ours, key=ours.get)
        row = [result["workload"], rate(ours[best]), best]
        for kind in ("tbb-", "ff-"):
            found = max((r for name, r in peers.items() if name.startswith(kind)), default=None)
            row += [rate(found), ratio(ours[best], found)] if found else ["-", "-"]
        rows.append(row)
    return table(rows) if len(rows) > 1 else ""


def elastic_table(records):
    """Policies against the best fixed configuration. They should reach 95 % of it, and of
    the better one of all calls and all queues."""
    policies = list(records[0]["settled"])
    heads = [h for p in policies for h in (p, "/ fixed", "settles", "later")]
    rows = [["workload", "best fixed", "", "all calls", "all queues", *heads]]
    for record in records:
        rates = record["medians"]
        row = [record["workload"], rate(rates["fixed"]), record["best"], rate(rates["direct"]), rate(rates["queued"])]
        for policy in policies:
            times = sorted(t for t, _ in record["settled"][policy] if t is not None)
            settles = f"{times[len(times) // 2]:.1f} s" if len(times) == len(record["settled"][policy]) else "no"
            row += [rate(rates[policy]), ratio(rates[policy], max(rates["fixed"], rates["direct"], rates["queued"])), settles,
                    str(max(after for _, after in record["settled"][policy]))]
        rows.append(row)
    return table(rows)


def compile_table(compiled):
    rows = [["compile", "total", "front end", "passes", "code", "link"]]
    for entry in compiled["pipelines"]:
        steps, total = entry["steps_ms"], entry["seconds"]
        front = sum(steps.get(s, 0) for s in ("parse", "analyse", "emit")) / 1e3
        passes = steps.get("passes", 0) / 1e3
        code = sum(steps.get(s, 0) for s in ("translate", "link bitcode", "optimise")) / 1e3
        rest = max(0.0, total - front - passes - code)
        rows.append([f"{entry['operators']} operators", *(f"{t:.2f} s" for t in (total, front, passes, code, rest))])
    lines = [table(rows), "", f"hello: `sluice run` {compiled['hello_run']:.3f} s, built program {compiled['hello_built']:.3f} s"]
    return "\n".join(lines)


def text(report, others):
    parts = []
    if report["results"]:
        columns = report["settings"]["columns"]
        parts.append("Tuples (W5b: words) a second, by the wall clock, median of "
                     f"{report['settings']['runs']}; ratio = sluice / hand-1t\n" + rates_table(report["results"], "wall", columns))
        parts.append("The same by CPU time, which other programs disturb less\n" + rates_table(report["results"], "cpu", columns))
        against = against_table(report["results"], others)
        if against:
            parts.append("Tuples a second by the wall clock against peers.tsv (see there)\n" + against)
    if report["elastic"]:
        parts.append("Tuples a second by the wall clock, median of " + str(report["settings"]["runs"]) + "; / fixed = against the best "
                     "of the three columns before; later = changes after it had settled, at most\n" + elastic_table(report["elastic"]))
    if report["compile"]:
        parts.append(compile_table(report["compile"]))
    if report["idle"]:
        idle = report["idle"]
        times = ", ".join(f"{p} % within {us:.0f} us" for p, us in idle["microseconds"].items())
        parts.append(f"idle: 10 tuples/s through {idle['operators']} queues: {idle['core_share']:.2%} of a core; whole way: {times}")
    return "\n\n".join(parts)


def write(report, path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
