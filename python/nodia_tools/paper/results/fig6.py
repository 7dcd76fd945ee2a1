"""COND, Figure 6: position of the sliding box."""

from nodia_tools.paper.figures import COLOURS, finish, panels
from nodia_tools.paper.result import LEE, CannotMake, Entry, Result, Table
from nodia_tools.paper.results.table1 import (
    HEIGHT,
    analytic,
    box_positions,
    run_penalty,
    run_virtual_nodes,
)


def make(context):
    result = Result()
    times, cond = box_positions(run_virtual_nodes(context, 1e5))
    exact = analytic(len(times))
    curves = [("COND, kv = 1e5", times, cond)]
    try:
        curves.append(
            ("Penalty2, explicit", *box_positions(run_penalty(context, 10.0, "explicit")))
        )
    except CannotMake as error:
        result.missing.append(f"Penalty2: {error}")
    figure, axes = panels(3)
    panel = (("x [mm]", 0, 1e3), ("y [m]", 0, 1), ("z - 0.1 m [mm]", HEIGHT, 1e3))
    for k, (axis, (name, origin, factor)) in enumerate(zip(axes, panel)):
        for colour, (label, t, positions) in zip(COLOURS, curves):
            axis.plot(t, factor * (positions[:, k] - origin), color=colour, label=label)
        axis.plot(times, factor * (exact[:, k] - origin), "k--", linewidth=1, label="analytic")
        if k == 0:
            axis.set_ylim(-1, 1)
        finish(axis, "time [s]", name)
    rows = [[float(t), *map(float, p), *map(float, e)] for t, p, e in zip(times, cond, exact)]
    columns = ["time [s]", "x [m]", "y [m]", "z [m]", "x exact", "y exact", "z exact"]
    result.tables = [Table("COND, kv = 1e5", columns, rows)]
    result.figures = [figure]
    result.notes = [
        "The figure's curves are not available as numbers. Only the statements of the text can be "
        "compared: COND follows the analytic line, Penalty2 deviates from it and bounces."
    ]
    return result


ENTRY = Entry(
    "fig6",
    "Box sliding: position against the analytic motion",
    LEE,
    "Figure 6",
    "curves of x, y, z; COND with kv = 1e5 covers the analytic solution, Penalty2 bounces.",
    "the runs of table1.",
    make,
)
