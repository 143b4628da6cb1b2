"""Programs with large state (spl/state): what checkpoints cost them."""

import os
import re
import shutil
import statistics
import subprocess

from timing import BenchError, say

LIMIT = 900  # seconds after which a run is stopped
KEYS, WAITS = 10_000_000, 62_500_000  # 1 GB of entries
QUICK = 100  # so many times fewer keys


def compiled(programs, composite):
    class Config:
        name = f"state-{composite}"
        compiled = [f"--main=state::{composite}"]

        @staticmethod
        def file():
            return "state/State.spl"

    say(f"{Config.name}: compiling")
    return programs.sluice(Config)[0]


def run(programs, program, n, seconds, saves):
    """The numbers that it printed, and what --stats says of checkpoints."""
    state = programs.path("state.checkpoints")
    shutil.rmtree(state, ignore_errors=True)
    command = [program, "--elastic=off", "--stats", f"n={n}", f"seconds={seconds}"]
    if saves:
        command += [f"--checkpoint={state}"]  # each second, and by the default budget
    out = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    shutil.rmtree(state, ignore_errors=True)
    if out.returncode:
        raise BenchError(f"`{' '.join(command)}` failed: {out.stderr[-500:]}")
    said = re.search(r"^checkpoints: .*$", out.stderr, re.M)
    return [int(word) for word in out.stdout.split()], said.group(0) if said else ""


def waits(programs, quick):
    """The longest wait in each second, in us, without and with checkpoints."""
    program = compiled(programs, "Waits")
    n, seconds = (WAITS // QUICK, 3) if quick else (WAITS, 60)
    record = {"workload": "state-Waits", "keys": n}
    for name, saves in (("without", False), ("saved", True)):
        (*longest, tuples, keys), said = run(programs, program, n, seconds, saves)
        if (tuples, keys) != (1000 * seconds, n):
            raise BenchError(f"state-Waits printed {tuples} tuples and {keys} keys")
        cuts = statistics.quantiles(longest, n=100, method="inclusive")
        record[name] = {"p50": cuts[49], "p99": cuts[98], "most": max(longest), "printed": said}
    return record


def speed(programs, quick):
    """Updates a second, without and with checkpoints, in turns."""
    program = compiled(programs, "Keys")
    n, seconds, turns = (KEYS // QUICK, 2, 1) if quick else (KEYS, 30, 3)
    rates, said = {False: [], True: []}, ""
    for _ in range(turns):
        for saves in rates:
            (rate, keys), line = run(programs, program, n, seconds, saves)
            if keys != n:
                raise BenchError(f"state-Keys printed {keys} keys")
            rates[saves].append(rate)
            said = line or said
    ratios = [saved / without for without, saved in zip(*rates.values())]
    return {
        "workload": "state-Keys",
        "keys": n,
        "without": statistics.median(rates[False]),
        "saved": statistics.median(rates[True]),
        "ratio": statistics.median(ratios),
        "printed": said,
    }


def measure(programs, quick):
    if not os.access(programs.driver, os.X_OK):
        raise BenchError(f"`{programs.driver}` is missing")
    return {"speed": speed(programs, quick), "waits": waits(programs, quick)}


def table(records):
    fast, late = records["speed"], records["waits"]
    text = (
        f"{fast['workload']}: {fast['keys']:,} keys, updates a second: {fast['without']:,} without"
        f" checkpoints, {fast['saved']:,} with them: {fast['ratio']:.3f}\n  {fast['printed']}\n"
        f"{late['workload']}: {late['keys']:,} keys of 16 bytes, the longest wait of a tuple in"
        " each second, us\n"
    )
    for name in "without", "saved":
        row = late[name]
        text += f"  {name:8} p50 {row['p50']:,.0f}, p99 {row['p99']:,.0f}, most {row['most']:,}\n"
    return text + f"  {late['saved']['printed']}\n"
