"""Whether test/language/RULES.md says of each section of the language where it is tested."""

import os
import re

import layout

FOLDER = "test/language"
TABLE = FOLDER + "/RULES.md"
UNMET = "frontend/README.md"
# The sections of the reference; 7.7 only refers to others.
SECTIONS = {1: 7, 2: 7, 3: 6, 4: 2, 5: 0, 6: 0, 7: 9, 8: 6, 9: 3, 10: 0, 11: 3}
WITHOUT_RULES = {"7.7"}


def sections():
    names = [f"{n}.{k}" for n, count in SECTIONS.items() for k in range(1, count + 1)]
    return {str(n) for n, count in SECTIONS.items() if not count} | set(names) - WITHOUT_RULES


def unmet(path):
    """The sections of which a page says why a rule of theirs does not hold."""
    return set(re.findall(r"^\* (\d+(?:\.\d+)?): \*", layout.text(path), re.M))


def rows(path):
    """The cells of each row of the table: section, rules, path of the test."""
    for line in layout.text(path).splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if cells and re.fullmatch(r"\d+(\.\d+)?", cells[0]):
            yield cells


def named_in(content):
    """The sections that comments of a test name: `// language.md 2.4, 3.3: what the rule says`."""
    for numbers in re.findall(r"language\.md ((?:\d+(?:\.\d+)?(?:, )?)+):", content):
        yield from numbers.split(", ")


def rules_have_tests(root):
    """Each section of the language has tests that show its rules, or a reason why not."""
    wrong, seen, reasons = [], {}, unmet(os.path.join(root, UNMET))
    for section, _, path in rows(os.path.join(root, TABLE)):
        seen.setdefault(section, set()).add(path)
        if not os.path.exists(os.path.join(root, path)):
            wrong.append(f"{TABLE}: {section}: there is no {path}")
        elif path == UNMET and section not in reasons:
            wrong.append(f"{TABLE}: {section}: {UNMET} does not say why")
    wrong += [f"{TABLE}: no row for {section}" for section in sections() - set(seen)]
    wrong += [f"{TABLE}: {section} is no section" for section in set(seen) - sections()]
    wrong += [
        f"{UNMET}: {section} is not in {TABLE}"
        for section in reasons
        if UNMET not in seen.get(section, ())
    ]
    for name in sorted(os.listdir(os.path.join(root, FOLDER))):
        path = f"{FOLDER}/{name}"
        if name.endswith(".spl"):
            named = set(named_in(layout.text(os.path.join(root, path))))
            listed = {section for section, paths in seen.items() if path in paths}
            wrong += [f"{path}: names {s}, and {TABLE} does not" for s in named - listed]
            wrong += [f"{TABLE}: {path} does not name {s}" for s in listed - named]
    return "\n".join(wrong) or None


RULES = [rules_have_tests]
