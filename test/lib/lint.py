"""Rules that the tree keeps about itself. Each check returns None or what is wrong."""

import importlib.util
import os
import re

import comments
import counters
import errors
import fires
import floors
import language
import layout
import pages
import toolkit
from layout import text

# Folder -> folders that its files must not include (docs/architecture.md).
FORBIDDEN = {
    "support": ["frontend", "ir", "passes", "codegen", "runtime", "tools", "mlir"],
    "ir": ["frontend", "passes", "codegen", "runtime", "tools"],
    "frontend": ["passes", "codegen", "runtime", "tools"],
    "frontend/syntax": [
        "frontend/types",
        "frontend/modules",
        "frontend/sema",
        "frontend/emit",
        "ir",
    ],
    "frontend/diagnostics": ["frontend/modules", "frontend/sema", "frontend/emit", "ir"],
    "frontend/types": ["frontend/modules", "frontend/sema", "frontend/emit", "ir"],
    "frontend/modules": ["frontend/sema/expr", "frontend/sema/graph", "frontend/emit", "ir"],
    "frontend/sema": ["frontend/emit", "ir"],
    "frontend/sema/expr": ["frontend/sema/graph"],
    "frontend/emit": ["frontend/modules", "frontend/sema/expr", "frontend/sema/graph"],
    "passes": ["frontend", "codegen", "runtime", "tools"],
    "passes/analyze": ["passes/expand", "passes/place", "passes/print"],
    "passes/expand": ["passes/place", "passes/print"],
    "passes/place": ["passes/expand", "passes/print"],
    "codegen": ["frontend", "tools"],
    "codegen/convert": ["codegen/target", "codegen/vectorise"],
    "codegen/vectorise": ["codegen/convert", "codegen/segments", "codegen/target", "ir", "passes"],
    "runtime": ["frontend", "ir", "passes", "codegen", "tools", "llvm", "mlir"],
    "runtime/base": ["runtime/memory", "runtime/value", "runtime/queue", "runtime/exec"],
    "runtime/memory": ["runtime/value", "runtime/queue", "runtime/exec"],
    "runtime/value": ["runtime/queue", "runtime/exec"],
    "runtime/queue": ["runtime/value", "runtime/exec"],
    "runtime/elastic/model": ["runtime/elastic/paper"],
    "runtime/elastic/model/costs": [
        "runtime/elastic/model/solve",
        "runtime/elastic/model/load",
        "runtime/elastic/model/compare",
    ],
    "runtime/elastic/model/solve": ["runtime/elastic/model/load", "runtime/elastic/model/compare"],
    "runtime/elastic/model/load": ["runtime/elastic/model/compare"],
    "runtime/elastic/paper": ["runtime/elastic/model"],
    "stdlib/native": ["frontend", "ir", "passes", "codegen", "tools", "llvm", "mlir"],
}


# Enumerations of what programs and the toolkit declare and the IR carries.
EVERYBODY = ["ir/Enums.h", "passes/expand/HandlerBuilder.h"]


def sources(root, *folders):
    return (path for path in layout.files(root, *folders) if path.endswith(layout.SOURCE))


def include_directions(root):
    wrong = []
    for folder, banned in FORBIDDEN.items():
        for path in sources(root, folder):
            for number, line in enumerate(text(path).splitlines(), 1):
                found = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
                if not found:
                    continue
                header = found.group(1)
                if header in EVERYBODY:
                    continue
                # Codegen may see the runtime's ABI and nothing else of it.
                hidden = folder == "codegen" and header.startswith("runtime/")
                hidden = hidden and not header.startswith("runtime/include/")
                if hidden or any(header.startswith(name + "/") for name in banned):
                    wrong.append(f"{os.path.relpath(path, root)}:{number}: {line.strip()}")
    return "\n".join(wrong) or None


def pass_files_do_not_include_each_other(root):
    """Passes meet in the IR: no pass includes the header of another (the driver may)."""
    passes = {
        path: text(path)
        for path in sources(root, "passes", "codegen")
        if path.endswith(".cpp") and "GEN_PASS_DEF" in text(path)
    }
    headers = {os.path.relpath(path, root)[:-4] + ".h": path for path in passes}
    wrong = []
    for path, content in passes.items():
        for header in re.findall(r'#\s*include\s*"([^"]+)"', content):
            if header in headers and headers[header] != path:
                wrong.append(
                    f"{os.path.relpath(path, root)} includes {header}, which belongs to another"
                    " pass"
                )
    return "\n".join(wrong) or None


