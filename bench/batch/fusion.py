"""W8e in DataFusion: as duck.py. Sums of 64 bits wrap, as the checksum does."""

import datafusion
import numpy as np
import pyarrow as pa
import tables

context = None


def start(threads):
    global context
    config = datafusion.SessionConfig().with_target_partitions(threads)
    context = datafusion.SessionContext(config)


def query(attributes, number, source):
    sums = ", ".join(f"sum({a} ^ {number})" for a in attributes)
    text = f"select count(*), {sums} from {source}"

    def run():
        batch = context.sql(text).collect()[0]
        return [column[0].as_py() for column in batch.columns]

    return run


def yahoo(tuples, window, kind):
    r, numbers, named = tuples.first(), np.arange(1000), kind == "name"
    ads = np.array(tables.ad_names()) if named else tables.name_of(tables.ADS, numbers)
    campaigns = numbers % 100 if named else tables.name_of(tables.CAMPAIGNS, numbers % 100)
    events = pa.table(
        {
            "ts": tuples.i * 10,
            "ad": ads[tables.lower(r, 1000).view(np.int64)],
            "kind": tables.upper(r, 3).view(np.int64),
        }
    )
    context.from_arrow(events, "events")
    context.from_arrow(pa.table({"ad": ads, "campaign": campaigns}), "ads")
    counts = (
        "(select ts / 1000000 sec, campaign, count(*) c from events join ads using (ad)"
        " where kind = 0 group by ts / 1000000, campaign)"
    )
    if window == "10s":
        counts = (
            "(select campaign, sec, sum(c) over (partition by campaign order by sec"
            f" range between 9 preceding and current row) c from {counts})"
        )
    last = (tuples.count - 1) // 100_000  # is still open
    return query(["campaign", "c"], "sec", f"{counts} where sec < {last}")
