# REQUIRES: slow
# RUN: %python %s
"""At-least-once delivery: PEs are killed at random moments, and every tuple arrives.

With a number as argument it kills so many PEs, in as many runs as that takes, and says how many of
each, how many tuples came and how many came more than once. An argument --seed=N repeats a run.
"""

import collections
import os
import random
import re
import signal
import sys
import time

from Inputs.jobs import build, children, end, pes, run, start, until
from Inputs.support import DATA, FOLDER, expect, expect_in, finish, write

# A queue; channels in PEs of their own that leave out a tenth; a fan-out, and a merge.
PROGRAM = """composite Delivery {
  param
    expression<uint32> $count : (uint32) getSubmissionTimeValue("count");
    expression<float64> $period : (float64) getSubmissionTimeValue("period", "0");
  graph
    stream<int64 n> Numbers = Beacon() {
      param iterations : $count; period : $period;
      output Numbers : n = (int64) IterationCount();
      config placement : partitionExlocation("each");
    }
    stream<int64 n, rstring text> Queued = Functor(Numbers) {
      output Queued : text = "a text that is not short: " + (rstring) n;
      config threadedPort : queue(Numbers, Sys.Wait);
             placement : partitionExlocation("each");
    }
    @parallel(width = 2, partitionBy = [{port = Queued, attributes = [n]}])
    stream<int64 n, rstring text> Channels = Filter(Queued) {
      param filter : n % 10l != 9l;
      config placement : partitionIsolation;
    }
    (stream<int64 n> Left; stream<int64 n> Right) = Custom(Channels) {
      logic onTuple Channels : {
        assert(text == "a text that is not short: " + (rstring) n);
        submit({n = n}, Left);
        submit({n = n}, Right);
      }
      config placement : partitionIsolation;
    }
    stream<int64 n, boolean isLeft> A = Functor(Left) {
      output A : isLeft = true;
      config placement : partitionIsolation;
    }
    stream<int64 n, boolean isLeft> B = Functor(Right) {
      output B : isLeft = false;
      config placement : partitionColocation("sink");
    }
    () as Sink = FileSink(A, B) {
      param file : "out.csv"; format : csv;
      config placement : partitionColocation("sink");
    }
}
"""
PES = 7
FAST = {"count": 200_000, "period": 0.0}
SLOW = {"count": 20_000, "period": 0.0001}
OPTIONS = ["--delivery=at-least-once", "--restart=1000"]
MOST_MEMORY = 400 << 10  # KiB of a PE

seeds = [int(a[7:]) for a in sys.argv[1:] if a.startswith("--seed=")]
seed = seeds[0] if seeds else random.randrange(1 << 30)
by_hand = [int(a) for a in sys.argv[1:] if a.isdigit()]
random.seed(seed)
killed = collections.Counter()
total = collections.Counter()


def memory(pid):
    """KiB that a process had at most."""
    try:
        with open(f"/proc/{pid}/status") as file:
            return int(re.search(r"VmHWM:\s*(\d+)", file.read()).group(1))
    except (OSError, AttributeError):
        return 0


def kill_some(process, victims, count):
    """Kills PEs at random moments until the job ends; how much memory the largest PE had."""
    largest = 0
    found = pes(process, PES) if count else []
    for _ in range(count):
        time.sleep(random.expovariate(1 / 0.25))
        if process.poll() is not None:
            break
        for i, pid in enumerate(found):  # those that are started again
            if pid not in (now := children(process)):
                new = [p for p in now if p not in found]
                if new:
                    found[i] = new[0]
        victim = random.choice(victims)
        if found[victim] not in now:
            continue
        largest = max(largest, *map(memory, found))
        killed[victim] += 1
        total["kills"] += 1
        os.kill(found[victim], signal.SIGKILL)
    return largest


def check(values, victims, kills, *options):
    """A run in which PEs are killed; all that it has to hold."""
    out = os.path.join(DATA, "out.csv")
    if os.path.exists(out):
        os.remove(out)
    process = start(app, *[f"{k}={v}" for k, v in values.items()], *OPTIONS, *options)
    largest = kill_some(process, victims, kills)
    text, errors, code = end(process)
    what = f"seed {seed}, {values}, {options}"
    expect(f"{what}: exit code", (text, code), ("", 0))
    expect(f"{what}: what is killed is said", errors.count("batches that were not acknowledged are")
           <= kills, True)  # fmt: skip
    expect(f"{what}: memory", largest < MOST_MEMORY, True)
    with open(out) as file:
        lines = collections.Counter(file.read().split("\n")[:-1])
    wanted = {f"{n},{s}" for n in range(values["count"]) if n % 10 != 9 for s in ("true", "false")}
    lost, strange = wanted - lines.keys(), lines.keys() - wanted
    expect(f"{what}: lost", (len(lost), sorted(lost)[:5]), (0, []))
    expect(f"{what}: what is no tuple", (len(strange), sorted(strange)[:5]), (0, []))
    total["tuples"] += len(wanted)
    total["doubled"] += sum(lines.values()) - len(wanted)
    total["lost"] += len(lost)
    return errors


