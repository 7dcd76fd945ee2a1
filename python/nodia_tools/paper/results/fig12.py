"""COND, Figure 12: force on the end effector by COND and by position-based dynamics."""

from nodia_tools.paper.figures import COLOURS, finish, panels
from nodia_tools.paper.result import LEE, Entry, Result, Table
from nodia_tools.paper.results.table8 import (
    REASONS,
    forces,
    run_cond,
    run_reference,
    run_xpbd,
)

SHOWN_EVERY = 10  # the CSV file has every 10th step


def make(context):
    context.require_solver("xpbd")
    curves = [
        ("COND (100)", run_cond(context, 100)),
        ("COND (200)", run_cond(context, 200)),
        ("XPBD (100)", run_xpbd(context, 100)),
        ("XPBD (200)", run_xpbd(context, 200)),
        ("converged", run_reference(context)),
    ]
    figure, axes = panels(3)
    columns, values = ["time [s]"], []
    for colour, (name, directory) in zip(COLOURS, curves):
        time_s, force = forces(context, directory)
        style = ("k--", None) if name == "converged" else ("-", colour)
        for k, axis in enumerate(axes):
            axis.plot(time_s, force[:, k], style[0], color=style[1], linewidth=1, label=name)
        columns += [f"{name} {a} [N]" for a in "xyz"]
        values.append(force)
    for axis, name in zip(axes, "xyz"):
        finish(axis, "time [s]", f"force {name} [N]")
    rows = [
        [float(t), *(float(v) for f in values for v in f[k])]
        for k, t in list(enumerate(time_s))[::SHOWN_EVERY]
    ]
    return Result(
        tables=[Table("Force on the tool", columns, rows)],
        figures=[figure],
        reasons=[REASONS[0], REASONS[1]],
        notes=["The runs of table8. The printed curves are not available as numbers."],
    )


ENTRY = Entry(
    "fig12",
    "Cable: force on the end effector by COND and XPBD",
    LEE,
    "Figure 12",
    "curves: COND's coincide with each other, those of PBD depend on the number of substeps.",
    "the runs of table8.",
    make,
)
