"""Runs programs with sluice-fuzz (sluice-fuzz.cpp), which is warm."""

import os
import subprocess
from dataclasses import dataclass

WARM = """
composite Main { graph
  stream<int32 n, rstring s> A = Beacon() {
    param iterations : 3u;
    output A : n = (int32) IterationCount();
  }
  () as P = Custom(A) { logic onTuple A : printStringLn(s + (rstring) A); }
}
"""


@dataclass(frozen=True)
class Run:
    how: str  # exit, signal or late
    what: int  # the code, or the number of the signal
    millis: int
    out: bytes
    err: bytes


class Server:
    def __init__(self, binary, folder, seconds):
        self.seconds = seconds
        warm = os.path.join(folder, "Warm.spl")
        with open(warm, "w") as file:
            file.write(WARM)
        environment = dict(os.environ, TZ="UTC", LC_ALL="C.UTF-8")
        self.process = subprocess.Popen(
            [binary, warm],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            cwd=folder,
        )

    def run(self, arguments):
        text = f"{self.seconds} {len(arguments)}\n" + "".join(a + "\n" for a in arguments)
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()
        words = self.process.stdout.readline().split()
        if len(words) != 5:
            raise RuntimeError("sluice-fuzz has ended")
        how, (what, millis, out, err) = words[0].decode(), map(int, words[1:])
        read = self.process.stdout.read
        return Run(how, what, millis, read(out), read(err))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
