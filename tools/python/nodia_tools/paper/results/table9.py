"""COND, Table IX: iterations with and without Chebyshev acceleration."""

from nodia_tools.paper.result import COMPARED, LEE, Entry, Result, Table, beside
from nodia_tools.paper.solver_table import Setup, measure

PRINTED = {  # iterations without, with; the paper's threshold
    "mat_folding": ("Franka mat", 167.4, 39.72, 1e-4, None),
    "soft_ball": ("Gripper ball", 138.8, 37.51, 1e-5, None),
    "cable_winding": ("Franka cable", 40.14, 18.28, 1e-4, None),
    "soft_gripper": ("Soft gripper", 155.7, 30.88, 1e-6, 5),
}
OPTIONS = (
    "--rows",
    "paper",
    "--no-reference",
    "--ablation",
    "--ablation-w",
    "frobenius",
)
REASONS = [
    "The paper's rule ends on the length of a step: with Chebyshev's extrapolation a step is "
    "longer, so the two columns do not stop at the same error.",
    "Bias cancellation (ours) adds iterations where contacts have virtual nodes; the mat has "
    "them on itself only.",
    "Solves that reach the limit of 2000 iterations count with 2000.",
    "The cable's free links have the exact inverse of their blocks as W: nearly nothing is left "
    "to accelerate until much of it slides.",
]


def make(context):
    table, notes = [], []
    for scenario, (name, without, accelerated, tolerance, most) in PRINTED.items():
        setup = Setup(
            scenario, solvers=(), options=OPTIONS, paper_tolerance=tolerance, most_samples=most
        )
        rows, _ = measure(context, setup)
        own = {row.chebyshev: row.mean("IN") for row in rows}
        table.append(beside(f"{name}, without", without, own[False], "1, 2, 3"))
        table.append(beside(f"{name}, with", accelerated, own[True], "1, 2, 3"))
        table.append(
            beside(
                f"{name}, without / with", without / accelerated, own[False] / own[True], "1, 3, 4"
            )
        )
        limited = {row.chebyshev: row.not_converged for row in rows}
        notes.append(
            f"{name}: {setup.size(context)}; at the limit of iterations {limited[False]} without, "
            f"{limited[True]} with."
        )
    return Result(
        tables=[Table("Mean iterations by the paper's rule", COMPARED, table)],
        reasons=REASONS,
        notes=notes,
    )


ENTRY = Entry(
    "table9",
    "Effect of Chebyshev acceleration on iterations",
    LEE,
    "Table IX",
    "average iterations of the four scenarios without and with the acceleration.",
    "`nodia compare SCENARIO --ablation --ablation-w frobenius --rows paper` on the steps of the "
    "same trajectories.",
    make,
)
