"""Sorting more than fits into memory: time, memory, and what is read and written."""

import hashlib
import os
import shutil
import subprocess
import sys
import time

from programs import HERE, ROOT, call
from tables import table
from timing import BenchError, say

sys.path.insert(0, os.path.join(ROOT, "tools", "io"))
import iolog  # noqa: E402

NAME = "external"
KEYS, QUICK_KEYS = 100_000_000, 2_000_000
PART = 8  # the memory is an eighth of the keys' 8 bytes each
RATE, SEEK = 4e9, 10e-3  # bytes/s and s of the paper's device: 24 disks


class SortKeys:
    name = "external-SortKeys"

    @staticmethod
    def file():
        return "external/SortKeys.spl"


def keys_file(programs, count):
    """Numbers of 64 bits in no order (splitmix64), one on each line."""
    path = programs.path(f"keys-{count}.txt")
    if os.path.exists(path):
        return path
    say(f"{NAME}: writing {count} keys")
    mask = (1 << 64) - 1
    with open(path + ".part", "w", encoding="ascii") as file:
        for first in range(0, count, 100_000):
            lines = []
            for number in range(first, min(first + 100_000, count)):
                z = (number + 1) * 0x9E3779B97F4A7C15 & mask
                z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & mask
                z = (z ^ (z >> 27)) * 0x94D049BB133111EB & mask
                lines.append(f"{z ^ (z >> 31)}\n")
            file.write("".join(lines))
    os.rename(path + ".part", path)
    return path


def commands(programs, source, target, memory, scratch):
    """By name: the command, and its environment."""
    ours = programs.compiled(SortKeys, ())
    values = [f"in={source}", f"out={target}", f"memory={memory}", f"scratch={scratch}"]
    found = {"sluice": ([ours, *values], {})}
    options = ["-n", "-S", f"{memory}b", "--parallel=2", "-T", scratch]
    found["GNU sort"] = (["sort", *options, "-o", target, source], {"LC_ALL": "C"})
    if os.path.exists("/usr/include/stxxl/sorter"):
        program = programs.path("stxxl_sort")
        source_file = os.path.join(HERE, "external", "stxxl_sort.cpp")
        flags = ["-std=c++17", "-O3", "-march=native", "-fopenmp", "-w"]
        libraries = ["-lstxxl", "-lpthread"]
        call([programs.compiler, *flags, source_file, *libraries, "-o", program], program)
        config = programs.path("stxxl.conf")
        with open(config, "w", encoding="ascii") as file:
            file.write(f"disk={scratch}/stxxl,0,syscall unlink autogrow\n")
        logs = {f"STXXL{name}FILE": os.devnull for name in ("LOG", "ERRLOG")}
        command = [program, source, target, str(memory)]
        found["STXXL"] = (command, {"STXXLCFG": config, **logs})
    else:
        say("STXXL is left out: it needs the package libstxxl-dev")
    if subprocess.run([sys.executable, "-c", "import duckdb"], capture_output=True).returncode:
        say(f"DuckDB is left out: {sys.executable} needs the package duckdb")
    else:
        script = os.path.join(HERE, "external", "duckdb_sort.py")
        found["DuckDB"] = ([sys.executable, script, source, target, str(memory), scratch], {})
    return found


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def timed(name, command, environment):
    """Wall and processor seconds, and the memory at its peak in kB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, env={**os.environ, **environment},
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise BenchError(f"{name} failed: {errors.decode(errors='replace')[-2000:]}")
    wall = time.perf_counter() - start
    return {"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "peak_kb": usage.ru_maxrss}


def recorded(command, environment, under):
    """What a run reads and writes in a folder, and how long the device would take for it."""
    device = iolog.Replay(under)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    if iolog.trace(command, device.take, env={**os.environ, **environment}, **quiet):
        raise BenchError(f"`{' '.join(command)}` failed under strace")
    return {
        "moved": device.moved(),
        "seeks": device.runs,
        "run": device.mean_run(),
        "device": device.seconds(RATE, SEEK),
    }


def measure(programs, quick):
    count = QUICK_KEYS if quick else int(os.environ.get("SLUICE_SORT_KEYS", KEYS))
    memory = count * 8 // PART
    source, target = keys_file(programs, count), programs.path("sorted.txt")
    scratch = programs.path("scratch")
    os.makedirs(scratch, exist_ok=True)
    record = {"keys": count, "memory": memory, "ways": {}}
    sums = {}
    for name, (command, environment) in commands(programs, source, target, memory, scratch).items():
        say(f"{NAME}: {name}")
        try:
            found = timed(name, command, environment)
        except BenchError as error:
            if name == "sluice":
                raise
            say(f"{NAME}: {name} cannot do it in this memory: {str(error).splitlines()[-1]}")
            continue
        sums[name] = digest(target)
        if shutil.which("strace"):
            found |= recorded(command, environment, programs.folder)
        record["ways"][name] = found
    if len(set(sums.values())) > 1:
        raise BenchError(f"{NAME}: the results differ: {sums}")
    os.remove(target)
    return record


def check(programs):
    measure(programs, True)


def text(record):
    lines = [["", "s", "CPU s", "peak", "moved", "seeks", "mean run", "s on the device"]]
    for name, way in record["ways"].items():
        io = ["-"] * 4
        if "seeks" in way:
            io = [f"{way['moved'] / 1e9:.2f} GB", str(way["seeks"]), f"{way['run'] / 1e6:.3f} MB",
                  f"{way['device']:.1f}"]
        lines.append([name, f"{way['wall']:.1f}", f"{way['cpu']:.1f}",
                      f"{way['peak_kb'] / 1024:.0f} MiB", *io])
    return (
        f"Sorting {record['keys']} keys of 64 bits, as text, in {record['memory'] / 1e6:.0f} MB;"
        " device: 4 GB/s, 10 ms a seek\n" + table(lines)
    )
