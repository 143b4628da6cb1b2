"""W8: aggregation over windows, joins, sorts and duplicates; the programs of spl/w8 and of hand/,
and what their sinks must print for the first REFERENCE tuples."""

from dataclasses import dataclass

from configs import Config

REFERENCE = 3 << 20


@dataclass(frozen=True)
class Window(Config):
    """A program of spl/w8 with its compile-time values, and that of hand/ with its words. `warm`:
    so many tuples fill all windows and tables."""

    name: str
    composite: str
    values: tuple
    reference: str
    words: tuple
    results: int
    sum: int
    quick: bool = False
    warm: int = 0
    length: int = REFERENCE
    timed: bool = True
    engines: bool = True
    elastic, slow_check, tail = False, True, 131_101  # more than the first windows of most

    def file(self):
        return f"w8/{FILES[self.composite]}.spl"

    @property
    def compiled(self):
        return [f"--main=w8::{self.composite}", *(f"--arg={value}" for value in self.values)]

    @property
    def known(self):
        return [(self.length, self.results, self.sum)]

    def reference_arguments(self, count):
        return [*self.words, str(count)]

    def more(self, sizes, short, long):
        """Results are fewer or more than tuples: those of the source count."""
        return sizes[1] - sizes[0]


FILES = {
    "SumInt": "Sliding",
    "SumFloat": "Sliding",
    "Largest": "Sliding",
    "Four": "Sliding",
    "Trap": "Sliding",
    "Keyed": "Keyed",
    "GroupedByNumber": "Grouped",
    "GroupedByName": "Grouped",
    "YahooSecond": "Yahoo",
    "YahooTen": "Yahoo",
    "YahooHundred": "Yahoo",
    "YahooTenCounted": "Yahoo",
    "YahooNamedSecond": "Yahoo",
    "YahooNamedTen": "Yahoo",
    "Joined": "Joined",
    "SortedByNumber": "Sorted",
    "SortedByWord": "Sorted",
    "Unique": "Unique",
}
SLIDING = {"sumint": "SumInt", "sumfloat": "SumFloat", "max": "Largest", "four": "Four"}
# Sums of W8a by size: of sumint and sumfloat, max, four.
A = {
    4: (0xFFFFFC47B3337FD8, 0x000398C9D86657E9, 0xFFF8E3C28059358E),
    64: (0xFFFFC45C46DB71B2, 0x0005D0A68F7613D5, 0xFFF47CD55EC00F2E),
    1024: (0xFFFC4920651A8A03, 0x0005FA4BDAC2C086, 0xFFF42A0767623869),
    65536: (0xFF1B1BFAC9B8223F, 0x0005DBAF5D2AC216, 0xFFF4660ADE86F2EA),
    1048576: (0xF42BBDD447DF0E57, 0x0003FE001FBF3A1B, 0xFFF810B71C6C6BB5),
}
# Sums of W8b by size and trigger: of sumint, max, four.
B = {
    (64, 16): (0xFFFFFC4614E01DEE, 0x00005D0CCB701184, 0xFFFF45ED84B52C22),
    (1024, 16): (0xFFFFC494955E9DBA, 0x00005FC8069DCC73, 0xFFFF407A8B364EFF),
    (1024, 256): (0xFFFFFC4A39AAA692, 0x000005FCA2F3952A, 0xFFFFF4059A0ECB7D),
    (65536, 16): (0xFFF1B1CB8F31CB77, 0x00005DFBC5141BB5, 0xFFFF441EA561C0F5),
    (65536, 16384): (0xFFFFFC7133A11B57, 0x000000179FD56CD2, 0xFFFFFFD0C1FFD13C),
    (1048576, 16): (0xFF42BB8E34C03A90, 0x00003FFE1FFD1353, 0xFFFF80E5E8577F81),
    (1048576, 262144): (0xFFFFFCB274396FB5, 0x000000011FFFE90E, 0xFFFFFFFDC3BB4508),
    (1000, 16): (0xFFFFC5CEBEBD8AA6, 0x00005FC6FE8CD2EE, 0xFFFF407C7258E803),
}
QUICK_SIZES = (4, 1024, (1000, 16))  # with `four`, which has all kinds of functions


