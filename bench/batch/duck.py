"""W8 in DuckDB: for each workload its tables and one query, which answers with the number of
results and, for each attribute, the sum of (attribute xor number of the result)."""

import math

import numpy as np
import polars as pl
import tables

import duckdb

connection = duckdb.connect()


def start(threads):
    connection.execute(f"set threads={threads}; set preserve_insertion_order=true")


def table(name, **columns):
    frame = pl.DataFrame(columns)  # DuckDB finds it by the name of the variable
    connection.execute(f"create or replace table {name} as select * from frame")


def query(attributes, number, source):
    sums = ", ".join(f"sum(xor({a}, {number}))" for a in attributes)
    return lambda: connection.execute(f"select count(*), {sums} from {source}").fetchone()


SLIDING = {
    "sumint": ["(sum(v) over w)::bigint"],
    "sumfloat": ["((sum(x) over w) * 1024)::bigint"],
    "max": ["max(v) over w"],
    "four": ["trunc(avg(v) over w)::bigint", "max(v) over w", "min(v) over w", "count(*) over w"],
}


def sliding(tuples, function, size):
    value = tuples.value()
    table("t", i=tuples.i, v=value, x=value / 1024.0)
    names = [f"w{k}" for k in range(len(SLIDING[function]))]
    columns = ", ".join(f"{e} {n}" for e, n in zip(SLIDING[function], names))
    window = f"window w as (order by i rows between {size - 1} preceding and current row)"
    return query(
        names, f"(i - {size - 1})", f"(select i, {columns} from t {window}) where i >= {size - 1}"
    )


HOPPING = {
    "sumint": ["(sum(s) over w)::bigint"],
    "max": ["max(h) over w"],
    "four": ["trunc((sum(s) over w) / {size})::bigint", "max(h) over w", "min(l) over w", "{size}"],
}


def hopping(tuples, function, size, every):
    """Panes of values, then windows of panes."""
    table("t", i=tuples.i, v=tuples.value())
    pane = math.gcd(size, every)
    names = [f"w{k}" for k in range(len(HOPPING[function]))]
    columns = ", ".join(
        f"({e.format(size=size)})::bigint {n}" for e, n in zip(HOPPING[function], names)
    )
    step, before = every // pane, -(-size // every)
    window = f"window w as (order by p rows between {size // pane - 1} preceding and current row)"
    return query(
        names,
        "j",
        f"(select (p + 1) // {step} - {before} j, (p + 1) % {step} rest, {columns} from"
        f" (select i // {pane} p, sum(v)::bigint s, max(v) h, min(v) l from t group by 1) {window})"
        " where j >= 0 and rest = 0",
    )


def keyed(tuples, keys, dist):
    table("t", i=tuples.i, k=tuples.keys(keys, dist), v=tuples.value())
    return query(
        ["k", "s", "m"],
        "i",
        "(select i, k, (sum(v) over w)::bigint s, max(v) over w m from t"
        " window w as (partition by k order by i rows 15 preceding))",
    )


def grouped(tuples, kind):
    symbols = tuples.symbols()
    if kind == "name":
        keys = pl.Series([f"S{k:04d}" for k in range(1000)]).gather(symbols)
    else:
        keys = tables.name_of(tables.SYMBOLS, symbols)
    table("t", i=tuples.i, k=keys, price=tuples.prices(), vol=tuples.volumes())
    key = "substr(k, 2)::bigint" if kind == "name" else "k"
    prices = [f"({e} * 1024)::bigint" for e in ("low", "high")]
    return query(
        [key, "s", "c", "s // c", *prices],
        "w",
        "(select i // 10000 w, k, sum(vol)::bigint s, count(*) c, min(price) low, max(price) high"
        f" from t where i < {tuples.count // 10000 * 10000} group by 1, 2)",
    )


def yahoo(tuples, window, kind):
    r = tuples.first()
    numbers = np.arange(1000)
    named = kind == "name"
    ads = pl.Series(tables.ad_names() if named else tables.name_of(tables.ADS, numbers))
    campaigns = numbers % 100 if named else tables.name_of(tables.CAMPAIGNS, numbers % 100)
    table(
        "events",
        ts=tuples.i * 10,
        ad=ads.gather(tables.lower(r, 1000).view(np.int64)),
        kind=tables.upper(r, 3).view(np.int64),
    )
    table("ads", ad=ads, campaign=campaigns)
    counts = (
        "(select ts // 1000000 sec, campaign, count(*) c from events join ads using (ad)"
        " where kind = 0 group by 1, 2)"
    )
    if window == "10s":
        counts = (
            "(select campaign, sec, (sum(c) over (partition by campaign order by sec"
            f" range between 9 preceding and current row))::bigint c from {counts})"
        )
    last = (tuples.count - 1) // 100_000  # is still open
    return query(["campaign", "c"], "sec", f"{counts} where sec < {last}")


def joined(tuples, keys):
    """Blocks of 1000 tuples of each side, each joined with three of the other."""
    k = tables.name_of(tables.JOIN_KEYS, tables.upper(tuples.first(), keys))
    half = np.arange(tuples.count // 2)
    table("l", k=k[0::2], p=half, c=half // 1000)
    table("r", k=k[1::2], q=half, c=half // 1000)
    return query(
        ["k", "2 * p", "2 * q + 1"],
        "j",
        "(select l.k, p, q, case when p <= q then 2 * q + 1 else 2 * p end j from"
        " (select k, q, unnest([c - 1, c, c + 1]) c from r) r join l on l.k = r.k and l.c = r.c"
        " where p between q - 999 and q + 1000)",
    )


def ordered(tuples, kind):
    count = tuples.count // 100_000 * 100_000
    r, i = tuples.first()[:count], tuples.i[:count]
    x = (tuples.second()[:count] >> tables.U(34)).view(np.int64) / 1024.0
    names = pl.Series(tables.words()).gather(tables.upper(r, 1000).view(np.int64))
    table("t", i=i, w=i // 100_000, k=r.view(np.int64), s=names, x=x)
    by, attribute = ("w, s, x", "(x * 1024)::bigint") if kind == "word" else ("w, k", "k")
    return query(
        ["i", attribute], "j", f"(select *, row_number() over () - 1 j from (from t order by {by}))"
    )


def unique(tuples):
    table("t", i=tuples.i, k=tuples.unique_keys())
    return query(
        ["k"],
        "i",
        "(select i, k, lag(i) over (partition by k order by i) p from t)"
        " where p is null or i - p > 1000000",
    )
