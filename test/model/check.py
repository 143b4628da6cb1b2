#!/usr/bin/env python3
"""Checks the models beside it with spin: the protocols as they are hold, every mistake is noticed.

Usage: check.py [--long]
--long takes larger graphs as well (some minutes, up to 3 GB of memory).
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))

# Name -> what the model is made with. Those of LONG are proved with --long only.
OPTIMIZE = "-O0"  # the models run for seconds, compiling one takes as long
GRAPHS = {
    "two ports, one word": "-DSHAPE=1 -DITEMS=1",
    "two ports, one word, one worker": "-DSHAPE=1 -DITEMS=2 -DWORKERS=1",
    "three sources, one port": "-DSHAPE=1 -DITEMS=1 -DWORKERS=1 -DSOURCES=3 -DCAP=2 -DONE_PORT",
    "two sources, one port": "-DSHAPE=1 -DITEMS=2 -DWORKERS=1 -DCAP=2 -DONE_PORT",
    "chain": "-DSHAPE=2 -DITEMS=1",
    "chain, one producer": "-DSHAPE=2 -DITEMS=3 -DSOURCES=1 -DWORKERS=1",
    "loop": "-DSHAPE=3 -DITEMS=2 -DSOURCES=1",
    "timers and levels": "-DSHAPE=4 -DITEMS=1",
    "shared, two sources": "-DITEMS=1",
    "shared, one source": "-DITEMS=3 -DSOURCES=1",
    "shared, timer": "-DITEMS=3 -DSOURCES=1 -DTIMERS",
    "shared, wider": "-DITEMS=2 -DSOURCES=1 -DTIMERS -DWIDTH=1 -DWIDTHS=1",
    "link, both ways": "-DSHAPE=1 -DFRAMES=2 -DRING=1",
    "link, two senders": "-DSHAPE=2 -DFRAMES=1 -DRING=1",
    "link, sender dies": "-DSHAPE=1 -DFRAMES=2 -DRING=1 -DDEATH",
    "link, receiver dies": "-DSHAPE=1 -DFRAMES=2 -DRING=1 -DRDEATH",
    "link, receivers stop": "-DSHAPE=1 -DFRAMES=1 -DRING=1 -DSTOP=1",
    "link, senders stop": "-DSHAPE=1 -DFRAMES=2 -DRING=1 -DSTOP=2",
    "delivery": "-DFRAMES=2 -DDEATHS=2",
    "cut": "-DITEMS=1 -DHOPS=1 -DSOURCES=1",
    "ring": "",
}
LONG = {
    "chain, three sources": "-DSHAPE=2 -DITEMS=1 -DWORKERS=1 -DSOURCES=3",
    "two ports, one word, two each": "-DSHAPE=1 -DITEMS=2",
    "three sources, two workers": "-DSHAPE=1 -DITEMS=1 -DSOURCES=3",
    "chain, one producer, two workers": "-DSHAPE=2 -DITEMS=2 -DSOURCES=1",
    "chain, two each": "-DSHAPE=2 -DITEMS=2 -DWORKERS=1",
    "loop, two sources": "-DSHAPE=3 -DITEMS=2 -DWORKERS=1",
    "loop, two workers": "-DSHAPE=3 -DITEMS=1",
    "timers and levels, two each": "-DSHAPE=4 -DITEMS=2",
    "shared, two each, one worker": "-DITEMS=2 -DWORKERS=1",
    "shared, three sources": "-DITEMS=1 -DSOURCES=3 -DWORKERS=1",
    "shared, all widths": "-DITEMS=3 -DSOURCES=1 -DTIMERS -DWIDTH=1 -DWIDTHS=2",
    "shared, all widths, helping": "-DITEMS=2 -DSOURCES=1 -DWIDTHS=2",
    "link, both ways, ring of two": "-DSHAPE=1 -DFRAMES=3",
    "link, both ways, grants of two": "-DSHAPE=1 -DFRAMES=3 -DGRANT=2",
    "link, two senders, ring of two": "-DSHAPE=2 -DFRAMES=2",
    "link, sender dies, ring of two": "-DSHAPE=1 -DFRAMES=2 -DDEATH",
    "link, two senders, one dies": "-DSHAPE=2 -DFRAMES=2 -DRING=1 -DDEATH",
    "delivery, three frames, three deaths": "-DFRAMES=3 -DDEATHS=3",
    "cut, two batches": "-DITEMS=2 -DHOPS=1 -DSOURCES=1",
}
# First word of a graph -> its model, if that is not port.pml.
MODELS = {
    "shared": "parallel.pml",
    "link": "credits.pml",
    "delivery": "delivery.pml",
    "cut": "cut.pml",
    "ring": "ring.pml",
}
# Number -> mistake and a graph that shows it.
MUTANTS = {
    1: ("notify only what was empty", "three sources, one port"),
    2: ("an owned word is not marked dirty", "two ports, one word"),
    3: ("a notification always adds an entry", "two ports, one word"),
    4: ("winning clears Q", "two ports, one word"),
    5: ("Q stays when the entry is taken", "two ports, one word"),
    6: ("taking the entry of an owned word does not mark it", "two ports, one word"),
    7: ("a release does not look at D", "two ports, one word"),
    8: ("a release clears D after its look", "two ports, one word, one worker"),
    9: ("a release always adds an entry", "two ports, one word, one worker"),
    10: ("inline although a slot below the tail has not run", "two sources, one port"),
    11: ("a release looks at its first port only", "two ports, one word"),
    12: ("a waiter does not look again", "two ports, one word, one worker"),
    13: ("a release wakes only when there is space", "chain, three sources"),
    14: ("a waiter waits though nobody owns the word", "chain, three sources"),
    15: ("a worker sleeps without a second look", "two ports, one word"),
    16: ("the end wakes one sleeper", "two ports, one word"),
    17: ("an entry wakes nobody", "two ports, one word"),
    18: ("an edge inside a loop waits", "loop"),
    19: ("a worker above the level keeps the wake-up", "timers and levels"),
    20: ("who loses the turn does not leave D", "shared, timer"),
    21: ("letting go of the turn wakes nobody", "shared, timer"),
    22: ("released moves on and tells no worker", "shared, timer"),
    23: ("who waits for the turn does not look again", "shared, timer"),
    24: ("the width is not looked at", "shared, timer"),
    25: ("released moves on before the push", "shared, two sources"),
    26: ("the batch is popped after the word is let go", "shared, timer"),
    27: ("later tickets that are done are left", "shared, timer"),
    28: ("letting go of the turn does not look at D", "shared, timer"),
    29: ("inline although a ticket is not released", "shared, two sources"),
    30: ("the one producer does not look at the owner", "chain, one producer"),
    31: ("the one producer looks at the owner first", "chain, one producer"),
    32: ("who waits for a call waits though nobody owns the word", "chain, one producer"),
    33: ("progress moves a credit, and the sender blocks without another look", "link, both ways"),
    34: ("a sender blocks though its worker cannot be armed", "link, both ways"),
    35: ("a stop does not wake a sender", "link, senders stop"),
    36: ("the control socket does not wake a sender", "link, both ways"),
    37: ("a sender does not count a credit down", "link, both ways"),
    38: ("the message of the end wakes nobody", "link, both ways"),
    39: ("the first credits wait for a grant that never fills", "link, both ways"),
    40: ("a buffer is granted twice", "link, both ways"),
    41: ("a credit that finds no room is forgotten", "link, both ways"),
    42: ("a credit is told before its buffer is posted", "link, both ways"),
    43: ("a peer that has gone is over though frames have come", "link, sender dies"),
    44: ("progress moves a frame, and the receiver blocks without another look", "link, both ways"),
    45: ("a receiver blocks while a credit is not sent", "link, both ways"),
    46: ("a receiver arms the worker of one peer only", "link, two senders"),
    47: ("a stop does not wake a receiver", "link, receivers stop"),
    48: ("the end of a control socket does not wake a receiver", "link, sender dies"),
    49: ("a sender that attaches does not wake the receiver", "link, both ways"),
    50: ("a receiver blocks though its worker cannot be armed", "link, both ways"),
    51: ("a frame is acknowledged before it is durable", "delivery"),
    52: ("a frame is acknowledged when it is received", "delivery"),
    53: ("a frame is acknowledged when what is made of it was sent", "delivery"),
    54: ("a sender goes on without sending again", "delivery"),
    55: ("the end is sent before all is acknowledged", "delivery"),
    56: ("what comes while a round makes durable is acknowledged by it", "delivery"),
    57: ("the end is not sent again", "delivery"),
    58: ("a receiver counts on when the sender has a new life", "delivery"),
    59: ("what a receiver has said counts for its new life", "delivery"),
    60: ("a source that goes on does not look whether it is to stay", "cut"),
    61: ("a batch has run before what it makes is queued or sent", "cut"),
    62: ("a receiver counts a frame while it sleeps", "cut"),
    63: ("receivers are not looked at", "cut"),
    64: ("what was received and sent is not compared", "cut"),
    65: ("what has waited for its time does not look whether it is to stay", "cut"),
    66: ("ports that delay are not looked at", "cut"),
    67: ("a writer looks for a sleeper before it tells what it has written", "ring"),
    68: ("a writer forgets its bell after its last look", "ring"),
    69: ("a writer looks for room before it says that it sleeps", "ring"),
    70: ("a reader tells of room and wakes nobody", "ring"),
    71: ("a reader looks for bytes before it says that it sleeps", "ring"),
}


class Model:
    """One graph: made by spin, compiled, run as it is or with a mistake."""

    def __init__(self, folder, name, flags):
        self.name, self.problem = name, None
        self.folder = os.path.join(folder, re.sub(r"\W+", "-", name))
        os.mkdir(self.folder)
        compiler = next((c for c in ("clang-22", "clang", "gcc", "cc") if shutil.which(c)), "cc")
        # Spin's own choice of a preprocessor is gcc, which need not be there.
        for command in (
            [
                "spin",
                f"-P{compiler} -E -x c",
                "-a",
                *flags.split(),
                os.path.join(HERE, MODELS.get(re.match(r"\w+", name)[0], "port.pml")),
            ],
            # Stored states are hashes of 128 bits.
            [
                compiler,
                OPTIMIZE,
                "-w",
                "-DSAFETY",
                "-DNOFAIR",
                "-DHC4",
                "-DMEMLIM=3000",
                "-o",
                "pan",
                "pan.c",
            ],
        ):
            done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
            if done.returncode:
                self.problem = done.stdout + done.stderr
                return

    def run(self, mutant=0):
        """(error or None, states)"""
        done = subprocess.run(
            ["./pan", "-m200000", "-w22"],
            cwd=self.folder,
            capture_output=True,
            text=True,
            env=dict(os.environ, MUTANT=str(mutant)),
        )
        states = re.search(r"(\d+) states, stored", done.stdout)
        error = re.search(r"^pan:1: (.*)$", done.stdout, re.M)
        if not error and (
            not states or "errors: 0" not in done.stdout or "Search not completed" in done.stdout
        ):
            return "spin did not finish: " + (done.stdout + done.stderr)[-500:], 0
        return error and error.group(1), int(states.group(1)) if states else 0


def check(long=False, report=print):
    """(passed, failed); says what is wrong."""
    if not shutil.which("spin"):
        report("FAIL model: there is no spin: install it")
        return 0, 1
    graphs = {**GRAPHS, **LONG}
    needed = [
        name
        for name in graphs
        if long or name in GRAPHS or name in {graph for _, graph in MUTANTS.values()}
    ]
    proved = graphs if long else GRAPHS
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        models = dict(zip(needed, pool.map(lambda name: Model(folder, name, graphs[name]), needed)))
        for model in models.values():
            if model.problem:
                report(f"FAIL {model.name}: {model.problem}")
                return 0, len(proved)

        def prove(name):
            start = time.time()
            error, states = models[name].run()
            return name, error, states, time.time() - start

        # The long ones one after the other: they need the memory.
        for name, error, states, seconds in (map if long else pool.map)(prove, proved):
            passed, failed = passed + (not error), failed + bool(error)
            if error:
                report(f"FAIL {name}: {error}")
            elif long:
                report(f"{name}: {states} states in {seconds:.0f} s")
        for number, (error, _) in zip(
            MUTANTS, pool.map(lambda n: models[MUTANTS[n][1]].run(n), MUTANTS)
        ):
            noticed = error and not error.startswith("spin did not")
            passed, failed = passed + bool(noticed), failed + (not noticed)
            if not noticed:
                report(
                    f"FAIL '{MUTANTS[number][0]}' is not noticed by '{MUTANTS[number][1]}'"
                    f" {error or ''}"
                )
    return passed, failed


if __name__ == "__main__":
    results = check("--long" in sys.argv[1:])
    print("%d passed, %d failed" % results)
    sys.exit(bool(results[1]))
