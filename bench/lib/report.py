"""The table that people read, and the JSON that programs read."""

import json
import os
import statistics

import change
import elastic
import external
import hop
import largestate
from links import heron, transport
from programs import VARIANTS
from tables import rate, ratio, table


def rates_table(results, clock, columns):
    """One row a configuration, from the medians by that clock."""
    head = ["workload", "sluice", "hand-1t", "ratio", "hand-simd1", *columns, "compile"]
    rows = [head]
    for result in results:
        medians = {name: p["median_" + clock] for name, p in result["programs"].items()}
        row = [
            result["workload"],
            rate(medians["sluice"]),
            rate(medians["hand-1t"]),
            ratio(medians["sluice"], medians["hand-1t"]),
        ]
        row += [rate(medians[p]) if p in medians else "-" for p in ("hand-simd1", *columns)]
        rows.append(row + [f"{result['compile_seconds']:.2f} s"])
    return table(rows)


def against_table(results, others):
    """Ours (the fastest column) against each kind of peer measured elsewhere. The machine was
    faster or slower then, and so was hand-1t: each is taken by what hand-1t did beside it."""
    rows = [
        [
            "workload",
            "fastest of ours",
            "",
            "of hand-1t",
            "oneTBB flow graph",
            "of hand-1t",
            "ours / it",
            "FastFlow",
            "of hand-1t",
            "ours / it",
        ]
    ]
    for result in results:
        peers = others.get(result["workload"], {})
        rates = {name: p["median_wall"] for name, p in result["programs"].items()}
        ours = {name: r for name, r in rates.items() if name in VARIANTS}
        if not peers or not ours:
            continue
        best = max(ours, key=ours.get)
        row = [result["workload"], rate(ours[best]), best, ratio(ours[best], rates["hand-1t"])]
        for kind in ("tbb-", "ff-"):
            found = max((r for name, r in peers.items() if name.startswith(kind)), default=None)
            then = peers["hand-1t"]
            row += (
                [
                    rate(found),
                    ratio(found, then),
                    ratio(ours[best] / rates["hand-1t"], found / then),
                ]
                if found
                else ["-"] * 3
            )
        rows.append(row)
    return table(rows) if len(rows) > 1 else ""


def seconds(value):
    return "no" if value is None else f"{value:.1f} s"


def elastic_table(records):
    """Policies against the best fixed configuration, and the worst of each column."""
    whole = [r for r in records if "error" not in r]
    policies = list(whole[0]["policies"]) if whole else []
    heads = [
        h
        for p in policies
        for h in (p, f"{p}/best", f"{p}/max(direct, queued)", "settled", "later", "above")
    ]
    lines = [["workload", "best fixed", "", "direct", "queued", *heads, ""]]
    figures = {p: [] for p in policies}
    for record in whole:
        row = [
            record["workload"],
            marked(record["fixed"], record["runs"][record["best"]]),
            record["best"],
            rate(record["direct"]),
            rate(record["queued"]),
        ]
        for policy in policies:
            row += policy_cells(record, record["policies"][policy], figures[policy])
        lines.append([*row, "" if record["switchable"] else "nothing to switch"])
    failed = [f"{r['workload']}: {r['error'].splitlines()[0]}" for r in records if "error" in r]
    return "\n".join([table(lines), *(worst(p, figures[p]) for p in policies), *failed])


def marked(value, runs):
    """A rate; `~` if a backlog grew or shrank in one of the runs."""
    return ("" if all(run["balanced"] for run in runs) else "~") + rate(value)


def policy_cells(record, runs, figures):
    """The columns of a policy; its figures are added to `figures`, for the last line."""
    reached = elastic.typical(runs)
    of_best, of_ends = reached / record["fixed"], reached / max(record["direct"], record["queued"])
    settled, later = elastic.settled(runs), max(run["later"] for run in runs)
    share = max(run["controller"] or 0 for run in runs)
    figures.append((of_best, of_ends, settled, later, record["workload"], share))
    above = max(run["overshoot"] for run in runs)
    error = elastic.error(runs, record["runs"][record["best"]])
    return [
        marked(reached, runs),
        f"{of_best:.3f}" + (f" ±{error:.2f}" if error < 1 else ""),
        f"{of_ends:.3f}",
        seconds(settled),
        str(later),
        f"{above[0]} for {above[1]:.1f} s" if above[0] else "-",
    ]


