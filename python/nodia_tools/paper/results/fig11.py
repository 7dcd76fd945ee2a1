"""COND, Figure 11: solver time against the number of nodes."""

import numpy as np

from nodia_tools.paper.figures import SOLVER_COLOUR, SOLVER_NAME, finish, panels
from nodia_tools.paper.result import COMPARED, LEE, Entry, Result, Table, beside
from nodia_tools.paper.solver_table import Setup, measure

SCALED = "500,1000,1500,3000,6000"  # numbers of nodes, COND only
SOLVED = (250, 500, 1000, 1500)  # numbers of nodes, all solvers
SAMPLES = 4
REASONS = [
    "The number of iterations grows with the mesh for every rule, and the matrix becomes larger than "
    "the caches: time grows faster than the number of nodes. The time of an iteration is linear, as "
    "the paper's analysis says. The paper's sizes and motion are not available to us.",
    "The paper prints no exponent; it states super-linear growth.",
]


def r_squared(x, y):
    """R^2 of the least-squares line through (x, y)."""
    line = np.polyval(np.polyfit(x, y, 1), x)
    return float(1 - np.sum((y - line) ** 2) / np.sum((y - np.mean(y)) ** 2))


def exponent(x, y):
    """Exponent of the least-squares power law through (x, y)."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def _sizes(context):
    """Solver times on the same problems: {solver: (numbers of nodes [n], times [n] [ms])}."""
    times = {}
    for n in SOLVED:
        setup = Setup(
            "soft_mat",
            settings=(
                f"bodies.mat.mesh={{mat: {{size_m: [0.3, 0.3, 0.006], nodes: {n}}}}}",
                "time.duration_s=1.2",
            ),
            options=("--rows", "paper", "--baseline-only", "--no-reference"),
            drawn=False,
            most_samples=SAMPLES,
        )
        for row in measure(context, setup)[0]:
            times.setdefault(row.solver, []).append((n, row.mean("ST [ms]")))
    return {solver: np.array(pairs).T for solver, pairs in times.items()}


def make(context):
    scaled = context.json(
        "scale",
        context.scenario("soft_mat"),
        "--nodes",
        SCALED,
        "--average",
        "5",
        "--solvers",
        "cond",
        "--rows",
        "own",
        "--no-reference",
        "--out",
        context.out / "data" / "scale",
        "--threads",
        "1",
    )["rows"]
    n = np.array([row["n_node"] for row in scaled], float)
    per_iteration = np.array([row["us_per_iteration"] for row in scaled])
    paper_ms = np.array([row["us_per_iteration"] * row["iterations_paper"] / 1e3 for row in scaled])
    times = _sizes(context)
    figure, axes = panels(3)
    axes[0].plot(n, paper_ms, "o-", color=SOLVER_COLOUR["cond"], label="COND, paper's rule")
    finish(axes[0], "nodes", "solver time [ms]", "COND")
    for solver, (nodes, ms) in times.items():
        axes[1].plot(nodes, ms, "o-", color=SOLVER_COLOUR[solver], label=SOLVER_NAME[solver])
    finish(axes[1], "nodes", "solver time [ms]", "the same problems", log="xy")
    axes[2].plot(n, per_iteration, "o-", color=SOLVER_COLOUR["cond"], label="COND")
    finish(axes[2], "nodes", "time of an iteration [µs]", "COND")
    rows = [
        beside("COND: R² of a straight line, time of a solve", 0.9997, r_squared(n, paper_ms), "1"),
        beside(
            "COND: R² of a straight line, time of an iteration",
            None,
            r_squared(n, per_iteration),
            "1",
        ),
        beside("COND: exponent of nodes, time of a solve", None, exponent(n, paper_ms), "1"),
        beside(
            "COND: exponent of nodes, time of an iteration", None, exponent(n, per_iteration), "1"
        ),
    ]
    rows += [
        beside(
            f"{SOLVER_NAME[s]}: exponent of nodes, time of a solve", None, exponent(*times[s]), "2"
        )
        for s in ("pgs", "apgd")
    ]
    sizes = [
        [int(row["n_node"]), row["iterations_paper"], row["us_per_iteration"], float(ms)]
        for row, ms in zip(scaled, paper_ms)
    ]
    solved = [
        [SOLVER_NAME[s], int(k), float(ms)] for s, pair in times.items() for k, ms in zip(*pair)
    ]
    return Result(
        tables=[
            Table("Growth", COMPARED, rows),
            Table("COND alone", ["nodes", "iterations", "µs an iteration", "ms a solve"], sizes),
            Table("All solvers on the same problems", ["solver", "nodes", "ms a solve"], solved),
        ],
        figures=[figure],
        reasons=REASONS,
        notes=[
            f"COND alone: `nodia scale`, 5 steps a size; all solvers: {SAMPLES} steps of 120 a "
            "size while the mat is dragged, threshold 1e-4, one thread."
        ],
    )


ENTRY = Entry(
    "fig11",
    "Soft mat: solver time against the number of nodes",
    LEE,
    "Figure 11 and section V-D",
    "COND's time is almost linear in the degrees of freedom (R² 0.9997), that of PGS and APGD "
    "super-linear.",
    "`nodia scale soft_mat` for COND, `nodia compare` on meshes of 250 to 1500 nodes for all.",
    make,
)