def usage():
    message = run(app, "count=1", "--delivery=at-least-once")
    expect("without --restart", message[2], 2)
    expect_in("without --restart", "--delivery=at-least-once needs --restart=N", message[1])
    message = run(app, "count=1", "--delivery=twice")
    expect_in("a word", "--delivery needs at-most-once or at-least-once", message[1])
    message = run(app, "count=1", "--pe=0", "--job=j", "--delivery=at-least-once")
    expect_in("with --pe", "--delivery=at-least-once is for who starts the PEs", message[1])
    message = run(app, "count=1", *OPTIONS, "--transport-option", "unacknowledged=0")
    expect_in("a number", "unacknowledged needs a number from 1 to 10000", message[1])


# A source that goes on where it was.
RESUMING = """composite Resuming {
  graph
    stream<int64 n, rstring text> Rows = FileSource() {
      param file : "in.csv"; format : csv;
      config placement : partitionIsolation;
    }
    () as Sink = FileSink(Rows) {
      param file : "rows.csv"; format : csv;
      config placement : partitionIsolation;
    }
}
"""


def resuming():
    """The PE of the source is killed when half of its rows are there: these do not come again."""
    text = "a text, so that the file is larger than what is on its way"
    rows = [f"{n},\"{text} {n}\"" for n in range(800_000)]
    with open(os.path.join(DATA, "in.csv"), "w") as file:
        file.write("\n".join(rows) + "\n")
    out = os.path.join(DATA, "rows.csv")
    process = start(build("resuming", RESUMING, 2), *OPTIONS)
    found = pes(process, 2)
    half = sum(map(len, rows)) / 2
    until("half of the rows", lambda: os.path.exists(out) and os.path.getsize(out) > half)
    os.kill(found[0], signal.SIGKILL)
    text, errors, code = end(process)
    expect("a source goes on", (text, code), ("", 0))
    expect("a source that goes on is not named", "cannot go on where it was" in errors, False)
    with open(out) as file:
        lines = file.read().split("\n")[:-1]
    expect("rows that are lost", len(set(rows) - set(lines)), 0)
    expect("rows that are none", len(set(lines) - set(rows)), 0)
    expect("less than half comes again", len(lines) - len(rows) < len(rows) / 2, True)


def full():
    """What cannot be written is never acknowledged: that ends the job, and is said."""
    process = start(build("full", RESUMING.replace('"rows.csv"', '"/dev/full"'), 2), *OPTIONS[:1],
                    "--restart=1")  # fmt: skip
    _, errors, code = end(process)
    expect("a full disk ends the job", code, 1)
    expect_in("a full disk", "operator Sink: cannot write /dev/full: No space left", errors)


SLOWLY = (
    "() as Sink = FileSink(Rows) {",
    """stream<Rows> Slow = Custom(Rows) {
      logic onTuple Rows : { block(0.001); submit(Rows, Slow); }
      config placement : partitionColocation("sink");
    }
    () as Sink = FileSink(Slow) {""",
)


def taken_away():
    """The PE of a source is killed when it has removed its file: there is nothing to read then."""
    before, _, after = RESUMING.replace(*SLOWLY).rpartition("partitionIsolation")
    text = before + 'partitionColocation("sink")' + after
    text = text.replace("format : csv;", "format : csv; deleteFile : true;", 1)
    text = text.replace('"rows.csv";', '"rows.csv"; flush : 1u;')
    write("data/in.csv", "".join(f'{n},"{"a text " * 30}"\n' for n in range(2_000)))
    out = write("data/rows.csv", "")
    process = start(build("taken", text, 2), *OPTIONS)
    source = pes(process, 2)[0]
    until("half of the rows", lambda: os.path.getsize(out) > 200_000)
    until("the file is gone", lambda: not os.path.exists(os.path.join(DATA, "in.csv")))
    os.kill(source, signal.SIGKILL)
    _, errors, code = end(process)
    expect("a file that was taken away", code, 0)
    expect_in("a file that is taken away", "a file that is removed or moved cannot be", errors)
    expect_in("the source is started again", "It is started again", errors)


app = build("delivery", PROGRAM, PES)
if by_hand:
    while total["kills"] < by_hand[0]:
        check(random.choice((FAST, SLOW)), range(PES), random.randrange(5, 25))
        print(dict(total), "by PE:", dict(sorted(killed.items())), flush=True)
    finish()
    sys.exit()

usage()
check({"count": 1_000}, [], 0, "--transport-option", "unacknowledged=1")
check({"count": 20_000}, [], 0, "--transport=socket", "--deterministic")
check(FAST, range(PES), 5)
check(SLOW, range(PES), 5)
check(SLOW, [PES - 1], 3)
expect_in("sources that begin anew", "Numbers cannot go on where it was when this PE is started",
          run(app, "count=1", *OPTIONS)[1])  # fmt: skip
resuming()
PACKED = RESUMING.replace('"rows.csv";', '"rows.gz"; compression : gzip;')
packed = build("packed", PACKED, 2)
expect_in("a file that cannot go on", "a compressed file begins anew", run(packed, *OPTIONS)[1])
DATED = RESUMING.replace('"rows.csv";', '"rows-{gmtime:%Y}.csv";')
dated = build("dated", DATED, 2)
expect_in("another name", "a file with the time in its name begins", run(dated, *OPTIONS)[1])
full()
taken_away()
finish()
