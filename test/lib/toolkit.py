"""Rules of the toolkit: its operators lie in folders of their own, and the compiler knows neither
an operator nor a function by name."""

import glob
import itertools
import os
import re

import layout

# Folders of operators, one each, and the list of those that have code in the compiler.
OPERATORS = {"stdlib/operators": "stdlib/operators/Operators.def"}
OPERATORS |= {"toolkits/*/operators": "toolkits/Operators.def"}
SHARED = "shared"  # beside the operators of a toolkit

# What files of OPERATOR/NAME may include, by the end of the name. The first that fits
# counts; what is listed is forbidden.
INCLUDES = (
    ("Rules.cpp", ("ir", "passes", "codegen", "runtime", "tools", "mlir")),
    ("Rules.h", ("ir", "passes", "codegen", "runtime", "tools", "mlir")),
    ("Expand.cpp", ("frontend", "codegen", "runtime", "tools")),
    ("Expand.h", ("frontend", "codegen", "runtime", "tools")),
    ("Test.cpp", ("frontend", "ir", "passes", "codegen", "tools", "llvm", "mlir")),
    ("", ("frontend", "ir", "passes", "codegen", "tools", "llvm", "mlir")),
)

# File and string -> why it may stand there. At most five.
INTRINSICS = "frontend/sema/expr/call/Intrinsic.cpp"
EXCEPTIONS = {
    (
        "frontend/emit/LiftBuilder.cpp",
        "sl_appendM_Lgg",
    ): "called by code that stands for no call in SPL",
    (
        "frontend/emit/EventTime.cpp",
        "eventNanos",
    ): "called by code that stands for no call in SPL",
    (INTRINSICS, "getThisOperatorName"): "of the language; the function adds channels to a name",
}


def operator_includes(root):
    wrong = []
    for path in layout.files(root, "stdlib/operators", "toolkits"):
        banned = next(banned for end, banned in INCLUDES if path.endswith(end))
        if path.endswith(layout.SOURCE):
            for number, line in enumerate(layout.text(path).splitlines(), 1):
                found = re.match(r'\s*#\s*include\s*[<"](\w+)/', line)
                if found and found.group(1) in banned:
                    wrong.append(f"{os.path.relpath(path, root)}:{number}: {line.strip()}")
    return "\n".join(wrong) or None


def operators_are_listed(root):
    """The lists have the rules and expansions that are there, and no others."""
    wrong = []
    for (where, listed), (word, file) in itertools.product(
        OPERATORS.items(), (("RULES", "Rules.cpp"), ("EXPANSION", "Expand.cpp"))
    ):
        if not os.path.exists(os.path.join(root, listed)):
            continue
        content = layout.text(os.path.join(root, listed))
        names = set(re.findall(rf'^{word}\("[\w.]+::(\w+)"', content, re.M))
        for folder in glob.glob(os.path.join(root, where, "*/")):
            name = os.path.basename(folder[:-1])
            if name == SHARED:
                continue
            if os.path.exists(os.path.join(folder, file)) != (name in names):
                wrong.append(f"{where}/{name}: {file} and {word} do not agree")
            if not os.path.exists(os.path.join(folder, name + ".spl")):
                wrong.append(f"{where}/{name}: no {name}.spl")
    return "\n".join(wrong) or None


def declared(root):
    """Qualified names of operators, and names of functions and output functions."""
    operators, functions = set(), set()
    for path in layout.files(root, "stdlib/spl", "stdlib/operators", "toolkits"):
        if not path.endswith(".spl") or "/test/" in path:
            continue
        content = re.sub(r"/\*.*?\*/", "", layout.text(path), flags=re.S)
        namespace = re.search(r"^namespace ([\w.]+);", content, re.M).group(1)
        operators |= {
            f"{namespace}::{name}" for name in re.findall(r"^public operator (\w+)", content, re.M)
        }
        functions |= set(re.findall(r"\bpublic [^;(]*?\b(\w+)\(", content))
    return operators, functions


def no_names_of_the_toolkit(root):
    """A plain lower-case word may mean something else; its symbol may not."""
    operators, functions = declared(root)
    names = {name for name in functions if name.lower() != name}
    names |= operators | {name.split("::")[1] for name in operators}
    wrong = []
    for path in layout.files(root, "passes", "codegen", "frontend"):
        if not path.endswith((".cpp", ".h")):
            continue
        file = os.path.relpath(path, root)
        for number, line in enumerate(layout.text(path).splitlines(), 1):
            if re.match(r"\s*(//|#\s*include)", line):
                continue
            for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', line):
                symbol = re.match(r"sl_(\w+?)_", literal)
                known = literal in names or (symbol and symbol.group(1) in functions)
                if known and (file, literal) not in EXCEPTIONS:
                    wrong.append(f"{file}:{number}: {literal}")
    if len(EXCEPTIONS) > 5:
        wrong.append("more than five exceptions")
    return "\n".join(wrong) or None


OF_THE_LANGUAGE = {"Custom"}  # without it there are no statements in a graph


def texts_name_nothing_of_the_toolkit(root):
    """Code in the compiler's texts has `${power}(x, y)`, and the toolkit says `@also role power: pow`.
    Each role has one name."""
    operators, functions = declared(root)
    capital = {name.split("::")[1] for name in operators}
    capital |= {name for name in functions if name.lower() != name}
    wrong, used, given = [], set(), []
    for path in layout.files(root, "passes", "codegen", "frontend"):
        if not path.endswith((".cpp", ".h", ".def")):
            continue
        content = re.sub(r"^\s*//.*$", "", layout.text(path), flags=re.M)
        content = re.sub(r'"\s*\n\s*"', "", content)  # a text of several literals
        literals = re.findall(r'"((?:[^"\\\n]|\\.)*)"', content)
        for code in (part for literal in literals for part in literal.split("`")[1::2]):
            names = {word for word in re.findall(r"\w+", code) if word in capital}
            names |= {word for word in re.findall(r"(?<!\{)\b(\w+)\(", code) if word in functions}
            for name in sorted(names - OF_THE_LANGUAGE):
                wrong.append(f"{os.path.relpath(path, root)}: `{code}` has {name}")
        used |= set(re.findall(r"\$\{(\w+)\}|\brole\(\"(\w+)\"\)", content))
    for path in layout.files(root, "stdlib/spl", "stdlib/operators", "toolkits"):
        if path.endswith(".spl"):
            given += re.findall(r"// @also role (\w+): ", layout.text(path))
    roles = {role for pair in used for role in pair if role}
    wrong += [f"no toolkit says `@also role {role}`" for role in sorted(roles - set(given))]
    wrong += [f"role {role} is nowhere used" for role in sorted(set(given) - roles)]
    wrong += [f"role {role} is given twice" for role in sorted(set(given)) if given.count(role) > 1]
    return "\n".join(wrong) or None


RULES = [operator_includes, operators_are_listed, no_names_of_the_toolkit]
RULES += [texts_name_nothing_of_the_toolkit]
