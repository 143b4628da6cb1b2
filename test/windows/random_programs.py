#!/usr/bin/env python3
"""Random programs with window operators, in all modes, against the reference.

A case is one operator with one input, in all modes; in memory, where a run compiles the program
anew, only with the longest input. Seed, operator and input of a difference are printed, and a
program with that operator alone is left in --keep. The last line says how many cases passed."""

import argparse
import itertools
import os
import random
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import event_graph
import execute
import invocations
import match
import program_text
from generate import Generator
from generate_events import EventGenerator
from shrink import shrink


ALL = "all"  # instead of an operator's name


def operator_texts(text):
    """The operators of a program: an invocation, what feeds it, and the Functor behind it."""
    functors = {m.group(1): m.group(0) for m in program_text.FUNCTOR.finditer(text)}
    makers = {}  # stream -> its operator
    for invocation in invocations.read(text, event_graph.KINDS):
        makers |= dict.fromkeys(invocation.outputs, invocation)
    found = {}
    for invocation in invocations.read(text):
        follow = [functors[s] for s in invocation.outputs if s in functors]
        parts = [*feeding(invocation, makers), invocation.text, *follow]
        found[invocation.name] = "\n        ".join(dict.fromkeys(parts))
    return found


def feeding(invocation, makers):
    """The texts of the operators between an invocation and the streams A and B."""
    for stream in event_graph.inputs_of(invocation):
        if stream not in ("A", "B"):
            yield from feeding(makers[stream], makers)
            yield makers[stream].text


def shown(text):
    """Stream that is printed -> name of its operator."""
    functors, found = program_text.behind(text), {}
    for invocation in invocations.read(text):
        for stream in invocation.outputs:
            found[functors.get(stream, (stream,))[0]] = invocation.name
    return found


@dataclass
class Outcome:
    passed: int = 0
    failed: list = field(default_factory=list)  # texts


class Tester:
    def __init__(self, options):
        self.options = options
        self.numbers = itertools.count()  # of the programs with one operator
        every = execute.VIRTUAL_MODES if options.times else list(execute.MODES)
        self.modes = options.modes.split(",") if options.modes else every

    def folder(self, name):
        return os.path.join(self.options.work, name)

    def program(self, name, text):
        return execute.Program(self.options.driver, self.folder(name), text, self.options.times,
                               self.options.close_windows)

    def try_seed(self, seed):
        kind = EventGenerator if self.options.events else Generator
        generator = kind(random.Random(seed), self.options.times)
        text = generator.program(self.options.operators)
        scripts = [generator.script() for _ in range(self.options.inputs)]
        outcome, program = Outcome(), self.program(f"seed-{seed}", text)
        try:
            program.build(self.modes)
        except execute.BuildError as error:
            outcome.failed.append(f"seed {seed}: {self.blame(text)}\n{error}")
            return outcome
        operators, known = set(shown(program.text).values()), set()
        longest = max(scripts, key=len)
        for number, script in enumerate(scripts):
            found = self.wrong(program, script, self.modes_of(script is longest))
            for name in found:
                if len(outcome.failed) > self.options.most:
                    break
                # The first input that an operator fails with tells enough.
                again = f"seed {seed}, operator {name}, input {number}: again"
                parts = (program.text, name, script, seed, number, found[name])
                outcome.failed.append(again if name in known else self.report(*parts))
            known |= set(found)
            outcome.passed += len(operators) - min(len(found), len(operators))
            if len(outcome.failed) > self.options.most:
                break
        shutil.rmtree(program.folder)
        return outcome

    def modes_of(self, longest):
        """Those of an input."""
        again = [mode for mode in self.modes if mode != execute.JIT]
        return self.modes if longest or not again else again

    def blame(self, text):
        """The operators that do not compile when they are alone."""
        bad = []
        for name, operator in operator_texts(text).items():
            try:
                self.alone(text, name)
            except execute.BuildError:
                bad.append(operator)
        return "does not compile:\n" + "\n".join(bad or ["(only together)"])

    def wrong(self, program, script, modes):
        """The differences of each operator that is wrong with an input."""
        found, names = {}, shown(program.text)
        for difference in program.differences(script, modes):
            found.setdefault(names.get(difference.stream), []).append(difference)
        whole = found.pop(None, None)  # the program failed: which operator does it alone?
        if whole:
            for name in set(names.values()) - set(found):
                alone = self.alone(program.text, name).differences(script, modes)
                found |= {name: alone} if alone else {}
        return found or ({ALL: whole} if whole else {})

    def alone(self, text, name):
        operators = operator_texts(text)
        chosen = operators.values() if name == ALL else [operators[name]]
        program = self.program(f"alone-{next(self.numbers)}", program_text.program(chosen))
        program.build(self.modes)
        return program

    def report(self, text, name, script, seed, number, differences):
        alone = self.alone(text, name)
        again = alone.differences(script, self.modes)
        if again and self.options.shrink:
            script = shrink(script, lambda s: bool(alone.differences(s, self.modes)))
            again = alone.differences(script, self.modes)
        kept = os.path.join(self.options.keep, f"seed-{seed}-{name}-{number}")
        keep(kept, alone.text, script, self.options.close_windows)
        lines = [f"seed {seed}, operator {name}, input {number}: {kept}"]
        if name != ALL:
            lines.append(operator_texts(text)[name])
        if not again:
            lines.append("(right when it is alone)")
        lines += [f"{d.mode}: {d.stream}: {d.what}" for d in (again or differences)]
        return "\n".join(lines)


