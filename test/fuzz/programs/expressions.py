"""Expressions of a type.

A text is complete: it may stand on either side of any operator. What may fail at run time is made
only in a risky scope, and never of constants alone, which the compiler would refuse."""

from dataclasses import dataclass, field, replace

import library
from spl_types import (
    BLOB,
    BOOLEAN,
    COMPLEX,
    DECIMALS,
    ENUMS,
    FLOAT64,
    FLOATS,
    INT32,
    INTEGERS,
    PLAIN,
    RSTRING,
    TIMESTAMP,
    UINT8,
    USTRING,
    Type,
    collection,
    integer_literal,
    is_integer,
    is_key,
    is_numeric,
    is_ordered,
    key_type,
    list_of,
    literal,
    nonzero_literal,
    random_type,
    scalar,
)

PLAIN_NUMBERS = [kind for kind in PLAIN if kind != "boolean"]


@dataclass(frozen=True)
class Variable:
    text: str
    type: Type
    mutable: bool = False


@dataclass
class Scope:
    variables: list = field(default_factory=list)
    risky: bool = False  # whether what is made here may fail

    def inner(self):
        return replace(self, variables=list(self.variables))

    def without(self, text):
        """Without a variable and its parts."""
        kept = [v for v in self.variables if v.text.split(".")[0] != text.split(".")[0]]
        return replace(self, variables=kept)


@dataclass
class Function:
    name: str
    result: Type  # None: void
    parameters: list  # of Variable
    risky: bool


def postfixed(text):
    return f"({text})" if text.startswith("{") else text


def parts(variable, depth=2):
    """A variable and the attributes in it."""
    yield variable
    if variable.type.kind == "tuple" and depth:
        for name, of in zip(variable.type.names, variable.type.args):
            yield from parts(Variable(f"{variable.text}.{name}", of, variable.mutable), depth - 1)


