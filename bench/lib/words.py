"""W5: words from a dictionary, or from a text; a running count of each."""

import os
from collections import Counter
from dataclasses import dataclass

import sums
from configs import Config
from timing import expect

CHECK_BYTES = 200_000  # of the text: the length that is checked
SHORT_BYTES = 1_000_000  # the length that is subtracted
QUICK_BYTES = 8_000_000  # the long one of --quick


def word_sums(path):
    """Count of words and sum of their running counts, from the counts at the end."""
    with open(path, encoding="ascii") as file:
        counts = Counter(file.read().split())
    return sum(counts.values()), sum(c * (c + 1) // 2 for c in counts.values())


@dataclass(frozen=True)
class WordStream(Config):
    """W5a: words drawn from a dictionary, a running count of each. `long`: of 13 to 40 letters,
    which are not inside an rstring."""

    long: bool = False
    reference, tail = "wordstream", min(sums.WORD_STREAM)

    @property
    def name(self):
        return "W5a-long" if self.long else "W5a"

    @property
    def elastic(self):
        return not self.long

    @property
    def peers(self):
        return () if self.long else ("timely",)

    @property
    def compiled(self):
        return ["--arg=least=13", "--arg=lengths=28"] if self.long else []

    def file(self):
        return "W5a.spl"

    def reference_arguments(self, count):
        return [str(count), *(["long"] if self.long else [])]

    def checked(self, programs):
        if self.long:
            return self.against_reference(programs, self.tail)
        return self.tail, self.tail, sums.WORD_STREAM[self.tail]


@dataclass(frozen=True)
class WordCount(Config):
    """W5b: a text file, its words, a running count of each. Its length is a file."""

    name, reference, peers = "W5b", "wordcount", ("timely",)
    elastic = False

    def file(self):
        return "W5b.spl"

    def sluice_arguments(self, path):
        return [f"file={os.path.abspath(path)}"]

    def reference_arguments(self, path):
        return [path]

    def checked(self, programs):
        path = programs.input("text", CHECK_BYTES)
        return path, *word_sums(path)

    def sizes(self, command, programs, args):
        long = QUICK_BYTES if args.quick else sums.TEXT_BYTES
        return programs.input("text", SHORT_BYTES), programs.input("text", long)

    def more(self, sizes, short, long):
        """Words. Those of the whole text are known."""
        if sizes[1].endswith(f"-{sums.TEXT_BYTES}.txt"):
            expect(f"{self.name} (long run)", long, sums.TEXT_WORDS, sums.TEXT_SUM)
        return long.count - short.count


STREAM, LONG_WORDS, WORDS = WordStream(), WordStream(long=True), WordCount()
