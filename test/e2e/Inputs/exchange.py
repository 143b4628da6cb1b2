"""For tests of programs that export and import streams. They meet in a registry of the test's own;
an exporter reads its tuples from a named pipe, so a test says when they come. A window marker follows
what was sent at once."""

import os
import signal
import tempfile
import threading

from Inputs.jobs import build as build_job
from Inputs.jobs import end, start, until
from Inputs.support import expect, sluice

# The path of a socket is short.
_folder = tempfile.TemporaryDirectory(prefix="sx-", dir="/tmp")
RUNTIME = _folder.name
os.environ["XDG_RUNTIME_DIR"] = RUNTIME
TYPE = "int32 n, rstring k"


def exporter(name, params, types=TYPE, more=""):
    """A program that exports what it reads from `file`; its executable."""
    return build_job(name, f"""composite {name} {{
  graph
    stream<rstring name> Names = Beacon() {{
      param iterations : (uint32) getSubmissionTimeValue("sends", "1000000");
      output Names : name = getSubmissionTimeValue("file");
    }}
    stream<{types}> Rows = FileSource(Names) {{}}
    () as Ex = Export(Rows) {{ param {params} }}
    {more}
}}
""", pes=1)  # fmt: skip


def importer(name, params, types=TYPE, more=""):
    """A program that prints what it imports."""
    return build_job(name, f"""composite {name} {{
  graph
    stream<{types}> In = Import() {{ param {params} }}
    () as Show = Custom(In) {{
      logic onTuple In : printStringLn((rstring) In);
            onPunct In : printStringLn((rstring) currentPunct());
    }}
    {more}
}}
""", pes=1)  # fmt: skip


class Running:
    """A program that runs. What it has printed so far is in `out` and `errors`."""

    def __init__(self, *command):
        self.process = start(*command)
        self.out, self.errors = [], []
        self.threads = [
            threading.Thread(target=lambda: self.out.extend(self.process.stdout), daemon=True),
            threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True),
        ]
        self.out, self.errors = [], []
        for thread in self.threads:
            thread.start()

    @property
    def pid(self):
        return self.process.pid

    def end(self, number=signal.SIGTERM):
        """Ends it, if a signal is given; its output, errors and exit code."""
        if number:
            self.process.send_signal(number)
        code = self.process.wait(60)
        for thread in self.threads:
            thread.join()
        return "".join(self.out), "".join(self.errors), code

    def shows(self, *lines):
        """Waits until its output is so many lines; they are these."""
        until(f"{len(lines)} lines", lambda: len(self.out) >= len(lines) or self.process.poll())
        expect("output", "".join(self.out), "".join(line + "\n" for line in lines))
        if self.process.poll() is not None:
            raise RuntimeError("it has ended: " + "".join(self.errors))


class Source(Running):
    """An exporter and the pipe that it reads."""

    number = 0

    def __init__(self, program, *options):
        Source.number += 1
        self.pipe = os.path.join(RUNTIME, f"pipe{Source.number}")
        os.mkfifo(self.pipe)
        super().__init__(program, f"file={self.pipe}", "--deterministic", *options)

    def send(self, *rows):
        with open(self.pipe, "w") as file:  # waits until it reads
            file.write("".join(row + "\n" for row in rows))


def jobs(silent=None):
    """What `sluice jobs` shows; one process does not answer."""
    out = sluice("jobs")
    warning = "sluice: warning: process {} does not answer: it is stopped, or of another version\n"
    said = warning.format(silent.pid) if silent else ""
    expect("sluice jobs", (out.returncode, out.stderr), (0, said))
    return out.stdout


def links(count):
    """Waits until so many Imports are connected; what `sluice jobs` says then."""
    return until(f"{count} connections", lambda: (t := jobs()).count("    to ") == count and t)


__all__ = ["RUNTIME", "Running", "Source", "end", "exporter", "importer", "jobs", "links", "until"]
