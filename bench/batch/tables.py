"""The tuples of W8 as columns, and words of the checksum."""

import numpy as np

U, I = np.uint64, np.int64
KEYS, SYMBOLS, ADS, CAMPAIGNS, JOIN_KEYS, DUPLICATES, WORDS = range(7)


def random(state):
    """The pseudo-random number of each state."""
    z = np.asarray(state, dtype=U) + U(0x9E3779B97F4A7C15)
    z = (z ^ (z >> U(30))) * U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> U(27))) * U(0x94D049BB133111EB)
    return z ^ (z >> U(31))


def upper(r, limit):
    return (r >> U(32)) * U(limit) >> U(32)


def lower(r, limit):
    return (r & U(0xFFFFFFFF)) * U(limit) >> U(32)


def name_of(kind, k):
    return random(np.asarray(k, dtype=U) + U((1 << 60) + (kind << 32))).view(I)


class Tuples:
    """The first `count` tuples."""

    def __init__(self, count):
        self.count, self.i = count, np.arange(count, dtype=I)
        self.state = self.i.view(U) * U(4)

    def value(self):
        return (random(self.state) >> U(34)).view(I) - (1 << 29)

    def first(self):
        return random(self.state + U(1))

    def second(self):
        return random(self.state + U(2))

    def keys(self, keys, dist):
        r = self.first()
        if dist == "uniform":
            return name_of(KEYS, upper(r, keys))
        low = (U(1) << upper(r, 10 if keys == 1000 else 20)) - U(1)
        x = low + (r & low)
        return name_of(KEYS, np.where(x < U(keys), x, x - U(keys)))

    def symbols(self):
        r = self.first()
        return np.minimum(upper(r, 1000), lower(r, 1000)).view(I)

    def prices(self):
        return (self.second() >> U(44)).view(I) / 64.0

    def volumes(self):
        return (self.second() & U(1023)).view(I) + 1

    def unique_keys(self):
        return name_of(DUPLICATES, self.i.view(U) // U(4) + upper(self.first(), 500_000))


def ad_names():
    names = []
    for u in name_of(ADS, np.arange(1000)).view(U):
        w = int(random(u))
        u = int(u)
        names.append(
            f"{u >> 32:08x}-{u >> 16 & 0xFFFF:04x}-{u & 0xFFFF:04x}-{w >> 48:04x}"
            f"-{w & 0xFFFFFFFFFFFF:012x}"
        )
    return names


def words():
    found = []
    for s in map(int, name_of(WORDS, np.arange(1000)).view(U)):
        word = ""
        for _ in range(4 + s % 9):
            s = (s * 6364136223846793005 + 1442695040888963407) % (1 << 64)
            word += chr(ord("a") + (s >> 33) % 26)
        found.append(word)
    return found
