"""What all workloads have in common: how long they run, and what must come out."""

from timing import BenchError, lengths, run

FIRST = 1000  # the tuples whose sum is in `sums`
TAIL = 10_007  # a prime: no batch or block of tuples divides it


class Config:
    """What has a number of tuples as its length. A subclass has a `name`; `text()`, its
    graph in SPL, or `file()` in spl/, and `compiled`, options of the compiler; `reference`, a
    program of hand/, and its `variants`."""

    compiled = ()
    variants = ("",)
    peers = ()
    engines = False  # do batch engines have it?
    elastic = True  # as many tuples reach the sink as leave the source
    quick = True  # may be checked in a test, among many others
    timed = True
    warm = 0  # so many tuples do not count for the rate
    sum = None  # of the first 1000 tuples, if it is known
    tail = TAIL  # the length that is checked besides
    slow_check = False  # what is known takes so long that it is checked in one mode only

    @property
    def known(self):
        """(length, results, sum) of what is known without a reference."""
        return [(FIRST, FIRST, self.sum)] if self.sum is not None else []

    def checked(self, programs):
        """The same, of what is checked besides: by a reference, if there is no other way."""
        return self.against_reference(programs, self.tail)

    def against_reference(self, programs, length):
        program = programs.reference(self.reference)
        sample = run(self.reference_command(program, self.variants[0], length))
        return length, sample.count, sample.sum

    def sizes(self, command, programs, args):
        """A short and a long length; what the long one has more is timed."""
        return lengths(command, args.seconds, self.warm)

    def more(self, sizes, short, long):
        """How many items the long run has more than the short one: the tuples of the sink."""
        if (short.count, long.count) != sizes:
            raise BenchError(f"{long.count} tuples came out of {sizes[1]}")
        return long.count - short.count

    def sluice_arguments(self, count):
        return [f"n={count}"]

    def peer_arguments(self, count):
        """What peers that know several workloads are told."""
        return [self.name.split("-")[0], *self.reference_arguments(count)]

    def reference_command(self, program, variant, count):
        return [program, *([variant] if variant else []), *self.reference_arguments(count)]
