#!/usr/bin/env python3
"""Kills programs that make checkpoints, resumes them, and compares what they wrote with what an
undisturbed run writes, byte for byte. Lines of files `*.any.csv` may come in any order. Kills come
at random moments, or at one of the steps of writing a checkpoint (SLUICE_CRASH_AT). Where a program
runs as several processes all are killed, or one of them, which ends the others."""

import argparse
import collections
import contextlib
import filecmp
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
MODES = {
    "plain": [],
    "queued": ["--queues=all", "--threads=3"],
    "shards": ["--queues=all", "--threads=3", "--width=3"],
    "chaos": ["--chaos={seed}", "--threads=3"],
    "elastic": ["--elastic=paper", "--elastic-option=period=0.001", "--elastic-option=skip=0"],
    "deterministic": ["--deterministic"],
    # As PES processes:
    "pes": [],
    "pes-queued": ["--queues=all", "--threads=3"],
    "pes-chaos": ["--chaos={seed}", "--threads=3"],
    "pes-deterministic": ["--deterministic"],
    "pes-restart": ["--restart=3"],
}
PES = 3
# Programs that remove what they have read: they cannot go back to an older checkpoint.
REMOVING = ("files",)
MOST_RUNS = 400  # of one program, until it has ended
PATIENCE = 20  # runs after which a program has twice the time until it is killed, and so on
Program = collections.namedtuple("Program", "name path processes seconds wanted")


def write_files(folder):
    for name in "queue", "queued", "scanned", "taken":
        os.mkdir(os.path.join(folder, name))
    for n in range(120):
        for name in "queue", "scanned":
            path = os.path.join(folder, name, f"f{n:03}")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"{n}\n{name} {n}\n")


def write_lines(folder):
    words = [f"word{n % 61}" if n % 3 else f"a rather long word {n % 23}" for n in range(999)]
    with open(os.path.join(folder, "lines.txt"), "w", encoding="utf-8") as file:
        for n in range(12000):
            file.write(" ".join(words[(n * 7 + k) % 999] for k in range(1 + n % 9)) + "\n")


