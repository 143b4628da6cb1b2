# RUN: %python %s
"""PEs whose links and checkpoints a host carries (--hosted), and hosts that do that wrongly."""

import fcntl
import os
import struct

from Inputs.host import Host, describe, frame, hello, start
from Inputs.jobs import COUNTING, build, run
from Inputs.support import DATA, FOLDER, TIMEOUT, expect, expect_in, finish, write

WORDS = """composite Words {
  graph
    stream<rstring line> Lines = FileSource() {
      param file : "lines.txt"; format : line;
      config placement : partitionExlocation("each");
    }
    stream<rstring word> Split = Custom(Lines) {
      logic onTuple Lines : for (rstring w in tokenize(line, " ", false)) submit({word = w}, Split);
      config placement : partitionExlocation("each");
    }
    () as Counts = Custom(Split) {
      logic
        state : mutable map<rstring, int64> counts = {};
        onTuple Split : { if (word in counts) counts[word]++; else counts[word] = 1l; }
        onPunct Split : if (currentPunct() == Sys.FinalMarker)
          for (rstring w in counts) printStringLn(w + " " + (rstring) counts[w]);
      config placement : partitionExlocation("each");
    }
}
"""
QUIET = ["", "", ""]
lines = (f"the {n % 7} words of line {n} are the same {n % 5}" for n in range(20000))
write(os.path.join(DATA, "lines.txt"), "\n".join(lines) + "\n")
words = build("words", WORDS)
plain, errors, code = run(words)
expect("with a launcher", (errors, code), ("", 0))
host = Host(words)
printed, errors, codes = host.finish()
expect("words under a host", sorted(printed.split("\n")), sorted(plain.split("\n")))
SOURCE, CUSTOM = "spl.adapter::FileSource", "spl.utility::Custom"
for pe, name, kind, count in (0, "Lines", SOURCE, 20000), (1, "Split", CUSTOM, 200000):
    start_of_line = (f'sluice_operator_tuples_total{{operator="{name}",kind="{kind}",'
                     f'direction="out",pe="{pe}"}} ')  # fmt: skip
    found = [line for line in host.metrics[pe].split("\n") if line.startswith(start_of_line)]
    expect(f"counters of PE {pe}", [float(line.split()[-1]) for line in found], [count])
expect("its messages", (errors, codes), (QUIET, [0, 0, 0]))

app = build()
RESULT = "count {0} last {1} gaps 0\n"
printed, errors, codes = Host(app, "count=300000", saves=True).finish()
expect("a host that makes checkpoints", printed, RESULT.format(300000, 299999))
expect("its messages", (errors, codes), (QUIET, [0, 0, 0]))

# A cut, and going on from it behind a death; twice.
options, states = ["count=6000", "period=0.0005"], None
for number in 1, 2:
    host = Host(app, *options, saves=True, states=states, number=number - 1)
    host.await_frames(150)
    states = host.cut(number)
    expect("refused", host.refused, {})
    printed, errors, codes = host.kill()
    expect("killed", (printed, codes), ("", [-9, -9, -9]))
host = Host(app, *options, saves=True, states=states, number=2)
host.await_frames(20)
host.cut(3)
printed, errors, codes = host.finish()
expect("each tuple once", printed, RESULT.format(6000, 5999))
expect("messages of who goes on", (errors, codes), (QUIET, [0, 0, 0]))

# Told to stop, sources end, what has come is run, and streams end; there is still a checkpoint.
for saves in False, True:
    host = Host(app, "count=100000000", "period=0.001", saves=saves)
    host.await_frames(50)
    host.stop()
    with host.lock:
        host.lock.wait_for(lambda: all(host.over), TIMEOUT)
    expect("a checkpoint of what was stopped", len(host.cut(1)) if saves else 3, 3)
    printed, errors, codes = host.finish()
    count = int((printed.split() or ["", "0"])[1])
    expect("all that was sent", (printed, count > 0), (RESULT.format(count, count - 1), True))
    expect("messages of what was stopped", (errors, codes), (QUIET, [0, 0, 0]))

# When all are over there is still a checkpoint.
host = Host(app, saves=True)
with host.lock:
    host.lock.wait_for(lambda: all(host.over), TIMEOUT)
expect("a checkpoint at the end", len(host.cut(1)), 3)
expect("then they end", host.finish()[0], RESULT.format(20000, 19999))

# The host counts how often a PE was started.
count = build("relaunches", """composite Relaunches {
  graph
    stream<int32 n> S = Beacon() { param iterations : 1; }
    () as Out = Custom(S) { logic onTuple S : printStringLn((rstring) getRelaunchCount()); }
}
""", pes=1)  # fmt: skip
expect("relaunches", Host(count, saves=True, relaunches=7).finish()[0], "7\n")

