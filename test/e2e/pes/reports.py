# REQUIRES: slow
# RUN: %python %s
"""Reports by PE: each table, each file of --metrics-json and each trace has what the PE runs, and
both ends of a link have counted the same."""

import glob
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import DATA, FOLDER, expect, expect_in, finish, sluice, write  # noqa: E402

ROWS = 300000
source = write(
    "Reports.spl",
    """composite Reports {
  graph
    stream<int64 n> Numbers = Beacon() {
      param iterations : 300000u;
      output Numbers : n = (int64) IterationCount();
    }
    @parallel(width = 2)
    stream<int64 n> Thirds = Filter(Numbers) { param filter : n % 3l == 0l; }
    () as Count = Custom(Thirds) {
      logic
        state : mutable int64 c = 0l;
        onTuple Thirds : c++;
        onPunct Thirds : if (currentPunct() == Sys.FinalMarker) println(c);
    }
    () as Slow = Custom(Numbers) {
      logic onTuple Numbers : if (n == 0l) block(1.0);
      config placement : partitionIsolation;
    }
}
""",
)


def names(pe_operators):
    """Of operators of the program, without channels; those of links are left out."""
    return sorted({re.sub(r"\[\d+\]", "", o["name"]) for o in pe_operators if not o["part"]})


def labelled(operator):
    """As the table has it."""
    return operator["name"] + (f" (part {operator['part']})" if operator["part"] else "")


def report(pes):
    """Runs with `pes`: stderr, and the objects of --metrics-json by PE."""
    for file in glob.glob(os.path.join(FOLDER, "*.pe*")):
        os.remove(file)
    options = ["--pes=" + pes, "--stats", "--metrics-json", "m.json", "--trace=t.trace"]
    out = sluice("run", source, *options, "--data-dir", DATA)
    expect(f"{pes}: result", (out.returncode, out.stdout), (0, f"{ROWS // 3}\n"))
    files = {}
    for file in glob.glob(os.path.join(FOLDER, "m.pe*.json")):
        with open(file, encoding="utf-8") as text:
            files[int(re.search(r"pe(\d+)", file).group(1))] = json.load(text)
    expect(f"{pes}: files", sorted(files), list(range(len(files))))
    expect(f"{pes}: no other file", os.path.exists(os.path.join(FOLDER, "m.json")), False)
    return out.stderr, files


def check_tables(pes, text, files):
    """A table for each PE, whole, with the operators that are in the file."""
    tables = re.split(r"^PE (\d+)\n", text, flags=re.M)
    expect(f"{pes}: nothing comes before the tables", tables[0], "")
    tables = dict(zip(map(int, tables[1::2]), tables[2::2]))
    expect(f"{pes}: tables", sorted(tables), sorted(files))
    for pe, table in tables.items():
        lines = table.splitlines()
        total = next(i for i, line in enumerate(lines) if line.startswith("total: "))
        shown = [line.split("  ")[0] for line in (row.strip() for row in lines[1:total])]
        labels = [labelled(operator) for operator in files[pe]["operators"]]
        expect(f"{pes}: operators of table {pe}", sorted(shown), sorted(labels))
        links = [line for line in lines if line.startswith("link: ")]
        expect(f"{pes}: links of table {pe}", len(links), len(files[pe]["links"]))
        expect(f"{pes}: table {pe} ends", sum(line.startswith("workers: ") for line in lines), 1)


def ordered(counts):
    return {way: sorted(ends) for way, ends in counts.items()}


def check_links(pes, files):
    """What one end has sent the other has received. Returns the links as (stream, from, to)."""
    sent, received = {}, {}
    for pe, file in files.items():
        for link in file["links"]:
            sends = link["direction"] == "send"
            stream = re.sub(r"\[\d+\]", "", link["stream"])
            way = (stream, pe, link["pe"]) if sends else (stream, link["pe"], pe)
            expect(f"{pes}: {way} waits", link["creditWaitSeconds"] is None, not sends)
            counts = (link["frames"], link["tuples"], link["bytes"])
            (sent if sends else received).setdefault(way, []).append(counts)
    expect(f"{pes}: both ends", ordered(sent), ordered(received))
    return {way: sum(tuples for _, tuples, _ in counts) for way, counts in sent.items()}


def check_operators(pes, files, wanted):
    expect(f"{pes}: PEs", [files[pe]["pe"] for pe in sorted(files)], sorted(files))
    own = {pe: names(file["operators"]) for pe, file in files.items()}
    expect(f"{pes}: operators", own, wanted)
    for pe, file in files.items():
        for index, operator in enumerate(file["operators"]):
            head = file["operators"][operator["segmentOf"]]
            expect(f"{pes}: {pe}: a head", head["segmentOf"], operator["segmentOf"])
            if operator["segmentOf"] == index:
                continue
            expect(f"{pes}: {pe}: fused", bool(operator["inputs"]), True)
        expect(f"{pes}: {pe}: from sources", file["sourceTuples"], ROWS * ("Numbers" in own[pe]))


def check_traces(pes, files):
    for pe, file in files.items():
        out = sluice("trace", "show", f"t.pe{pe}.trace")
        expect(f"{pes}: trace {pe}", (out.returncode, out.stderr), (0, ""))
        with open(os.path.join(FOLDER, f"t.pe{pe}.trace"), encoding="utf-8") as text:
            nodes = json.loads(text.readline())["graph"]["nodes"]
        labels = {o["name"] for o in file["operators"]}
        seen = {re.sub(r" \(part.*|:\d+$", "", node["name"]) for node in nodes}
        expect(f"{pes}: nodes of trace {pe}", seen - labels, set())


text, files = report("2")
check_tables("2", text, files)
check_operators("2", files, {0: ["Count", "Numbers", "Thirds"], 1: ["Slow"]})
expect("2: tuples", check_links("2", files), {("Numbers", 0, 1): ROWS})
link = next(link for link in files[0]["links"])
expect("the sender waited while Slow did", link["creditWaitSeconds"] > 0, True)
line = f"link: Numbers to PE 1, {link['frames']} frames, {ROWS} tuples, "
expect_in("2: the line of a sender", line, text)
check_traces("2", files)

text, files = report("all")
check_tables("all", text, files)
check_operators(
    "all", files, {0: ["Numbers"], 1: ["Thirds"], 2: ["Thirds"], 3: ["Count"], 4: ["Slow"]}
)
tuples = check_links("all", files)
expect("all: to the channels", tuples.pop(("Numbers", 0, 1)) + tuples.pop(("Numbers", 0, 2)), ROWS)
expect("all: from them", tuples.pop(("Thirds", 1, 3)) + tuples.pop(("Thirds", 2, 3)), ROWS // 3)
expect("all: others", tuples, {("Numbers", 0, 4): ROWS})
check_traces("all", files)

# One process: no number, no links.
out = sluice("run", source, "--metrics-json", "one.json", "--stats", "--data-dir", DATA)
with open(os.path.join(FOLDER, "one.json"), encoding="utf-8") as file:
    one = json.load(file)
expect("one process", (one["pe"], one["links"], "PE " in out.stderr), (None, [], False))
# --- memory is divided among the PEs ---
for limit, share in (("2", "1 byte"), ("200K", "100 KiB")):
    out = sluice("run", source, "--pes=2", "--memory-limit=" + limit)
    text = rf"the limit is {share} \(the share of PE [01] in --memory-limit\)"
    expect(limit, (out.returncode, bool(re.search(text, out.stderr))), (1, True))
finish()