def new_folder(base, name):
    folder = os.path.join(base, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    write_lines(folder)
    write_files(folder)
    return folder


def build(driver, base):
    programs = []
    for file in sorted(os.listdir(os.path.join(HERE, "programs"))):
        name = file.removesuffix(".spl")
        path = os.path.join(base, name)
        source = os.path.join(HERE, "programs", file)
        processes = path + ".pes"
        command = [driver, "build", source, "--boundaries=all", "-o"]
        subprocess.run([*command, path], check=True)
        subprocess.run([*command, processes, f"--pes={PES}"], check=True)
        wanted = new_folder(base, name + ".wanted")
        before = os.times().elapsed
        subprocess.run([path, f"--data-dir={wanted}"], check=True)
        programs.append(Program(name, path, processes, os.times().elapsed - before, wanted))
    return programs


def files_in(folder):
    """The paths of all files, from the folder on."""
    for above, _, names in os.walk(folder):
        yield from (os.path.relpath(os.path.join(above, name), folder) for name in names)


def difference(wanted, got):
    for name in sorted(files_in(wanted)):
        paths = [os.path.join(folder, name) for folder in (wanted, got)]
        if not os.path.exists(paths[1]):
            return f"{name} was not written"
        if name.endswith(".any.csv"):
            lines = [sorted(open(path, "rb").read().splitlines()) for path in paths]
            if lines[0] != lines[1]:
                return f"{name} has other lines: {len(lines[1])} instead of {len(lines[0])}"
        elif not filecmp.cmp(*paths, shallow=False):
            sizes = [os.path.getsize(path) for path in paths]
            return f"{name} differs: {sizes[1]} bytes instead of {sizes[0]}"
    surplus = set(files_in(got)) - set(files_in(wanted))
    return f"{min(surplus)} is too much" if surplus else None


def group_of(process):
    """Processes that were started by it, and still run."""
    listed = subprocess.run(["pgrep", "-g", str(process.pid)], capture_output=True, check=False)
    return [int(each) for each in listed.stdout.split()]


def kill(process, chance, one):
    """Kills all of the processes, or one that is not the launcher; or asks all to end."""
    pids = [pid for pid in group_of(process) if pid != process.pid]
    if one and pids:
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself
            os.kill(chance.choice(pids), signal.SIGKILL)
    elif chance.random() < 0.9:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.send_signal(signal.SIGTERM)


def communicate(process, chance, seconds, restarts):
    """Waits for the end, and brings it about at random. Returns what was printed."""
    for _ in range(restarts + 1 if seconds else 0):
        try:
            return process.communicate(timeout=chance.uniform(0.01, 0.1 + seconds))[1]
        except subprocess.TimeoutExpired:
            kill(process, chance, restarts or chance.random() < 0.3)
    return process.communicate()[1]


def run_once(command, chance, seconds):
    """Returns whether it was killed, after about so many seconds, and what went wrong."""
    environment = dict(os.environ)
    kills_inside = chance.random() < 0.4
    if kills_inside:
        environment["SLUICE_CRASH_AT"] = str(chance.randrange(1, 60))
    process = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    restarts = 3 if "--restart=3" in command else 0
    errors = communicate(process, chance, 0 if kills_inside else seconds, restarts)
    while group_of(process):  # a PE whose launcher was killed makes its last checkpoint
        time.sleep(0.01)
    if b"stopped with checkpoint" in errors:
        return True, None
    killed = (signal.SIGKILL, signal.SIGTERM)  # TERM: before it is caught
    if process.returncode in [-each for each in killed] + [128 + each for each in killed]:
        return True, None
    wrong = process.returncode != 0 or b"no checkpoint was made" in errors
    said = f"exit code {process.returncode}: " + errors.decode("utf-8", "replace")
    return False, said if wrong else None


def crash(program, base, seed, modes):
    """Kills one program until it ends. Returns (kills, what is wrong)."""
    chance = random.Random(seed)
    mode = chance.choice(modes)
    folder, state = new_folder(base, "data"), os.path.join(base, "state")
    shutil.rmtree(state, ignore_errors=True)
    options = [option.format(seed=seed + 1) for option in MODES[mode]]
    path = program.processes if mode.startswith("pes") else program.path
    command = [path, f"--data-dir={folder}", f"--checkpoint={state}", "--resume", *options]
    command.append(f"--checkpoint-every={chance.choice([5, 20, 60])}ms")
    command.append(f"--checkpoint-blocks={chance.choice(['4K', '100K', '1M'])}")
    for kills in range(MOST_RUNS):
        seconds = program.seconds * (1 + kills / PATIENCE)  # starts take long on a busy machine
        killed, wrong = run_once(command, chance, seconds)
        if not killed:
            wrong = wrong or difference(program.wanted, folder)
            return kills, f"{program.name} ({mode}): {wrong}" if wrong else None
    return MOST_RUNS, f"{program.name} ({mode}): it did not end in {MOST_RUNS} runs"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--driver", default="build/release/bin/sluice")
    parser.add_argument("--kills", type=int, default=50, help="at least so many (default 50)")
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--mode", default="", help="only modes whose names begin so")
    args = parser.parse_args()
    modes = [mode for mode in MODES if mode.startswith(args.mode)]
    passed = failed = kills = 0
    with tempfile.TemporaryDirectory() as base:
        programs = build(os.path.abspath(args.driver), base)
        seed = args.seed
        while kills < args.kills or seed - args.seed < len(programs):
            more, wrong = crash(programs[seed % len(programs)], base, seed, modes)
            kills += more
            passed, failed = passed + (not wrong), failed + bool(wrong)
            if wrong:
                print(f"FAIL seed {seed}: {wrong}", flush=True)
            seed += 1
    print(f"{kills} kills, seeds {args.seed} to {seed - 1}")
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
