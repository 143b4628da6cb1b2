#!/usr/bin/env python3
"""Makes the pictures of docs/console.md from the program that stands there. Needs Chromium, and the
driver in PATH."""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "test", "e2e"))
from Inputs.chromium import Page  # noqa: E402
from Inputs.support import write  # noqa: E402
from Inputs.watching import Program  # noqa: E402

with open(os.path.join(HERE, "..", "console.md"), encoding="utf-8") as page:
    write("Load.spl", re.search(r"^```spl\n(.*?)^```", page.read(), re.M | re.S).group(1))
with Program("sluice", "run", "Load.spl", "--boundaries=all", "--console") as program:
    with Page(program.where("console")) as page:
        page.until("run.moments.some(m => m.t > 4)")
        # It was a queue, the load has changed, and it is known what limits the program.
        page.until("run.last > 20 && [...run.changes.values()].some(c => run.last - c.t < 6)")
        page.until("run.moments.at(-1).limit")
        page.value("choose(view.folded.boxes.findIndex(b => b.name == 'Heavy'))")
        page.screenshot(os.path.join(HERE, "console.png"))
