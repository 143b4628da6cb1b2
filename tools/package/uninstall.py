#!/usr/bin/env python3
"""Removes what `sluice install` has put into DIR, and nothing else; called as
`sluice uninstall [--prefix DIR]`. DESTDIR in the environment is put before DIR."""

import os
import sys

import manifest
from install import arguments


def main():
    args = arguments(__doc__, "uninstall")
    if not os.path.exists(os.path.join(args.root, manifest.NAME)):
        sys.exit(f"sluice uninstall: nothing is installed in {args.root}")
    print(f"sluice: removed {manifest.remove(args.root)} files from {args.root}")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"sluice uninstall: {error}")
