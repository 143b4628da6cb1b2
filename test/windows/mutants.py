#!/usr/bin/env python3
"""Small mistakes in the policies of windows, each of which the tests have to notice.

Usage: mutants.py reference       mistakes in the reference: do conformance programs and the random
                                  programs of this folder tell it from the right one?
       mutants.py code [WORD]     mistakes in the compiler and the runtime (whose line has WORD):
                                  applies each, builds, runs random programs, takes it back.
                                  Best in a tree of its own, which nobody else builds.

The last line says how many were noticed."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Random programs that have to notice a mistake in the code.
NOTICING = [
    ["--modes=deterministic", "--count=8192"],
    ["--modes=virtual", "--count=8192", "--times"],
    ["--modes=deterministic", "--count=8192", "--events"],
]
PROGRAMS = 90  # with 4 inputs each, for a mistake in the reference

# (file, text, what stands there instead): the text is there exactly once.
REFERENCE = [
    ("windows.py", "new - old > policy.size", "new - old >= policy.size"),
    ("windows.py", "return not new < old and new - old", "return abs(new - old)"),
    ("windows.py", "exceeds(policy, row, held.rows[0])", "exceeds(policy, row, held.rows[-1])"),
    ("windows.py", "len(held.rows) == policy.size", "len(held.rows) == policy.size + 1"),
    ("windows.py", "0 < policy.size <= len(rows)", "0 < policy.size < len(rows)"),
    ("windows.py", "if not self.incomplete and not", "if not"),
    ("windows.py", "if not self.incomplete and not self.was_full(partition)", "if False"),
    ("windows.py", "reference = row\n        return", "pass\n        return"),
    ("windows.py", "if exceeds(self.window.trigger, row, reference)", "if True"),
    ("windows.py", "key=lambda pair: pair[0])]", "key=lambda pair: -pair[0])]"),
    ("windows.py", "number(policy.kind, now) > policy", "number(policy.kind, now) >= policy"),
    ("windows.py", "partition.used, partition.used_time = self.clock,", "partition.used_time ="),
    ("windows.py", "if rows and self.emit_evicted", "if rows"),
    ("windows.py", "len(held.rows) % trigger.size == 0", "len(held.rows) % trigger.size == 1"),
    ("intervals.py", "mark < self.last + self.gap", "mark <= self.last + self.gap"),
    ("intervals.py", "mark = time - self.lag", "mark = time"),
    ("intervals.py", "<= time < self.end(pane)", "< time <= self.end(pane)"),
    ("intervals.py", "time < self.latest - self", "time <= self.latest - self"),
    ("intervals.py", "self.latest - self.lengths.discard_age:", "self.latest:"),
    ("intervals.py", "if pane in panes and k == key", "if pane in panes"),
    ("intervals.py", "self.end(p) <= self.latest", "self.end(p) < self.latest"),
    ("intervals.py", "if self.end(pane) <= mark", "if self.end(pane) < mark"),
    ("intervals.py", "min(self.start(pane), self.latest)", "self.latest"),
    (
        "event_graph.py",
        "stream))\n            self.advance()\n            if not self.open",
        "stream))\n            if not self.open",
    ),
    ("event_graph.py", "self.last = min(marks)", "self.last = max(marks)"),
    ("windows.py", "return [Firing(rows[0] if rows else [])]", "return [Firing(r) for r in rows]"),
    ("aggregate.py", "return [MARK]", "return []"),
    ("aggregate.py", "len(g.window)", "len(g.rows)"),
    ("aggregate.py", '"First": lambda kind, g, v: v[0]', '"First": lambda kind, g, v: v[-1]'),
    ("aggregate.py", "a[places(v, largest(v))[0]]", "a[places(v, largest(v))[-1]]"),
    ("aggregate.py", "result + step if", "result + step + 1 if"),
    ("aggregate.py", "len(column) - 1 if sample", "len(column) if sample"),
    ("join.py", "entry.matched = candidate.matched = True", "entry.matched = True"),
    ("join.py", "entry.matched = candidate.matched = True", "candidate.matched = True"),
    ("join.py", "if entry.matched or not", "if not"),
    ("join.py", "if len(out[self.main]) > before:", "if found:"),
    ("join.py", "gone = [entry] if mine.empty() else", "gone ="),
    ("sort.py", "first = self.ordered(partition.rows)[0]", "first = partition.rows[0]"),
    ("sort.py", "len(partition.rows) == size", "len(partition.rows) > size"),
    ("sort.py", "for p in held.partitions.values()\n", "for p in []\n"),
]
EXPAND = "passes/expand/"
WINDOW, SUMMARY, MATCH = EXPAND + "window/", EXPAND + "summary/", EXPAND + "match/"
CODE = [
    (WINDOW + "Delta.cpp", "gt, code.cast(distance", "ge, code.cast(distance"),
    (WINDOW + "Policy.cpp", "ge, size, sizes.evict", "gt, size, sizes.evict"),
    (WINDOW + "Policy.cpp", "{\n  countRemoved(code, place);\n", "{\n"),
    (WINDOW + "Policy.cpp", "      countRemoved(code, place);\n", ""),
    (
        WINDOW + "Policy.cpp",
        "            code.store(own, code.fieldRef(place, referenceAt));\n          });",
        "          });",
    ),
    (
        WINDOW + "Policy.cpp",
        "          if (partitions.limited())\n            partitions.drop(code, key);\n",
        "",
    ),
    (WINDOW + "Policy.cpp", "eq, fired, code.constant", "ne, fired, code.constant"),
    (WINDOW + "Policy.cpp", "code.constant(boolean, 1), fired", "code.constant(boolean, 0), fired"),
    (
        WINDOW + "Policy.cpp",
        "  if (!options.submitEvicted)\n    return partitionIsLost(code, place);\n",
        "",
    ),
    (WINDOW + "Policy.cpp", "select(flag(*hasFiredAt), last, size)", "last"),
    (WINDOW + "Policy.cpp", "lt, since, size), since, size", "lt, since, size), size, since"),
    (WINDOW + "Policy.cpp", "!options.incomplete && !evictsBy", "!evictsBy"),
    (WINDOW + "Policy.cpp", "[&](Value) { evictOldest(code, place); }", "[&](Value) {}"),
    (WINDOW + "Sliding.cpp", "ge, size, sizes.evict", "gt, size, sizes.evict"),
    (
        WINDOW + "Sliding.cpp",
        "return code.when(code.load(code.fieldRef(place, *fullAt)), [&] { fire(code, place); });",
        "return fire(code, place);",
    ),
    (
        WINDOW + "Sliding.cpp",
        "code.store(own, reference);\n          fireIfFull(code, place);",
        "fireIfFull(code, place);",
    ),
    (WINDOW + "Sliding.cpp", "isFurther(code, own,", "isFurther(code, code.load(reference),"),
    (
        WINDOW + "Sliding.cpp",
        "code.constant(boolean, 1), code.fieldRef(place, *hasReferenceAt)",
        "code.constant(boolean, 0), code.fieldRef(place, *hasReferenceAt)",
    ),
    (
        WINDOW + "Sliding.cpp",
        "code.constant(since.getType(), 0)",
        "code.constant(since.getType(), 1)",
    ),
    (
        WINDOW + "Sliding.cpp",
        "      evict(code, place, tuple, now);\n"
        "    if (unseenAt) // before its partition may be evicted\n"
        "      code.increment(code.fieldRef(place, *unseenAt));\n"
        "    enter(code, place, key, tuple, now, count);",
        "      (void)0;\n    if (unseenAt)\n"
        "      code.increment(code.fieldRef(place, *unseenAt));\n"
        "    enter(code, place, key, tuple, now, count);\n    if (!expires)\n"
        "      evict(code, place, tuple, now);",
    ),
    (
        WINDOW + "Sliding.cpp",
        "  if (!options.drains && trigger == WindowPolicy::Delta)\n",
        "  if (!expires)\n    evict(code, place, tuple, now);\n"
        "  if (!options.drains && trigger == WindowPolicy::Delta)\n",
    ),
    (WINDOW + "Sliding.cpp", "{\n    evictByTime(code, place, now);\n    begin", "{\n    begin"),
    (WINDOW + "Sliding.cpp", "    beginAnew(code, place);\n", ""),
    (WINDOW + "Sliding.cpp", "code.when(holdsTuples(code, place), trigger);", "trigger();"),
    (WINDOW + "Sliding.cpp", "code.constant(boolean, 1), any", "code.constant(boolean, 0), any"),
    (WINDOW + "Sliding.cpp", "if (options.incomplete)\n", "if (false)\n"),
    (
        WINDOW + "Sliding.cpp",
        "code.when(code.load(code.fieldRef(place, *fullAt)), [&] { code.submitWindow(0); });",
        "code.submitWindow(0);",
    ),
    (
        WINDOW + "Eviction.cpp",
        "code.store(code.constant(boolean, 1), code.fieldRef(place, *fullAt));\n"
        "        evictOldest",
        "code.fieldRef(place, *fullAt);\n        evictOldest",
    ),
    (WINDOW + "Eviction.cpp", "ge, own, code.load(newest)", "ne, own, code.load(newest)"),
    (WINDOW + "Eviction.cpp", "  code.store(own, newest);\n", ""),
    (WINDOW + "Eviction.cpp", "ne, before, after", "eq, before, after"),
    (WINDOW + "Eviction.cpp", "code.sub(after, before)", "code.sub(before, after)"),
    (WINDOW + "Eviction.cpp", "ge, contents->size", "gt, contents->size"),
    (
        WINDOW + "Eviction.cpp",
        "code.constant(ui64(op.getContext()), -1)",
        "code.constant(ui64(op.getContext()), 0)",
    ),
    (WINDOW + "Eviction.cpp", "evicts = partitions.limited() &&", "evicts = false &&"),
    (WINDOW + "Eviction.cpp", "gt, code.sub(now, mark), most", "gt, code.sub(mark, now), most"),
    (WINDOW + "Partitions.cpp", "gt, windowCount(code)", "ge, windowCount(code)"),
    (WINDOW + "Partitions.cpp", "gt, code.load(tuplesState", "ge, code.load(tuplesState"),
    (WINDOW + "Partitions.cpp", "gt, age", "lt, age"),
    (WINDOW + "Partitions.cpp", "code.compare(CompareKind::ne, stamp, own)", "code.load(stale)"),
    (WINDOW + "Partitions.cpp", "code.sub(code.load(total), size(window))", "code.load(total)"),
    (WINDOW + "RingStore.cpp", "code.store(kept, ring->push(code, window));", ""),
    (WINDOW + "Intervals.cpp", "ge, time, latest", "gt, time, latest"),
    (WINDOW + "Intervals.cpp", "le, end, watermark", "lt, end, watermark"),
    (WINDOW + "Intervals.cpp", "le, endOf(code, pane)", "lt, endOf(code, pane)"),
    (WINDOW + "Intervals.cpp", "le, end, latest", "le, end, watermark"),
    (WINDOW + "Intervals.cpp", "numberAt(code, before()), pane", "pane, numberAt(code, before())"),
    (WINDOW + "Intervals.cpp", "code.add(before, code.constant(before.getType(), 1))", "before"),
    (WINDOW + "Intervals.cpp", "gt, start, watermark", "lt, start, watermark"),
    (WINDOW + "Intervals.cpp", "  code.increment(code.fieldRef(place, firedAt));\n", ""),
    (EXPAND + "MakeWatermarks.cpp", "ge, watermark", "gt, watermark"),
    (EXPAND + "RouteWatermarks.cpp", "lt, time, code.load(least)", "gt, time, code.load(least)"),
    (EXPAND + "RouteWatermarks.cpp", "std::numeric_limits<int64_t>::max()", "kEarliest"),
    (SUMMARY + "TwoStacksStore.cpp", "eq, others, front", "ne, others, front"),
    (SUMMARY + "TwoStacksStore.cpp", "merge(code, earlier, later)", "merge(code, later, earlier)"),
    (
        SUMMARY + "TwoStacksStore.cpp",
        "    code.increment(code.fieldRef(window, frontAt), -1);\n",
        "",
    ),
    (SUMMARY + "TwoStacksStore.cpp", "ne, inFront, ring", "eq, inFront, ring"),
    (SUMMARY + "TwoStacksStore.cpp", "merge(code, all, back)", "merge(code, back, all)"),
    (SUMMARY + "PaneStore.cpp", "code.constant(tuples.getType(), 0), place", "tuples, place"),
    (SUMMARY + "PanesStore.cpp", "      ofPane.clear(code, pane);\n", ""),
    (SUMMARY + "Groups.cpp", "code.store(code.add(tuples, more), ", "code.store(more, "),
    (SUMMARY + "ValuePanesStore.cpp", "ne, other, mark", "eq, other, mark"),
    (SUMMARY + "ValuePanesStore.cpp", "gone); });\n  closePane(code, window);", "gone); });"),
    (SUMMARY + "ValuePanesStore.cpp", "sub(code.add(first, known), one)", "sub(first, one)"),
    (SUMMARY + "ValuePanesStore.cpp", "  ofPane.clear(code, place);\n", ""),
    (WINDOW + "Eviction.cpp", "lt, mark, code.load(least)", "gt, mark, code.load(least)"),
    (WINDOW + "Eviction.cpp", "lt, own, code.load(least)", "gt, own, code.load(least)"),
    (WINDOW + "Eviction.cpp", "code.sub(end, lesser(seen, end))", "tuples"),
    ("passes/expand/PlanWindows.cpp", "std::gcd(longest, count", "std::max(longest, count"),
    (MATCH + "HashIndex.cpp", "[&] { code.store(before, last); }", "[] {}"),
    (MATCH + "HashIndex.cpp", "code.store(none, code.fieldRef(row, nextAt));", ""),
    (MATCH + "HashIndex.cpp", "if (!mayBeGone)\n", "if (true)\n"),
    (MATCH + "QueueStore.cpp", "unlessGone(code, place, [&] { body(place); });", "body(place);"),
    (
        MATCH + "QueueStore.cpp",
        "ne, count, code.constant(count.getType(), 0)), [&] {\n    if",
        "eq, count, code.constant(count.getType(), 0)), [&] {\n    if",
    ),
    (MATCH + "QueueStore.cpp", "              code.store(at, before);\n", ""),
    (MATCH + "QueueStore.cpp", "le, count, code.add(size", "gt, count, code.add(size"),
    (MATCH + "Side.cpp", "    leave(code, rows->oldest(code, window));\n", "    (void)0;\n"),
    (
        SUMMARY + "Groups.cpp",
        "increment(code.fieldRef(place, tuplesAt), -1)",
        "increment(code.fieldRef(place, tuplesAt), 0)",
    ),
    (
        SUMMARY + "InvertibleStore.cpp",
        "    remove(code, window, ring->oldest(code, window));\n",
        "",
    ),
]

EXPECTED = """
import json, random, sys
sys.path.insert(0, sys.argv[1])
import match, program_text
from generate import Generator
from generate_events import EventGenerator
made = []
for seed in range(int(sys.argv[2])):
    kind = EventGenerator if seed % 3 == 0 else Generator
    generator = kind(random.Random(seed), times=False)
    text = generator.program(16)
    for _ in range(4):
        found = program_text.expected(text, generator.script())
        made.append({stream: match.flat(items) for stream, items in found.items()})
