"""W8 in Polars: as duck.py."""

import math

import numpy as np
import polars as pl
import tables

col = pl.col


def start(_):
    """POLARS_MAX_THREADS was set before the import."""


def query(attributes, number, frame):
    """`attributes`: expressions of 64-bit integers over the frame."""
    sums = [(a ^ number).sum().alias(f"w{k}") for k, a in enumerate(attributes)]
    return lambda: frame.select(pl.len().cast(pl.Int64), *sums).collect().row(0)


def sliding(tuples, function, size):
    value = tuples.value()
    t = pl.DataFrame({"v": value, "x": value / 1024.0})
    v = col("v")
    attributes = {
        "sumint": [v.rolling_sum(size)],
        "sumfloat": [(col("x").rolling_sum(size) * 1024).cast(pl.Int64)],
        "max": [v.rolling_max(size)],
        "four": [
            v.rolling_mean(size).cast(pl.Int64),
            v.rolling_max(size),
            v.rolling_min(size),
            pl.repeat(size, tuples.count, dtype=pl.Int64),
        ],
    }[function]
    names = [f"a{k}" for k in range(len(attributes))]
    frame = t.lazy().select(a.slice(size - 1).alias(n) for a, n in zip(attributes, names))
    return query([col(n) for n in names], pl.int_range(pl.len()), frame)


def hopping(tuples, function, size, every):
    pane = math.gcd(size, every)
    panes, step, before = size // pane, every // pane, -(-size // every)
    t = pl.DataFrame({"i": tuples.i, "v": tuples.value()})
    total, most = col("s").rolling_sum(panes), col("h").rolling_max(panes)
    attributes = {
        "sumint": [total],
        "max": [most],
        "four": [
            (total / size).cast(pl.Int64),
            most,
            col("l").rolling_min(panes),
            pl.lit(size, dtype=pl.Int64),
        ],
    }[function]
    names = [f"a{k}" for k in range(len(attributes))]
    frame = (
        t.lazy()
        .group_by_dynamic(col("i").set_sorted(), every=f"{pane}i")
        .agg(s=col("v").sum(), h=col("v").max(), l=col("v").min())
        .select(a.alias(n) for a, n in zip(attributes, names))
        .gather_every(step, step - 1)
        .slice(before - 1)
    )
    return query([col(n) for n in names], pl.int_range(pl.len()), frame)


def keyed(tuples, keys, dist):
    t = pl.DataFrame({"i": tuples.i, "k": tuples.keys(keys, dist), "v": tuples.value()})
    frame = t.lazy().select(
        "i",
        "k",
        s=col("v").rolling_sum(16, min_samples=1).over("k"),
        m=col("v").rolling_max(16, min_samples=1).over("k"),
    )
    return query([col("k"), col("s"), col("m")], col("i"), frame)


def grouped(tuples, kind):
    symbols = tuples.symbols()
    keys = pl.Series(tables.name_of(tables.SYMBOLS, np.arange(1000)))
    if kind == "name":
        keys = pl.Series([f"S{k:04d}" for k in range(1000)])
    t = pl.DataFrame(
        {
            "i": tuples.i,
            "k": keys.gather(symbols),
            "price": tuples.prices(),
            "vol": tuples.volumes(),
        }
    )
    key = col("k").str.slice(1).cast(pl.Int64) if kind == "name" else col("k")
    frame = (
        t.lazy()
        .filter(col("i") < tuples.count // 10000 * 10000)
        .group_by((col("i") // 10000).alias("w"), "k")
        .agg(
            s=col("vol").sum(),
            c=pl.len().cast(pl.Int64),
            low=col("price").min(),
            high=col("price").max(),
        )
    )
    prices = [(col(p) * 1024).cast(pl.Int64) for p in ("low", "high")]
    return query([key, col("s"), col("c"), col("s") // col("c"), *prices], col("w"), frame)


def yahoo(tuples, window, kind):
    r, numbers, named = tuples.first(), np.arange(1000), kind == "name"
    ads = pl.Series(tables.ad_names() if named else tables.name_of(tables.ADS, numbers))
    campaigns = numbers % 100 if named else tables.name_of(tables.CAMPAIGNS, numbers % 100)
    events = pl.DataFrame(
        {
            "ts": tuples.i * 10,
            "ad": ads.gather(tables.lower(r, 1000).view(np.int64)),
            "kind": tables.upper(r, 3).view(np.int64),
        }
    )
    known = pl.DataFrame({"ad": ads, "campaign": campaigns})
    frame = (
        events.lazy()
        .filter(col("kind") == 0)
        .join(known.lazy(), on="ad")
        .group_by((col("ts") // 1_000_000).alias("sec"), "campaign")
        .agg(c=pl.len().cast(pl.Int64))
    )
    if window == "10s":
        frame = frame.sort("sec").with_columns(
            c=col("c").rolling_sum(10, min_samples=1).over("campaign")
        )
    frame = frame.filter(col("sec") < (tuples.count - 1) // 100_000)
    return query([col("campaign"), col("c")], col("sec"), frame)


def joined(tuples, keys):
    k = tables.name_of(tables.JOIN_KEYS, tables.upper(tuples.first(), keys))
    half = np.arange(tuples.count // 2)
    left = pl.DataFrame({"k": k[0::2], "p": half, "c": half // 1000}).lazy()
    right = pl.DataFrame({"k": k[1::2], "q": half, "c": half // 1000}).lazy()
    p, q = col("p"), col("q")
    frame = (
        pl.concat([right.with_columns(col("c") + d) for d in (-1, 0, 1)])
        .join(left, on=["k", "c"])
        .filter(p.is_between(q - 999, q + 1000))
        .with_columns(j=pl.when(p <= q).then(2 * q + 1).otherwise(2 * p))
    )
    return query([col("k"), 2 * p, 2 * q + 1], col("j"), frame)


def ordered(tuples, kind):
    count = tuples.count // 100_000 * 100_000
    r = tuples.first()[:count]
    names = pl.Series(tables.words()).gather(tables.upper(r, 1000).view(np.int64))
    x = (tuples.second()[:count] >> tables.U(34)).view(np.int64) / 1024.0
    t = pl.DataFrame({"i": tuples.i[:count], "k": r.view(np.int64), "s": names, "x": x})
    by, attribute = (["s", "x"], (col("x") * 1024).cast(pl.Int64))
    if kind == "number":
        by, attribute = ["k"], col("k")
    frame = pl.concat(
        [t.lazy().slice(w, 100_000).select("i", *by).sort(by) for w in range(0, count, 100_000)]
    )
    return query([col("i"), attribute], pl.int_range(pl.len()), frame)


def unique(tuples):
    t = pl.DataFrame({"i": tuples.i, "k": tuples.unique_keys()})
    frame = (
        t.lazy()
        .sort("k", maintain_order=True)
        .with_columns(p=pl.when(col("k").shift(1) == col("k")).then(col("i").shift(1)))
        .filter(col("p").is_null() | (col("i") - col("p") > 1_000_000))
    )
    return query([col("k")], col("i"), frame)
