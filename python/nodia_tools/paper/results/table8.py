"""COND, Table VIII: COND against position-based dynamics on the cable, in complete runs."""

import numpy as np

from nodia_tools.paper.figures import SOLVER_NAME
from nodia_tools.paper.result import COMPARED, LEE, Entry, Result, Table, beside

LINKS = 120
DEFAULT_STEPS = 1500  # number of steps without --full, of 5499
SETTLED_S = 1.0  # start of the mean penetration [s]: the cable starts 2 mm inside the cylinder and is pushed out by then
FORCE = ("tool_fx_N", "tool_fy_N", "tool_fz_N")
PRINTED = {  # MP [mm], FE [N], TT [ms]
    ("cond", 100): (0.0031, 0.553, 3.949),
    ("cond", 200): (0.0032, 0.553, 7.125),
    ("xpbd", 100): (0.0036, 2.654, 94.45),
    ("xpbd", 200): (0.0026, 1.575, 187.6),
}
REASONS = [
    "FE of the paper is relative to forces measured on a robot, which are not available to us; 0.55 N "
    "of it is model error. Ours is relative to a run converged to 1e-8 with the same cable. It is the "
    "error of the method alone, so COND's is far smaller than printed.",
    "The cable moves with the synthetic track of the scenario, without the arm.",
    "The machine and the program differ: compare the ratio of times.",
    "In many steps, COND reaches its tolerance of 1e-14, or the absolute tolerance, before its iteration "
    "limit: a fixed number is an upper bound of its cost here. No step of XPBD converges: with one "
    "sweep per substep, forces and multipliers differ in inverse proportion to the number of substeps.",
]


def _words(context, *settings):
    steps = () if context.full else ("--steps", DEFAULT_STEPS)
    flat = [word for setting in settings for word in ("--set", setting)]
    return [context.scenario("cable_benchmark"), "--set", f"cable.links={LINKS}", *flat, *steps]


def run_cond(context, iterations):
    """Runs COND with at most `iterations` iterations per step and a tolerance of 1e-14."""
    return context.run(
        *_words(context, f"solver.max_iterations={iterations}", "solver.tolerance=1e-14"),
        may_fail=True,
    )


def run_xpbd(context, substeps):
    context.require_solver("xpbd")
    return context.run(
        *_words(context, "solver.solver=xpbd", f"solver.xpbd.substeps={substeps}"), may_fail=True
    )


def run_reference(context):
    return context.run(*_words(context, "solver.tolerance=1e-8", "solver.max_iterations=20000"))


def forces(context, directory):
    """Times [n] [s] and the force on the tool [n, 3] [N]."""
    steps = context.steps_of(directory)
    return steps["time_s"], np.stack([steps[name] for name in FORCE], axis=1)


def make(context):
    result = Result(reasons=REASONS)
    runs = [("cond", 100, run_cond), ("cond", 200, run_cond)]
    context.require_solver("xpbd")
    runs += [("xpbd", 100, run_xpbd), ("xpbd", 200, run_xpbd)]
    _, exact = forces(context, run_reference(context))
    table, times = [], {}
    for solver, n, run in runs:
        directory = run(context, n)
        steps = context.steps_of(directory)
        error = np.linalg.norm(forces(context, directory)[1] - exact, axis=1).mean()
        total = float(np.mean(steps["dynamics_ms"] + steps["solver_ms"]))
        times[solver, n] = total
        own = (
            1e3 * float(np.mean(steps["max_penetration_m"][steps["time_s"] >= SETTLED_S])),
            float(error),
            total,
        )
        for name, printed, value, reason in zip(
            ("MP [mm]", "FE [N]", "TT [ms]"), PRINTED[solver, n], own, ("2", "1, 2", "3, 4")
        ):
            table.append(beside(f"{SOLVER_NAME[solver]} ({n}) {name}", printed, value, reason))
    ratios = [
        beside(
            f"XPBD / COND, time ({n})",
            PRINTED["xpbd", n][2] / PRINTED["cond", n][2],
            times["xpbd", n] / times["cond", n],
            "3, 4",
        )
        for n in (100, 200)
    ]
    result.tables = [
        Table(f"{LINKS} links, means over the steps", COMPARED, table),
        Table("XPBD over COND", COMPARED, ratios),
    ]
    result.notes = [
        "MP is the mean after 1 s: the cable starts 2 mm inside the cylinder, as in the authors' program.",
        "Complete runs of the unchanged scenario: one trial"
        + ("." if context.full else f", first {DEFAULT_STEPS} steps (of 5499)."),
    ]
    return result


ENTRY = Entry(
    "table8",
    "Cable: COND against position-based dynamics (XPBD)",
    LEE,
    "Table VIII",
    "penetration, end-effector force error and total time for 100 and 200 iterations or substeps; "
    "COND over 20 times faster with less error.",
    "complete runs of `cable_benchmark` with 120 links, as in the paper.",
    make,
)