# A PE that takes the place of another one waits while that still writes its file. Others do not.
sink = build("sink", """composite Sink {
  graph
    stream<int32 n> S = Beacon() {
      param iterations : 3; output S : n = (int32) IterationCount();
    }
    () as Out = FileSink(S) { param file : "sink.csv"; format : csv; }
}
""", pes=1)  # fmt: skip
with open(os.path.join(DATA, "sink.csv"), "w+", encoding="utf-8") as other:
    fcntl.flock(other, fcntl.LOCK_EX)
    printed, errors, codes = Host(sink, saves=True).finish()
    expect("another one writes it", codes, [1])
    expect_in("another one writes it", "writes it already", errors[0])
    host = Host(sink, saves=True, relaunches=1)
    expect_in("it waits", "waits until another process does not write",
              host.pes[0].stderr.readline().decode())  # fmt: skip
    other.write("of the other one")
    other.flush()
    fcntl.flock(other, fcntl.LOCK_UN)
    printed, errors, codes = host.finish()
    expect("then it runs", (errors, codes), ([""], [0]))
    other.seek(0)
    expect("the file is its own", other.read(), "0\n1\n2\n")

# An Import has no end. When its PE is over, what gets its stream ends.
imports = build("imports", """composite Imports {
  graph
    stream<int32 n> S = Beacon() { param iterations : 2; output S : n = (int32) IterationCount(); }
    stream<int32 n> I = Import() { param subscription : kind == "none"; }
    () as Out = Custom(S; I) {
      logic
        onTuple S : printStringLn((rstring) n);
        onPunct S : printStringLn("S " + (rstring) currentPunct());
        onPunct I : printStringLn("I " + (rstring) currentPunct());
    }
}
""")
for saves in False, True:
    host = Host(imports, "--exchange=off", saves=saves)
    printed, errors, codes = host.finish()
    expect("a stream without an end", printed, "0\n1\nS WindowMarker\nS FinalMarker\n")
    expect("its exit codes", codes, [0, 0, 0])

# The end of the host's pipe is the end of the PE.
host = Host(app, "count=100000000", "period=0.001")
host.await_frames(5)
for process in host.pes:
    process.stdin.close()
printed, errors, codes = host.end()
expect("without a host", codes, [1, 1, 1])
for pe, text in enumerate(errors):
    expect_in("without a host", f"PE {pe}: error: its host has gone", text)

# The structure makes the program, not where it stands in the source.
same = build("same", "// A comment.\n\n" + COUNTING)
other = build("other", COUNTING.replace("Middle", "Mid"))
hash_of = lambda program: describe(program)["hash"]
expect("a comment", hash_of(same), hash_of(app))
expect("another name", hash_of(other) == hash_of(app), False)
PROGRAM = int(hash_of(app), 16)
BEGIN = frame("B", struct.pack("<Q", 0))


def refused(what, part, said):
    """PE 2 is told this."""
    process = start(app)
    out, errors = process.communicate(said, TIMEOUT)
    expect(what + ": exit code", process.returncode, 1)
    expect_in(what, part, errors.decode())


GREETING = hello(2, PROGRAM, 0)
link = next(each for each in describe(app)["links"] if each["to"] == 2)
LINK = struct.pack("<II", link["receiver"], link["from"][0])
refused("nothing", "it has said nothing", b"")
refused("no hello first", "at a wrong time", BEGIN)
refused("another version", "its protocol has version 9", hello(2, PROGRAM, 0, version=9))
refused("another program", "not of one build", hello(2, PROGRAM + 1, 0))
refused("another PE", "there is no PE 3", hello(3, PROGRAM, 0))
refused("a cut hello", "ends within a frame", GREETING[:20])
refused("an unknown frame", "at a wrong time", GREETING + frame("?"))
refused("no begin", "has gone before the program began", GREETING)
refused("state without checkpoints", "and makes none", GREETING + frame("R", b"x") + BEGIN)
refused("bad state", "it is cut off", hello(2, PROGRAM, 1) + frame("R", b"x") + BEGIN)
refused("another link", "does not receive link 999",
        GREETING + BEGIN + frame("D", struct.pack("<II", 999, 0) + b"x"))  # fmt: skip
refused("another sender", "PE 7 sends nothing over link",
        GREETING + BEGIN + frame("E", struct.pack("<II", link["receiver"], 7)))  # fmt: skip
refused("an end twice", "ends twice", GREETING + BEGIN + frame("E", LINK) * 2)
refused("a short frame", "a frame of a link has 3 bytes", GREETING + BEGIN + frame("D", b"abc"))
out, errors, code = run(app, "--hosted", "--checkpoint=state")
expect("--checkpoint", code, 2)
expect_in("--checkpoint", "--checkpoint and --hosted do not go together", errors)
finish()
