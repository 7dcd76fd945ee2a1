"""Enzenhöfer et al., Figure 1: isolines of the energy error of one constraint."""

import numpy as np

from nodia_tools.paper.figures import COLOURS, finish, panels
from nodia_tools.paper.result import COMPARED, ENZENHOFER, Entry, Result, Table, beside

NORMAL, FRICTION = (0.0, np.inf), (-1.0, 1.0)  # bounds of the impulse
LEVELS = (0.01, 0.05, 0.125, 0.25, 0.5, 1.0)  # J


def energy_error(x, w, a, lower, upper):
    """Error (5) of impulse x [N s] and velocity w [m/s] of a constraint with bounds of x.

    @param a  inverse effective mass [1/kg]
    @return   energy [J]
    """
    inside = np.clip(x, lower, upper)
    above, below = np.maximum(x - upper, 0), np.maximum(lower - x, 0)
    from_lower = inside + above - lower
    from_upper = upper - (inside - below)  # the printed sign of `below` is a slip
    opening, closing = np.maximum(w, 0), np.maximum(-w, 0)

    def smaller(velocity, impulse):
        return np.minimum(velocity**2 / (2 * a), 0.5 * a * impulse**2)

    out = 0.5 * a * (above**2 + below**2)
    return np.maximum(out, np.maximum(smaller(opening, from_lower), smaller(closing, from_upper)))


def make(context):
    grid = np.linspace(-2, 2, 401)
    x, w = np.meshgrid(grid, grid)
    figure, axes = panels(2, height=4.6)
    for axis, (name, bounds) in zip(axes, (("normal", NORMAL), ("friction", FRICTION))):
        lines = axis.contour(x, w, energy_error(x, w, 1.0, *bounds), LEVELS, cmap="viridis")
        axis.clabel(lines, fmt="%g J", fontsize=7)
        if name == "normal":
            axis.plot([0, 0, 2], [2, 0, 0], color=COLOURS[0], linewidth=3, label="solutions")
        else:
            axis.plot(
                [-1, -1, 1, 1], [2, 0, 0, -2], color=COLOURS[0], linewidth=3, label="solutions"
            )
        finish(axis, "impulse x [N s]", "velocity w [m/s]", f"{name}, a = 1/kg")
        axis.set_aspect("equal")
    rows = [
        beside(
            "unit error, normal: x = -0.1, w = 0, a = 2 [J]",
            0.01,
            float(energy_error(-0.1, 0.0, 2.0, *NORMAL)),
            "1",
        ),
        beside(
            "unit error, normal: x = 0.3, w = 0.4, a = 2 [J]",
            0.04,
            float(energy_error(0.3, 0.4, 2.0, *NORMAL)),
            "1",
        ),
        beside(
            "normal: on the solutions [J]",
            0.0,
            float(max(energy_error(0.0, 1.5, 1.0, *NORMAL), energy_error(1.5, 0.0, 1.0, *NORMAL))),
        ),
        beside(
            "friction: on the solutions [J]",
            0.0,
            float(
                max(
                    energy_error(-1.0, 1.5, 1.0, *FRICTION),
                    energy_error(0.5, 0.0, 1.0, *FRICTION),
                    energy_error(1.0, -1.5, 1.0, *FRICTION),
                )
            ),
        ),
    ]
    return Result(
        tables=[Table("Values of formula (5)", COMPARED, rows)],
        figures=[figure],
        reasons=[
            "The column paper holds values of the printed formula worked out by hand: the figure "
            "prints none. Its levels are not in the text at hand."
        ],
        notes=[
            "Drawn from the formula as corrected (sign of sigma_u); the same values are tests of "
            "the program's own functions (tests/host/errors/energy.cpp)."
        ],
    )


ENTRY = Entry(
    "enzenhofer_fig1",
    "Isolines of the energy error of a normal and a friction constraint",
    ENZENHOFER,
    "Figure 1",
    "isolines in the plane of impulse and velocity for a = 1; zero on the solutions, quadratic off "
    "them.",
    "formula (5) on a grid.",
    make,
)
