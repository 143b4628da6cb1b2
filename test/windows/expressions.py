"""SPL expressions as the invocations of window operators have them: read into Python functions.

Integers are unbounded here: the programs keep away from overflow, except in Sum (aggregate.py)."""

import re

from values import Enum, Timestamp, is_integer, text_of, wrap

TOKEN = re.compile(
    r"""\s*(?:(?P<number>\d+\.\d+(?:e[+-]?\d+)?|\d+(?:e[+-]?\d+)?)(?P<suffix>[a-z]*)
    |(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<name>[A-Za-z_$][\w$]*)
    |(?P<op>&&|\|\||[=!<>]=|[-+*/%<>!?:(){}\[\],.=]))""",
    re.VERBOSE,
)
SCALARS = {"boolean", "rstring", "ustring", "timestamp", "decimal64"}
SCALARS |= {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
SCALARS |= {"float32", "float64"}
LEVELS = [["||"], ["&&"], ["==", "!=", "<", "<=", ">", ">="], ["+", "-"], ["*", "/", "%"]]


def divide(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return a / b
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


OPERATORS = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": divide,
    "%": lambda a, b: a - b * divide(a, b),
}
BILLION = 10**9
# What `Sys` holds: the resolutions of event time are numbers of nanoseconds.
SYS = {"Milliseconds": 10**6, "Microseconds": 10**3, "Nanoseconds": 1}
TIMINGS = ["paneEarly", "paneOnComplete", "paneLate"]
SYS |= {name: Enum(TIMINGS, name) for name in TIMINGS}
FUNCTIONS = {
    "length": lambda text: len(text.encode()),
    "abs": abs,
    "getSubmissionTimeValue": lambda name, default: default,
    "createTimestamp": Timestamp,
    "toTimestamp": lambda ticks, unit: Timestamp(*divmod(ticks * unit, BILLION)),
}


def tokens(text):
    found, at = [], 0
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise ValueError(f"not an expression: {text[at:]!r} in {text!r}")
        kind = "number" if match["number"] else match.lastgroup
        found.append((kind, match.group(kind)))
        at = match.end()
    return found


def cast(kind, value):
    if kind == "rstring":
        return value if isinstance(value, str) else text_of(value)
    if kind.startswith(("float", "decimal")):
        return float(value)
    return wrap(kind, int(value)) if is_integer(kind) else int(value)


class Parser:
    """Each method returns a function of the environment: a dict from names to values."""

    def __init__(self, text):
        self.text, self.tokens, self.at = text, tokens(text), 0

    def peek(self, ahead=0):
        at = self.at + ahead
        return self.tokens[at] if at < len(self.tokens) else ("end", "")

    def take(self, value=None):
        kind, found = self.peek()
        if value is not None and found != value:
            raise ValueError(f"expected {value!r}, found {found!r} in {self.text!r}")
        self.at += 1
        return kind, found

    def whole(self):
        result = self.condition()
        if self.peek()[0] != "end":
            raise ValueError(f"{self.peek()[1]!r} follows the expression {self.text!r}")
        return result

    def condition(self):
        test = self.binary(0)
        if self.peek()[1] != "?":
            return test
        self.take("?")
        yes = self.condition()
        self.take(":")
        no = self.condition()
        return lambda env: yes(env) if test(env) else no(env)

    def binary(self, level):
        if level == len(LEVELS):
            return self.unary()
        left = self.binary(level + 1)
        while self.peek()[0] == "op" and self.peek()[1] in LEVELS[level]:
            left = self.combine(self.take()[1], left, self.binary(level + 1))
        return left

    @staticmethod
    def combine(op, left, right):
        if op == "||":
            return lambda env: left(env) or right(env)
        if op == "&&":
            return lambda env: left(env) and right(env)
        return lambda env: OPERATORS[op](left(env), right(env))

    def unary(self):
        _, value = self.peek()
        if value in ("-", "!"):
            self.take()
            inner = self.unary()
            return (lambda env: -inner(env)) if value == "-" else (lambda env: not inner(env))
        if value == "(" and self.peek(1)[1] in SCALARS and self.peek(2)[1] == ")":
            self.take()
            kind = self.take()[1]
            self.take(")")
            inner = self.unary()
            return lambda env: cast(kind, inner(env))
        return self.postfix()

    def postfix(self):
        result = self.primary()
        while self.peek()[1] == ".":
            self.take(".")
            result = self.member(result, self.take()[1])
        return result

    @staticmethod
    def member(owner, name):
        return lambda env: owner(env)[name]

    def primary(self):
        kind, value = self.take()
        if kind == "number":
            constant = float(value) if any(c in value for c in ".e") else int(value)
            return lambda env: constant
        if kind == "string":
            return lambda env: value[1:-1]
        if value == "(":
            inner = self.condition()
            self.take(")")
            return inner
        if value == "{":
            return self.tuple_literal()
        if value in ("true", "false"):
            return lambda env: value == "true"
        if kind == "name" and self.peek()[1] == "(":
            return self.call(value)
        if value == "Sys":
            return lambda env: SYS
        if kind == "name":
            return lambda env: env[value]
        raise ValueError(f"not an expression: {value!r} in {self.text!r}")

    def call(self, name):
        arguments = self.list_until("(", ")", self.condition)
        if not arguments:  # a fact of the pane, which is beside the attributes
            return lambda env: env[name + "()"]
        return lambda env: (FUNCTIONS.get(name) or env[name])(*[a(env) for a in arguments])

    def tuple_literal(self):
        self.at -= 1
        members = self.list_until("{", "}", self.named)
        return lambda env: {name: value(env) for name, value in members}

    def named(self):
        name = self.take()[1]
        self.take("=")
        return name, self.condition()

    def list_until(self, opening, closing, item):
        self.take(opening)
        items = []
        while self.peek()[1] != closing:
            items.append(item())
            if self.peek()[1] == ",":
                self.take(",")
        self.take(closing)
        return items


def read(text):
    """The function of the environment that an expression's text stands for."""
    return Parser(text).whole()
