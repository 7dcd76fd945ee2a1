"""COND, Figures 7 and 8: penetration and internal force while a mat is folded and a ball is gripped."""

from nodia_tools.paper.figures import panels
from nodia_tools.paper.result import LEE, Entry, Result
from nodia_tools.paper.results.solver_tables import BALL, MAT
from nodia_tools.paper.solver_table import curves_table, draw_against_time, measure_solvers


def solver_curves(context, setup):
    """Curves of the penetration and internal force of the first trial over time."""
    rows, _ = measure_solvers(context, setup)
    figure, (left, middle, right) = panels(3)
    draw_against_time(left, rows, "max_penetration_m", 1e3, "penetration [mm]")
    draw_against_time(
        middle,
        rows,
        "internal_force_N",
        1,
        "norm of internal forces [N]",
        "reference_internal_force_N",
    )
    draw_against_time(
        right,
        rows,
        "internal_force_error_N",
        1e3,
        "error of internal forces [mN]",
        log="y",
    )
    names = ("max_penetration_m", "internal_force_N", "internal_force_error_N")
    return Result(
        tables=[curves_table("Seed 0", rows, names)],
        figures=[figure],
        reasons=[
            "The printed curves are not available as numbers. In ours, every solver starts each step "
            "from the reference trajectory: the paper's runs drift apart, ours cannot."
        ],
        notes=[f"The first of {setup.size(context)}."],
    )


ENTRIES = (
    Entry(
        "fig7",
        "Soft mat folding: penetration and internal force over time",
        LEE,
        "Figure 7",
        "curves of COND, PGS, APGD and ground truth; COND penetrates least.",
        "the samples of table2 (seed 0).",
        lambda context: solver_curves(context, MAT),
    ),
    Entry(
        "fig8",
        "Soft ball gripping: penetration and internal force over time",
        LEE,
        "Figure 8",
        "curves of COND, PGS, APGD and ground truth; PGS penetrates by millimetres.",
        "the samples of table3 (seed 0).",
        lambda context: solver_curves(context, BALL),
    ),
)
