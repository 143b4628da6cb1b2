# RUN: %python %s %source
"""tools/io/iolog.py: pieces of lines of strace, and what a device does for them."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
sys.path.insert(0, os.path.join(sys.argv[1], "tools", "io"))
from support import FOLDER, expect, expect_in, finish  # noqa: E402
import iolog  # noqa: E402

LINES = """
1 openat(AT_FDCWD</>, ""..., O_RDONLY) = 3</d/a>
1 read(3</d/a>, ""..., 100) = 100
1 read(3</d/a>, ""..., 100) = 50
1 clone(child_stack=0x1, flags=CLONE_VM|CLONE_FILES|CLONE_THREAD) = 2
2 read(3</d/a>, ""..., 10) = 10
1 pread64(3</d/a>, ""..., 7, 1000) = 7
1 preadv2(3</d/a>, [...], 2, 2000, 0) = 8
1 lseek(3</d/a>, 5, SEEK_SET) = 5
2 read(3</d/a>, <unfinished ...>
1 openat(AT_FDCWD</>, ""..., O_WRONLY|O_APPEND|O_CREAT, 0666) = 4</d/b>
2 <... read resumed>""..., 10) = 10
1 fork() = 9
9 write(4</d/b>, ""..., 30) = 30
1 write(4</d/b>, ""..., 20) = 20
1 write(1</dev/null>, ""..., 20) = 20
1 write(1<pipe:[1]>, ""..., 20) = 20
1 read(3</d/a>, ""..., 10) = -1 EIO (Input/output error)
1 dup(4</d/b>) = 5</d/b>
1 close(4</d/b>) = 0
1 pwritev(5</d/b>, [...], 2, 4096) = 12
9 +++ exited with 0 +++
1 fork( <unfinished ...>
8 openat(AT_FDCWD</>, ""..., O_WRONLY|O_CREAT, 0666) = 6</d/c>
8 write(6</d/c>, ""..., 40) = 40
1 <... fork resumed>) = 8
8 write(6</d/c>, ""..., 50) = 50
"""
pieces = iolog.Pieces()
got = [piece for line in LINES.strip().split("\n") if (piece := pieces.take(line))]
expect(
    "pieces",
    got,
    [
        ("R", 0, 100, "/d/a"),
        ("R", 100, 50, "/d/a"),
        ("R", 150, 10, "/d/a"),
        ("R", 1000, 7, "/d/a"),
        ("R", 2000, 8, "/d/a"),
        ("R", 5, 10, "/d/a"),
        ("W", 0, 30, "/d/b"),
        ("W", 30, 20, "/d/b"),
        ("W", 4096, 12, "/d/b"),
        ("W", 0, 40, "/d/c"),
        ("W", 40, 50, "/d/c"),
    ],
)
device = iolog.Replay()
for piece in got:
    device.take(piece)
expect("runs", device.runs, 7)
expect("bytes", device.bytes, {"R": 185, "W": 152})

# A real program: three megabytes in two runs.
tool = os.path.join(sys.argv[1], "tools", "io", "iolog.py")
script = "head -c 2000000 /dev/zero > {0}/x; head -c 1000000 /dev/zero > {0}/y".format(FOLDER)
device = ["--under", FOLDER, "--rate", "1MB/s", "--seek", "1s"]
command = [tool, "run", *device, "sh", "-c", script]
out = subprocess.run(command, capture_output=True, text=True)
expect_in("replay", "read 0.0 MB, written 3.0 MB, 2 seeks, mean run 1.5000 MB", out.stdout)
expect_in("time", "on a device of 1 MB/s and 1000 ms a seek: 5.0 s, 0.6 MB/s", out.stdout)
out = subprocess.run([tool, "record", "-o", FOLDER + "/log", "sh", "-c", "exit 3"])
expect("exit code of the program", out.returncode, 3)
finish()
