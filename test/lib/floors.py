"""The floors of runtime/exec: which folder may include which other one, and may call it."""

import graphlib
import os
import re

import layout

# Folder of runtime/exec -> folders of it that it may include, from the bottom up. A new folder
# is an error until it has a row.
EXEC = {
    "options": "",
    "saved": "",
    "counters": "",
    "job": "options",
    "table": "options",
    "state": "options counters table",
    "ending": "state table",
    "batch": "state table",
    "dispatch": "batch ending state table counters saved",
    "shared": "dispatch batch state counters",
    "source": "dispatch batch ending state table options",
    "metrics": "dispatch ending state table counters",
    "delivery": "dispatch ending state job",
    "memory": "ending state table job options",
    "stop": "metrics dispatch ending state table",
    "remote": "delivery source dispatch batch ending state job options counters",
    "exchange": "source dispatch batch ending state job",
    "run": "*",
}
# The rest of the runtime and the toolkit may include these of it.
OUTSIDE = {
    "runtime/adapt": [
        "counters",
        "dispatch/QueueClient.h",
        "ending/Messages.h",
        "metrics",
        "options",
        "run/Adapter.h",
        "run/Queues.h",
        "source/Flight.h",
        "state",
        "table",
    ],
    "stdlib": ["exchange", "job/Job.h", "metrics/PortFigures.h", "saved", "state/Program.h"],
}
PREFIX = "runtime/exec/"


def rows(root):
    """The table with sets, `*` resolved."""
    table = {folder: set(row.split()) for folder, row in EXEC.items()}
    table["run"] = set(EXEC) - {"run"}
    return table


def includes(root, folder):
    """(path, number of the line, header below runtime/exec) of each include of it."""
    for path in layout.files(root, folder):
        if not path.endswith(layout.SOURCE):
            continue
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                found = re.match(r'\s*#\s*include\s*"' + PREFIX + r'([^"]+)"', line)
                if found:
                    yield os.path.relpath(path, root), number, found.group(1)


def exec_folders_keep_their_floor(root):
    """An include of another folder of runtime/exec is in the row of the folder."""
    table = rows(root)
    graphlib.TopologicalSorter(table).prepare()  # raises if two folders may include each other
    folders = {
        name
        for name in os.listdir(os.path.join(root, PREFIX))
        if os.path.isdir(os.path.join(root, PREFIX, name))
    }
    wrong = [f"{PREFIX}{name} has no row in test/lib/floors.py" for name in folders - set(table)]
    wrong += [
        f"test/lib/floors.py: there is no folder {PREFIX}{name}" for name in set(table) - folders
    ]
    for folder in folders & set(table):
        for path, number, header in includes(root, PREFIX + folder):
            to = header.split("/")[0]
            if to != folder and to not in table[folder]:
                wrong.append(f"{path}:{number}: {folder} may not include {header}")
    return "\n".join(sorted(wrong)) or None


def others_see_little_of_exec(root):
    """What lies outside includes only what OUTSIDE lists."""
    wrong = []
    for folder, allowed in OUTSIDE.items():
        for path, number, header in includes(root, folder):
            if not any(header == name or header.startswith(name + "/") for name in allowed):
                wrong.append(f"{path}:{number}: {folder} may not include {PREFIX}{header}")
    return "\n".join(wrong) or None


RULES = [exec_folders_keep_their_floor, others_see_little_of_exec]
