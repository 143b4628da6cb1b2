# REQUIRES: slow
# RUN: %python %s
"""examples/recovery: killed again and again it writes what it writes undisturbed."""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from checkpoints import Killed, files_of  # noqa: E402
from support import FOLDER, expect, finish, sluice  # noqa: E402

EXAMPLE = os.path.join(os.path.dirname(__file__), "../../../examples/recovery")
program = os.path.join(FOLDER, "recovery")
sluice("build", os.path.join(EXAMPLE, "Recovery.spl"), "-o", program)
runs = Killed(program, "killed", "rate=100")
shutil.copy(os.path.join(EXAMPLE, "data", "sales.csv"), runs.data)
runs.run(kills=12)
expect("it was killed", runs.kills > 3, True)
written = files_of(runs.data)
for name, content in files_of(os.path.join(EXAMPLE, "expected")).items():
    expect(name, written[name], content)
finish()