def policies_are_pure(root):
    """A policy is a function of what it is given: it can be replayed and simulated."""
    impure = (
        r"(thread|atomic|mutex|condition_variable|future|chrono|ctime|time\.h|fstream|iostream"
        r"|cstdio|stdio\.h|random|unistd\.h)[>\"]"
    )
    wrong = []
    for path in sources(root, "runtime/elastic"):
        for number, line in enumerate(text(path).splitlines(), 1):
            include = re.match(r'\s*#\s*include\s*([<"].*)', line)
            if include and (
                re.match(r'[<"](\w+/)*' + impure, include.group(1))
                or (
                    include.group(1)[0] == '"'
                    and not include.group(1).startswith('"runtime/elastic/')
                )
            ):
                wrong.append(f"{os.path.relpath(path, root)}:{number}: {line.strip()}")
    return "\n".join(wrong) or None


# What the compiler's parts before codegen may see of the ABI (docs/architecture.md).
SHARED_HEADERS = ("Kinds.def", "kinds.h", "enums.h", "decimal.h", "xml.h")


def only_shared_headers(root):
    wrong = []
    for path in sources(root, "frontend", "ir", "passes"):
        for number, line in enumerate(text(path).splitlines(), 1):
            found = re.match(r'\s*#\s*include\s*[<"]sluice/([^>"]+)[>"]', line)
            if found and found.group(1) not in SHARED_HEADERS:
                wrong.append(f"{os.path.relpath(path, root)}:{number}: {line.strip()}")
    return "\n".join(wrong) or None


# MLIR's interface of functions asks for these two.
DICTIONARIES = ("arg_attrs", "res_attrs")


def dialects_have_no_dictionaries(root):
    """What a later phase reads is typed."""
    wrong = []
    for path in sources(root, "ir"):
        if not path.endswith(".td"):
            continue
        for number, line in enumerate(text(path).splitlines(), 1):
            for name in re.findall(r"Dict(?:ionary|Array)?Attr>?:\$(\w+)", line):
                if name not in DICTIONARIES:
                    wrong.append(f"{os.path.relpath(path, root)}:{number}: {name}")
    return "\n".join(wrong) or None


def only_adapt_joins(root):
    """Policies and what runs programs know nothing of each other; exec/watch shows both."""
    wrong = []
    for path in sources(
        root,
        *(
            "runtime/" + folder
            for folder in ("base", "exec", "include", "memory", "queue", "value")
        ),
    ):
        if os.path.relpath(path, root).startswith("runtime/exec/watch/"):
            continue
        for number, line in enumerate(text(path).splitlines(), 1):
            if re.match(r'\s*#\s*include\s*"runtime/(adapt|elastic|trace)/', line):
                wrong.append(f"{os.path.relpath(path, root)}:{number}: {line.strip()}")
    return "\n".join(wrong) or None


# Who may read the clock of the machine where it tells the date.
WALL_CLOCK = (
    "runtime/base/",
    "runtime/exec/checkpoint/",  # dates of checkpoints
    "runtime/exec/state/Clock.cpp",
    "runtime/exec/source/Time.cpp",
    "runtime/adapt/Setup.cpp",
    "runtime/exec/watch/JobEntry.cpp",  # since when it runs
)
CLOCKS = r"\b(clock_gettime|gettimeofday|std::chrono::\w*_clock|time\(nullptr\)|time\(NULL\)"


def programs_see_one_clock(root):
    """What operators and functions know of time comes from runtime/exec/state/Clock.h."""
    wrong = []
    for path in sources(root, "runtime", "stdlib", "toolkits"):
        name = os.path.relpath(path, root)
        if name.startswith("runtime/base/") or "/test/" in name:
            continue
        banned = CLOCKS
        if name.startswith(("stdlib/", "toolkits/")):
            banned += r"|os::now|os::wallClock"
        elif not name.startswith(WALL_CLOCK):
            banned += r"|os::wallClock"
        for number, line in enumerate(text(path).splitlines(), 1):
            if re.search(banned + ")", line):
                wrong.append(f"{name}:{number}: {line.strip()}")
    return "\n".join(wrong) or None


def tests_text(root, *folders):
    parts = []
    for folder in folders:
        for base, _, files in os.walk(os.path.join(root, folder)):
            for name in files:
                with open(os.path.join(base, name), encoding="utf-8", errors="replace") as file:
                    parts.append(file.read())
    return "\n".join(parts)


def every_pass_has_a_test(root):
    missing = []
    for td in ("passes/Passes.td", "codegen/Passes.td"):
        names = re.findall(r'Pass<"([a-z0-9-]+)"', text(os.path.join(root, td)))
        tests = tests_text(root, "test/passes", "test/codegen", "stdlib/operators", "toolkits")
        missing += [
            f"{td}: no test runs --{name}"
            for name in names
            if not re.search(rf"-?-{re.escape(name)}\b", tests)
        ]
    return "\n".join(missing) or None