class Expressions:
    """The functions that `functions` has so far may be called."""

    def __init__(self, rng):
        self.rng = rng
        self.functions = []
        self.identities = {}  # type -> name of a function that is never folded

    def make(self, of, scope, depth=3):
        if depth <= 0 or self.rng.random() < 0.2:
            return self.leaf(of, scope)
        ways = [self.leaf, self.conditional]
        ways += [] if self.rng.plain else [self.call, self.call, self.subscripted, self.reparsed]
        ways += self.ways_of(of) * 2
        for _ in range(4):
            if text := self.rng.choice(ways)(of, scope, depth - 1):
                return text
        return self.leaf(of, scope)

    def ways_of(self, of):
        kind = of.kind
        if kind in INTEGERS:
            ways = [self.arithmetic, self.arithmetic, self.integral, self.numeric_cast]
            return ways if self.rng.plain else [*ways, self.parsed]
        if is_numeric(of):
            return [self.arithmetic, self.arithmetic, self.numeric_cast]
        if kind == "boolean":
            ways = [self.comparison, self.comparison, self.logic]
            return ways if self.rng.plain else [*ways, self.membership]
        if kind in ("rstring", "ustring"):
            return [self.string, self.string, self.text_of]
        if kind in ENUMS:
            return [self.enumerator]
        if kind == "timestamp":
            return [self.time]
        if kind == "blob":
            return [self.bytes_of]
        if kind == "list":
            return [self.literal_of, self.literal_of, self.lifted, self.list_cast]
        return [self.literal_of]

    def leaf(self, of, scope, depth=0):
        known = [p for v in scope.variables for p in parts(v) if p.type == of]
        if known and self.rng.random() < 0.85:
            return self.rng.choice(known).text
        if self.rng.random() < 0.8:
            return self.derived(of, scope) or literal(self.rng, of)
        return literal(self.rng, of)

    def derived(self, of, scope):
        """From a variable of another type."""
        known = [p for v in scope.variables for p in parts(v)]
        if of.args:
            return collection(self.rng, of, lambda t: self.leaf(t, scope))
        if of.kind in ("rstring", "ustring"):
            known = [v for v in known if v.type.kind != "ustring"]
            return f"(({of}) {self.rng.choice(known).text})" if known else None
        if of == BOOLEAN:
            known = [v for v in known if is_ordered(v.type)]
            one = self.rng.choice(known) if known else None
            return (
                one and f"({one.text} {self.rng.choice(('<', '!='))} {literal(self.rng, one.type)})"
            )
        known = [v for v in known if v.type.kind in (*INTEGERS, *FLOATS)]
        if not known or not (is_numeric(of) or of.kind in ENUMS) or of.kind in COMPLEX:
            return None
        one = self.rng.choice(known).text
        if of.kind in ENUMS:
            return f"(({of}) (((uint32) {one}) % {len(ENUMS[of.kind])}u))"
        return f"(({of}) {one})"

    def varying(self, of, scope, depth):
        """An expression that the compiler does not know."""
        if depth > 0 and self.rng.random() < 0.5:
            return self.identity(of, self.make(of, scope, depth - 1))
        known = [p for v in scope.variables for p in parts(v) if p.type == of]
        return self.rng.choice(known).text if known else self.identity(of, literal(self.rng, of))

    def identity(self, of, text):
        return f"{self.identities.setdefault(of, f'id{len(self.identities)}')}({text})"

    # ===--- any type -------------------------------------------------------===

    def reparsed(self, of, scope, depth):
        """Printed and read again."""
        return f"(({of}) ((rstring) {self.varying(of, scope, depth)}))" if scope.risky else None

    def conditional(self, of, scope, depth):
        condition = self.make(BOOLEAN, scope, depth)
        return f"({condition} ? {self.make(of, scope, depth)} : {self.make(of, scope, depth)})"

    def call(self, of, scope, depth):
        calls = library.SAFE.get(of, []) + library.generic(self.rng, of, scope.risky)
        calls += library.RISKY.get(of, []) if scope.risky else []
        own = [f for f in self.functions if f.result == of and (scope.risky or not f.risky)]
        own = [f for f in own if not any(p.mutable for p in f.parameters)]
        if own and (not calls or self.rng.random() < 0.6):
            chosen = self.rng.choice(own)
            calls = [(chosen.name, [p.type for p in chosen.parameters])]
        if not calls:
            return None
        name, arguments = self.rng.choice(calls)
        if name in ("substring", "findLast"):
            values = [self.varying(a, scope, depth) for a in arguments]
        else:
            values = [self.make(a, scope, depth) for a in arguments]
        return f"{name}({', '.join(values)})"

    def subscripted(self, of, scope, depth):
        """Out of a list, a map or an optional."""
        kind = self.rng.choice(("list", "map", "optional", "else"))
        if kind == "else":
            if of.kind == "optional":
                return None
            whole = self.varying(Type("optional", (of,)), scope, depth)
            return f"({whole} ?: {self.make(of, scope, depth)})"
        if not scope.risky or of.kind == "optional" and kind == "optional":
            return None
        if kind == "optional":
            return f"{self.varying(Type('optional', (of,)), scope, depth)}!"
        if kind == "map":
            key = key_type(self.rng)
            whole = self.varying(Type("map", (key, of)), scope, depth)
            return f"{whole}[{self.make(key, scope, depth)}]"
        index = self.varying(Type(self.rng.choice([*INTEGERS, "int32"])), scope, depth)
        return f"{self.varying(list_of(of), scope, depth)}[{index}]"

    # ===--- numbers --------------------------------------------------------===

    def arithmetic(self, of, scope, depth):
        operator = self.rng.choice("+-**/%" if is_integer(of) else "+-*/")
        left = self.make(of, scope, depth)
        if self.rng.random() < 0.15 and operator == "-":
            return f"(-{left})"
        if operator not in "/%" or not is_integer(of):
            return f"({left} {operator} {self.make(of, scope, depth)})"
        right = nonzero_literal(self.rng, of.kind)
        if scope.risky and self.rng.random() < 0.6:
            right = self.varying(of, scope, depth)
        return f"({left} {operator} {right})"

    def integral(self, of, scope, depth):
        left, operator = self.make(of, scope, depth), self.rng.choice(
            ("&", "|", "^", "<<", ">>", "~")
        )
        if operator == "~":
            return f"(~{left})"
        if operator in ("<<", ">>"):
            count = integer_literal("uint8", self.rng.randrange(INTEGERS[of.kind]))
            return f"({left} {operator} {count})"
        return f"({left} {operator} {self.make(of, scope, depth)})"

    def numeric_cast(self, of, scope, depth):
        if of.kind in COMPLEX:
            part = Type(COMPLEX[of.kind])
            other = Type(self.rng.choice([*COMPLEX]))
            if self.rng.random() < 0.5:
                return f"(({of}) {self.make(other, scope, depth)})"
            return f"(({of}) [{self.make(part, scope, depth)}, {self.make(part, scope, depth)}])"
        sources = [*INTEGERS, *FLOATS, *FLOATS, *DECIMALS] + ([*ENUMS] if is_integer(of) else [])
        if self.rng.plain:
            sources = PLAIN_NUMBERS
        elif of == FLOAT64:
            sources.append("timestamp")
        return f"(({of}) {self.make(Type(self.rng.choice(sources)), scope, depth)})"

    def parsed(self, of, scope, depth):
        if scope.risky:
            return f"(({of}) {self.varying(self.rng.choice((RSTRING, USTRING)), scope, depth)})"
        if of == UINT8 or not self.rng.random() < 0.3:
            return None
        digits = f'"{self.rng.randrange(100)}"'
        return f"(({of}) {self.identity(RSTRING, digits)})"

    # ===--- booleans -------------------------------------------------------===

    def comparison(self, of, scope, depth):
        other = random_type(self.rng, 1) if self.rng.random() < 0.3 else scalar(self.rng)
        ordered = is_ordered(other) or other.kind in (*FLOATS, *DECIMALS, "timestamp")
        operator = self.rng.choice(("==", "!=", "<", "<=", ">", ">=") if ordered else ("==", "!="))
        return f"({self.make(other, scope, depth)} {operator} {self.make(other, scope, depth)})"

    def logic(self, of, scope, depth):
        left = self.make(BOOLEAN, scope, depth)
        operator = self.rng.choice(("&&", "||", "&", "|", "!") + ("??",) * (not self.rng.plain))
        if operator == "!":
            return f"(!{left})"
        if operator == "??":
            return f"({self.varying(Type('optional', (scalar(self.rng),)), scope, depth)}??)"
        return f"({left} {operator} {self.make(BOOLEAN, scope, depth)})"

    def membership(self, of, scope, depth):
        key = key_type(self.rng)
        whole = self.rng.choice((list_of(key), Type("set", (key,)), Type("map", (key, INT32))))
        return f"({self.make(key, scope, depth)} in {self.make(whole, scope, depth)})"

    # ===--- strings and others ---------------------------------------------===

    def string(self, of, scope, depth):
        if of.bound:
            return f"(({of}) {self.make(RSTRING, scope, depth)})"
        way = self.rng.randrange(4)
        if way < 2 or not (scope.risky or of == USTRING):
            return f"({self.make(of, scope, depth)} + {self.make(of, scope, depth)})"
        whole = self.varying(of, scope, depth)
        first, last = self.rng.randrange(3), self.rng.randrange(6)
        if way == 2 and scope.risky:
            return f"{whole}[{self.varying(INT32, scope, depth)}]"
        bounds = self.rng.choice((f"{first}:{last}", f":{last}", f"{first}:"))
        return f"{whole}[{bounds}]" if scope.risky else f"{whole}[:{last}]"

    def text_of(self, of, scope, depth):
        other = random_type(self.rng, 2)
        if other == USTRING and of != USTRING:
            other = RSTRING
        return f"(({of}) {self.make(other, scope, depth)})"

    def enumerator(self, of, scope, depth):
        if scope.risky and self.rng.random() < 0.5:
            return (
                f"(({of}) {self.varying(Type(self.rng.choice(('int32', 'uint32'))), scope, depth)})"
            )
        number = self.make(Type("uint32"), scope, depth)
        return f"(({of}) ({number} % {len(ENUMS[of.kind])}u))"

    def time(self, of, scope, depth):
        if self.rng.random() < 0.4:
            return f"createTimestamp((int64) {self.make(INT32, scope, depth)}, 5u)"
        operator = self.rng.choice("+-")
        return f"({self.make(TIMESTAMP, scope, depth)} {operator} {self.leaf(TIMESTAMP, scope)})"

    def bytes_of(self, of, scope, depth):
        if scope.risky and self.rng.random() < 0.5:
            bounds = f"{self.rng.randrange(3)}:{self.rng.randrange(5)}"
            return f"{self.varying(BLOB, scope, depth)}[{bounds}]"
        return f"((blob) {self.make(list_of(UINT8), scope, depth)})"

    # ===--- collections ----------------------------------------------------===

    def literal_of(self, of, scope, depth):
        return collection(self.rng, of, lambda t: self.make(t, scope, depth))

    def lifted(self, of, scope, depth):
        """An operator on each element."""
        element = of.args[0]
        if of.bound:
            return None
        if element == BOOLEAN:
            other = scalar(self.rng)
            if not is_key(other) or other.bound:
                return None
            operator = self.rng.choice(("<", "==", ">=", "!="))
            values = self.make(list_of(other), scope, depth)
            return f"({values} {operator} {self.make(other, scope, depth)})"
        if not is_numeric(element):
            return None
        left, operator = self.make(of, scope, depth), self.rng.choice("+-*")
        if scope.risky and self.rng.random() < 0.5:
            return f"({left} .{operator} {self.make(of, scope, depth)})"
        if is_integer(element) and self.rng.random() < 0.2:
            return f"({left} / {nonzero_literal(self.rng, element.kind)})"
        return f"({left} {operator} {self.make(element, scope, depth)})"

    def list_cast(self, of, scope, depth):
        element = of.args[0]
        if is_numeric(element) and element.kind not in COMPLEX:
            element = Type(self.rng.choice([*INTEGERS, *FLOATS, *DECIMALS]))
        elif not of.bound:
            return self.sliced(of, scope, depth)
        return f"(({of}) {self.make(list_of(element), scope, depth)})"

    def sliced(self, of, scope, depth):
        if not scope.risky:
            return None
        first = (
            self.varying(INT32, scope, depth) if self.rng.random() < 0.3 else self.rng.randrange(2)
        )
        return f"{self.varying(of, scope, depth)}[{first}:]"
