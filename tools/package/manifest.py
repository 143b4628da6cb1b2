"""What `sluice install` has put where: PREFIX/share/sluice/manifest has a line for each file and for
each folder that was made for them, relative to PREFIX; names of folders end with a slash."""

import os
import shutil

NAME = os.path.join("share", "sluice", "manifest")


def files(folder):
    """All files below, relative to `folder`."""
    return sorted(
        os.path.relpath(os.path.join(base, name), folder)
        for base, _, names in os.walk(folder)
        for name in names
    )


def add(staged, prefix):
    """Copies the files below `staged` to `prefix`. Raises OSError; then `remove` removes what has
    been copied. Returns the number of files."""
    names = [*files(staged), NAME]
    folders = set()
    for name in names:
        parent = os.path.dirname(name)
        while parent and not os.path.isdir(os.path.join(prefix, parent)):
            folders.add(parent + "/")
            parent = os.path.dirname(parent)
    made_prefix = not os.path.isdir(prefix)
    os.makedirs(os.path.join(prefix, os.path.dirname(NAME)), exist_ok=True)
    with open(os.path.join(prefix, NAME), "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in [*names, *sorted(folders)] + ["/"] * made_prefix)
    for folder in sorted(folders):
        os.makedirs(os.path.join(prefix, folder), exist_ok=True)
    for name in names[:-1]:
        target = os.path.join(prefix, name)
        if os.path.lexists(target):
            os.remove(target)  # a program that runs keeps its file
        shutil.copy2(os.path.join(staged, name), target, follow_symlinks=False)
    return len(names)


def remove(prefix):
    """Removes what the manifest names, as far as it is there. Raises OSError. Returns the number of
    files that are named."""
    with open(os.path.join(prefix, NAME), encoding="utf-8") as file:
        lines = file.read().splitlines()
    names = [line for line in lines if not line.endswith("/")]
    for name in names:
        path = os.path.join(prefix, name)
        if os.path.islink(path) or os.path.isfile(path):
            os.remove(path)
    for folder in sorted((line for line in lines if line.endswith("/")), reverse=True):
        path = os.path.join(prefix, folder.rstrip("/"))
        if os.path.isdir(path) and not os.listdir(path):  # others may have put files there
            os.rmdir(path)
    return len(names)
