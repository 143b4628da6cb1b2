"""Each of these rules says what is wrong with a small tree that is wrong."""

import os
import tempfile

import comments
import toolkit

GRAMMAR = "frontend/syntax/SPL.g4"
# Rule, the files of the tree, what the rule has to say.
WRONG = [
    (
        comments.comments_stand_on_declarations,
        {"ir/A.h": "/// Adds.\n\nint add(int a);\n"},
        "ir/A.h:1: nothing stands below",
    ),
    (
        comments.comments_name_parameters_below,
        {
            GRAMMAR: "USE : 'use';\n",
            "ir/A.h": "/// Adds `a` by `use` and `step`.\nint add(int a);\n"
            "int sub(int b, int step = 1);\n\n/// Takes `b` from `a`.\nint sub(int a);\n",
        },
        "ir/A.h:5: `b` is a parameter of sub",
    ),
    (
        comments.comments_begin_with_their_verb,
        {"ir/A.h": "  /// Notes names.\n  bool isName(int a);\n  void noteName(int a);\n"},
        "ir/A.h:1: this seems to describe noteName",
    ),
    (
        comments.numbered_lists_have_no_holes,
        {"docs/a.md": "1. a\n   1. b\n   2. c\n2. d\n\n# E\n\n3. f\n5. g\n"},
        "docs/a.md:9: 5. follows 3.",
    ),
    (
        comments.referred_numbers_are_there,
        {"ir/README.md": "1. a\n2. b\n", "ir/A.h": "// See invariant 3, invariant 2.\n"},
        "ir/A.h: ir/README.md has no invariant 3",
    ),
    (
        comments.referred_numbers_are_there,
        {"ir/A.td": "  (a) one;\n  (b) two\n", "ir/b/B.h": "// Rules (a) and (b), rule (c).\n"},
        "ir/b/B.h: there is no rule (c)",
    ),
    (
        toolkit.texts_name_nothing_of_the_toolkit,
        {
            "stdlib/spl/math.spl": "namespace a;\n// @also role root: sqrt\n"
            "public float64 pow(int32 x);\n",
            "frontend/A.cpp": 'char a[] = "a power is "\n  "`pow(x)`, a root `${square}(x)`";\n',
        },
        "frontend/A.cpp: `pow(x)` has pow\nno toolkit says `@also role square`\n"
        "role root is nowhere used",
    ),
]


def rules_fire(root):
    silent = []
    for rule, files, wanted in WRONG:
        with tempfile.TemporaryDirectory() as tree:
            for name, content in files.items():
                os.makedirs(os.path.join(tree, os.path.dirname(name)), exist_ok=True)
                with open(os.path.join(tree, name), "w", encoding="utf-8") as file:
                    file.write(content)
            said = rule(tree)
        if not (said or "").startswith(wanted) or said.count("\n") != wanted.count("\n"):
            silent.append(f"{rule.__name__} says {said!r}, not {wanted!r}")
    return "\n".join(silent) or None


RULES = [rules_fire]
