"""Functions of the standard toolkit that generated expressions call: all are pure."""

import re

from spl_types import (
    BOOLEAN,
    COMPLEX,
    FLOATS,
    INT32,
    INTEGERS,
    Type,
    is_float,
    is_key,
    is_numeric,
    is_ordered,
    list_of,
    scalar,
)

# Result, name, arguments.
SAFE = """
boolean isNaN(float64)
boolean isInf(float32)
int32 length(rstring)
int32 length(ustring)
int32 findFirst(rstring, rstring)
int32 findFirst(ustring, ustring)
int32 findFirstOf(rstring, rstring)
int32 findFirstNotOf(rstring, rstring)
int32 size(blob)
uint64 blobSize(blob)
uint32 toCharacterCode(rstring)
uint32 toCharacterCode(ustring)
uint32 hour(timestamp)
uint32 gmday(timestamp)
int64 getSeconds(timestamp)
uint32 getNanoseconds(timestamp)
int64 diffAsNanos(timestamp, timestamp)
float64 diffAsSecs(timestamp, timestamp)
timestamp add(timestamp, int64)
rstring upper(rstring)
rstring lower(rstring)
rstring trim(rstring, rstring)
rstring ltrim(rstring, rstring)
rstring rtrim(rstring, rstring)
rstring concat(rstring, rstring)
rstring makeRStringLiteral(rstring)
rstring makeUStringLiteral(ustring)
rstring ctime(timestamp)
ustring upper(ustring)
ustring lower(ustring)
ustring trim(ustring, ustring)
ustring concat(ustring, ustring)
ustring substring(ustring, int32, int32)
blob convertToBlob(rstring)
list<rstring> tokenize(rstring, rstring, boolean)
list<ustring> tokenize(ustring, ustring, boolean)
list<rstring> csvTokenize(rstring)
float64 real(complex64)
float64 imag(complex64)
float32 real(complex32)
float32 imag(complex32)
float64 abs(complex64)
float64 sin(float64)
float64 cos(float64)
float64 exp(float64)
float64 log(float64)
float64 atan(float64)
float64 pow(float64, float64)
float32 pow(float32, float32)
"""
# Those that may fail.
RISKY = """
rstring substring(rstring, int32, int32)
int32 findLast(rstring, rstring, int32)
int32 findLast(ustring, ustring, int32)
"""


def parse_type(text):
    inner = re.fullmatch(r"list<(\w+)>", text)
    return list_of(Type(inner.group(1))) if inner else Type(text)


def table(text):
    found = {}
    for line in text.split("\n"):
        if m := re.fullmatch(r"(\S+) (\w+)\((.*)\)", line):
            arguments = [parse_type(a) for a in m.group(3).split(", ")]
            found.setdefault(parse_type(m.group(1)), []).append((m.group(2), arguments))
    return found


SAFE, RISKY = table(SAFE), table(RISKY)


def generic(rng, of, risky):
    """Calls (name, arguments) with a result of this type, of generic functions; `risky`: also of
    those that may fail."""
    found = []
    if of == INT32:
        element, key = scalar(rng), Type(rng.choice([*INTEGERS, "rstring"]))
        values = list_of(element)
        found += [("size", [values]), ("size", [Type("set", (key,))])]
        found += [("size", [Type("map", (key, element))])]
        found += [("findFirst", [values, element]), ("findFirst", [values, element, INT32])]
        if is_ordered(element):
            found += [("lexicographicalCompare", [values, values])]
        if is_key(element):
            found += [("countDistinct", [values])]
    if of == BOOLEAN:
        key = Type(rng.choice([*INTEGERS, "rstring", "ustring"]))
        found += [("has", [list_of(key), key]), ("has", [Type("set", (key,)), key])]
        found += [("has", [Type("map", (key, BOOLEAN)), key])]
    if of.bound:
        return found
    if is_numeric(of) and of.kind not in COMPLEX:
        found += [("abs", [of]), ("sum", [list_of(of)]), ("avg", [list_of(of)])]
    if of.kind in COMPLEX:
        found += [("sum", [list_of(of)])]
    if is_ordered(of) and of.kind != "blob":
        found += [(f, [of, of]) for f in ("min", "max")]
        found += [(f, [list_of(of)]) for f in ("min", "max", "median")]
    if is_float(of):
        found += [(f, [of]) for f in ("sqrt", "floor", "ceil", "round")] + [("fmod", [of, of])]
    if of.kind == "list":
        found += on_lists(of, risky)
    if of.kind == "set":
        found += [(f, [of, of]) for f in ("setUnion", "setIntersection", "setDifference")]
        found += [("toSet", [list_of(of.args[0])]), ("insert", [of, of.args[0]])]
        found += [("remove", [of, of.args[0]])]
    if of.kind == "map":
        found += [("insert", [of, *of.args]), ("remove", [of, of.args[0]])]
    return found


def on_lists(of, risky):
    element = of.args[0]
    found = [("concat", [of, of]), ("reverse", [of]), ("insert", [of, element, INT32])]
    found += [("remove", [of, INT32]), ("slice", [of, INT32, INT32])]
    found += [("at", [of, list_of(Type("uint32"))])]
    if risky:
        found += [("selectFromList", [list_of(BOOLEAN), of, of])]
    if is_ordered(element) and element.kind != "blob":
        found += [("sort", [of]), ("pairwiseMax", [of, of])]
    if is_key(element) and not element.bound and element.kind != "blob":
        found += [("keys", [Type("map", (element, INT32))])]
    if is_numeric(element) and element.kind not in (*COMPLEX, *FLOATS):
        found += [("abs", [of])]
    if element == INT32:
        found += [("range", [of]), ("find", [list_of(Type("rstring")), Type("rstring")])]
        found += [("pairwiseCompare", [list_of(Type("uint16")), list_of(Type("uint16"))])]
    return found
