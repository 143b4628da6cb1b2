"""Rules that the tree keeps about itself. Each check returns None or what is wrong."""
import os
import re

# Folder -> folders that its files must not include (architecture of the tree).
FORBIDDEN = {
    "ir": ["frontend", "passes", "codegen", "runtime", "tools"],
    "frontend": ["passes", "codegen", "runtime", "tools"],
    "passes": ["frontend", "codegen", "runtime", "tools"],
    "codegen": ["frontend", "tools"],
    "runtime": ["frontend", "ir", "passes", "codegen", "tools", "llvm", "mlir"],
    "stdlib": ["frontend", "ir", "passes", "codegen", "tools", "llvm", "mlir"],
}
LIMIT = 500
SOURCE = (".cpp", ".h", ".td", ".py", ".def")


def sources(root, *folders):
    for folder in folders:
        for base, dirs, files in os.walk(os.path.join(root, folder)):
            dirs[:] = [d for d in dirs if d not in ("build", "__pycache__", "conformance")]
            for name in files:
                if name.endswith(SOURCE):
                    yield os.path.join(base, name)


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def file_sizes(root):
    long = []
    for path in sources(root, "frontend", "ir", "passes", "codegen", "runtime", "stdlib", "tools", "test", "bench"):
        count = text(path).count("\n")
        limit = 1200 if path.endswith((".td", ".def")) else LIMIT
        if count > limit:
            long.append(f"{os.path.relpath(path, root)}: {count} lines, the limit is {limit}")
    return "\n".join(long) or None


def include_directions(root):
    wrong = []
    for folder, banned in FORBIDDEN.items():
        for path in sources(root, folder):
            for number, line in enumerate(text(path).splitlines(), 1):
                found = re.match(r'\s*#\s*include\s*[<"]([^/>"]+)/([^>"]*)', line)
                # Codegen may see the runtime's ABI and nothing else of it.
                if found and found.group(1) in banned:
                    wrong.append(f"{os.path.relpath(path, root)}:{number}: {line.strip()}")
                elif found and folder == "codegen" and found.group(1) == "runtime" and not found.group(2).startswith("include/"):
                    wrong.append(f"{os.path.relpath(path, root)}:{number}: {line.strip()}")
    return "\n".join(wrong) or None


def pass_files_do_not_include_each_other(root):
    """Passes meet in the IR: a pass's .cpp has no header that another could include."""
    wrong = []
    for path in sources(root, "passes"):
        if path.endswith(".cpp") and "GEN_PASS_DEF" in text(path):
            header = path[:-4] + ".h"
            if os.path.exists(header):
                wrong.append(f"{os.path.relpath(header, root)}: a pass has no header of its own")
    return "\n".join(wrong) or None


def tests_text(root, *folders):
    parts = []
    for folder in folders:
        for base, _, files in os.walk(os.path.join(root, "test", folder)):
            for name in files:
                with open(os.path.join(base, name), encoding="utf-8", errors="replace") as file:
                    parts.append(file.read())
    return "\n".join(parts)


def every_pass_has_a_test(root):
    missing = []
    for td in ("passes/Passes.td", "codegen/Passes.td"):
        names = re.findall(r'Pass<"([a-z0-9-]+)"', text(os.path.join(root, td)))
        tests = tests_text(root, "passes", "codegen")
        missing += [f"{td}: no test runs --{name}" for name in names if not re.search(rf"-?-{re.escape(name)}\b", tests)]
    return "\n".join(missing) or None


def every_op_has_a_test(root):
    tests = tests_text(root, "ir", "passes", "codegen", "frontend")
    missing = []
    for dialect, file in (("spl", "SplOps.td"), ("stream", "StreamOps.td")):
        for name in re.findall(r'def \w+Op : \w+_Op<"([a-z_]+)"', text(os.path.join(root, "ir", file))):
            if not re.search(rf"\b{dialect}\.{name}\b", tests):
                missing.append(f"ir/{file}: no test has {dialect}.{name}")
    return "\n".join(missing) or None


def every_diagnostic_has_a_test(root):
    """The fixed words of each message occur in a test of the frontend, or in the
    list of those not yet covered, which only shrinks."""
    tests = re.sub(r"\s+", " ", tests_text(root, "frontend", "e2e", "unit/frontend"))
    allowed = set()
    exempt = os.path.join(root, "test/lib/diagnostics-without-test.txt")
    if os.path.exists(exempt):
        allowed = {l.strip() for l in text(exempt).splitlines() if l.strip() and not l.startswith("#")}
    missing, covered = [], []
    for name, message in re.findall(r'^DIAG\((\w+),\s*\w+,\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', text(os.path.join(root, "frontend/Diagnostics.def")), re.M):
        message = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', message)).replace('\\"', '"')
        words = max(re.split(r"\{\d+\}", message), key=len).strip(" `")
        if len(words) < 4 or words in tests or name in tests:
            covered.append(name)
        elif name not in allowed:
            missing.append(f"{name}: no test has `{words}`")
    stale = sorted(allowed & set(covered))
    if stale:
        missing.append("covered now, take them off test/lib/diagnostics-without-test.txt: " + ", ".join(stale))
    return "\n".join(missing) or None


def folders_have_readmes(root):
    need = ["frontend", "ir", "passes", "codegen", "runtime", "runtime/exec", "runtime/value", "stdlib", "tools", "test",
            "bench", "examples"]
    missing = [f for f in need if not os.path.exists(os.path.join(root, f, "README.md"))]
    return "no README.md in: " + ", ".join(missing) if missing else None


def examples_are_whole(root):
    wrong = []
    base = os.path.join(root, "examples")
    for name in sorted(os.listdir(base)):
        folder = os.path.join(base, name)
        if os.path.isdir(folder):
            wrong += [f"examples/{name}: no {part}" for part in ("README.md", "expected")
                      if not os.path.exists(os.path.join(folder, part))]
    return "\n".join(wrong) or None


def checks(root):
    rules = [file_sizes, include_directions, pass_files_do_not_include_each_other, every_pass_has_a_test,
             every_op_has_a_test, every_diagnostic_has_a_test, folders_have_readmes, examples_are_whole]
    return [(rule.__name__, lambda rule=rule: rule(root)) for rule in rules]