def worst(policy, figures):
    """The last line: the worst row of each column, and how many rows reach what they should."""
    if not figures:
        return ""
    parts = []
    for place, name in ((0, "of the best"), (1, "of the better of direct and queued")):
        low = min(figures, key=lambda f: f[place])
        good = sum(f[place] >= 0.95 for f in figures)
        parts.append(
            f"{low[place]:.3f} {name} ({low[4]}; >= 0.95 in {good} of {len(figures)} rows)"
        )
    late = max(figures, key=lambda f: float("inf") if f[2] is None else f[2])
    good = sum(f[2] is not None and f[2] <= 10 for f in figures)
    parts.append(
        f"settled after {seconds(late[2])} ({late[4]}; <= 10 s in {good} of {len(figures)} rows)"
        .replace("after no ", "never ")
    )
    moved = max(figures, key=lambda f: f[3])
    parts.append(
        f"{moved[3]} changes later ({moved[4]}; none in {sum(not f[3] for f in figures)} of"
        f" {len(figures)} rows)"
    )
    most = max(figures, key=lambda f: f[5])
    parts.append(
        f"{100 * most[5]:.2f} % of the processor time for the controller ({most[4]}; < 1 % in"
        f" {sum(f[5] < 0.01 for f in figures)} of {len(figures)} rows)"
    )
    return f"worst of {policy}: " + "; ".join(parts)


def change_table(records):
    """Policies whose load changes: what each phase reaches, and how soon they settle again."""
    lines = [
        [
            "workload",
            "policy",
            "settled",
            "again",
            "later",
            *(
                h
                for when in ("before", "after")
                for h in (f"{when}: best fixed", "", "direct", "queued", "policy", "policy/best")
            ),
        ]
    ]
    for record in records:
        for policy, runs in record["policies"].items():
            row = [
                record["workload"],
                policy,
                seconds(elastic.settled(runs)),
                settled_again(runs),
                str(max(run["later"] for run in runs)),
            ]
            for number, phase in enumerate(record["phases"]):
                reached = change.typical(runs, number)
                mark = "" if all(run["balanced"][number] for run in runs) else "~"
                row += [
                    rate(phase["fixed"]),
                    phase["best"],
                    rate(phase["direct"]),
                    rate(phase["queued"]),
                    mark + rate(reached),
                    f"{reached / phase['fixed']:.3f}",
                ]
            lines.append(row)
    return table(lines)


def settled_again(runs):
    """The worst run; `kept` where none did anything about the change."""
    acted = [run["settled_again"] for run in runs if run["acted"]]
    return "kept" if not acted else seconds(None if None in acted else max(acted))


def large_line(entry):
    def times(of):
        return f"{entry[of]['seconds']:.3f} s ({entry[of]['cpu_seconds']:.3f} s of CPU)"

    return (
        f"{entry['lines']:,} lines: checked in {times('check')}, built in {times('build')},"
        f" for this processor only in {times('build_native')}"
    )


def compile_table(compiled):
    rows = [["compile", "total", "front end", "passes", "code", "link"]]
    for entry in compiled["pipelines"]:
        steps, total = entry["steps_ms"], entry["seconds"]
        front = sum(steps.get(s, 0) for s in ("parse", "analyse", "emit")) / 1e3
        passes = steps.get("passes", 0) / 1e3
        behind = ("translate", "link bitcode", "simplify", "machine code")
        code = sum(steps.get(s, 0) for s in behind) / 1e3
        rest = max(0.0, total - front - passes - code)
        rows.append(
            [
                f"{entry['operators']} operators",
                *(f"{t:.2f} s" for t in (total, front, passes, code, rest)),
            ]
        )
    lines = [
        table(rows),
        "",
        (
            f"hello: `sluice run` {compiled['hello_run']:.3f} s, built program"
            f" {compiled['hello_built']:.3f} s"
        ),
        *map(large_line, compiled["large"]),
        *(f"{name}: {seconds:.2f} s of CPU" for name, seconds in compiled["sizes"].items()),
    ]
    return "\n".join(lines)


def idle_lines(idle):
    def times(of):
        return ", ".join(f"{p} % within {us:.1f} us" for p, us in of.items())

    return (
        f"idle: 10 tuples/s through {idle['operators']} operators, {idle['tuples']} tuples:"
        f" {idle['core_share']:.2%} of a core\n  first hop, out of the source:"
        f" {times(idle['wake'])}\n  one hop, all {idle['operators'] + 1} alike:"
        f" {times(idle['hop'])}\n  whole way: {times(idle['whole'])}"
    )


def hops_table(scales):
    lines = [
        [
            "workload",
            "sources",
            "CPU a batch and hop",
            "rows a batch",
            "batch-hops/s",
            "RSS idle",
            "RSS under load",
            "idle: share of a core",
        ]
    ]
    lines += [
        [
            s["workload"],
            str(s["sources"]),
            f"{s['nanos']:.0f} ns",
            f"{s['rows']:.1f}",
            rate(s["batches_per_second"]),
            f"{s['idle_kb'] / 1024:.1f} MiB",
            f"{s['peak_kb'] / 1024:.1f} MiB",
            f"{s['idle_share']:.2%}",
        ]
        for s in scales
    ]
    small, large = scales[0], scales[-1]
    return (
        table(lines)
        + f"\n{large['workload']} / {small['workload']}: {large['nanos'] / small['nanos']:.2f} of"
        " the CPU time"
    )


