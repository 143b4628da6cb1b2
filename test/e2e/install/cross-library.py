# RUN: %python %s
"""A target whose libraries are not installed: one line says which package has them."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, expect, finish, sluice, write  # noqa: E402

# Answers as a compiler that finds no library, and links nothing.
compiler = write("bin/clang++-22", '#!/bin/sh\necho "${2#-print-file-name=}"\n')
os.chmod(compiler, 0o755)
path = os.path.dirname(compiler) + os.pathsep + os.environ["PATH"]
write("Main.spl", "composite Main { graph () as S = Custom() { } }\n")
for target, package in (
    ("powerpc64le-linux-gnu", "libstdc++-12-dev-ppc64el-cross"),
    ("x86_64-linux-gnu", "libstdc++-12-dev"),
):
    command = ["build", "Main.spl", "-o", "app", f"--target={target}"]
    out = sluice(*command, env={**os.environ, "PATH": path})
    says = f"sluice: the C++ library of {target} is missing: install {package}\n"
    expect(target, (out.returncode, out.stdout, out.stderr), (1, "", says))
    expect("nothing is made", os.path.exists(os.path.join(FOLDER, "app")), False)
finish()
