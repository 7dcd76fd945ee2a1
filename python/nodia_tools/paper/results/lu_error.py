"""Lu & Trinkle, Figures 3 to 5: the remaining error due to relaxation."""

from nodia_tools.paper.figures import COLOURS, finish, panels
from nodia_tools.paper.result import COMPARED, LU, Entry, Result, Table, beside
from nodia_tools.paper.study import as_table, column, groups, study

REASONS = [
    "The total error (31) is half the square of the CCK function. It decreases to O(zeta^2), and the "
    "function itself to O(zeta), about 0.35 zeta. The text states the order of zeta for the total "
    "error, but this is the order of the function.",
    "If the printed order is the machine precision, ours ends at the tolerance of 1e-17.",
    "Four facets: no r of 1 or more converges (see lu_fig2), and the error does not decrease.",
]


def _last(rows, r, name):
    """Last value of a column in the iteration with the factor r."""
    return [row for row in rows if abs(row["r"] - r) < 1e-9][-1][name]


def make_figure(name, zeta, printed):
    """Returns a function (Context) -> Result for one relaxation.

    @param name     name of the study
    @param printed  order of the total error that the text states
    """

    def make(context):
        rows = study(context, name)
        figure, axes = panels(2)
        table = []
        for axis, (formulation, own) in zip(axes, groups(rows, "formulation").items()):
            for k, (r, curve) in enumerate(groups(own, "r").items()):
                axis.plot(
                    column(curve, "k"),
                    [max(error, 1e-32) for error in column(curve, "total_error")],
                    "-" if k < len(COLOURS) else "--",
                    color=COLOURS[k % len(COLOURS)],
                    linewidth=1.2,
                    label=f"r = {r:g}",
                )
            axis.set_xlim(0, 400)  # room for the legend
            finish(axis, "iteration", "total error (31)", formulation.replace("_", " "), log="y")
            reason = "1, 2" if formulation == "cone" else "1, 3"
            for r in (0.5, 0.9):
                error, phi = (_last(own, r, key) for key in ("total_error", "phi"))
                what = f"{formulation}, r = {r:g}: last"
                table.append(beside(f"{what} total error", printed, error, reason))
                table.append(beside(f"{what} CCK function", None, phi, reason))
        return Result(
            tables=[Table("Remaining error", COMPARED, table), as_table("All curves", rows)],
            figures=[figure],
            reasons=REASONS,
            notes=["g = -10, at most 300 iterations, tolerance 1e-17."],
        )

    return make


def _entry(number, zeta, printed):
    return Entry(
        f"lu_fig{number}",
        f"Particle impact: error of the prox fixed point, relaxation zeta = {zeta:g}",
        LU,
        f"Figure {number}",
        f"total error of the order of {printed:g} at best, for every r.",
        f"`nodia study lu_fig{number}`.",
        make_figure(f"lu_fig{number}", zeta, printed),
    )


ENTRIES = (_entry(3, 0.0, 1e-16), _entry(4, 1e-12, 1e-12), _entry(5, 1e-6, 1e-6))
