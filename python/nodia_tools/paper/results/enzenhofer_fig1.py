"""Enzenhöfer et al., Figure 1: isolines of the energy error of a constraint."""

import numpy as np

from nodia_tools.paper.figures import COLOURS, finish, panels
from nodia_tools.paper.result import ENZENHOFER, Entry, Result, Table, beside, compared_with
from nodia_tools.paper.study import as_table, column, groups, study

LEVELS = (0.01, 0.05, 0.125, 0.25, 0.5, 1.0)  # J
SOLUTIONS = {"normal": ([0, 0, 2], [2, 0, 0]), "friction": ([-1, -1, 1, 1], [2, 0, 0, -2])}
BY_HAND = (  # constraint, x [N s], w [m/s], energy [J] of formula (5) at a = 1
    ("normal", -1.0, 0.0, 0.5),
    ("normal", 1.0, 1.0, 0.5),
    ("normal", 0.5, 1.0, 0.125),
    ("normal", 0.0, 1.5, 0.0),
    ("friction", 1.5, 0.0, 0.125),
    ("friction", 0.0, 0.5, 0.125),
    ("friction", -1.0, 1.5, 0.0),
    ("friction", 1.0, 1.5, 1.125),
)


def make(context):
    constraints = groups(study(context, "enzenhofer_fig1"), "constraint")
    figure, axes = panels(2, height=4.6)
    for axis, (name, rows) in zip(axes, constraints.items()):
        x, w = (np.unique(column(rows, key)) for key in ("x", "w"))
        error = np.reshape(column(rows, "error"), (len(x), len(w)))  # w runs fastest
        lines = axis.contour(x, w, error.T, LEVELS, cmap="viridis")
        axis.clabel(lines, fmt="%g J", fontsize=7)
        axis.plot(*SOLUTIONS[name], color=COLOURS[0], linewidth=3, label="solutions")
        finish(axis, "impulse x [N s]", "velocity w [m/s]", f"{name}, a = 1/kg")
        axis.set_aspect("equal")
    table = []
    for name, x, w, energy in BY_HAND:
        own = min(constraints[name], key=lambda row: abs(row["x"] - x) + abs(row["w"] - w))
        table.append(beside(f"{name}: x = {x:g}, w = {w:g} [J]", energy, own["error"], "1"))
    rows = [row for own in constraints.values() for row in own]
    return Result(
        tables=[
            Table("Values of formula (5)", compared_with("by hand"), table),
            as_table("All points", rows),
        ],
        figures=[figure],
        reasons=[
            "The figure prints no numbers. Ours are compared with values that were computed by hand "
            "from the printed formula. The sign of sigma_u in the formula is corrected (the printed "
            "sign is a misprint)."
        ],
    )


ENTRY = Entry(
    "enzenhofer_fig1",
    "Isolines of the energy error of a normal and a friction constraint",
    ENZENHOFER,
    "Figure 1",
    "isolines in the plane of impulse and velocity for a = 1; zero on the solutions, quadratic off "
    "them.",
    "`nodia study enzenhofer_fig1`: the program's own function on a grid.",
    make,
)
