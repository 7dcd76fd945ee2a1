"""Schindler et al., Figures 6 and 7: fixed-point iterates of a point mass on a plane."""

from nodia_tools.paper.figures import COLOURS, finish, panels
from nodia_tools.paper.result import SCHINDLER, Entry, Result, Table, beside, compared_with
from nodia_tools.paper.study import as_table, column, groups, study


def cobweb(axis, iterates, colour, most=12):
    """Plots the first `most` steps of an iteration between the prox function and the line of unit slope."""
    x, y = [], []
    for row in iterates[:most]:
        x += [row["lambda"], row["lambda"], row["next"]]
        y += [row["lambda"], row["next"], row["next"]]
    axis.plot(x, y, "--", color=colour, linewidth=1)


def make_figure(name, symbol, exact, reasons=()):
    def make(context):
        rows = study(context, name)
        curves = groups(rows, "r_over_m")
        figure, axes = panels(len(curves), width=3.8)
        table = []
        for k, (axis, (r, own)) in enumerate(zip(axes, curves.items())):
            function = [row for row in own if row["what"] == "function"]
            iterates = [row for row in own if row["what"] == "iterates"]
            ends = (min(column(function, "lambda")), max(column(function, "lambda")))
            axis.plot(ends, ends, "k-", linewidth=1)
            axis.plot(
                column(function, "lambda"),
                column(function, "next"),
                ":",
                linewidth=2,
                color=COLOURS[0],
            )
            cobweb(axis, iterates, COLOURS[4])
            axis.plot(exact, exact, "o", color=COLOURS[2])
            finish(axis, f"{symbol} [N]", "its image [N]", f"r = {r:g} m", legend=False)
            table.append(
                beside(f"r = {r:g} m: last iterate [N]", exact, float(iterates[-1]["next"]))
            )
        contraction = study(context, "schindler_contraction")
        return Result(
            tables=[
                Table("Last iterates", compared_with("exact"), table),
                as_table("Prox functions and iterates", rows),
                as_table("Contraction against r/m", contraction),
            ],
            figures=[figure, _contraction_figure(contraction)],
            reasons=reasons,
            notes=[
                "The figures show iterates without numbers. Ours are compared with the exact "
                "solution, which they reach according to the text. The contraction is |1 - r/m|: the "
                "iteration converges for 0 < r < 2 m, in one iteration at r = m."
            ],
        )

    return make


def _contraction_figure(rows):
    figure, (axis,) = panels(1)
    axis.plot(
        column(rows, "r_over_m"),
        column(rows, "contraction"),
        "o",
        markersize=3,
        color=COLOURS[0],
        label="measured",
    )
    axis.plot(
        column(rows, "r_over_m"), column(rows, "theory"), "k--", linewidth=1, label="|1 - r/m|"
    )
    axis.axhline(1, color=COLOURS[4], linewidth=1, label="no convergence above")
    finish(axis, "r/m", "contraction of the error")
    return figure


ENTRIES = (
    Entry(
        "schindler_fig6",
        "Point mass: iterates of the normal force",
        SCHINDLER,
        "Figure 6",
        "from an infeasible start to the unique solution -h_y for 0 < r < 2 m.",
        "`nodia study schindler_fig6` (m = 1, h_y = -1).",
        make_figure("schindler_fig6", "normal force", 1.0),
    ),
    Entry(
        "schindler_fig7",
        "Point mass: iterates of the tangential force",
        SCHINDLER,
        "Figure 7",
        "to the sticking force for m < r < 2 m, from any start.",
        "`nodia study schindler_fig7` (h_x = 0.3, mu = 0.5; by (21) the force is -h_x).",
        make_figure(
            "schindler_fig7",
            "tangential force",
            -0.3,
            ["The text names h_x as the solution; according to its own (21) and (26) it is -h_x."],
        ),
    ),
)
