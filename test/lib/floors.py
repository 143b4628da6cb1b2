"""The floors of runtime/exec: which folder may include which other one, and may call it."""

import graphlib
import os
import re
import subprocess

import layout

# Folder of runtime/exec -> folders of it that it may include, from the bottom up. A new folder
# is an error until it has a row.
EXEC = {
    "options": "",
    "saved": "",
    "counters": "",
    "files": "saved",
    "job": "options",
    "table": "options counters",
    "tap": "table",
    "state": "options counters table",
    "ending": "state table",
    "batch": "state table",
    "dispatch": "batch ending state table counters saved tap",
    "shared": "dispatch batch ending state counters saved tap",
    "source": "dispatch batch ending state table options",
    "metrics": "dispatch ending state table counters",
    "watch": "metrics dispatch ending state table counters options tap",
    "delivery": "dispatch ending state job",
    "memory": "ending state table job options",
    "stop": "metrics dispatch ending state table",
    "remote": "delivery source dispatch batch ending state table job options counters saved",
    "exchange": "source dispatch batch ending state job",
    "spool": "files source dispatch state table",
    "checkpoint": "spool files source shared dispatch batch ending state table counters saved",
    "member": "checkpoint files job ending state",
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
        "watch/Describe.h",
    ],
    "stdlib": [
        "exchange",
        "job/Job.h",
        "job/KeptFiles.h",
        "metrics/PortFigures.h",
        "saved",
        "spool/Spool.h",
        "state/Program.h",
    ],
    "toolkits": [],
    "runtime/base": [],
    "runtime/elastic": [],
    "runtime/exchange": [],
    "runtime/external": [],
    "runtime/memory": [],
    "runtime/queue": [],
    "runtime/remote": [],
    "runtime/sim": [],
    "runtime/trace": [],
    "runtime/value": [],
    "runtime/watch": [],
}
PREFIX = "runtime/exec/"
# The client of the queues is one class for their templates. These members of it are defined in
# shared, above dispatch, which has the class: a pointer for each would cost a call.
FROM_BELOW = r"::QueueClient::(isAlone|runTicket|handOut|split|unite|partition|runPart|join)\("


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
    try:
        graphlib.TopologicalSorter(table).prepare()
    except graphlib.CycleError as cycle:
        return "folders that may include each other: " + " ".join(cycle.args[1])
    folders = {
        name
        for name in os.listdir(os.path.join(root, PREFIX))
        if os.path.isdir(os.path.join(root, PREFIX, name))
    }
    wrong = [f"{PREFIX}{name} has no row in test/lib/floors.py" for name in folders - set(table)]
    wrong += [
        f"test/lib/floors.py: there is no folder {PREFIX}{name}" for name in set(table) - folders
    ]
    unknown = set().union(*table.values()) - set(table)
    wrong += [f"test/lib/floors.py: a row has the unknown folder {name}" for name in unknown]
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


def exec_folders_have_pages(root):
    """Each folder of runtime/exec says what it owns, and the index links to it."""
    with open(os.path.join(root, PREFIX, "README.md"), encoding="utf-8") as file:
        index = file.read()
    wrong = []
    for folder in EXEC:
        page = f"{PREFIX}{folder}/README.md"
        if not os.path.exists(os.path.join(root, page)):
            wrong.append(f"there is no {page}")
        if f"({folder}/README.md)" not in index:
            wrong.append(f"{PREFIX}README.md does not link to {folder}/README.md")
    return "\n".join(wrong) or None


def symbols(build, root):
    """(folder, object, kind, name) of each symbol of the objects of runtime/exec."""
    base = os.path.join(build, "runtime/CMakeFiles/sluicert.dir/exec")
    for folder in EXEC:
        objects = os.path.join(base, folder)
        if not os.path.isdir(objects):
            raise FileNotFoundError(f"{objects}: build the runtime first")
        for name in sorted(os.listdir(objects)):
            source = os.path.join(root, PREFIX, folder, name[: -len(".o")])
            if name.endswith(".o") and os.path.exists(source):
                path = os.path.join(base, folder, name)
                listing = subprocess.run(
                    ["nm", "-P", "-C", path], capture_output=True, text=True, check=True
                )
                for line in listing.stdout.splitlines():
                    found = re.match(r"(.*) ([A-Za-z])(?: [0-9a-f ]*)?$", line)
                    if found:
                        yield folder, name, found.group(2), found.group(1)


def exec_calls_keep_their_floor(root, build):
    """No object of a folder needs a definition of a folder that it may not include."""
    table = rows(root)
    home, needs = {}, []
    for folder, name, kind, symbol in symbols(build, root):
        if symbol.startswith("sl_"):
            continue  # the ABI: generated code calls it, wherever it is defined
        if kind in "TDBR":
            home[symbol] = folder
        elif kind == "U":
            needs.append((folder, name, symbol))
    wrong = [
        f"{PREFIX}{folder}/{name}: {folder} may not need {symbol}, which is of {home[symbol]}"
        for folder, name, symbol in needs
        if home.get(symbol, folder) not in table[folder] | {folder}
        and not re.search(FROM_BELOW, symbol)
    ]
    return "\n".join(wrong) or None


RULES = [exec_folders_keep_their_floor, others_see_little_of_exec, exec_folders_have_pages]
