"""Reads the invocations of the operators in KINDS in the text of a program.

Not a parser of SPL: it knows the shapes that the conformance programs and random_programs.py
write, and fails on others."""

import re
from dataclasses import dataclass, field

import expressions
from intervals import Lengths, nanos

KINDS = "Aggregate|Join|Sort|DeDuplicate|Punctor"


OUT = r"\((?:\s*stream<[^;=]*?>\s*\w+\s*;?)+\)|stream<[^=;]*?>\s*\w+"


def heads(kinds):
    return re.compile(
        rf"(?:@eventTime\((?P<mark>[^)]*)\)\s*)?(?P<out>{OUT})\s*=\s*"
        rf"(?P<kind>{kinds})\((?P<ins>[^)]*)\)\s*\{{"
    )


@dataclass
class Policy:
    kind: str  # count, delta, time, punct; partitionAge, partitionCount, tupleCount
    size: object = None
    attribute: str = ""


@dataclass
class Window:
    tumbling: bool = True
    evict: Policy = None
    trigger: Policy = None  # of a sliding window
    partitioned: bool = False
    evict_partitions: Policy = None
    lengths: Lengths = None  # of timeInterval; there are no policies then


@dataclass
class Invocation:
    kind: str
    inputs: list  # (stream, name that the clauses use)
    outputs: dict  # stream -> {attribute: type}
    windows: dict  # name of the input -> Window
    params: dict = field(default_factory=dict)  # name -> [text of a value]
    assigns: dict = field(default_factory=dict)  # attribute of the first output -> text
    text: str = ""
    event_time: dict = None  # the values of @eventTime, by their names

    @property
    def name(self):
        return next(iter(self.outputs))

    def flag(self, name):
        return self.params.get(name, ["false"]) == ["true"]

    def expressions(self, name):
        return [expressions.read(text) for text in self.params.get(name, [])]


def split(text, separator=","):
    """The parts between separators that are in no bracket and no string."""
    parts, depth, start, quoted = [], 0, 0, False
    for at, c in enumerate(text):
        if c == '"' and text[at - 1 : at] != "\\":
            quoted = not quoted
        if quoted:
            continue
        depth += (c in "([{") - (c in ")]}")
        if c == separator and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def split_types(text):
    """The attributes of a schema: commas inside <> do not separate."""
    parts, depth, start = [], 0, 0
    for at, c in enumerate(text):
        depth += (c in "<{[") - (c in ">}]")
        if c == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


def schema(text, known):
    attributes = {}
    for part in split_types(text):
        if re.fullmatch(r"\w+", part):
            attributes |= known[part]
        elif part.startswith("tuple<") and part.endswith(">"):
            attributes |= schema(part[6:-1], known)
        else:
            kind, name = part.rsplit(None, 1)
            attributes[name] = " ".join(kind.split())
    return attributes


def policy(text):
    found = re.fullmatch(r"(\w+)\s*\((.*)\)", text)
    if not found:
        raise ValueError(f"not a policy: {text!r}")
    kind, arguments = found.group(1), split(found.group(2))
    if kind == "punct":
        return Policy(kind)
    size = expressions.read(arguments[-1])({})
    return Policy(kind, size, arguments[0] if kind == "delta" else "")


def lengths(words):
    """`intervalDuration(2.0)` and its like."""
    given = dict(re.fullmatch(r"(\w+)\((.*)\)", word).groups() for word in words)
    given = {name: nanos(size) for name, size in given.items()}
    duration = given["intervalDuration"]
    period = given.get("creationPeriod", duration)
    return Lengths(
        duration, period, given.get("intervalOffset", 0), given.get("discardAge", 0)
    )


def window(text):
    words = split(text)
    if words[0] == "timeInterval":
        return Window(
            partitioned="partitioned" in words,
            lengths=lengths([w for w in words[1:] if w != "partitioned"]),
        )
    result = Window(tumbling=words[0] == "tumbling")
    policies = [policy(w) for w in words[1:] if w != "partitioned"]
    result.partitioned = "partitioned" in words
    if policies[-1].kind in ("partitionAge", "partitionCount", "tupleCount"):
        result.evict_partitions = policies.pop()
    result.evict = policies[0]
    if not result.tumbling:
        result.trigger = policies[1] if len(policies) > 1 else Policy("count", 1)
    return result


def balanced(text, start):
    """The end of the block whose opening brace is before `start`."""
    depth, quoted = 1, False
    for at in range(start, len(text)):
        if text[at] == '"' and text[at - 1] != "\\":
            quoted = not quoted
        if quoted:
            continue
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return at
    raise ValueError("a block is not closed")


CLAUSE = re.compile(r"\b(logic|window|param|output)\b")


def clauses(body):
    """The clauses of a block: a word that is in no bracket begins one."""
    starts, depth = [], 0
    for at, c in enumerate(body):
        depth += (c in "([{") - (c in ")]}")
        found = CLAUSE.match(body, at) if depth == 0 else None
        if found and not body[at - 1 : at].isalnum():
            starts.append((found.group(1), at, found.end()))
    ends = [at for _, at, _ in starts[1:]] + [len(body)]
    return {word: body[begin:end].strip() for (word, _, begin), end in zip(starts, ends)}


def outputs(text, known):
    found = {}
    for part in re.finditer(r"stream<(.*?)>\s*(\w+)\s*(?:;|\)|$)", text.strip(), re.DOTALL):
        found[part.group(2)] = schema(part.group(1), known | found)
    return found


def items(text):
    """`name : value; name : value;` as pairs."""
    for item in split(text, ";"):
        name, _, value = item.partition(":")
        yield name.strip(), value.strip()


def read(text, kinds=KINDS):
    """All invocations of operators of these kinds, in the order of their places."""
    text = re.sub(r"(?m)//.*$", "", text)
    known, found = declared(text), []
    for head in heads(kinds).finditer(text):
        end = balanced(text, head.end())
        parts = clauses(text[head.end() : end])
        known |= outputs(head["out"], known)
        ins = []
        for word in split(head["ins"], ";"):
            stream, _, alias = word.partition(" as ")
            ins.append((stream.strip(), (alias or stream).strip()))
        invocation = Invocation(
            head["kind"],
            ins,
            outputs(head["out"], known),
            {name: window(value) for name, value in items(parts.get("window", ""))},
            text=text[head.start() : end + 1],
        )
        if head["mark"]:
            words = [word.partition("=") for word in split(head["mark"])]
            invocation.event_time = {name.strip(): value.strip() for name, _, value in words}
        invocation.params = {n: split(v) for n, v in items(parts.get("param", ""))}
        for _, value in items(parts.get("output", "")):
            for assign in split(value):
                name, _, expression = assign.partition("=")
                invocation.assigns[name.strip()] = expression.strip()
        found.append(invocation)
    return found


def declared(text):
    """Types of Main and the streams of other operators, by name."""
    known = {}
    for part in re.finditer(r"type (\w+) = tuple<(.*)>;", text):
        known[part.group(1)] = schema(part.group(2), known)
    other = rf"stream<([^=]*?)>\s*(\w+)\s*(?=[;)]|=\s*(?!{KINDS}))"
    for part in re.finditer(other, text):
        try:
            known[part.group(2)] = schema(part.group(1), known)
        except KeyError:
            pass  # made of a stream that is declared further down
    return known
