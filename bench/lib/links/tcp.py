"""Two PEs of a job that meet over TCP on loopback. (PEs that a launcher starts meet over sockets of
the Unix domain.)"""

import os
import re
import socket
import subprocess

from timing import BenchError

# Both PEs, until both have ended. SIGTERM is passed on to them.
BOTH = """trap 'kill -TERM $first $second' TERM
"$0" --pe=0 "$@" & first=$!
"$0" --pe=1 "$@" & second=$!
wait $first; wait $second; wait $first && wait $second
"""


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def command(driver, program, words):
    """The command line of both PEs of `program`, which are one job."""
    job = program + ".job.toml"
    for path in (job, program + ".job.token"):
        if os.path.exists(path):
            os.remove(path)
    made = [driver, "job", program, "--hosts=127.0.0.1", "-o", job]
    out = subprocess.run(made, capture_output=True, text=True)
    if out.returncode:
        raise BenchError(f"`{' '.join(made)}` failed: {out.stderr}")
    ports = iter(free_ports(2))
    with open(job, encoding="utf-8") as file:
        text = re.sub(r"(127\.0\.0\.1):\d+", lambda m: f"{m[1]}:{next(ports)}", file.read())
    with open(job, "w", encoding="utf-8") as file:
        file.write(text)
    return ["sh", "-c", BOTH, program, f"--job={job}", *words]
