# REQUIRES: slow
# RUN: %python %s
"""Parameters whose value is known at the start are held to the range that their declaration names,
as constants are."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import expect, expect_in, finish, sluice, write  # noqa: E402

FLOAT = '(float64) getSubmissionTimeValue("x", "1.0")'
INT = '(int32) getSubmissionTimeValue("x", "1")'
OPERATORS = {
    "iterations": f"stream<int32 n> B = Beacon() {{ param iterations : {INT}; }}",
    "period": f"stream<int32 n> B = Beacon() {{ param iterations : 2u; period : {FLOAT}; }}",
    "initDelay": f"stream<int32 n> B = Beacon() {{ param iterations : 2u; initDelay : {FLOAT}; }}",
    "initDelay of files": 'stream<rstring n> B = FileSource() { param file : "/dev/null"; '
    f"format : line; initDelay : {FLOAT}; }}",
    "rate": f"stream<A> B = Throttle(A) {{ param rate : {FLOAT}; }}",
    "period of Throttle": f"stream<A> B = Throttle(A) {{ param rate : 9.0; period : {FLOAT}; }}",
    "flushInterval": "stream<A> B = Functor(A) {} () as F = FileSink(B) "
    f'{{ param file : "/dev/null"; flushInterval : {FLOAT}; }}',
    "delay": f"stream<A> B = Delay(A) {{ param delay : {FLOAT}; }}",
    "timeOut": f"stream<A> B = DeDuplicate(A) {{ param timeOut : {FLOAT}; }}",
    "delta": f"stream<A> B = DeDuplicate(A) {{ param deltaAttribute : n; delta : {INT}; }}",
    "maxUnackedTupleCount": "stream<A> B = Gate(A; A) "
    f"{{ param maxUnackedTupleCount : {INT}; numTuplesToAck : 1u; }}",
}

for name, operator in OPERATORS.items():
    param = name.split()[0]
    source = "stream<int32 n> A = Beacon() { param iterations : 2u; }" if "(A" in operator else ""
    program = write(
        "Main.spl",
        f"""composite Main {{
  graph
    {source}
    {operator}
    () as P = Custom(B) {{ logic onTuple B : println("tuple"); }}
}}
""",
    )
    number = "-5" if INT in operator else "-0.5"
    out = sluice("run", program, "--clock=virtual", f"x={number}")
    expect(name, (out.returncode, out.stdout), (1, ""))
    expect_in(name, f"`{param}` is {number}, which is below 0", out.stderr)
    expect(name + ": at the operator", "Main.spl:4:" in out.stderr, True)
    if param in ("rate", "maxUnackedTupleCount"):
        out = sluice("run", program, "--clock=virtual", "x=0")
        expect_in(name + " of 0", f"`{param}` is 0, which is not above 0", out.stderr)
    out = sluice("run", program, "--clock=virtual", "x=1")
    expect(name + " of 1", (out.returncode, out.stderr), (0, ""))
finish()
