# RUN: %python %s
"""What is printed leaves the program while it waits for more, whoever has printed it."""

import os
import select
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, expect, finish, sluice, write  # noqa: E402

source = write(
    "Echo.spl",
    """composite Echo {
  param
    expression<rstring> $file : getSubmissionTimeValue("file");
  graph
    stream<int32 n, rstring text> In = FileSource() { param file : $file; format : csv; }
    () as Out = Custom(In) { logic onTuple In : println(text); }
}
""",
)
program = os.path.join(FOLDER, "echo")
expect("build", sluice("build", source, "--boundaries=all", "-o", program).stderr, "")
for options in ([], ["--queues=all"], ["--elastic=off"], ["--deterministic"], ["--batch-rows=1"]):
    process = subprocess.Popen(
        [program, "file=/dev/stdin", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    for text in (b"first", b"second"):
        process.stdin.write(b'1,"' + text + b'"\n')
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], 60)
        line = os.read(process.stdout.fileno(), 100) if ready else b"nothing in 60 s"
        expect(f"{options}: a line", line, b'"' + text + b'"\n')
    process.stdin.close()
    expect(f"{options}: the end", process.wait(60), 0)
finish()
