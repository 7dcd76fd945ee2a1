"""COND, Figure 14: boxes on a floor with anisotropic friction."""

import numpy as np

from nodia_tools.paper.figures import COLOURS, finish, panels
from nodia_tools.paper.result import LEE, Entry, Result, Table, beside, compared_with
from nodia_tools.trajectory import open_trajectory

GRAVITY = 9.81
BOXES = {"isotropic": (0.2, 0.2), "wide": (0.2, 0.4), "narrow": (0.1, 0.5)}


def maximal_dissipation(mu1, mu2, n=200001):
    """Path [n, 2] [m] of a point with initial velocity (1, 1) m/s under maximal dissipation, until it stops.

    The deceleration is g (mu1^2 v1, mu2^2 v2)/|(mu1 v1, mu2 v2)|. Along the path, v1 = v2^r with r = (mu1/mu2)^2. With
    v2 = exp(-s), dt = |(mu1 v1, mu2 v2)|/(g mu2^2) ds. The positions are integrals of v dt over s (trapezoidal rule).
    """
    r = (mu1 / mu2) ** 2
    s = np.linspace(0, 20 / min(1, r), n)
    v = np.exp(-np.outer(s, (r, 1.0)))
    slope = v * (np.hypot(mu1 * v[:, 0], mu2 * v[:, 1]) / (GRAVITY * mu2**2))[:, None]
    pieces = 0.5 * (slope[1:] + slope[:-1]) * (s[1] - s[0])
    return np.vstack([np.zeros((1, 2)), np.cumsum(pieces, axis=0)])


def make(context):
    trajectory = open_trajectory(context.run(context.scenario("anisotropic_box")))
    paths = np.array([trajectory.poses(k)[0][:, :2] for k in range(len(trajectory))])
    figure, (axes,) = panels(1, width=6, height=5)
    table, curves = [], []
    for k, (name, (mu1, mu2)) in enumerate(BOXES.items()):
        own = paths[:, k] - paths[0, k]
        exact = maximal_dissipation(mu1, mu2)
        label = f"mu = ({mu1:g}, {mu2:g})"
        axes.plot(*own.T, color=COLOURS[k], linewidth=2, label=f"COND, {label}")
        axes.plot(
            *exact[::200].T, "k--", linewidth=1, label="maximal dissipation" if k == 0 else None
        )
        for axis in range(2):
            table.append(
                beside(
                    f"{label}: stops at {'xy'[axis]} [m]",
                    float(exact[-1, axis]),
                    float(own[-1, axis]),
                    "1",
                )
            )
        nearest = [np.min(np.linalg.norm(exact[::20] - p, axis=1)) for p in own[::20]]
        table.append(
            ["largest distance from the path [m], " + label, 0.0, float(max(nearest)), None, "1"]
        )
        curves += [
            [name, float(t), *map(float, p)] for t, p in list(zip(trajectory.times, own))[::20]
        ]
    finish(axes, "x [m]", "y [m]")
    axes.set_aspect("equal")
    return Result(
        tables=[
            Table(
                "Against maximal dissipation",
                compared_with("exact"),
                table,
            ),
            Table("Positions, every 20th step", ["box", "time [s]", "x [m]", "y [m]"], curves),
        ],
        figures=[figure],
        reasons=["The error is of first order in the step of 1 ms, and the box tilts slightly while it slides."],
        notes=[
            "The paper prints curves and states that they match exactly; its pairs (mu1, mu2) are "
            "not available to us. `exact` is the solution of the maximal dissipation problem "
            "for our pairs, as in the paper. All steps of one run."
        ],
    )


ENTRY = Entry(
    "fig14",
    "Boxes on anisotropic friction against maximal dissipation",
    LEE,
    "Figure 14",
    "paths for several (mu1, mu2) from velocity (1, 1, 0), exactly on the MDP solution.",
    "`anisotropic_box`, and the integral of maximal dissipation.",
    make,
)
