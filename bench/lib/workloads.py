"""What is measured: the configurations, their checksums, how each is built and run."""
import os
from dataclasses import dataclass

# Count and sum that the sink must print for the first 1000 tuples of W1, by
# (operators N, flops F, payload bytes P). They follow from the definition of the
# workload alone, so a wrong one means wrong arithmetic or a lost tuple.
FIRST = 1000
W1_SUMS = {
    (10, 1, 8): 0xdffcb6181097fe53, (10, 1, 128): 0x1c38f2544cd41de7,
    (100, 1, 8): 0xdffcecf0b7a42c42, (100, 1, 128): 0x1c39292cf3e04bd6,
    (500, 1, 8): 0xdffde0b52578c38f,
    (10, 100, 8): 0xdffd13e709c8fd99, (10, 100, 128): 0x1c39502346051d2d,
    (100, 100, 8): 0xe000973fef231d0c, (100, 100, 128): 0x1c3cd37c2b5f3ca0,
}
# Words of the whole text of W5b and the sum of their running counts.
TEXT_BYTES, TEXT_WORDS, TEXT_SUM = 200_000_000, 23_210_240, 2_768_352_905_050
SHORT_BYTES = 1_000_000       # the length that is subtracted
QUICK_BYTES = 8_000_000       # the long one of --quick


@dataclass(frozen=True)
class Pipeline:
    """W1: a source, N operators of F flops, a sink; tuples of P payload bytes."""
    operators: int
    flops: int
    payload: int

    @property
    def name(self):
        return f"W1-N{self.operators}-F{self.flops}-P{self.payload}"

    @property
    def sum(self):
        return W1_SUMS[self.operators, self.flops, self.payload]

    def spl(self):
        """File, options of `sluice build`."""
        main = f"N{self.operators}P{self.payload}"
        return "W1.spl", ["--main", main, "--arg", f"F={self.flops}"]

    def sluice_arguments(self, count):
        return [f"n={count}"]

    def reference_arguments(self, count):
        return [str(self.operators), str(self.flops), str(self.payload), str(count)]


@dataclass(frozen=True)
class WordCount:
    """W5b: a text file, its words, a running count of each."""
    name = "W5b"

    def spl(self):
        return "W5b.spl", []

    def sluice_arguments(self, path):
        return [f"file={os.path.abspath(path)}"]

    def reference_arguments(self, path):
        return [path]


PIPELINES = [Pipeline(n, f, p) for n in (10, 100) for f in (1, 100) for p in (8, 128)]
WORDS = WordCount()
COMPILED = [Pipeline(n, 1, 8) for n in (10, 100, 500)]
COMPILE = "compile"


def selected(names):
    """The configurations whose name is, or begins with, one of `names` (all
    without any), and those names that fit none."""
    everything = [p.name for p in PIPELINES] + [WORDS.name, COMPILE]

    def fits(name, wanted):
        return name.lower() == wanted.lower() or name.lower().startswith(wanted.lower() + "-")
    chosen = [n for n in everything if not names or any(fits(n, w) for w in names)]
    unknown = [w for w in names if not any(fits(n, w) for n in everything)]
    return chosen, unknown, everything