def memory_table(records):
    lines = [["workload", "", "tuples", "results", "peak", "CPU", "tuples/s"]]
    lines += [
        [
            r["workload"],
            r["what"],
            rate(r["tuples"]),
            rate(r["results"]),
            f"{r['peak_kb'] / 1024:.0f} MiB",
            f"{r['cpu']:.2f} s",
            rate(r["tuples"] / r["cpu"]),
        ]
        for r in records
    ]
    ticks = [
        f"\n{r['workload']}: at most {line} between two ticks of 1 ms"
        for r in records
        for line in r["printed"]
    ]
    return table(lines) + "".join(ticks)


def simulated_table(records):
    columns = list(records[0]["figures"])
    lines = [["graph", "machine", *columns]]
    for r in records:
        cells = [f"{r['figures'].get(column, float('nan')):.3g}" for column in columns]
        lines.append([r["graph"], r["machine"], *cells])
    return table(lines)


def beyond_hand(found):
    return statistics.median(
        ours - hand for ours, hand in zip(found["called"], found["called_by_hand"])
    )


def boundary_lines(found):
    lines = [
        (
            f"boundary: {rate(found['through'])} tuples/s through one queue, from one thread to"
            " another"
        ),
        (
            f"  CPU time of a batch of {found['called_rows']:.0f} rows at a port that is called,"
            f" beyond fused code: {statistics.median(found['called']):.1f} ns, least of"
            f" {len(found['called'])} turns {min(found['called']):.1f} ns"
        ),
        (
            "  the same passes over a column by hand:"
            f" {statistics.median(found['called_by_hand']):.1f} ns, least"
            f" {min(found['called_by_hand']):.1f} ns; turn by turn the boundary takes"
            f" {beyond_hand(found):.1f} ns more"
        ),
        (
            f"  CPU time of a batch of {found['rows']} rows at a queue, of 16 KiB each that are"
            " carried, or that were left behind before:"
        ),
    ]
    for hop in found["hops"]:
        ratios = [carried / left for carried, left in zip(hop["carried"], hop["left"])]
        low, middle, high = statistics.quantiles(ratios * 2, n=4)
        lines.append(
            f"  {hop['threads']} worker{'s' * (hop['threads'] > 1)}:"
            f" {statistics.median(hop['carried']):.0f} ns carried,"
            f" {statistics.median(hop['left']):.0f} ns left behind; turn by turn {middle:.2f}, half"
            f" of the turns {low:.2f} to {high:.2f}"
        )
    return "\n".join(lines)


def text(report, others):
    parts = []
    if report["results"]:
        columns = report["settings"]["columns"]
        parts.append(
            "Tuples (W5b: words, W6: lines) of the source a second, by the wall clock, median of "
            f"{report['settings']['runs']}; ratio = sluice / hand-1t\n"
            + rates_table(report["results"], "wall", columns)
        )
        parts.append(
            "The same by CPU time, which other programs disturb less\n"
            + rates_table(report["results"], "cpu", columns)
        )
        against = against_table(report["results"], others)
        if against:
            parts.append(
                "Tuples a second by the wall clock against peers.tsv (see there)\n" + against
            )
    if report["elastic"]:
        parts.append(
            "Tuples a second by the wall clock; settled, later (changes after it had settled),"
            " above (workers more than in the end, before it had settled): the worst run; ~: a"
            " backlog grew or shrank to the end; nothing to switch: all columns are the same"
            " program\n"
            + elastic_table(report["elastic"])
        )
    if report["change"]:
        parts.append(
            "A load that changes; settled: after the start, again: after the change (the worst"
            " run), later: changes after that\n"
            + change_table(report["change"])
        )
    if report["compile"]:
        parts.append(compile_table(report["compile"]))
    if report["idle"]:
        parts.append(idle_lines(report["idle"]))
    if report["hops"]:
        parts.append(
            "CPU time (user + system) of one batch through one queue, under full load; resident"
            " memory\n"
            + hops_table(report["hops"])
        )
    if report["boundary"]:
        parts.append(boundary_lines(report["boundary"]))
    if report["memory"]:
        parts.append(
            "Programs that hold or emit much: resident memory at its peak, CPU time, one run\n"
            + memory_table(report["memory"])
        )
    if report["external"]:
        parts.append(external.text(report["external"]))
    if report["simulated"]:
        parts.append(
            "On simulated machines: throughput as a part of the oracle's, seconds until settled\n"
            + simulated_table(report["simulated"])
        )
    if report["transport"]:
        parts.append(transport.text(report["transport"]))
    if report["state"]:
        parts.append(largestate.table(report["state"]))
    if report["hop"]:
        parts.append(hop.table(report["hop"]))
    if report["heron"]:
        parts.append(heron.text(report["heron"]))
    return "\n\n".join(parts)


def write(report, path):
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
        file.write("\n")
    os.replace(path + ".part", path)
