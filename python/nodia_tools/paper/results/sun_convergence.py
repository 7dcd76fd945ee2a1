"""Sun: global and quadratic convergence of the Fischer-function method."""

import numpy as np

from nodia_tools.paper.figures import COLOURS, finish, panels
from nodia_tools.paper.result import SUN, Entry, Result, Table
from nodia_tools.paper.study import as_table, groups, study

FLOOR = 1e-12  # |Psi| below this value is rounding error


def _order(histories):
    """Median order of convergence log(Psi_k/Psi_(k-1))/log(Psi_(k-1)/Psi_(k-2)).

    It is computed from the last three iterates above FLOOR, if each is less than half of the previous one. None if there are no
    such iterates.
    """
    orders = []
    for history in histories:
        psi = [row["psi"] for row in history if row["psi"] > FLOOR]
        if len(psi) >= 3 and psi[-1] < 0.5 * psi[-2] and psi[-2] < 0.5 * psi[-3]:
            orders.append(np.log(psi[-1] / psi[-2]) / np.log(psi[-2] / psi[-3]))
    return float(np.median(orders)) if orders else None


def make(context):
    rows = study(context, "sun_convergence")
    cases = groups(rows, "problem", "n", "damping")
    names = list(dict.fromkeys((problem, n) for problem, n, _ in cases))
    figure, axes = panels(3, -(-len(names) // 3))
    table = []
    for axis, (problem, n) in zip(axes, names):
        for colour, damping in zip(COLOURS, sorted({key[2] for key in cases}, reverse=True)):
            histories = list(groups(cases[problem, n, damping], "start").values())
            for k, history in enumerate(histories):
                axis.plot(
                    [row["k"] for row in history],
                    [max(row["psi"], 1e-17) for row in history],
                    "-",
                    linewidth=1,
                    color=colour,
                    label=f"damping {damping:g}" if k == 0 else None,
                )
            solved = [h for h in histories if h[-1]["status"] == "converged"]
            most = max(len(h) - 1 for h in histories)
            table.append(
                [
                    f"{problem}, n = {n:.0f}",
                    float(damping),
                    f"{len(solved)} of {len(histories)}",
                    most,
                    _order(solved),
                ]
            )
        finish(axis, "iteration", "|Psi|", f"{problem}, n = {n:.0f}", log="xy")
    for axis in axes[len(names) :]:
        axis.set_axis_off()
    return Result(
        tables=[
            Table(
                "From every start",
                [
                    "problem",
                    "damping",
                    "solved",
                    "iterations at most",
                    "order of convergence at the end (2: quadratic)",
                ],
                table,
            ),
            as_table("All histories", rows),
        ],
        figures=[figure],
        reasons=[
            "The paper contains proofs and prints no numbers: all starts must be solved (global "
            "convergence), and the order must be 2.",
            "With the printed damping mu = |Psi|^2 (1), the steps from a distant start are so short "
            "that 2000 iterations are not enough: the theorem on global convergence states no rate. "
            "A thousandth of that damping has the same order and solves every start.",
        ],
        notes=["LCPs with P or P0 matrices, eight starts each; tolerance 1e-13 on |Psi|."],
    )


ENTRY = Entry(
    "sun_convergence",
    "Fischer-function method: global and quadratic convergence",
    SUN,
    "Theorems 5 and 6",
    "global convergence, and dist(x_k, X*) falling quadratically, for P0 LCPs.",
    "`nodia study sun_convergence`: Algorithm 1 from eight starts on five problems.",
    make,
)
