"""Results of the papers, and the tables and figures that reproduce them."""

from collections.abc import Callable
from dataclasses import dataclass, field

LEE = "Lee, Lee, Lee 2022 (COND)"
LU = "Lu, Trinkle: fixed-point iteration"
SCHINDLER = "Schindler, Nguyen, Trinkle 2011"
SUN = "Sun, Sun: rigid-body LCP"
ENZENHOFER = "Enzenhöfer et al.: MLCP error"


class CannotMake(Exception):
    """A result, or a part of it, cannot be produced. The text is the reason, in one line."""


@dataclass
class Table:
    """Rows of numbers and strings. A missing value is None."""

    title: str
    columns: list  # names, with units
    rows: list  # [n_row][n_column] of str, float, int or None


@dataclass
class Result:
    """Output of one entry, which the report shows completely."""

    tables: list = field(default_factory=list)  # list of Table; each is written as CSV, and shown unless it is long
    figures: list = field(default_factory=list)  # list of matplotlib figures
    reasons: list = field(default_factory=list)  # list of str: why ours differs from the printed result
    notes: list = field(default_factory=list)  # list of str: sizes, assumptions, unavailable data
    missing: list = field(default_factory=list)  # list of str: parts that could not be produced, with the reason


@dataclass(frozen=True)
class Entry:
    """One result of one paper."""

    id: str  # as given on the command line
    title: str
    paper: str
    place: str  # table, figure or section of the paper
    printed: str  # the printed result, in a sentence
    how: str  # how ours is computed
    make: Callable  # (Context) -> Result; raises CannotMake if nothing can be produced


def beside(what, printed, ours, reason=""):
    """A row of a table with the columns `COMPARED`: the printed value, ours, and their ratio."""
    ratio = ours / printed if printed and ours is not None else None
    return [what, printed, ours, ratio, reason]


def compared_with(name):
    """Columns of a table with rows of `beside` whose printed values are from `name`."""
    return ["quantity", name, "ours", f"ours / {name}", "reason"]


COMPARED = compared_with("paper")
