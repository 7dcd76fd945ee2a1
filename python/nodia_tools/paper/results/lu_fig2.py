"""Lu & Trinkle, Figure 2: iterations of the prox fixed point against r."""

from nodia_tools.paper.figures import COLOURS, finish, panels
from nodia_tools.paper.result import COMPARED, LU, Entry, Result, Table, beside
from nodia_tools.paper.study import as_table, column, groups, study

LIMIT = 300
TITLE = {"cone": "round cone", "four_facets": "four facets, matrix (33)"}
REASONS = [
    "With the round cone, the particle's operator is the identity: the contraction is |1 - r|, r = 1 "
    "needs one iteration, and every r below 2 converges.",
    "With the four facets of (14) the matrix (33) is not symmetric: it has the eigenvalues 0, 0, "
    "1, 2, 2 and +-2i, Foerg's formula r* = 2/(eta_max + eta_min) does not hold for it, and no r "
    "of 1 or more converges. The text mixes both: one iteration at r = 1 is a result of the cone, no "
    "convergence at 1.25 a result of the facets.",
]


def _iterations(rows, formulation, g, r):
    near = [row for row in rows if row["formulation"] == formulation and row["gravity_m_s2"] == g]
    return min(near, key=lambda row: abs(row["r"] - r))["iterations"]


def make(context):
    rows = study(context, "lu_fig2")
    figure, axes = panels(2)
    for axis, (formulation, own) in zip(axes, groups(rows, "formulation").items()):
        for k, (g, curve) in enumerate(groups(own, "gravity_m_s2").items()):
            axis.plot(
                column(curve, "r"),
                column(curve, "iterations"),
                "os^vD"[k % 5] + "-",
                markersize=3,
                linewidth=1,
                color=COLOURS[k % len(COLOURS)],
                label=f"g = {g:g}",
            )
        axis.axhline(LIMIT, color="k", linestyle=":", linewidth=1)
        finish(axis, "r [kg]", "iterations", TITLE[formulation], log="y")
    table = []
    for r, printed in ((1.0, 1), (1.25, LIMIT)):
        for formulation, title in TITLE.items():
            own = _iterations(rows, formulation, -10.0, r)
            reason = "1" if formulation == "cone" else "2"
            table.append(beside(f"g = -10, r = {r:g}, {title}", printed, own, reason))
    return Result(
        tables=[Table("Iterations", COMPARED, table), as_table("All curves", rows)],
        figures=[figure],
        reasons=REASONS,
        notes=[
            "Tolerance 1e-6 on the CCK error, at most 300 iterations, as printed. The text says "
            "that few iterations are needed for g > -5, and that convergence is poor for g just "
            "below -5 except at r = 1: the curves show both."
        ],
    )


ENTRY = Entry(
    "lu_fig2",
    "Particle impact: iterations of the prox fixed point against r",
    LU,
    "Figure 2",
    "one iteration at r = 1, more on both sides; 300, the limit, at r = 1.25 for g = -10.",
    "`nodia study lu_fig2`: the particle of section IV with the round cone and with four facets.",
    make,
)