def every_op_has_a_test(root):
    tests = tests_text(
        root,
        *("test/ir", "test/passes", "test/codegen", "test/frontend"),
        *("stdlib/operators", "toolkits"),
    )
    missing = []
    for dialect, file in (
        ("spl", "SplOps.td"),
        ("spl", "SplCallOps.td"),
        ("stream", "StreamOps.td"),
        ("stream", "StreamHandlerOps.td"),
    ):
        for name in re.findall(
            r'def \w+Op : \w+_Op<"([a-z_]+)"', text(os.path.join(root, "ir", file))
        ):
            if not re.search(rf"\b{dialect}\.{name}\b", tests):
                missing.append(f"ir/{file}: no test has {dialect}.{name}")
    return "\n".join(missing) or None


def every_diagnostic_has_a_test(root):
    """A test of the frontend has the longest run of fixed words of the message, or its name."""
    tests = tests_text(
        root,
        *("test/frontend", "test/e2e", "test/unit/frontend", "test/fuzz"),
        *("stdlib/operators", "toolkits"),
    )
    tests = re.sub(
        r"\s+", " ", re.sub(r'"\s*\n\s*"', "", tests)
    )  # a literal may be in several pieces
    missing = []
    for name, message in re.findall(
        r'^(?:DIAG|NOTE)\((\w+),(?:\s*\w+,\s*\d+,)?\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)',
        text(os.path.join(root, "frontend/diagnostics/Diagnostics.def")),
        re.M,
    ):
        message = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', message)).replace('\\"', '"')
        words = max(re.split(r"\{\d+\}", message), key=len).strip(" `")
        if words not in tests and name not in tests:
            missing.append(f"{name}: no test has `{words}`")
    return "\n".join(missing) or None


def mistakes_can_be_made(root):
    """Each text that test/windows/mutants.py replaces stands once in its file."""
    folder = os.path.join(root, "test", "windows")
    spec = importlib.util.spec_from_file_location("mutants", os.path.join(folder, "mutants.py"))
    mutants = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(mutants)
    tables = [(root, mutants.CODE), (folder, mutants.REFERENCE)]
    wrong = [
        f"{name}: {text(os.path.join(top, name)).count(old)} times: {old!r}"
        for top, table in tables
        for name, old, _ in table
        if text(os.path.join(top, name)).count(old) != 1
    ]
    return "\n".join(wrong) or None


def expected_failures_exist(root):
    folder = os.path.join(root, "test/conformance")
    names = [
        l.split(":")[0]
        for l in text(os.path.join(folder, "expected-failures.txt")).splitlines()
        if l.strip() and not l.startswith("#")
    ]
    return (
        "\n".join(
            f"expected-failures.txt: there is no {name}"
            for name in names
            if not os.path.exists(os.path.join(folder, name, "Main.spl"))
        )
        or None
    )


def folders_have_readmes(root):
    need = [
        "frontend",
        "ir",
        "passes",
        "codegen",
        "support",
        "runtime",
        "runtime/adapt",
        "runtime/exec",
        "runtime/value",
        "stdlib",
        "toolkits",
        "tools",
        "test",
        "bench",
        "examples",
    ]
    missing = [f for f in need if not os.path.exists(os.path.join(root, f, "README.md"))]
    return "no README.md in: " + ", ".join(missing) if missing else None


def examples_are_whole(root):
    wrong = []
    base = os.path.join(root, "examples")
    for name in sorted(os.listdir(base)):
        folder = os.path.join(base, name)
        if os.path.isdir(folder):
            wrong += [
                f"examples/{name}: no {part}"
                for part in ("README.md", "expected")
                if not os.path.exists(os.path.join(folder, part))
                and not (part == "expected" and os.path.exists(os.path.join(folder, "check")))
            ]
    return "\n".join(wrong) or None


def checks(root, build):
    rules = [
        *layout.RULES,
        *floors.RULES,
        *comments.RULES,
        *fires.RULES,
        *pages.RULES,
        *toolkit.RULES,
        *language.RULES,
        include_directions,
        policies_are_pure,
        only_adapt_joins,
        programs_see_one_clock,
        only_shared_headers,
        dialects_have_no_dictionaries,
        pass_files_do_not_include_each_other,
        every_pass_has_a_test,
        every_op_has_a_test,
        every_diagnostic_has_a_test,
        *errors.RULES,
        *counters.RULES,
        expected_failures_exist,
        mistakes_can_be_made,
        folders_have_readmes,
        examples_are_whole,
    ]
    of_build = floors.exec_calls_keep_their_floor
    return [(rule.__name__, lambda rule=rule: rule(root)) for rule in rules] + [
        (of_build.__name__, lambda: of_build(root, build))
    ]
