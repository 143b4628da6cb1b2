"""How a run of a program differs from the one that is right."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    kind: str  # the same for problems that have the same cause, as far as one can tell
    text: str = ""

    def __str__(self):
        return f"{self.kind}\n{self.text}" if self.text else self.kind


def text_of(of):
    return of.decode("utf-8", "replace")


def by_operator(out):
    """Word -> the lines that begin with it; sorted where their order does not count."""
    found = {}
    for line in out.split(b"\n"):
        found.setdefault(line.split(b" ")[0], []).append(line)
    return {w: sorted(lines) if w[:1] == b"u" else lines for w, lines in found.items()}


def without_marks(out):
    """An error ends streams where they are: their last punctuation may come early."""
    return b"\n".join(line for line in out.split(b"\n") if b" punct " not in line)


def differing_lines(wanted, got, complete):
    """What differs. In a program that was ended by an error an operator may be ahead in one run."""
    if not complete:
        wanted, got = without_marks(wanted), without_marks(got)
    wanted, got = by_operator(wanted), by_operator(got)
    for word in sorted(wanted.keys() | got.keys()):
        one, other = wanted.get(word, []), got.get(word, [])
        if not complete:
            if word[:1] == b"u":
                continue
            one, other = one[: len(other)], other[: len(one)]
        for i in range(max(len(one), len(other))):
            a, b = (text_of(lines[i]) if i < len(lines) else "(nothing)" for lines in (one, other))
            if a != b:
                return Problem("other lines", f"line {i + 1} of {text_of(word)}:\n- {a}\n+ {b}")
    return None


def fault(run):
    """What no program may do."""
    if run.how == "late":
        return Problem("no end")
    if run.how == "signal":
        return Problem(f"signal {run.what}")
    error = text_of(run.err)
    if run.what not in (0, 1) or "internal error" in error:
        return Problem(f"exit code {run.what}", error)
    for found in re.finditer(r"error: ([^\n]*)(?:\n[^\n]*){0,3}", error):
        # Errors of the program name its operator; those of the compiler do not.
        if not found.group(1).startswith("operator "):
            kind = re.sub(r"`[^`]*`|\d+", "", found.group(1))
            return Problem(f"refused: {kind}", found.group(0))
    return None


def unexpected(program, run):
    """An error of a program that is to have none: which of several ends it is left to chance."""
    if run.what != 0 and "errors: none" in program.split("\n", 1)[0]:
        return Problem("an error in a program without errors", text_of(run.err))
    return None


def errors_of(run):
    """The lines in any order, as several operators have said them. Where a program was ended, other
    operators may have been ahead: what they caught does not count."""
    text = text_of(run.err)
    if run.what != 0:
        text = re.sub(r"^.*: warning: operator .*\(caught\)\n(    .*\n)*", "", text, flags=re.M)
    return sorted(text.split("\n"))


def works_at_marks(program):
    """Whether an operator submits a tuple, or prints, at punctuation. Those at the end of the
    program do no more than to print what `without_marks` leaves out, without braces."""
    handler = r"onPunct \w+ : \{(?:(?!onTuple|onPunct|composite).)*?(?:submit\(\{|printStringLn)"
    return re.search(handler, program, re.S)


def difference(program, truth, run):
    """An error ends streams where they are. What is submitted or printed at their ends comes early
    then, and nobody can tell which these are."""
    if problem := fault(run):
        return problem
    if truth.what != run.what:
        kind = f"exit code {run.what} instead of {truth.what}"
        return Problem(kind, text_of(truth.err) + text_of(run.err))
    complete = truth.what == 0
    if complete or not works_at_marks(program):
        if problem := differing_lines(truth.out, run.out, complete):
            return problem
    if errors_of(truth) != errors_of(run):
        return Problem("another error", f"- {text_of(truth.err)}\n+ {text_of(run.err)}")
    return None
