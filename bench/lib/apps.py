"""W6, W7 and W9: ticks of a file, the queries of Nexmark, lines of JSON; the example vwap."""

import os
from dataclasses import dataclass

from configs import Config
from programs import ROOT
from timing import expect

LINES, RESULTS, SUM = 5_000_000, 2_848_893, 40_413_248_598  # of all ticks
SHORT_LINES, QUICK_LINES, CHECK_LINES = 50_000, 500_000, 20_011
JSON_LINES = 2_000_000  # 450 MB


@dataclass(frozen=True)
class Vwap(Config):
    """W6, or a program with less in it: composite `main`. Its length is a file; the rate is that of
    lines. `quoted`: one line in a hundred has quotes, of which the reference knows nothing."""

    name: str = "W6"
    main: str = "W6"
    words: tuple = ()  # of the reference
    results: int = RESULTS
    sum: int = SUM
    quoted: bool = False
    reference, elastic = "vwap", False
    known = []  # of `sum`, only that of the whole file

    @property
    def peers(self):
        return ("timely",) if self.name == "W6" else ()

    @property
    def compiled(self):
        return [f"--main={self.main}"]

    def input(self, programs, lines):
        if self.quoted:
            programs.input("ticks", lines, "quoted")
        return programs.input("ticks", lines)

    def file(self):
        return "w6/W6.spl"

    def sluice_arguments(self, path):
        if self.quoted:
            path = path.replace("ticks-", "ticks-quoted-")
        return [f"file={os.path.abspath(path)}"]

    def reference_arguments(self, path):
        return [path, *self.words]

    def checked(self, programs):
        return self.against_reference(programs, self.input(programs, CHECK_LINES))

    def sizes(self, command, programs, args):
        long = QUICK_LINES if args.quick else LINES
        return self.input(programs, SHORT_LINES), self.input(programs, long)

    def more(self, sizes, short, long):
        if sizes[1].endswith(f"-{LINES}.txt"):
            expect(f"{self.name} (long run)", long, self.results, self.sum)
            return LINES - SHORT_LINES
        return QUICK_LINES - SHORT_LINES


@dataclass(frozen=True)
class Market(Config):
    """The application of examples/vwap, with another sink."""

    name, reference = "vwap", "market"
    compiled = ("-t", os.path.join(ROOT, "examples", "vwap"))

    def file(self):
        return "vwap.spl"

    def reference_arguments(self, count):
        return [str(count)]


@dataclass(frozen=True)
class Nexmark(Config):
    """W7: a query; what comes out of 5,000,000 events."""

    query: int
    results: int
    sum: int
    reference, elastic, slow_check, tail = "nexmark", False, True, 250_007

    @property
    def name(self):
        return f"W7-q{self.query}"

    @property
    def compiled(self):
        return [f"--main=nexmark::Q{self.query}"]

    @property
    def known(self):
        return [(5_000_000, self.results, self.sum)]

    def file(self):
        return "nexmark/Queries.spl"

    def reference_arguments(self, count):
        return [str(self.query), str(count)]

    def more(self, sizes, short, long):
        return sizes[1] - sizes[0]


@dataclass(frozen=True)
class Json(Config):
    """W9: lines of JSON. Its length is a file; the rate is that of lines."""

    name, reference, elastic = "W9", "json/json", False

    def input(self, programs, lines):
        return programs.input("json/docs", lines)

    def file(self):
        return "W9.spl"

    def sluice_arguments(self, path):
        return [f"file={os.path.abspath(path)}"]

    def reference_arguments(self, path):
        return [path]

    def checked(self, programs):
        return self.against_reference(programs, self.input(programs, CHECK_LINES))

    def sizes(self, command, programs, args):
        long = QUICK_LINES if args.quick else JSON_LINES
        return self.input(programs, SHORT_LINES), self.input(programs, long)

    def more(self, sizes, short, long):
        return long.count - short.count


VWAP, MARKET, JSON = Vwap(), Market(), Json()
VWAP_PARTS = [
    Vwap("W6-one", "W6one"),
    Vwap("W6-parse", "W6parse", ("parse",), LINES, 12_567_006_632_119),
    Vwap("W6-quoted", quoted=True),
]
NEXMARK = [
    Nexmark(0, 4_600_000, 23_696_459_377_005),
    Nexmark(1, 4_600_000, 20_890_067_434_807),
    Nexmark(2, 37_953, 195_933_636_319),
    Nexmark(3, 29_896, 5_995_051_022),
    Nexmark(5, 268, 39_658_449),
    Nexmark(7, 49, 497_205_029),
    Nexmark(8, 93_869, 4_693_456_031),
]
