"""Which tests the difference to main touches, for `sluice test --changed`."""

import os
import re
import subprocess

# What a changed path calls for: (pattern of the path, group, filter made of the pattern's parts).
# Every row that matches counts; lint runs in any case.
ROWS = [
    (r"test/unit/\w+/(\w+?)(?:Test)?\.(?:cpp|h)$", "unit", r"\1"),
    (r"test/(frontend|ir|passes|codegen|e2e|docs|sim)/(.+)\.\w+$", "lit", r"\1/\2"),
    (r"test/cases/([^/]+)/", "cases", r"\1"),
    (r"test/conformance/(?:.*/)?([^/]+)\.\w+$", "conformance", r"\1"),
    (r"examples/([^/]+)/", "examples", r"\1"),
    (r"stdlib/operators/(\w+)/", "lit", r"\1/test"),
    (r"toolkits/(\w+)/", "lit", r"\1/"),
    (r"stdlib/(native|spl|rules)/", "cases", r""),
    (r"frontend/(syntax|modules|sema|emit|types|diagnostics)/", "lit", r"frontend/\1"),
    (r"frontend/", "lit", r"frontend/"),
    (r"ir/", "lit", r"ir/"),
    (r"passes/", "lit", r"passes/"),
    (r"codegen/", "lit", r"codegen/"),
    (r"runtime/.*/(\w+)\.(?:cpp|h)$", "unit", r"\1"),
    (r"runtime/(exec|queue|value|memory)/", "programs", r""),
    (r"tools/driver/(\w+)/", "lit", r"e2e/\1"),
    (r"(?:docs/.*|.*README)\.md$", "lit", r"docs"),
]


def git(root, *command):
    out = subprocess.run(["git", *command], cwd=root, capture_output=True, text=True)
    return out.stdout.split("\n") if out.returncode == 0 else []


def files(root):
    """What differs from where this branch has left main, and what git does not know yet."""
    base = "HEAD"
    for name in ("origin/main", "main"):
        found = git(root, "merge-base", name, "HEAD")
        if found:
            base = found[0]
            break
    known = git(root, "diff", "--name-only", base)
    unknown = git(root, "ls-files", "-o", "--exclude-standard")
    return sorted({path for path in known + unknown if path})


def tests(root):
    """(group, filter) of each set of tests to run, without sets that another one holds."""
    wanted = {"lint": {""}}
    for path in files(root):
        for pattern, group, name in ROWS:
            found = re.match(pattern, path)
            if found:
                wanted.setdefault(group, set()).add(found.expand(name))
    for group, names in wanted.items():
        narrow = {n for n in names if any(o != n and o in n for o in names)}
        yield from ((group, name) for name in sorted(names - narrow))