json.dump(made, sys.stdout)
"""


def replace(path, old, new):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(old) != 1:
        raise SystemExit(f"{path}: {text.count(old)} times instead of once: {old}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new))


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options)


def expected_lines(folder):
    out = run([sys.executable, "-c", EXPECTED, folder, str(PROGRAMS)])
    if out.returncode:
        raise SystemExit(out.stderr)
    return json.loads(out.stdout)


def differ(right, wrong):
    """Whether any stream differs in more than the order of its lines."""
    return any(
        sorted(lines) != sorted(other.get(stream, []))
        for one, other in zip(right, wrong)
        for stream, lines in one.items()
    )


def reference_mutant(mutation, right):
    """Who notices: 'conformance', 'random', both or nobody."""
    with tempfile.TemporaryDirectory() as temp:
        folder = os.path.join(temp, "test", "windows")
        shutil.copytree(HERE, folder)
        for part in ("conformance", "lib"):
            os.symlink(os.path.join(ROOT, "test", part), os.path.join(temp, "test", part))
        replace(os.path.join(folder, mutation[0]), *mutation[1:])
        check = run([sys.executable, os.path.join(folder, "check_reference.py")])
        noticed = ["conformance"] * (check.returncode != 0)
        return noticed + ["random"] * differ(right, expected_lines(folder))


def reference_mutants():
    right, survived = expected_lines(HERE), 0
    for mutation in REFERENCE:
        noticed = reference_mutant(mutation, right)
        survived += "random" not in noticed
        print(f"{' and '.join(noticed) or 'NOBODY'}: {mutation[0]}: {mutation[2]}", flush=True)
    return len(REFERENCE), survived


def random_programs_fail(options):
    script = [sys.executable, os.path.join(HERE, "random_programs.py"), "--most=0"]
    out = run([*script, *options])
    if out.returncode and "FAIL " not in out.stdout:  # neither right nor wrong
        raise SystemExit(out.stdout + out.stderr)
    return out.returncode != 0


def code_mutant(mutation):
    """None when the build fails, else whether the random programs notice."""
    path = os.path.join(ROOT, mutation[0])
    kept = path + ".kept"
    shutil.copy2(path, kept)
    try:
        replace(path, *mutation[1:])
        build = os.path.join(ROOT, "build", "release")
        if run(["nice", "ninja", "-C", build, "-j2", "sluice"]).returncode:
            return None
        return any(random_programs_fail(options) for options in NOTICING)
    finally:
        shutil.copy2(kept, path)
        os.utime(path)  # newer than what was built of the mistake
        os.remove(kept)


def code_mutants(word):
    chosen = [m for m in CODE if word in " ".join(m)]
    survived = 0
    for mutation in chosen:
        noticed = code_mutant(mutation)
        survived += noticed is not True
        words = {True: "noticed", False: "NOT NOTICED", None: "DOES NOT BUILD"}
        print(f"{words[noticed]}: {mutation[0]}: {mutation[2]}", flush=True)
    return len(chosen), survived


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in ("reference", "code"):
        print(__doc__, file=sys.stderr)
        return 2
    if sys.argv[1] == "reference":
        number, survived = reference_mutants()
    else:
        number, survived = code_mutants(sys.argv[2] if len(sys.argv) > 2 else "")
    print(f"{number - survived} noticed, {survived} survived")
    return 1 if survived or not number else 0


if __name__ == "__main__":
    sys.exit(main())
