"""What a result of a paper is, and what making it again gives."""

from collections.abc import Callable
from dataclasses import dataclass, field

LEE = "Lee, Lee, Lee 2022 (COND)"
LU = "Lu, Trinkle: fixed-point iteration"
SCHINDLER = "Schindler, Nguyen, Trinkle 2011"
SUN = "Sun, Sun: rigid-body LCP"
ENZENHOFER = "Enzenhöfer et al.: MLCP error"


class CannotMake(Exception):
    """A result, or a part of one, cannot be made; the text is the reason, in one line."""


@dataclass
class Table:
    """Rows of numbers and words; None where there is no value."""

    title: str
    columns: list  # names, with units
    rows: list  # [n_row][n_column] of str, float, int or None


@dataclass
class Result:
    """What one entry made: all of it goes into the report."""

    tables: list = field(default_factory=list)  # of Table; the first ones are shown, all are CSV
    figures: list = field(default_factory=list)  # of matplotlib figures
    reasons: list = field(default_factory=list)  # why ours differs from what was printed; words
    notes: list = field(default_factory=list)  # sizes, assumptions, what is not ours to have
    missing: list = field(default_factory=list)  # parts that could not be made, with the reason


@dataclass(frozen=True)
class Entry:
    """One result of one paper."""

    id: str  # as given on the command line
    title: str
    paper: str
    place: str  # where it stands in the paper
    printed: str  # what the paper printed, in a sentence
    how: str  # how ours is made
    make: Callable  # (Context) -> Result; CannotMake where it cannot be made at all


def beside(what, printed, ours, reason=""):
    """A row of a table of `COMPARED`: the printed value, ours, and their ratio."""
    ratio = ours / printed if printed and ours is not None else None
    return [what, printed, ours, ratio, reason]


def compared_with(name):
    """Columns of rows of `beside` whose second value is `name`'s."""
    return ["quantity", name, "ours", f"ours / {name}", "reason"]


COMPARED = compared_with("paper")
