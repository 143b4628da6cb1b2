# REQUIRES: slow
# RUN: %python %s
"""Sinks with several files: what is in them, and when others hear of them. In all modes."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, MODES, expect, finish, sluice, write  # noqa: E402

DATA = os.path.join(FOLDER, "data")


def contents():
    """What each file of the data directory has; the directory is empty afterwards."""
    found = {}
    for folder, _, names in os.walk(DATA):
        for name in names:
            path = os.path.join(folder, name)
            with open(path) as file:
                found[os.path.relpath(path, DATA)] = file.read()
            os.remove(path)
    return found


def in_all_modes(name, program, lines, files):
    source = write(name + ".spl", program)
    for mode, options in MODES.items():
        # A name that depends on the tuple, without closeMode, is warned of.
        out = sluice("run", "-w", source, "--data-dir", DATA, *options)
        expect(f"{name}, {mode}", (out.returncode, out.stderr), (0, ""))
        expect(f"{name}, {mode}: lines", sorted(out.stdout.split("\n")[:-1]), sorted(lines))
        expect(f"{name}, {mode}: files", contents(), files)
    program = os.path.join(FOLDER, name)
    expect(f"{name}: build", sluice("build", source, "-o", program).returncode, 0)
    out = subprocess.run([program, "--data-dir", DATA], capture_output=True, text=True)
    expect(f"{name}, built: lines", sorted(out.stdout.split("\n")[:-1]), sorted(lines))
    expect(f"{name}, built: files", contents(), files)


PRINT = """composite Print(input In) {
  param expression<rstring> $label;
  graph
    () as Out = Custom(In) {
      logic onTuple In : printStringLn($label + substring(f, findLast(f, "/", length(f) - 1) + 1, 99));
    }
}
"""

# The name is an expression over the tuple and over state, in every closeMode.
in_all_modes(
    "Names",
    PRINT + """composite Names {
  graph
    stream<int32 n, rstring k> In = Custom() {
      logic onProcess : {
        list<rstring> ks = ["a", "b", "b", "a"];
        for (int32 i in range(size(ks))) submit({n = i, k = ks[i]}, In);
      }
    }
    stream<rstring f> Dynamic = FileSink(In) { param file : "d_" + k; closeMode : dynamic; }
    stream<rstring f> Counted = FileSink(In) {
      logic
        state : mutable int32 sum = 0;
        onTuple In : sum += n;
      param file : "c_" + k + (rstring) sum + "{id}"; closeMode : count; tuplesPerFile : 2u;
    }
    stream<rstring f> First = FileSink(In) { param file : "f_" + k; suppress : k; }
    () as P1 = Print(Dynamic) { param label : "dynamic "; }
    () as P2 = Print(Counted) { param label : "count "; }
    () as P3 = Print(First) { param label : "never "; }
}
""",
    ["dynamic d_a", "dynamic d_b", "dynamic d_a", "count c_a00", "count c_b31", "never f_a"],
    {
        "d_a": '3,"a"\n',
        "d_b": '1,"b"\n2,"b"\n',
        "c_a00": '0,"a"\n1,"b"\n',
        "c_b31": '2,"b"\n3,"a"\n',
        "f_a": "0\n1\n2\n3\n",
    },
)

# Who is told of a file reads it before the next one replaces it.
in_all_modes(
    "Again",
    """composite Again {
  graph
    stream<int32 n> In = Custom() {
      logic onProcess : for (int32 i in range(2000)) submit({n = i}, In);
    }
    stream<rstring f> Closed = FileSink(In) {
      param file : "same"; closeMode : count; tuplesPerFile : 100u;
    }
    stream<int32 n> Back = FileSource(Closed) { param deleteFile : true; }
    () as Sum = Custom(Back) {
      logic
        state : { mutable int32 sum = 0; mutable int32 files = 0; }
        onTuple Back : sum += n;
        onPunct Back : if (currentPunct() == Sys.WindowMarker) files++;
                       else printStringLn((rstring) files + " " + (rstring) sum);
    }
}
""",
    ["20 1999000"],
    {},
)

# A file is closed by time although no tuple comes.
source = write(
    "Time.spl",
    """composite Time {
  graph
    stream<int32 n> In = Custom() {
      logic onProcess : { submit({n = 1}, In); block(1.0); submit({n = 2}, In); }
    }
    stream<rstring f> Closed = FileSink(In) {
      param file : "t{id}"; closeMode : time; timePerFile : 0.3;
    }
    () as Out = Custom(Closed; In) {
      logic
        state : mutable int32 last = 0;
        onTuple In : last = n;
        onTuple Closed : printStringLn("after " + (rstring) last);
        onPunct Closed : if (currentPunct() == Sys.FinalMarker) printStringLn("end");
    }
}
""",
)
out = sluice("run", source, "--data-dir", DATA, "--clock=virtual")
expect("Time: lines", out.stdout, "after 1\nafter 2\nend\n")
expect("Time: files", contents(), {"t0": "1\n", "t1": "2\n"})
# The start may take longer than a file: then the first one is empty.
for mode, options in MODES.items():
    out = sluice("run", source, "--data-dir", DATA, *options)
    expect(f"Time, {mode}", (out.returncode, out.stderr), (0, ""))
    expect(f"Time, {mode}: end", out.stdout.split("\n")[-2:], ["end", ""])
    found = contents()
    expect(f"Time, {mode}: names", out.stdout.count("after"), len(found))
    expect(f"Time, {mode}: rows", "".join(found[name] for name in sorted(found)), "1\n2\n")
    expect(f"Time, {mode}: several", len(found) > 1, True)
finish()
