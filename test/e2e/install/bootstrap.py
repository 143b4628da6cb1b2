# RUN: %python %s %source %build
"""The script ./sluice by other names: links to it, in any folder, and links to links."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Inputs"))
from support import FOLDER, TIMEOUT, expect, finish  # noqa: E402

source, build = sys.argv[1:]
script = os.path.join(source, "sluice")
environment = dict(os.environ, SLUICE_NO_BUILD="1", SLUICE_PRESET=os.path.basename(build))
wanted = subprocess.run(["sluice", "version"], capture_output=True, text=True).stdout
folder = os.path.join(FOLDER, "a folder")
os.mkdir(folder)
absolute = os.path.join(folder, "sluice")
os.symlink(script, absolute)
relative = os.path.join(FOLDER, "relative")
os.symlink(os.path.join("a folder", "sluice"), relative)
other_name = os.path.join(folder, "spl")
os.symlink(os.path.relpath(script, os.path.realpath(folder)), other_name)
tree = os.path.join(FOLDER, "tree")
os.symlink(source, tree)


def version(what, command, **more):
    out = subprocess.run(
        [command, "version"], capture_output=True, text=True, timeout=TIMEOUT, **more
    )
    expect(what, (out.returncode, out.stdout, out.stderr), (0, wanted, ""))


version("the script", script, env=environment)
version("a link", absolute, env=environment)
version("a link to a link", relative, env=environment)
version("a relative link of another name", other_name, env=environment)
version("a link to the folder", os.path.join(tree, "sluice"), env=environment)
version("from another folder", "./sluice", env=environment, cwd=folder)
path = folder + os.pathsep + environment["PATH"]
out = subprocess.run(
    ["bash", "-c", "sluice version"],
    capture_output=True,
    text=True,
    env=dict(environment, PATH=path),
    cwd="/",
)
expect("on PATH", (out.returncode, out.stdout, out.stderr), (0, wanted, ""))
finish()
