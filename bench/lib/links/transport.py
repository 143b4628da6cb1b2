"""What streams between two processes carry and cost: `transport`. Tuples of several sizes, several
of them in a frame, in all ways to wait, over shared memory and TCP; beside plain sockets of TCP.

A program runs without end. Once it is warm the processor time of its two processes and the tuples
that have arrived are read twice, and what came between is what counts. Then it is told to end, and
the sum of all its tuples is checked."""

import json
import signal
import statistics
import subprocess
import time
from dataclasses import dataclass

from idle import cpu_seconds
from links import tcp
from tables import rate as amount
from tables import table
from timing import BenchError, counted, expect, run, say

BYTES = (128, 256, 512)  # of a tuple
ROWS = (1, 2, 4, 8, 16, 32, 64)  # tuples of a frame
RECEIVE = ("poll", "interrupt", "sleep=10ms", "auto")
PACED = ((128, 8), (512, 16))  # (bytes, rows) of the table of rates
SHARES = (0.01, 0.1, 0.5)  # of the full rate
IDLE = 10  # frames a second
TURNS, SECONDS, WARM = 3, 1.0, 0.4
FRAMES = 20_000  # of a run whose frames are counted

PROGRAM = """// Tuples of {bytes} bytes: see bench/lib/links/transport.py.
type Event = {attributes};
stateful float64 now() {{
  timestamp t = getTimestamp();
  return (float64) getSeconds(t) + (float64) getNanoseconds(t) / 1e9;
}}
composite Main {{
  graph
    stream<Event> Events = Custom() {{
      logic onProcess : {{
        int64 n = (int64) getSubmissionTimeValue("n", "4611686018427387904");
        int64 rows = (int64) getSubmissionTimeValue("rows", "1");
        float64 rate = (float64) getSubmissionTimeValue("rate", "0");
        float64 start = now();
        mutable int64 i = 0l;
        mutable int64 frames = 0l;
        while (i < n && !isShutdown()) {{
          if (rate > 0.0) {{
            float64 ahead = (float64) frames / rate - (now() - start);
            if (ahead > 0.0)
              block(ahead);
            frames++;
          }}
          int64 end = min(n, i + (rate > 0.0 ? rows : 512l));
          while (i < end) {{
            submit({{{values}}}, Events);
            i++;
          }}
        }}
      }}
    }}
    () as Sink = Custom(Events) {{
      logic
        state : {{
          uint64 every = (uint64) getSubmissionTimeValue("every", "512");
          mutable uint64 count = 0ul;
          mutable int64 sum = 0l;
          mutable float64 last = 0.0;
        }}
        onTuple Events : {{
          count++;
          sum += a0 + a{last};
          if (count % every == 0ul) {{
            float64 time = now();
            if (time - last >= 0.05) {{
              printStringLn((rstring) count + " " + formatNumber(time, 10u, 6u, false));
              last = time;
            }}
          }}
        }}
        onPunct Events : if (currentPunct() == Sys.FinalMarker)
          printStringLn((rstring) count + " " + (rstring) sum);
      config placement : partitionIsolation;
    }}
}}
"""


