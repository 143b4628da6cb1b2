"""How numbers and tables are written."""


def rate(value):
    """Three digits and a unit: 1.23G, 45.6M, 789k."""
    if value != value:
        return "?"
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= limit:
            return f"{value / limit:.3g}{unit}"
    return f"{value:.3g}"


def ratio(ours, other):
    return f"{ours / other:.3g}" if ours == ours and other == other and other else "?"


def table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(w) if i == 0 else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(row, widths))
        )
        for row in rows
    )
