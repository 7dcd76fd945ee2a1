"""Reads the tables of `nodia study`, the data of figures on impulse-level solvers."""

import math

from nodia_tools.paper.result import CannotMake, Table


def study(context, name):
    """Rows {column: value} of a study. A missing number is NaN."""
    said = context.json("study", name)
    rows = [
        {key: math.nan if value is None else value for key, value in row.items()}
        for row in said["rows"]
    ]
    if not rows:
        raise CannotMake(f"nodia study {name}: no rows")
    return rows


def as_table(title, rows):
    """Table of all rows and columns, for the CSV file."""
    columns = list(rows[0])
    return Table(title, columns, [[row[column] for column in columns] for row in rows])


def groups(rows, *names):
    """Groups the rows by the values of the named columns, in order of appearance: {values: rows}."""
    found = {}
    for row in rows:
        key = tuple(row[name] for name in names)
        found.setdefault(key[0] if len(names) == 1 else key, []).append(row)
    return found


def column(rows, name):
    return [row[name] for row in rows]
