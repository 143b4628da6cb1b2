"""Rules for how files look: their length, the width of lines, the size of folders, the format."""

import io
import os
import re
import shutil
import subprocess
import tokenize

FOLDERS = (
    *("frontend", "ir", "passes", "codegen", "runtime", "stdlib", "toolkits", "tools", "test"),
    *("bench", "cluster", "cmake", "docs", "examples", "support"),
)
SOURCE = (".cpp", ".h", ".td", ".py", ".def")
LINES = 500  # of a file
REGISTRY_LINES = 1200  # of a .def file
FILES = 25  # source files in a folder
CODE_WIDTH, PROSE_WIDTH = 100, 120
GENERATED = (".log", ".errlog", ".o", ".so", ".a", ".pyc", ".trace")
LARGEST = 64 << 10  # bytes of a file that somebody has written
CODE = (*SOURCE, ".java", ".js", ".css", ".cmake", "CMakeLists.txt")
CLANG_FORMAT = "clang-format-22"


def files(root, *folders):
    """The paths of all files of our own in these folders. Programs of the conformance suite and
    inputs of tests are data."""
    for folder in folders:
        for base, dirs, names in os.walk(os.path.join(root, folder)):
            skip = ("build", "__pycache__", "conformance", "cases", "Inputs")
            dirs[:] = sorted(d for d in dirs if d not in skip)
            for name in sorted(names):
                yield os.path.join(base, name)


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def file_sizes(root):
    long = []
    for path in files(root, *FOLDERS):
        if path.endswith(SOURCE):
            count = text(path).count("\n")
            limit = REGISTRY_LINES if path.endswith(".def") else LINES
            if count > limit:
                long.append(f"{os.path.relpath(path, root)}: {count} lines, the limit is {limit}")
    return "\n".join(long) or None


def folder_sizes(root):
    counts = {}
    for path in files(root, *FOLDERS):
        if path.endswith(SOURCE):
            folder = os.path.relpath(os.path.dirname(path), root)
            counts[folder] = counts.get(folder, 0) + 1
    return (
        "\n".join(
            f"{folder}: {count} source files, the limit is {FILES}"
            for folder, count in counts.items()
            if count > FILES
        )
        or None
    )


def quoted_lines(source):
    """The numbers of the lines inside strings of several lines: programs in another language."""
    inside = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.STRING and token.end[0] > token.start[0]:
            inside.update(range(token.start[0], token.end[0] + 1))
    return inside


def line_widths(root):
    wide = []
    top = [os.path.join(root, name) for name in os.listdir(root)]
    for path in [*files(root, *FOLDERS), *filter(os.path.isfile, top)]:
        name = os.path.relpath(path, root)
        limit = PROSE_WIDTH if path.endswith(".md") else CODE_WIDTH
        if not path.endswith((*CODE, ".md")) and name != "sluice":
            continue
        content = text(path)
        skip = quoted_lines(content) if path.endswith(".py") else set()
        for number, line in enumerate(content.splitlines(), 1):
            if len(line) > limit and number not in skip:
                wide.append(f"{name}:{number}: {len(line)} columns, the limit is {limit}")
    return "\n".join(wide) or None


def format_is_clean(root):
    if not shutil.which(CLANG_FORMAT):
        return f"{CLANG_FORMAT} is not installed"
    paths = [path for path in files(root, *FOLDERS) if path.endswith((".cpp", ".h"))]
    out = subprocess.run(
        [CLANG_FORMAT, "--dry-run", "--Werror", *paths], cwd=root, capture_output=True, text=True
    )
    wrong = sorted(set(re.findall(r"^(.*?):\d+:\d+: error:", out.stderr, re.M)))
    names = "\n".join(os.path.relpath(path, root) for path in wrong)
    return f"run {CLANG_FORMAT} -i on:\n{names}" if out.returncode else None


def nothing_is_generated(root):
    """What programs have written belongs to nobody's commit: logs, objects, and large files but for
    data of examples."""
    out = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True)
    wrong = [
        name
        for name in out.stdout.splitlines()
        if name.endswith(GENERATED)
        or (
            os.path.exists(os.path.join(root, name))
            and os.path.getsize(os.path.join(root, name)) > LARGEST
            and not name.startswith("examples/")
        )
    ]
    return "generated, by the look of it: " + ", ".join(wrong) if wrong else None


RULES = [file_sizes, folder_sizes, line_widths, format_is_clean, nothing_is_generated]
