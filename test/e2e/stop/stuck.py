# REQUIRES: slow
# RUN: %python %s
"""An operator that computes for ever: after the first signal the rest of the program is finished, a
message names the operator, and the exit code is 1."""

import os
import signal
import subprocess
import time

from Inputs.support import DATA, FOLDER, MODES, TIMEOUT, expect, expect_in, finish, sluice, write

OUT = os.path.join(DATA, "out")
os.environ["SLUICE_CACHE"] = os.path.join(FOLDER, "cache")


def rows_of(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def stuck(what, command, wanted):
    """Runs until it says that it has begun, and a little longer; what it prints then."""
    errors = os.path.join(FOLDER, "errors")
    with open(errors, "wb") as file:
        process = subprocess.Popen(
            [*command, "--data-dir", DATA], stdout=subprocess.PIPE, stderr=file, text=True
        )
    while (line := process.stdout.readline()) != "begun\n":
        if not line:
            break
    time.sleep(0.5)
    process.send_signal(signal.SIGTERM)
    try:
        out, _ = process.communicate(timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
    expect(f"{what}: exit code", process.returncode, 1)
    with open(errors, encoding="utf-8") as file:
        err = file.read()
    for part in wanted:
        expect_in(what, part, err)
    return out


# In SPL. What was submitted before is written, also where the file is flushed at the end only.
program = write(
    "Stuck.spl",
    """composite Stuck {
  graph
    stream<int32 n> Rows = Beacon() {
      param iterations : 300; period : 0.001;
      output Rows : n = (int32) IterationCount();
    }
    () as Out = FileSink(Rows) { param file : "out"; flushInterval : 0.0; }
    () as Loud = FileSink(Rows) { param file : "loud"; flush : 1u; }
    stream<int32 n> Loops = Custom(Rows) { logic
      state : mutable uint64 x = 1ul;
      onTuple Rows : {
        if (n == 200) { printStringLn("begun"); flushStdio(); while (x != 0ul) x = x * 3ul | 1ul; }
        submit(Rows, Loops);
      }
    }
    () as Behind = FileSink(Loops) { param file : "behind"; flushInterval : 0.0; }
}
""",
)
for mode, options in MODES.items():
    for file in os.listdir(DATA):
        os.remove(os.path.join(DATA, file))
    wanted = ["Loops", "does not come to an end", "--stop-timeout"]
    limit = [] if mode == "batched" else ["--stop-timeout=2s"]  # once as long as it is by itself
    stuck(mode, ["sluice", "run", program, *options, *limit], wanted)
    written = rows_of(OUT)
    expect(f"{mode}: what came before", written, [str(n) for n in range(len(written))])
    if mode in ("queued", "chaos"):
        expect(f"{mode}: all of it", len(written) >= 200, True)

# Each in its own way. Where a source is stuck, or the start, there is nothing else.
ONE = "stream<int32 n> One = Beacon() { param iterations : 1; }"
LOOPS = {
    "a source": (
        "stream<int32 n> Endless = Custom() { logic"
        " onProcess : submit({n = forEver()}, Endless); }",
        "operator Endless",
    ),
    "a function": (
        ONE + " () as Endless = Custom(One) { logic onTuple One : forEver(); }",
        "Endless",
    ),
    "the end of a stream": (
        ONE + " () as Endless = Custom(One) { logic onPunct One : forEver(); }",
        "Endless",
    ),
    "the start": (
        "() as Endless = Custom() { logic state : mutable int32 x = forEver();"
        " onProcess : println(x); }",
        "does not come to an end",
    ),
}
for what, (text, name) in LOOPS.items():
    source = write(
        "Loops.spl",
        'int32 forEver() { printStringLn("begun"); flushStdio(); mutable int32 x = 1;'
        " while (x != 0) x = x * 3 | 1; return x; }\n"
        f"composite Loops {{ graph {text} }}\n",
    )
    # Punctuation may be much work: it gets 60 times as long.
    limit = "0.1s" if what == "the end of a stream" else "1s"
    stuck(what, ["sluice", "run", source, f"--stop-timeout={limit}"], [name])

# In C++.
write(
    "app/k/native.function/f.xml",
    "<functionModel><functionSet><headerFileName>f.h</headerFileName><functions>"
    "<function><prototype><![CDATA[public void spin(int32 n)]]></prototype></function>"
    "</functions></functionSet></functionModel>",
)
write(
    "app/impl/include/f.h",
    "#include <SPL/Types.h>\nnamespace k {\ninline void spin(SPL::int32 const &n) {\n"
    "  volatile bool goes = n == 3;\n  while (goes) {}\n}\n}\n",
)
main = write(
    "app/Main.spl",
    """use k::*;
composite Main {
  graph
    stream<int32 n> Rows = Beacon() { param iterations : 10; output Rows : n = (int32) IterationCount(); }
    () as Calls = Custom(Rows) { logic onTuple Rows : {
      if (n == 3) { printStringLn("begun"); flushStdio(); printStringLn("in a moment"); }
      spin(n);
    } }
}
""",
)
command = ["sluice", "run", main, "--stop-timeout=1s"]
out = stuck("C++", command, ["Calls", "in spin, C++"])
expect("C++: what was printed behind that", out, "in a moment\n")

# In one of several processes: the others finish.
program = write(
    "Apart.spl",
    """composite Apart {
  graph
    stream<int32 n> Rows = Beacon() {
      param period : 0.001; output Rows : n = (int32) IterationCount();
      config placement : partitionIsolation;
    }
    stream<int32 n> Loops = Custom(Rows) { logic
      state : mutable uint64 x = 1ul;
      onTuple Rows : {
        if (n == 200) { printStringLn("begun"); flushStdio(); while (x != 0ul) x = x * 3ul | 1ul; }
        submit(Rows, Loops);
      }
      config placement : partitionIsolation;
    }
    () as Behind = FileSink(Loops) { param file : "out"; flushInterval : 0.0; config placement : partitionIsolation; }
}
""",
)
command = ["sluice", "run", program, "--pes=3", "--stop-timeout=1s"]
stuck("three PEs", command, ["operator Loops"])
lines = rows_of(OUT)
expect("three PEs: what had come", lines, [str(n) for n in range(200)][: len(lines)])
expect("three PEs: some", len(lines) > 100, True)

# It is not stuck: it computes for long at each row of a batch, or sleeps, or writes to who does not
# read; and it is not told to end.
slow = write(
    "Slow.spl",
    """composite Slow {
  graph
    stream<int32 n> Rows = Beacon() { param iterations : 300; output Rows : n = (int32) IterationCount(); }
    () as Works = Custom(Rows) { logic
      state : { mutable int32 count = 0; mutable uint64 x = 1ul; }
      onTuple Rows : {
        if (n == 150) { printStringLn("begun"); flushStdio(); }
        for (int32 i in range(10000000)) x = x * 6364136223846793005ul + 1442695040888963407ul;
        count += x == 0ul ? 2 : 1;
      }
      onPunct Rows : if (currentPunct() == Sys.FinalMarker) println(count);
    }
}
""",
)
process = subprocess.Popen(
    ["sluice", "run", slow, "--stop-timeout=0.5s", "--queues=all", "--boundaries=all"],
    stdout=subprocess.PIPE, text=True,
)  # fmt: skip
expect("slow: begun", process.stdout.readline(), "begun\n")
process.send_signal(signal.SIGTERM)
out, _ = process.communicate(timeout=TIMEOUT)
expect("slow: it finishes", process.returncode, 0)
expect("slow: all rows that were submitted", int(out) > 150, True)

# One long step at the end, in which nothing moves: in C++ of the standard toolkit, in a handler.
STEPS = {
    "a sort": """
    stream<rstring key, int32 n> Rows = Custom() { logic onProcess : {
      for (int32 i in range(700000))
        submit({key = "a common beginning of keys " + (rstring)(((int64) i * 7919l) % 700000l), n = i}, Rows);
      printStringLn("begun"); flushStdio(); block(1.0);
    } }
    stream<rstring key, int32 n> Last = ExternalSort(Rows) { param key : key; memory : "1GiB"; }""",
    "a handler": """
    stream<int32 n> Rows = Custom() { logic onProcess : {
      submit({n = 1}, Rows); printStringLn("begun"); flushStdio(); block(1.0);
    } }
    stream<int32 n> Last = Custom(Rows) { logic
      state : mutable uint64 x = 1ul;
      onPunct Rows : if (currentPunct() == Sys.FinalMarker) {
        for (int32 i in range(1500000000)) x = x * 6364136223846793005ul + 1442695040888963407ul;
        if (x != 0ul) for (int32 i in range(700000)) submit({n = i}, Last);
      }
    }""",
}
for what, text in STEPS.items():
    program = write(
        "Step.spl",
        f"""use sluice.external::ExternalSort;
composite Step {{ graph {text}
    () as Counts = Custom(Last) {{ logic
      state : mutable int32 count = 0;
      onTuple Last : count++;
      onPunct Last : if (currentPunct() == Sys.FinalMarker) println(count);
    }}
}}
""",
    )
    for options in ([], ["--queues=all", "--boundaries=all"], ["--deterministic"]):
        process = subprocess.Popen(
            ["sluice", "run", program, "--stop-timeout=0.5s", *options],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        expect(f"{what} {options}: begun", process.stdout.readline(), "begun\n")
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=TIMEOUT)
        expect(f"{what} {options}: all of it", (out, process.returncode), ("700000\n", 0))

# Without a limit it goes on, and a second signal ends it.
command = ["sluice", "run", source, "--stop-timeout=off"]
process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
expect("no limit: begun", process.stdout.readline(), "begun\n")
process.send_signal(signal.SIGTERM)
time.sleep(1)
expect("no limit", process.poll(), None)
process.send_signal(signal.SIGTERM)
expect("a second signal", process.wait(timeout=TIMEOUT), 143)
expect("wrong usage", sluice("run", slow, "--stop-timeout=5").returncode, 2)
finish()
