"""Schindler et al., Figures 9 to 12: Painleve's rod, and the solutions that each solver finds."""

import math

from nodia_tools.paper.figures import COLOURS, finish, panels
from nodia_tools.paper.result import SCHINDLER, Entry, Result, Table
from nodia_tools.paper.results.schindler_point_mass import cobweb
from nodia_tools.paper.study import as_table, column, groups, study


def _end(iterates):
    """Outcome of an iteration, as text for the table."""
    last = iterates[-1]
    if last["status"] == "converged" or abs(last["next"] - last["lambda"]) < 1e-9:
        return f"converges to {last['next']:.4g} N"
    if not math.isfinite(last["next"]) or abs(last["next"]) > 10 * abs(iterates[0]["lambda"] + 1):
        return "diverges"
    return last["status"]


def make_figure(name, expected):
    """Returns a function (Context) -> Result for one figure.

    @param name      name of the study
    @param expected  function (start, solutions) -> outcome according to the paper, as text
    """

    def make(context):
        rows = study(context, name)
        function = [row for row in rows if row["what"] == "function"]
        solutions = sorted(row["lambda"] for row in rows if row["what"] == "solution")
        iterates = groups([row for row in rows if row["what"] == "iterates"], "start")
        figure, (axis,) = panels(1, width=6, height=5)
        ends = (min(column(function, "lambda")), max(column(function, "lambda")))
        axis.plot(ends, ends, "k-", linewidth=1)
        axis.plot(
            column(function, "lambda"),
            column(function, "next"),
            ":",
            linewidth=2,
            color=COLOURS[0],
            label="prox function",
        )
        table = []
        for k, (start, own) in enumerate(iterates.items()):
            if k in (3, len(iterates) - 1):
                cobweb(axis, own, COLOURS[1 + k % 4])
            table.append([f"start {start:g} N", expected(start, solutions), _end(own)])
        for solution in solutions:
            axis.plot(solution, solution, "o", color=COLOURS[2])
        axis.set(xlim=ends, ylim=(ends[0], 1.6 * ends[1]))
        finish(axis, "normal force [N]", "its image [N]")
        found = ", ".join(f"{solution:.4g} N" for solution in solutions) or "none"
        return Result(
            tables=[
                Table(
                    f"Solutions of the scalar problem: {found}",
                    ["prox iteration from", "paper", "ours"],
                    table,
                ),
                as_table("Prox function and iterates", rows),
            ],
            figures=[figure],
            notes=[
                "Uniform rod, m = 1, L = 1, 60 degrees, r = 0.5; mu = 0.5 (G > 0) or 2 (G < 0). "
                "The paper prints no numbers; its statement is applied to every start."
            ],
        )

    return make


def _one(start, solutions):
    return f"converges to {solutions[0]:.4g} N" if solutions else "-"


def _none(start, solutions):
    return "diverges"


def _two(start, solutions):
    return "converges to 0 N" if start < solutions[-1] else "diverges"


def make_map(context):
    """Compares theory with the reports of three solvers, over a grid of friction and gravity."""
    rows = study(context, "painleve_map")
    table = []
    for (mu, g), own in groups(rows, "mu", "g").items():
        first = own[0]
        table.append(
            [
                float(mu),
                float(g),
                float(first["G"]),
                first["theory"],
                first["lemke"],
                _found(own, "prox"),
                _found(own, "fischer"),
            ]
        )
    figure, axes = panels(2, width=6)
    for axis, sign in zip(axes, (1, -1)):
        own = [row for row in rows if row["g"] * sign > 0]
        for name, colour in (("lambda_1", COLOURS[0]), ("lambda_2", COLOURS[1])):
            axis.plot(
                column(own, "mu"),
                column(own, name),
                "o",
                color=colour,
                markersize=9,
                fillstyle="none",
                label="solution" if name == "lambda_1" else "second",
            )
        for name, mark in (("lemke", "x"), ("prox", "+"), ("fischer", ".")):
            axis.plot(
                column(own, "mu"),
                column(own, f"{name}_lambda"),
                mark,
                color="k",
                label=f"found by {name}",
            )
        axis.set_yscale("symlog", linthresh=1)
        finish(
            axis,
            "friction",
            "normal force [N]",
            "gravity towards the plane" if sign > 0 else "gravity off the plane",
        )
    wrong = [
        row
        for row in table
        if row[3] == "none" and ("converged" in row[4] or "finds" in row[5] or "finds" in row[6])
    ]
    return Result(
        tables=[
            Table(
                "Solutions found from six starts each",
                ["mu", "g", "G [1/kg]", "theory", "Lemke", "prox", "Fischer"],
                table,
            ),
            as_table("All starts", rows),
        ],
        figures=[figure],
        notes=[
            "The paper states: one solution for G > 0; for G < 0 none (g > 0) or two (g < 0). "
            "Pivoting may end at either of the two, the prox iteration only at 0.",
            f"Cases without a solution in which a solver reports one: {len(wrong)}.",
        ],
    )


def _found(rows, name):
    values = sorted(
        {round(row[f"{name}_lambda"], 6) for row in rows if math.isfinite(row[f"{name}_lambda"])}
    )
    failed = sorted({row[name] for row in rows if not math.isfinite(row[f"{name}_lambda"])})
    words = []
    if values:
        words.append("finds " + ", ".join(f"{value:.4g}" for value in values))
    if failed:
        words.append("/".join(failed))
    return "; ".join(words)


def _entry(number, title, printed, expected):
    return Entry(
        f"schindler_fig{number}",
        f"Painleve's rod: {title}",
        SCHINDLER,
        f"Figure {number}",
        printed,
        f"`nodia study schindler_fig{number}`.",
        make_figure(f"schindler_fig{number}", expected),
    )


ENTRIES = (
    _entry(
        9, "g, G > 0, one solution", "globally convergent unique solution; contact stays.", _one
    ),
    _entry(
        10,
        "g < 0, G > 0, one solution",
        "globally convergent unique solution; contact is lost.",
        _one,
    ),
    _entry(11, "g > 0, G < 0, no solution", "no solution exists.", _none),
    _entry(
        12,
        "g, G < 0, two solutions",
        "two solutions; from below the second the iterates reach 0, from above they diverge.",
        _two,
    ),
    Entry(
        "painleve_map",
        "Painleve's rod: none, one or two solutions, and the solutions that each solver finds",
        SCHINDLER,
        "section V-B",
        "the statements on existence, and on the solutions that fixed points and pivoting find.",
        "`nodia study painleve_map`: Lemke, the prox iteration and Fischer's Newton method.",
        make_map,
    ),
)
