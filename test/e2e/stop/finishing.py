# REQUIRES: slow
# RUN: %python %s
"""What was taken over when a program is told to end is processed: files that were moved or named,
rows that were taken out of a pipe, the tuple that an operator is at."""

import os
import shutil
import signal
import subprocess
import time

from Inputs.support import DATA, MODES, TIMEOUT, expect, finish, write

OUT = os.path.join(DATA, "out")
PES = {"three PEs": ["--pes=3"]}
FEW = {mode: MODES[mode] for mode in ("batched", "deterministic", "queued")}
# Nobody is late there: no time passes while a file is read.
VIRTUAL = {"virtual": ["--clock=virtual"]}


def fresh():
    shutil.rmtree(DATA)
    os.mkdir(DATA)


def lines_of(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def start(program, options):
    return subprocess.Popen(["sluice", "run", program, "--data-dir", DATA, *options])


def await_that(what, condition):
    end = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > end:
            return expect(f"{what}: in time", False, True)
        time.sleep(0.01)


def stop(what, process, signals=(signal.SIGTERM,)):
    for number in signals:
        process.send_signal(number)
    expect(f"{what}: exit code", process.wait(timeout=TIMEOUT), 0)


# Files that DirectoryScan has moved away are read, as nobody would find them again.
MOVED = """composite Moved {
  graph
    stream<rstring file> Files = DirectoryScan() {
      param directory : "in"; moveToDirectory : "moved"; sleepTime : 0.01;
    }
    stream<rstring line> Lines = FileSource(Files) { param format : line; %s }
    stream<rstring line> Slow = Custom(Lines) {
      logic onTuple Lines : { block(0.002); submit(Lines, Slow); }
    }
    () as Out = FileSink(Slow) { param file : "out"; format : line; flush : 1u; }
}
"""
for name, more in (("as they are", ""), ("which it removes", "deleteFile : true;")):
    program = write("Moved.spl", MOVED % more)
    for mode, options in {**(FEW if more else MODES), **PES}.items():
        what = f"files, {name}, {mode}"
        fresh()
        os.mkdir(os.path.join(DATA, "moved"))
        for i in range(100):
            write(f"data/in/{i}", "".join(f"{i}-{row}\n" for row in range(3)))
        process = start(program, options)
        await_that(what, lambda: len(lines_of(OUT)) > 20)
        stop(what, process)
        left = set(os.listdir(os.path.join(DATA, "in")))
        wanted = sorted(f"{i}-{row}" for i in range(100) if str(i) not in left for row in range(3))
        expect(f"{what}: what was read", sorted(lines_of(OUT)), wanted)

# A file that was named is read to its end, although its rows have delays, and a slow operator is
# called with each of them.
program = write(
    "Named.spl",
    """composite Named {
  graph
    stream<rstring file> Names = Custom() {
      logic onProcess : { submit({file = "rows"}, Names); while (!isShutdown()) block(0.1); }
    }
    stream<int32 n> Rows = FileSource(Names) { param hasDelayField : true; }
    stream<int32 n> Slow = Custom(Rows) { logic onTuple Rows : {
      mutable uint64 x = (uint64) n;
      for (int32 i in range(3000000)) x = x * 6364136223846793005ul + 1442695040888963407ul;
      submit({n = x == 0ul ? -1 : n}, Slow);
    } }
    () as Out = FileSink(Slow) { param file : "out"; flush : 1u; }
}
""",
)
for mode, options in FEW.items():
    fresh()
    write("data/rows", "".join(f"0.05,{n}\n" for n in range(200)))
    process = start(program, options)
    await_that(mode, lambda: len(lines_of(OUT)) > 3)
    stop(mode, process)
    expect(f"{mode}: rows with delays", lines_of(OUT), [str(n) for n in range(200)])

# An operator that a source calls finishes its tuple, although it submits for seconds.
program = write(
    "Bursts.spl",
    """composite Bursts {
  graph
    stream<int32 n> Beats = Beacon() { output Beats : n = (int32) IterationCount(); }
    stream<int32 n, int32 part> Parts = Custom(Beats) { logic onTuple Beats :
      for (int32 i in range(150)) { block(0.01); submit({n = n, part = i}, Parts); }
    }
    () as Out = FileSink(Parts) { param file : "out"; flush : 1u; }
}
""",
)
for mode, options in FEW.items():
    fresh()
    process = start(program, options)
    await_that(mode, lambda: len(lines_of(OUT)) > 10)
    stop(mode, process)
    lines = lines_of(OUT)
    wanted = [f"{at // 150},{at % 150}" for at in range(len(lines))]
    expect(f"{mode}: whole bursts", (lines, len(lines) % 150), (wanted, 0))

# Rows that were taken out of a pipe are submitted; they are nowhere else.
program = write(
    "Pipe.spl",
    """composite Pipe {
  graph
    stream<rstring line> Lines = FileSource() { param file : "pipe"; format : line; }
    stream<rstring line> Slow = Custom(Lines) { logic onTuple Lines : { block(0.0005); submit(Lines, Slow); } }
    () as Out = FileSink(Slow) { param file : "out"; format : line; flush : 1u; }
}
""",
)
for mode, options in {**FEW, **VIRTUAL}.items():
    fresh()
    os.mkfifo(os.path.join(DATA, "pipe"))
    process = start(program, options)
    with open(os.path.join(DATA, "pipe"), "w", encoding="utf-8") as pipe:
        rows = [f"row {n}" for n in range(3000)]  # less than a pipe holds
        pipe.write("\n".join(rows) + "\nhalf a ro")
        pipe.flush()
        await_that(mode, lambda: len(lines_of(OUT)) > 10)
        stop(mode, process)
    expect(f"{mode}: rows of a pipe", lines_of(OUT), rows)

# A source that does not ask ends.
program = write(
    "Endless.spl",
    """composite Endless {
  graph
    stream<int32 n> Made = Custom() { logic onProcess :
      for (int32 i in range(2000000000)) submit({n = i}, Made); }
    stream<int32 n> Called = Functor(Made) { output Called : n = n + 1; }
    () as End = Custom(Called) { logic
      onTuple Called : if (n == 100) { printStringLn("begun"); flushStdio(); }
      onPunct Called : if (currentPunct() == Sys.FinalMarker) printStringLn("final"); }
}
""",
)
for mode, options in FEW.items():
    command = ["sluice", "run", program, *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    expect(f"endless, {mode}: begun", process.stdout.readline(), "begun\n")
    process.send_signal(signal.SIGTERM)
    rest, _ = process.communicate(timeout=TIMEOUT)
    expect(f"endless, {mode}: ends", (process.returncode, rest), (0, "final\n"))
finish()
