"""COND, Figure 9: force on the end effector that winds a cable."""

import numpy as np

from nodia_tools.paper.figures import COLOURS, finish, panels
from nodia_tools.paper.result import LEE, Entry, Result, Table, beside, compared_with
from nodia_tools.paper.results.table8 import FORCE

SHOWN_EVERY = 50  # the CSV file has every 50th step


def make(context):
    track = context.reference("cable_winding/tool_n160_mu1.3.txt")
    record = context.reference("cable_winding/reference_n160_mu1.3.csv")
    directory = context.run(
        context.scenario("cable_benchmark"),
        *("--set", f"tool.track={track}", "--set", f"check.reference={record}"),
    )
    steps = context.steps_of(directory)
    theirs = np.genfromtxt(record, delimiter=",", skip_header=_header_lines(record))
    time_s = steps["time_s"]
    ours = np.stack([steps[name] for name in FORCE], axis=1)
    # Row k of the record is the state at the time k h, which is the end of step k.
    their_force = theirs[1 : 1 + len(ours), 2:5]
    n = min(len(ours), len(their_force))
    ours, their_force, time_s = ours[:n], their_force[:n], time_s[:n]
    figure, axes = panels(2, 2)
    axes[0].plot(time_s, 1e3 * steps["max_penetration_m"][:n], color=COLOURS[0], label="COND")
    finish(axes[0], "time [s]", "penetration [mm]")
    for k, name in enumerate("xyz"):
        axes[k + 1].plot(time_s, ours[:, k], color=COLOURS[0], label="COND (ours)")
        axes[k + 1].plot(
            time_s,
            their_force[:, k],
            "--",
            color=COLOURS[1],
            linewidth=1,
            label="the authors' program",
        )
        finish(axes[k + 1], "time [s]", f"force {name} [N]")
    difference = float(np.sqrt(np.mean(np.sum((ours - their_force) ** 2, axis=1))))
    size = float(np.sqrt(np.mean(np.sum(their_force**2, axis=1))))
    own = float(np.sqrt(np.mean(np.sum(ours**2, axis=1))))
    rows = [
        [float(t), *map(float, a), *map(float, b)]
        for t, a, b in list(zip(time_s, ours, their_force))[::SHOWN_EVERY]
    ]
    columns = ["time [s]", *(f"ours {a} [N]" for a in "xyz"), *(f"theirs {a} [N]" for a in "xyz")]
    return Result(
        tables=[
            Table(
                "Root mean square over all steps",
                compared_with("authors' program"),
                [
                    beside("force on the tool, their program and ours [N]", size, own, "1"),
                    ["difference of the two [N]", None, difference, None, "1"],
                ],
            ),
            Table(f"Every {SHOWN_EVERY}th step", columns, rows),
        ],
        figures=[figure],
        reasons=[
            "The printed curves and the forces measured on the robot are not available to us. Ours "
            "is compared with the record of the authors' public program. The remaining difference "
            "is due to the drag per link, which was fitted."
        ],
        notes=[
            "All steps of one run without random values, 160 links as in the public record; the "
            "paper used 320 links and the arm."
        ],
    )


def _header_lines(path):
    with open(path, encoding="utf-8") as file:
        first = file.readline()
    return 0 if first[:1].isdigit() else 1


ENTRY = Entry(
    "fig9",
    "Cable winding: force on the end effector, and penetration",
    LEE,
    "Figure 9",
    "measured and simulated forces in x, y, z, and penetration.",
    "`cable_benchmark` on the authors' recorded track, beside their simulated record.",
    make,
)
