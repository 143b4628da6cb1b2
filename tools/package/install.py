#!/usr/bin/env python3
"""Installs what was built; called as `sluice install [--prefix DIR]`. Installing anew replaces what
is there. DESTDIR in the environment is put before DIR. `sluice uninstall` removes it again."""

import argparse
import os
import subprocess
import sys
import tempfile

import manifest


def stage(build, prefix, folder):
    """Puts a stripped copy of all files into `folder`, as if it were the root, or exits."""
    command = ["cmake", "--install", build, "--prefix", prefix, "--strip"]
    environment = dict(os.environ, DESTDIR=folder)
    out = subprocess.run(command, capture_output=True, text=True, env=environment)
    if out.returncode:
        sys.exit(f"sluice install: cmake failed\n{out.stdout}{out.stderr}")


def arguments(description, what):
    parser = argparse.ArgumentParser(prog=f"sluice {what}", description=description)
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    parser.add_argument(
        "--prefix", metavar="DIR", default="/usr/local", help="where (default: %(default)s)"
    )
    args = parser.parse_args()
    args.prefix = os.path.abspath(args.prefix)
    args.root = os.environ.get("DESTDIR", "") + args.prefix  # where the files go
    return args


def main():
    args = arguments(__doc__, "install")
    with tempfile.TemporaryDirectory() as folder:
        stage(args.build, args.prefix, folder)  # what is there stays if this fails
        if os.path.exists(os.path.join(args.root, manifest.NAME)):
            manifest.remove(args.root)
        count = manifest.add(folder + args.prefix, args.root)
    print(f"sluice: {count} files are in {args.root}")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"sluice install: {error}")
