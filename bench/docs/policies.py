"""elastic.tsv and simulated.tsv: policies on this machine, and on simulated ones."""

import math

import elastic
import figures
from figures import rated


def merge_elastic(found, report):
    """By workload, tuples in a second by the wall clock; seconds until the policy settled."""
    for record in report["elastic"]:
        if "error" in record or "model" not in record["policies"]:
            continue
        runs = record["policies"]["model"]
        settled, reached = elastic.settled(runs), elastic.typical(runs)
        found[record["workload"]] = {
            "called": record["direct"],
            "queued": record["queued"],
            "fixed": record["fixed"],
            "model": reached,
            "of best": reached / record["fixed"],
            "error": elastic.error(runs, record["runs"][record["best"]]),
            "settled": math.inf if settled is None else settled,
        }
    return found


def seconds(value):
    return "never" if math.isinf(value) else f"{value:.1f} s"


def elastic_table(found):
    heads = ["workload", "all called", "all queued", "best fixed", "`model`", "against best"]
    rows = []
    for workload, of in found.items():
        rates = [rated(of[column]) for column in ("called", "queued", "fixed", "model")]
        against = f"{of['of best']:.2f} ± {of['error']:.2f}"
        rows.append([workload, *rates, against, seconds(of["settled"])])
    return figures.table([*heads, "settled"], rows)


# By line of the table: what it says, and the graph and the machine in simulated.tsv.
SIMULATED = [
    ("pipeline of 100, balanced", "pipeline:100,balanced,128 xeon176"),
    ("", "pipeline:100,balanced,16384 xeon176"),
    ("pipeline of 500, balanced", "pipeline:500,balanced,128 xeon176"),
    ("", "pipeline:500,balanced,1024 xeon176"),
    ("", "pipeline:500,balanced,16384 xeon176"),
    ("pipeline of 1000, skewed", "pipeline:1000,skew,16384 xeon176"),
    ("data-parallel, 50, balanced", "data-parallel:50,balanced,16384 xeon176"),
    ("data-parallel, 50, skewed", "data-parallel:50,skew,16384 xeon176"),
    ("mixed, 10 x 50, balanced", "mixed:10x50,balanced,1024 xeon176"),
    ("mixed, 10 x 100, balanced", "mixed:10x100,balanced,16384 xeon176"),
    ("bushy, balanced", "bushy,balanced,16384 xeon176"),
    ("VWAP, `cpus16`", "vwap cpus16"),
    ("PacketAnalysis 387, `xeon88`", "packets:387 xeon88"),
    ("PacketAnalysis 2305, `xeon88`", "packets:2305 xeon88"),
]


def merge_simulated(found, report):
    """By graph and machine: throughput as a part of the oracle's, seconds until it settled."""
    measured = {f"{row['graph']} {row['machine']}": row for row in report["simulated"] or []}
    return found | {
        key: measured[key]["figures"] for _, key in SIMULATED if key in measured
    }


def simulated_table(found):
    heads = ["graph", "payload", "by hand", "threads alone", "paper", "model", "paper settles"]
    rows = []
    for text, key in SIMULATED:
        of = found[key]
        graph = key.split()[0].split(",")
        payload = graph[2] if len(graph) == 3 else "128"  # that of VWAP and PacketAnalysis
        parts = [f"{of[contender]:.2f}" for contender in ("manual", "threads", "paper", "model")]
        settles = [f"{of['paper settles']:.0f} s", f"{of['model settles']:.1f} s"]
        rows.append([text, payload, *parts, *settles])
    return figures.table([*heads, "model settles"], rows)
