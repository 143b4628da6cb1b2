"""Values of SPL in Python, and their text as `(rstring) value` gives it.

A tuple is a dict, an enumeration an Enum, a timestamp a Timestamp; a float32 a Float32."""

import struct
from collections import namedtuple

WIDTHS = {f"int{bits}": bits for bits in (8, 16, 32, 64)}
UNSIGNED = {f"uint{bits}": bits for bits in (8, 16, 32, 64)}


class Float32(float):
    """Rounded to the type."""

    def __new__(cls, value):
        return super().__new__(cls, struct.unpack("f", struct.pack("f", float(value)))[0])


class Timestamp(namedtuple("Timestamp", "seconds nanoseconds")):
    def __sub__(self, other):
        return self.seconds - other.seconds + (self.nanoseconds - other.nanoseconds) * 1e-9


class Enum(int):
    """A member: its position, and its name for printing."""

    def __new__(cls, names, name):
        member = super().__new__(cls, names.index(name))
        member.name = name
        return member


def wrap(kind, value):
    """The integer as the type holds it."""
    bits = WIDTHS.get(kind) or UNSIGNED.get(kind)
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind in WIDTHS and value >> (bits - 1) else value


def is_integer(kind):
    return kind in WIDTHS or kind in UNSIGNED


def float_text(value, digits):
    return "0" if value == 0 else f"{value:.{digits}g}"


def text_of(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, Float32):
        return float_text(value, 6)
    if isinstance(value, float):
        return float_text(value, 15)
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    if isinstance(value, Timestamp):
        return f"({value.seconds},{value.nanoseconds},0)"
    if isinstance(value, dict):
        return "{" + ",".join(f"{name}={text_of(v)}" for name, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(text_of(v) for v in value) + "]"
    return str(value)


def zero(kind):
    """What an attribute holds that nobody has assigned."""
    if is_integer(kind):
        return 0
    if kind.startswith("float"):
        return 0.0
    if kind in ("rstring", "ustring"):
        return ""
    if kind == "boolean":
        return False
    if kind == "timestamp":
        return Timestamp(0, 0)
    if kind.startswith("list"):
        return []
    raise ValueError(f"no zero value of {kind}")
