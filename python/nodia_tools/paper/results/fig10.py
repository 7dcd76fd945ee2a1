"""COND, Figure 10: forces of a soft gripper."""

from nodia_tools.paper.figures import COLOURS, finish, panels
from nodia_tools.paper.result import LEE, Entry, Result, Table
from nodia_tools.paper.results.solver_tables import GRIPPER
from nodia_tools.paper.solver_table import draw_against_time, measure_solvers


def make(context):
    directory = context.run(context.scenario("soft_gripper"))
    steps = context.steps_of(directory)
    rows, _ = measure_solvers(context, GRIPPER)
    figure, axes = panels(2, 2)
    axes[0].plot(
        steps["time_s"], 1e3 * steps["max_penetration_m"], color=COLOURS[5], label="COND, complete run"
    )
    draw_against_time(axes[0], rows, "max_penetration_m", 1e3, "penetration [mm]")
    for k, name in enumerate("xyz"):
        for colour, side in zip(COLOURS, ("left", "right")):
            axes[k + 1].plot(
                steps["time_s"], steps[f"{side}_f{name}_N"], color=colour, label=f"{side} finger"
            )
        finish(axes[k + 1], "time [s]", f"force {name} [N]")
    columns = [
        "time_s",
        "max_penetration_m",
        *(f"{side}_f{a}_N" for side in ("left", "right") for a in "xyz"),
    ]
    return Result(
        tables=[
            Table(
                "Complete run",
                columns,
                [[float(v) for v in row] for row in zip(*(steps[name] for name in columns))],
            )
        ],
        figures=[figure],
        reasons=[
            "Neither the measured nor the printed curves are available to us. The paper's sensor is "
            "under the object; ours are the mounts of the two fingers, which together carry the "
            "fingers and the object."
        ],
        notes=[
            f"The complete run of the unchanged scenario; marks of the solvers: {GRIPPER.size(context)}."
        ],
    )


ENTRY = Entry(
    "fig10",
    "Soft gripper: penetration and contact force over time",
    LEE,
    "Figure 10",
    "measured and simulated contact forces in x, y, z, and penetration.",
    "`soft_gripper`: forces on both fingers' mounts; penetration of table6's samples.",
    make,
)