def sliding(name, function, size, every, total):
    first = -(-size // every) * every  # the tuple that the first result follows
    values = (f"size={size}", *([f"every={every}"] if every > 1 else []))
    return Window(
        name,
        SLIDING[function],
        values,
        "sliding",
        (function, str(size), str(every)),
        REFERENCE // every - first // every + 1,
        total,
        quick=(function == "four" and (size if every == 1 else (size, every)) in QUICK_SIZES)
        or (function, size, every) == ("sumfloat", 64, 1),
        warm=2 * size,
    )


def all_sliding():
    for size, (total, most, four) in A.items():
        for function, check in zip(SLIDING, (total, total, most, four)):
            yield sliding(f"W8a-{function}-n{size}", function, size, 1, check)
    for (size, every), checks in B.items():
        for function, check in zip(("sumint", "max", "four"), checks):
            yield sliding(f"W8b-{function}-n{size}-k{every}", function, size, every, check)


def keyed(keys, dist, total, quick=False, warm=32):
    return Window(
        f"W8c-{keys}-{dist}",
        "Keyed",
        (f"keys={keys}", f"dist={dist}"),
        "keyed",
        (str(keys), dist),
        REFERENCE,
        total,
        quick,
        warm=warm * keys,
    )


def joined(keys, results, total, quick=False, size=1000):
    large = size != 1000
    return Window(
        f"W8f-{keys}" + (f"-n{size}" if large else ""),
        "Joined",
        (f"keys={keys}", f"size={size}"),
        "joined",
        (str(keys), str(size)),
        results,
        total,
        quick,
        warm=2 * size if large else 0,
        engines=not large,
    )


def plain(name, composite, reference, results, total, quick=True, **more):
    """Without values at compile time; the reference is `reference` with its words."""
    program, *words = reference.split()
    return Window(name, composite, (), program, tuple(words), results, total, quick, **more)


TRAP = Window(
    "W8a-trap",
    "Trap",
    (),
    "sliding",
    ("trap", "1024", "1"),
    19_457,
    0xFFFFCC74A8AE1124,
    quick=True,
    length=20_480,
    timed=False,
)
WINDOWS = [
    *all_sliding(),
    TRAP,
    keyed(1000, "uniform", 0x7EE77ED3B13E1014),
    keyed(1000, "zipf", 0xA043CE293F3C9864, quick=True),
    keyed(1_000_000, "uniform", 0x5353888C50D15051),
    keyed(1_000_000, "zipf", 0xCD7DDB7EFC86BA12),
    keyed(10_000_000, "uniform", 0x2D2D088C97C447E6, warm=8),
    plain("W8d-number", "GroupedByNumber", "grouped number", 298_396, 0x861DF69A493FFB4A),
    plain("W8d-name", "GroupedByName", "grouped name", 298_396, 0x000030D90B973340),
    plain("W8e-1s-number", "YahooSecond", "yahoo 1 number", 3100, 0xD9FD1FD8C064067E, False),
    plain("W8e-10s-number", "YahooTen", "yahoo 10 number", 3100, 0xD9FD1FD8C1C8E8D2, False),
    plain(
        "W8e-10s-number-count",
        "YahooTenCounted",
        "yahoo 10 number",
        3100,
        0xD9FD1FD8C1C8E8D2,
        False,
        engines=False,
    ),
    plain(
        "W8e-100s-number",
        "YahooHundred",
        "yahoo 100 number",
        12_500,
        0xC9D35F61E9B6B420,
        False,
        length=12 << 20,
        warm=10_000_000,
        engines=False,
    ),
    plain("W8e-1s-name", "YahooNamedSecond", "yahoo 1 name", 3100, 0x000000000031AE05),
    plain("W8e-10s-name", "YahooNamedTen", "yahoo 10 name", 3100, 0x0000000001969059),
    joined(10000, 314_071, 0x6A163F848830D8F6, quick=True),
    joined(100, 31_443_388, 0xF96291A879AD795A),
    joined(10_000_000, 213_709, 0x487D372E7BBF48FC, size=1_000_000),
    plain("W8g-number", "SortedByNumber", "sorted number", 3_100_000, 0xA0556B9EBC29E8AE),
    plain("W8g-word", "SortedByWord", "sorted word", 3_100_000, 0x0011BC6EF1AC32AE, False),
    plain("W8h", "Unique", "unique", 1_109_305, 0x4FE380B198B0413F, warm=4_000_000),
]