@dataclass(frozen=True)
class Stream:
    """A source in one process, a sink in the other."""

    bytes: int
    options = ["--pes=2"]
    shared = False

    @property
    def name(self):
        return f"transport-{self.bytes}"

    def text(self):
        places = range(self.bytes // 8)
        return PROGRAM.format(
            bytes=self.bytes,
            attributes=", ".join(f"int64 a{k}" for k in places),
            values=", ".join(f"a{k} = i + {k}l" for k in places),
            last=places[-1],
        )

    def sum(self, count):
        return count * (count - 1) + count * (self.bytes // 8 - 1)


@dataclass(frozen=True)
class Way:
    """How tuples get from one process to the other."""

    medium: str  # sockets, shm or tcp
    receive: str = ""

    @property
    def name(self):
        return f"{self.medium} {self.receive.split('=')[0]}".strip()

    def command(self, programs, stream, rows, pace, every):
        """`pace`: frames a second; 0: as many as there can be."""
        if self.medium == "sockets":
            words = [programs.reference("sockets"), stream.bytes, rows, pace, every]
        else:
            program = programs.compiled(stream, stream.options)
            words = ["--elastic=off", f"--receive={self.receive}", f"--batch-rows={rows}"]
            words += [f"rows={rows}", f"rate={pace}", f"every={every}"]
            if self.medium == "tcp":
                return tcp.command(programs.driver, program, ["--transport=socket", *words])
            words = [program, f"--transport={self.medium}", *words]
        return [str(word) for word in words]


SOCKETS = Way("sockets")
WAYS = [SOCKETS, *(Way(medium, receive) for medium in ("shm", "tcp") for receive in RECEIVE)]


def children(process):
    """The two processes of a job: who sends, and who receives."""
    for _ in range(2000):
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
            found = [int(pid) for pid in file.read().split()]
        if len(found) == 2:
            return found
        time.sleep(0.005)
    raise BenchError("two processes do not start")


def arrivals(lines, since, until):
    """Tuples a second between two times, from lines with a count and a time."""
    points = [(float(t), int(n)) for n, t in (line.split() for line in lines)]
    inside = [point for point in points if since <= point[0] <= until]
    if len(inside) < 2:
        return None
    (first, before), (last, after) = inside[0], inside[-1]
    return (after - before) / (last - first)


def slice_of(command, stream, seconds):
    """(tuples a second or None, seconds of CPU of the sender, and of the receiver) in a slice of
    time."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        pes = children(process)
        time.sleep(WARM)
        since, before = time.time(), [cpu_seconds(pid) for pid in pes]
        time.sleep(seconds)
        until, after = time.time(), [cpu_seconds(pid) for pid in pes]
        process.send_signal(signal.SIGTERM)
        text, errors = process.communicate(timeout=60)
    except BaseException:
        process.kill()
        raise
    if process.returncode:
        raise BenchError(f"`{' '.join(command)}` ended with {process.returncode}:\n{errors}")
    count, total, lines = counted(command, text)
    if total != stream.sum(count):
        raise BenchError(f"`{' '.join(command)}`: a sum of {total}, expected {stream.sum(count)}")
    cpu = [(b - a) / (until - since) for a, b in zip(before, after)]
    return arrivals(lines, since, until), *cpu


def check_frames(programs, streams, rows):
    """A frame has as many tuples as was said, but for those that the timer ends, and all of them
    arrive."""
    for stream in streams:
        for each in rows:
            metrics = programs.path(stream.name + ".metrics")
            command = WAYS[1].command(programs, stream, each, 0, 512)
            count = each * FRAMES
            sample = run([*command, f"n={count}", f"--metrics-json={metrics}.json"])
            with open(metrics + ".pe0.json", encoding="utf-8") as file:
                frames = json.load(file)["links"][0]["frames"]
            expect(stream.name, sample, count, stream.sum(count))
            if not FRAMES <= frames <= 1.5 * FRAMES:
                raise BenchError(f"{stream.name}: {frames} frames for {count} tuples, {each} each")


def check(programs):
    """Frames, and in each way the sum of what arrives, also at a rate that is given."""
    stream = Stream(BYTES[0])
    check_frames(programs, [stream], (1, 64))
    for way in WAYS:
        for pace in (0, 100):
            slice_of(way.command(programs, stream, 8, pace, 8), stream, 0.2)


def summary(slices):
    """Medians: tuples a second, and shares of a processor."""
    rates = [s[0] for s in slices if s[0] is not None]
    return {
        "rate": statistics.median(rates) if rates else None,
        "sender": statistics.median(s[1] for s in slices),
        "receiver": statistics.median(s[2] for s in slices),
        "samples": slices,
    }


def in_turns(what, commands, stream, turns, seconds):
    """Way -> medians. The ways take turns."""
    slices = {name: [] for name in commands}
    for turn in range(turns):
        say(f"transport: {what}, turn {turn + 1} of {turns}")
        for name, command in commands.items():
            slices[name].append(slice_of(command, stream, seconds))
    return {name: summary(found) for name, found in slices.items()}


def at_full_rate(programs, stream, rows, turns, seconds):
    commands = {way.name: way.command(programs, stream, rows, 0, 512) for way in WAYS}
    what = f"{rows} tuples of {stream.bytes} bytes a frame"
    found = in_turns(what, commands, stream, turns, seconds)
    if silent := [name for name, each in found.items() if not each["rate"]]:
        raise BenchError(f"transport: {what}: nothing arrived with {', '.join(silent)}")
    return {"bytes": stream.bytes, "rows": rows, "ways": found}


def paced(programs, full, turns, seconds):
    """The same at rates from idle to full, which is that of shared memory with interrupts."""
    stream, rows = Stream(full["bytes"]), full["rows"]
    most = full["ways"]["shm interrupt"]["rate"] / rows
    found = []
    for share in (0, *SHARES):
        pace = share * most or IDLE
        every = max(rows, min(512, int(pace * rows / 20)))
        commands = {w.name: w.command(programs, stream, rows, f"{pace:.1f}", every) for w in WAYS}
        what = f"{rows} tuples of {stream.bytes} bytes, {pace:.0f} frames a second"
        found.append(
            {
                "share": share,
                "pace": pace,
                "ways": in_turns(what, commands, stream, turns, seconds),
            }
        )
    found.append({"share": 1, "pace": most, "ways": full["ways"]})
    return {"bytes": stream.bytes, "rows": rows, "rates": found}


def measure(programs, quick):
    sizes, rows = ((128,), (1, 16)) if quick else (BYTES, ROWS)
    turns, seconds = (1, 0.5) if quick else (TURNS, SECONDS)
    chosen = [(sizes[0], rows[-1])] if quick else PACED
    check_frames(programs, [Stream(size) for size in sizes], rows)
    full = [at_full_rate(programs, Stream(b), r, turns, seconds) for b in sizes for r in rows]
    return {
        "full": full,
        "paced": [
            paced(programs, each, turns, seconds)
            for each in full
            if (each["bytes"], each["rows"]) in chosen
        ],
    }


def cpu(found):
    return found["sender"] + found["receiver"]


def cpu_a_tuple(found):
    return cpu(found) / found["rate"]


def throughput_table(full):
    names = [way.name for way in WAYS]
    lines = [["tuple", "tuples a frame", "frame", "sockets/s", *names[1:]]]
    for each in full:
        ways = each["ways"]
        base = ways["sockets"]["rate"]
        lines.append(
            [
                f"{each['bytes']} B",
                str(each["rows"]),
                f"{each['bytes'] * each['rows']} B",
                amount(base),
                *(f"{ways[name]['rate'] / base:.2f}" for name in names[1:]),
            ]
        )
    return table(lines)


def cpu_table(full):
    names = [way.name for way in WAYS]
    others = [name for name in names if name != "shm poll"]
    lines = [["tuple", "tuples a frame", "frame", "shm poll", *others]]
    for each in full:
        ways = each["ways"]
        base = cpu_a_tuple(ways["shm poll"])
        lines.append(
            [
                f"{each['bytes']} B",
                str(each["rows"]),
                f"{each['bytes'] * each['rows']} B",
                f"{base * 1e9:.1f} ns",
                *(f"{cpu_a_tuple(ways[n]) / base:.2f}" for n in others),
            ]
        )
    return table(lines)


def rates_table(record):
    names = [way.name for way in WAYS]
    lines = [["rate", "frames/s", *names, "shm auto/interrupt", "tcp auto/interrupt"]]
    for each in record["rates"]:
        ways = each["ways"]
        compared = [
            cost(each, ways[f"{medium} auto"]) / cost(each, ways[f"{medium} interrupt"])
            for medium in ("shm", "tcp")
        ]
        lines.append(
            [
                {0: "idle", 1: "full"}.get(each["share"], f"{each['share']:.0%}"),
                amount(each["pace"]),
                *(share_cell(each, record["rows"], ways[n]) for n in names),
                *(f"{ratio:.2f}" for ratio in compared),
            ]
        )
    return table(lines)


def share_cell(at, rows, found):
    """What both sides take; in parentheses how much of the rate is reached, if not all of it."""
    reached = found["rate"] / rows / at["pace"] if found["rate"] and at["share"] else 1
    mark = f" ({reached:.0%})" if reached < 0.95 else ""
    return f"{found['sender']:.1%} + {found['receiver']:.1%}{mark}"


def cost(at, found):
    """CPU of a tuple; where all arrive, of the time."""
    return cpu(found) if at["share"] == 0 or not found["rate"] else cpu_a_tuple(found)


def text(record):
    return "\n\n".join(
        [
            (
                "Streams between two processes: tuples a second, as a multiple of plain TCP sockets"
                " with a message for each frame\n" + throughput_table(record["full"])
            ),
            (
                "CPU time of a tuple, of both processes, as a multiple of shared memory with"
                " polling\n" + cpu_table(record["full"])
            ),
            *(
                f"Share of a processor of who sends + who receives; {each['rows']} tuples of"
                f" {each['bytes']} bytes a frame; in parentheses: how much of the rate is reached;"
                " auto/interrupt: CPU time of a tuple\n"
                + rates_table(each)
                for each in record["paced"]
            ),
        ]
    )