def keep(folder, text, script, closes):
    program_text.write(folder, text, script)
    with open(os.path.join(folder, "expected"), "w", encoding="utf-8") as file:
        for stream, items in program_text.expected(text, script, closes).items():
            file.writelines(f"{stream} {line}\n" for line in match.flat(items))


def replay(options):
    """Runs a kept folder again."""
    with open(os.path.join(options.replay, "Main.spl"), encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(options.replay, "rows.csv"), encoding="utf-8") as file:
        script = program_text.script_of(file.read())
    tester = Tester(options)
    program = tester.program("replay", text)
    program.build(tester.modes)
    found = program.differences(script, tester.modes)
    for difference in found:
        print(f"{difference.mode}: {difference.stream}: {difference.what}")
    print(f"{0 if found else 1} passed, {1 if found else 0} failed")
    return 1 if found else 0


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1, help="of the first program (default: 1)")
    parser.add_argument("--count", type=int, default=1536, help="cases (default: 1536)")
    parser.add_argument("--operators", type=int, default=16, help="in a program (default: 16)")
    parser.add_argument("--inputs", type=int, default=16, help="of a program (default: 16)")
    parser.add_argument("--times", action="store_true", help="windows over time, too")
    parser.add_argument("--events", action="store_true", help="windows of event time instead")
    parser.add_argument("--close-windows", action="store_true", help="windows fire at the end, too")
    parser.add_argument("--modes", help=f"of {','.join(execute.MODES)} (default: all that may be)")
    parser.add_argument("--shrink", action="store_true", help="leave out what is not needed")
    parser.add_argument("--keep", default="/tmp/windows", help="where differences are left")
    parser.add_argument("--replay", metavar="FOLDER", help="run what was left there again")
    parser.add_argument("--most", type=int, default=20, help="failures, then stop (default: 20)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="programs at once")
    parser.add_argument("--driver", default=execute.DRIVER, help="the sluice to test")
    return parser.parse_args()


def run(options):
    """Tries programs until the cases are done or too much is wrong."""
    tester, total = Tester(options), Outcome()
    number = -(-options.count // (options.operators * options.inputs))
    with ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.seed, options.seed + number)
        for outcome in pool.map(tester.try_seed, seeds):
            total.passed += outcome.passed
            total.failed += outcome.failed
            for text in outcome.failed:
                print(f"FAIL {text}", flush=True)
            if len(total.failed) > options.most:
                pool.shutdown(wait=False, cancel_futures=True)
                print(f"stopped after {len(total.failed)} failures")
                break
    return total


def main():
    options = parse_options()
    with tempfile.TemporaryDirectory() as options.work:
        if options.replay:
            return replay(options)
        total = run(options)
    print(f"{total.passed} passed, {len(total.failed)} failed")
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
