"""clustered.py DRIVER APPLICATION [ARGUMENT]...: runs what `sluice build --target=flink` has made on the
cluster of the folder SLUICE_CLUSTER (`sluice cluster up --dir=FOLDER`) as if it were an
executable: with its output, its messages and its exit code. One program at a time: they have one log."""

import fcntl
import glob
import os
import re
import subprocess
import sys

FOLDER = os.environ.get("SLUICE_CLUSTER", "")
# Of the conformance programs and of the examples each of so many is run.
SAMPLE = int(os.environ.get("SLUICE_SAMPLE", "1"))
# It is skipped then: a program that cannot run on a cluster says so before it does anything.
REFUSED = re.compile("streams between its PEs form a cycle")
LINE = re.compile(r"^\S+ \S+ +(?:INFO|WARN) +pe - PE \d+( prints)?: (.*)$")


def logs():
    return glob.glob(os.path.join(FOLDER, "log", "host*.log"))


def written(since):
    """Lines of the hosts' logs behind these places."""
    for path in logs():
        with open(path, "rb") as file:
            file.seek(since.get(path, 0))
            text = file.read().decode("utf-8", "surrogateescape")
        yield from text.split("\n")


def bytes_of(text):
    """The host writes \\xff for a byte that is no UTF-8."""
    is_byte = lambda match: bytes([int(match.group(1), 16)])
    return re.sub(rb"\\x([89a-f][0-9a-f])", is_byte, text.encode("utf-8", "surrogateescape"))


def end_all(driver, address):
    """Ends jobs of programs that took too long."""
    jobs = subprocess.run([driver, "jobs", f"--at={address}"], capture_output=True, text=True)
    for number in re.findall(r"^([0-9a-f]{32})  (?!FINISHED|FAILED|CANCELED)", jobs.stdout, re.M):
        subprocess.run([driver, "stop", number, f"--at={address}", "--now"], capture_output=True)


def main(driver, application, arguments):
    if not FOLDER:
        sys.exit("SLUICE_CLUSTER is to be the folder of `sluice cluster up`")
    runs = os.path.join(FOLDER, "runs")  # there while a program runs
    with open(os.path.join(FOLDER, "one-at-a-time"), "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with open(os.path.join(FOLDER, "address"), encoding="utf-8") as file:
            address = file.read().strip()
        if os.path.exists(runs):
            end_all(driver, address)
        with open(runs, "w", encoding="utf-8"):
            pass
        since = {path: os.path.getsize(path) for path in logs()}
        submit = [driver, "submit", application, f"--to={address}", "--wait", *arguments]
        out = subprocess.run(submit, capture_output=True, stdin=subprocess.DEVNULL)
        os.remove(runs)
        sys.stderr.buffer.write(out.stderr)
        for prints, text in (m.groups() for m in map(LINE.match, written(since)) if m):
            to = sys.stdout if prints else sys.stderr
            to.buffer.write(bytes_of(text) + b"\n")
    return out.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
