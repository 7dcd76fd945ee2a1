"""COND, Figure 8: penetration and internal force while a ball is gripped."""

from nodia_tools.paper.result import LEE, Entry
from nodia_tools.paper.results.fig7 import solver_curves
from nodia_tools.paper.results.table3 import SETUP


def make(context):
    return solver_curves(context, SETUP)


ENTRY = Entry(
    "fig8",
    "Soft ball gripping: penetration and internal force over time",
    LEE,
    "Figure 8",
    "curves of COND, PGS, APGD and ground truth; PGS penetrates by millimetres.",
    "the samples of table3 (seed 0).",
    make,
)
