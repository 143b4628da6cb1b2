# REQUIRES: slow
# RUN: %python %s
"""--stats shows its table on a terminal while the program runs, and nothing of that elsewhere. What the
program writes to the same terminal stays."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import DATA, TIMEOUT, expect, expect_in, finish, write  # noqa: E402

source = write(
    "Live.spl",
    """composite Live {
  param expression<uint32> $count : (uint32) getSubmissionTimeValue("count", "70");
  graph
    stream<int64 n> Numbers = Beacon() {
      param iterations : $count; period : 0.05;
      output Numbers : n = (int64) IterationCount();
    }
    () as Print = Custom(Numbers) {
      logic onTuple Numbers : {
        println(n);
        if (n % 10l == 5l) appTrc(Trace.error, "a message");
      }
    }
}
""",
)
HEAD = "operator  "


def run(rows, columns, sink, term="xterm", count=70, stop=False, more=()):
    """The text of a terminal for stderr, and for stdout if `sink` is None. `stop`: two tables came,
    and the program is sent ctrl-C. `more`: other arguments."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = subprocess.Popen(
        ["sluice", "run", source, "--data-dir", DATA, "--stats", "--elastic=off", f"count={count}"]
        + list(more),
        stdout=theirs if sink is None else sink,
        stderr=theirs,
        env=dict(os.environ, TERM=term),
    )
    os.close(theirs)
    text = b""
    while True:
        try:
            text += os.read(ours, 65536)
        except OSError:  # the program has closed it
            break
        if stop and text.count(HEAD.encode()) >= 2:
            process.send_signal(signal.SIGINT)
            stop = False
    expect(f"{rows} x {columns}: exit code", process.wait(timeout=TIMEOUT), 0)
    os.close(ours)
    return text.decode()


def screen(text):
    """What the lines of a terminal show in the end, those that have scrolled away included."""
    lines, at, column = [""], 0, 0
    for part in re.findall(r"\x1b\[\d*[AJ]|\r|\n|[^\x1b\r\n]+", text):
        if part.endswith("A") and part.startswith("\x1b"):
            at -= int(part[2:-1])
        elif part == "\x1b[J":
            lines[at] = lines[at][:column]
            del lines[at + 1 :]
        elif part == "\r":
            column = 0
        elif part == "\n":
            at += 1
            if at == len(lines):
                lines.append("")
        else:
            lines[at] = lines[at][:column] + part
            column += len(part)
    return lines


def ends(lines):
    """Whether the table is the last, with what limits the program."""
    last = [line for line in lines if line][-2:]
    return last[0].startswith("workers: ") and last[1].startswith("limit: ")


# --- stdout is the same terminal ---
text = run(40, 120, None, count=100)
expect("it is drawn again", len(re.findall(r"\x1b\[\d+A\x1b\[J", text)) >= 2, True)
lines = screen(text)
numbers = [int(line) for line in lines if line.isdigit()]
expect("all that is printed stays", numbers, list(range(len(numbers))))
messages = sum("a message" in line for line in lines)
expect("so do messages", messages, len([n for n in numbers if n % 10 == 5]))
expect("one table is left", sum(line.startswith(HEAD) for line in lines), 1)
expect_in("it is whole", "Numbers", "\n".join(lines))
expect("it is the last", ends(lines), True)
limits = text.count("limit: It keeps up: Numbers waits for input")
expect("what limits it is said while it runs, too", limits >= 2, True)

# --- stdout is elsewhere: lines do not take the table away ---
with open(os.path.join(DATA, "out"), "w", encoding="utf-8") as out:
    lines = screen(run(40, 120, out))
expect("messages stay", any("a message" in line for line in lines), True)
expect("one table is left", sum(line.startswith(HEAD) for line in lines), 1)
with open(os.path.join(DATA, "out"), encoding="utf-8") as out:
    expect("stdout has no table", re.sub(r"[\d\n]", "", out.read()), "")

# --- a signal: nothing is lost ---
lines = screen(run(40, 120, None, count=100000, stop=True))
numbers = [int(line) for line in lines if line.isdigit()]
expect("all that is printed stays", numbers, list(range(len(numbers))))
expect("so does what the signal says", any("sluice: stopping" in line for line in lines), True)
expect("no table but the last is left", sum(line.startswith(HEAD) for line in lines), 1)
expect("the table is the last", ends(lines), True)

# --- a small terminal ---
live = run(7, 30, subprocess.DEVNULL).split("\x1b[J")
tables = [part for part in live if HEAD in part][:-1]
expect("tables came", len(tables) >= 2, True)
for table in tables:
    shown = table.split(HEAD, 1)[1].split("\x1b", 1)[0].splitlines()
    shown = [line for line in shown if line and "a message" not in line]
    expect("it fits", (len(shown) <= 6, max(map(len, shown)) < 30), (True, True))

# --- no terminal, or one that cannot ---
expect("a dumb terminal", "\x1b" in run(40, 120, subprocess.DEVNULL, "dumb", 30), False)

# --- several processes: only the last tables, which are whole ---
text = run(40, 120, subprocess.DEVNULL, more=["--pes=2"])
# The compiler may have shown its progress before them.
expect("no table while they run", "\x1b" in text[text.index(HEAD) :], False)
tables = re.split(r"^PE \d\r\n", text, flags=re.M)[1:]
expect("a table for each", len(tables), 2)
for table in tables:
    expect("it begins", table.startswith(HEAD), True)
    expect("it is whole", table.count("\nworkers: "), 1)
finish()
