"""The types of generated programs, and literals of them."""

import random
from dataclasses import dataclass

SIGNED = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
UNSIGNED = {"uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64}
INTEGERS = {**SIGNED, **UNSIGNED}
FLOATS = {"float32": "w", "float64": ""}
DECIMALS = {"decimal32": "wd", "decimal64": "ld", "decimal128": "qd"}
COMPLEX = {"complex32": "float32", "complex64": "float64"}
SUFFIX = {8: "b", 16: "h", 32: "w", 64: "l"}
# Named types at the top of each file. No two enumerations share a member.
ENUMS = {"Colour": ("red", "green", "blue"), "Level": ("low", "mid", "high", "top")}


@dataclass(frozen=True)
class Type:
    kind: str
    args: tuple = ()  # of elements, keys and values, attributes
    names: tuple = ()  # of attributes
    bound: int = 0

    def __str__(self):
        bound = f"[{self.bound}]" if self.bound else ""
        if self.kind == "tuple":
            return f"tuple<{body(self)}>"
        if self.args:
            return f"{self.kind}<{', '.join(map(str, self.args))}>{bound}"
        return self.kind + bound


def body(of):
    """The attributes of a tuple type, as in stream<...>."""
    return ", ".join(f"{t} {n}" for t, n in zip(of.args, of.names))


def list_of(element, bound=0):
    return Type("list", (element,), (), bound)


BOOLEAN, INT32, INT64, UINT8, UINT32 = map(Type, ("boolean", "int32", "int64", "uint8", "uint32"))
UINT64, RSTRING, USTRING, BLOB = map(Type, ("uint64", "rstring", "ustring", "blob"))
FLOAT64, TIMESTAMP = Type("float64"), Type("timestamp")


def is_integer(of):
    return of.kind in INTEGERS


def is_float(of):
    return of.kind in FLOATS


def is_numeric(of):
    return of.kind in INTEGERS or of.kind in FLOATS or of.kind in DECIMALS or of.kind in COMPLEX


def is_ordered(of):
    """Whether values have an order in which no two differ and are neither less nor greater."""
    return of.kind in (*INTEGERS, "boolean", "rstring", "ustring", "blob", *ENUMS)


def is_key(of):
    """Whether equal values have equal texts, so that a set of them is the same in every mode."""
    return is_ordered(of)


class Choices(random.Random):
    """The random numbers of a program. A plain one has few types: those that loops like best."""

    plain = False
    forks = False  # it has little but branches with loops


PLAIN = ("int32", "int64", "uint8", "uint32", "float32", "float64", "float64", "boolean")


def scalar(rng):
    if rng.plain:
        return Type(rng.choice(PLAIN))
    kind = rng.choice(
        [*INTEGERS] * 2
        + [*FLOATS] * 3
        + [*DECIMALS, *COMPLEX, *ENUMS]
        + ["boolean"] * 3
        + ["rstring"] * 4
        + ["ustring", "ustring", "blob", "timestamp"]
    )
    return (
        Type(kind, bound=rng.randint(1, 9))
        if kind == "rstring" and rng.random() < 0.2
        else Type(kind)
    )


def key_type(rng):
    while True:
        found = scalar(rng)
        if is_key(found) and found.kind != "blob" and not found.bound:
            return found


def random_type(rng, depth=2):
    """A type of any kind; `depth`: how deep collections may nest."""
    if depth == 0 or rng.plain or rng.random() < 0.7:
        return scalar(rng)
    kind = rng.choice(("list", "list", "list", "set", "map", "tuple", "optional"))
    if kind == "list":
        return list_of(random_type(rng, depth - 1), rng.choice((0, 0, 0, 0, rng.randint(1, 5))))
    if kind == "set":
        return Type("set", (key_type(rng),), (), rng.choice((0, 0, 0, rng.randint(1, 5))))
    if kind == "map":
        return Type("map", (key_type(rng), random_type(rng, depth - 1)))
    if kind == "tuple":
        return tuple_type(rng, rng.randint(1, 2), depth - 1, "f")
    element = random_type(rng, depth - 1)
    return element if element.kind == "optional" else Type("optional", (element,))


def tuple_type(rng, size, depth, letter):
    return Type(
        "tuple",
        tuple(random_type(rng, depth) for _ in range(size)),
        tuple(f"{letter}{i}" for i in range(size)),
    )


def integer_literal(kind, value):
    bits = INTEGERS[kind]
    text = f"{value}{'u' if kind in UNSIGNED else ''}{'' if bits == 32 else SUFFIX[bits]}"
    return f"({text})" if value < 0 else text


def integer_value(rng, kind):
    bits = INTEGERS[kind]
    low, high = (0, 2**bits - 1) if kind in UNSIGNED else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    near = rng.choice((low, high, 0, 0, 0, 1, 1 << rng.randrange(bits)))
    return min(max(near + rng.randint(-3, 9), low), high)


def nonzero_literal(rng, kind):
    return integer_literal(kind, rng.choice((1, 2, 3, 5, 7, 10, 64)))


WORDS = ["", "a", "b", "abc", "Zebra", "x,y", " pad ", "12", "-7", "3.5", "a.b.c", 'q\\"q', "l\\n"]
UWORDS = [*WORDS, "\u00e9", "na\u00efve", "\u03b1\u03b2", "\u20ac5", "\U0001f600x"]


def literal(rng, of):
    """Text of a constant of this type."""
    kind = of.kind
    if kind in INTEGERS:
        return integer_literal(kind, integer_value(rng, kind))
    if kind in FLOATS:
        value = rng.choice(
            ("0.0", "1.0", "0.5", "-2.25", "3.1", "1e10", "-1e-7", "123456.75", "7e20")
        )
        text = value + FLOATS[kind]
        return f"({text})" if value[0] == "-" else text
    if kind in DECIMALS:
        value = rng.choice(("0.0", "1.0", "0.10", "-2.5", "33.3", "1e5", "-0.001", "99999.9"))
        text = value + DECIMALS[kind]
        return f"({text})" if value[0] == "-" else text
    if kind in COMPLEX:
        part = Type(COMPLEX[kind])
        return f"(({kind}) [{literal(rng, part)}, {literal(rng, part)}])"
    if kind in ENUMS:
        return f"{kind}.{rng.choice(ENUMS[kind])}"
    if kind == "boolean":
        return rng.choice(("true", "false"))
    if kind == "rstring":
        text = f'"{rng.choice(WORDS)}"'
        return f"(({of}) {text})" if of.bound else text
    if kind == "ustring":
        return f'"{rng.choice(UWORDS)}"u'
    if kind == "blob":
        return (
            f"((blob) [{', '.join(f'{rng.randrange(256)}ub' for _ in range(rng.randint(1, 4)))}])"
        )
    if kind == "timestamp":
        return f"createTimestamp({rng.randint(-5, 10**9)}l, {rng.randrange(10**9)}u)"
    return collection(rng, of, lambda t: literal(rng, t))


def collection(rng, of, value):
    """A literal with elements that `value` makes."""
    kind = of.kind
    if kind == "tuple":
        return "{" + ", ".join(f"{n} = {value(t)}" for n, t in zip(of.names, of.args)) + "}"
    if kind == "optional":
        return f"(({of}) {value(of.args[0])})" if rng.random() < 0.7 else f"(({of}) null)"
    count = rng.choice((0, 1, 1, 2))
    if count == 0:
        return f"(({of}) {'[]' if kind == 'list' else '{}'})"
    if kind == "list":
        text = f"[{', '.join(value(of.args[0]) for _ in range(count))}]"
    elif kind == "set":
        text = "{" + ", ".join(value(of.args[0]) for _ in range(count)) + "}"
    else:
        key, item = of.args
        text = "{" + ", ".join(f"{value(key)} : {value(item)}" for _ in range(count)) + "}"
    return f"(({of}) {text})" if of.bound else text
