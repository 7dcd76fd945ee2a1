"""COND, Table IX: iterations with and without Chebyshev acceleration."""

from nodia_tools.paper.result import COMPARED, LEE, Entry, Result, Table, beside
from nodia_tools.paper.results.solver_tables import BALL, CABLE, GRIPPER, MAT
from nodia_tools.paper.solver_table import ABLATION, measure

PRINTED = {  # iterations without, with
    "Franka mat": (MAT, 167.4, 39.72),
    "Gripper ball": (BALL, 138.8, 37.51),
    "Franka cable": (CABLE, 40.14, 18.28),
    "Soft gripper": (GRIPPER, 155.7, 30.88),
}
REASONS = [
    "The paper's rule uses the length of a step. Steps are longer with Chebyshev's extrapolation, "
    "so the two columns do not stop at the same error.",
    "Grips need more iterations here than printed, with and without the acceleration: see the "
    "reasons of table3 and table6. Bias cancellation, which the paper does not have, is not the cause.",
    "Solves that reach the scenario's iteration limit count with that limit.",
    "If all solves without the acceleration reach the limit, the ratio is a lower bound.",
]


def make(context):
    table, notes = [], []
    for name, (setup, without, accelerated) in PRINTED.items():
        rows, _ = measure(context, setup)
        ablation = {row.chebyshev: row for row in rows if row.purpose == ABLATION}
        own = {chebyshev: row.mean("IN") for chebyshev, row in ablation.items()}
        table.append(beside(f"{name}, without", without, own[False], "1, 2, 3"))
        table.append(beside(f"{name}, with", accelerated, own[True], "1, 2, 3"))
        table.append(
            beside(
                f"{name}, without / with", without / accelerated, own[False] / own[True], "1, 3, 4"
            )
        )
        limited = {row.chebyshev: row.not_converged for row in ablation.values()}
        notes.append(
            f"{name}: {setup.size(context)}; at the iteration limit {limited[False]} without, "
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
    "`nodia compare SCENARIO --with-ablation --ablation-w frobenius --rows paper`, the samples of "
    "tables 2, 3, 5 and 6.",
    make,
)
