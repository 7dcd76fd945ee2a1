"""COND, Tables II, III, V and VI: COND against PGS and APGD in four scenarios."""

from collections.abc import Callable
from dataclasses import dataclass

from nodia_tools.paper.result import LEE, Entry
from nodia_tools.paper.solver_table import (
    BASELINES,
    Setup,
    against_paper,
    by_true_error,
    measure,
    solvers_result,
)

MOTION, PENETRATION, ELASTIC_ERROR, MACHINE, RULE = (
    "The paper does not publish its motion, mesh and material damping. The scenario uses the sizes "
    "and ranges that the paper states (1484 nodes, 7 joints), and our own motion.",
    "The paper's penetration is that of a complete run by each solver. Here all solvers solve the same "
    "steps of one reference trajectory, so penetrations do not accumulate; PGS and APGD are warm "
    "started from the same converged trajectory.",
    "IE is the Euclidean norm over all nodes of the difference to the converged solution of the "
    "same step; the paper's is a difference of norms along separate runs.",
    "The machine and the program differ: compare the ratios.",
    "The rule |v_new - v_old| < threshold is a step length and depends on W. It says little about "
    "the error; see the column of true errors.",
)
MAT = Setup("mat_folding", paper_tolerance=1e-4)
BALL = Setup("soft_ball", paper_tolerance=1e-5)
CABLE = Setup("cable_winding", paper_tolerance=1e-4)
GRIPPER = Setup("soft_gripper", paper_tolerance=1e-6, most_samples=5)
# COND without the correction for the compliance of penalty-coupled contact nodes.
BALL_AS_PUBLISHED = Setup(
    "soft_ball",
    solvers=("cond",),
    settings=("solver.bias_cancellation=false",),
    options=BASELINES,
    paper_tolerance=1e-5,
)


@dataclass(frozen=True)
class Comparison:
    """One of the tables, beside its printed values."""

    setup: Setup
    reason_of: dict  # {quantity: numbers of the reasons}; the keys are the quantities with printed values
    printed: dict  # {solver: printed values in the order of `reason_of`}
    ratio_reasons: str  # numbers of the reasons of the ratios of time
    reasons: tuple  # of str
    iterations: int | None = None  # printed number for COND; adds the table by true error
    add_tables: Callable = lambda comparison, context, result: None

    @property
    def quantities(self):
        return (*self.reason_of, "true error")

    def values(self):
        return {solver: dict(zip(self.reason_of, row)) for solver, row in self.printed.items()}

    def make(self, context):
        values = self.values()
        result = solvers_result(
            context, self.setup, values, self.quantities, self.reason_of, list(self.reasons), self.ratio_reasons
        )
        self.add_tables(self, context, result)
        if self.iterations:
            solvers = ("cond", "pgs", "apgd", "newton")
            table, measured = by_true_error(context, self.setup, solvers, self.iterations)
            result.tables.append(table)
            result.reasons.append(measured)
        return result


def _add_published_form(comparison, context, result):
    rows, _ = measure(context, BALL_AS_PUBLISHED)
    title = "COND as published (no bias cancellation), on its own trajectories"
    table = against_paper(title, rows, comparison.values(), comparison.quantities, comparison.reason_of)
    result.tables.insert(1, table)


FOLDING = Comparison(
    MAT,
    {"MP [mm]": "1, 2", "IE [mN]": "1, 3", "DT [ms]": "4", "ST [ms]": "4", "Delassus [ms]": "4", "IN": "1, 5"},
    {
        "cond": (0.0033, 1.868, 9.568, 8.650, None, 39.72),
        "pgs": (0.0328, 0.917, 9.599, 1412.0, 898.0, 50.59),
        "apgd": (0.0576, 1.492, 9.563, 1645.0, 890.0, 81.57),
    },
    "2, 4, 5",
    (MOTION, PENETRATION, ELASTIC_ERROR, MACHINE, RULE),
)
GRIPPING = Comparison(
    BALL,
    {
        "MP [mm]": "1, 2",
        "IE [N]": "1, 3",
        "DT [ms]": "4",
        "ST [ms]": "4",
        "Delassus [ms]": "4",
        "IN": "1, 5, 6, 7, 8",
    },
    {
        "cond": (0.0058, 0.1560, 18.61, 8.464, None, 37.51),
        "pgs": (1.9933, 0.3189, 18.51, 805.1, 624.0, 233.9),
        "apgd": (0.2325, 0.1235, 18.43, 676.7, 626.0, 100.4),
    },
    "4, 6, 7, 8",
    (
        MOTION,
        PENETRATION,
        ELASTIC_ERROR,
        MACHINE,
        RULE,
        "Here PGS and APGD start from the forces of the converged trajectory and do not drift: they need "
        "fewer iterations than printed, and their penetration is that of the trajectory.",
        "COND needs more iterations than printed. Bias cancellation, which the paper does not have, is not "
        "the cause: the published form needs as many iterations and has larger errors. The number depends "
        "on a threshold, not on an error. The scene (drives, grip, damping) and the coupling stiffness kv "
        "are not printed.",
    ),
    38,
    _add_published_form,
)
WINDING = Comparison(
    CABLE,
    {"MP [mm]": "1, 2", "FE [N]": "3", "DT [ms]": "4", "ST [ms]": "4", "Delassus [ms]": "4", "IN": "1, 5, 6"},
    {
        "cond": (0.0021, 0.3996, 2.086, 1.229, None, 18.28),
        "pgs": (0.0521, 0.3997, 2.103, 74.27, 28.2, 65.61),
        "apgd": (0.0556, 0.3976, 2.112, 56.72, 27.9, 46.05),
    },
    "4, 5, 6",
    (
        MOTION,
        PENETRATION,
        "FE of the paper is relative to forces measured on a real robot, which are not available to us: "
        "the 0.4 N are model error, equal for all solvers. Ours is relative to the converged solution of "
        "the same step: solver error only. fig9 shows the authors' simulated record beside ours.",
        MACHINE,
        RULE,
        "Our cable has no drag, while the authors' program has a drag per link. More of our cable slides, "
        "PGS and APGD need ten times as many iterations, and COND needs more, too.",
    ),
)
PRESSING = Comparison(
    GRIPPER,
    {
        "MP [mm]": "1, 2",
        "FE [N]": "3",
        "DE [mm]": "3",
        "DT [ms]": "4",
        "ST [ms]": "4, 6, 8",
        "Delassus [ms]": "4, 7",
        "IN": "1, 5, 6, 8",
    },
    {
        "cond": (0.0005, 0.1169, 1.898, 43.24, 18.24, None, 30.88),
        "pgs": (0.0397, 0.1175, 1.895, 42.89, 547.0, 533.0, 59.06),
        "apgd": (0.0409, 0.1172, 1.896, 42.78, 547.3, 533.0, 57.81),
    },
    "4, 5, 6, 8",
    (
        MOTION,
        PENETRATION,
        "FE and DE of the paper are relative to a force sensor and markers on a real gripper, whose data "
        "are not available to us: they are model error, equal for all solvers. Ours are relative to the "
        "converged solution of the same step.",
        MACHINE,
        RULE,
        "Our object is a free box of 40 g that is lifted, while theirs stands on a sensor; the drives and "
        "the damping are not printed. The scenario uses Nesterov's acceleration, because Chebyshev's "
        "stalls at a Poisson's ratio of 0.49. It is not known which of these differences causes COND to "
        "need more iterations than printed. The step is 4 ms, the paper's 10 ms.",
        "The Delassus operator has three columns per contact, and our scene has more contacts than the "
        "paper's 40.",
    ),
    31,
)

TABLE2 = Entry(
    "table2",
    "Soft mat folding: COND against PGS and APGD",
    LEE,
    "Table II",
    "penetration, internal-force error, times and iterations at threshold 1e-4; COND over 100 "
    "times faster.",
    "`nodia compare mat_folding --rows paper`; baselines factorise with SimplicialLLT and solve "
    "for dense right-hand sides, as in the paper.",
    FOLDING.make,
)
TABLE3 = Entry(
    "table3",
    "Soft ball gripping: COND against PGS and APGD",
    LEE,
    "Table III",
    "penetration, internal-force error, times and iterations at threshold 1e-5; COND over 80 "
    "times faster.",
    "`nodia compare soft_ball --rows paper --paper-tolerance 1e-5`.",
    GRIPPING.make,
)
TABLE5 = Entry(
    "table5",
    "Flexible cable winding: COND against PGS and APGD",
    LEE,
    "Table V",
    "penetration, end-effector force error, times and iterations at threshold 1e-4.",
    "`nodia compare cable_winding --rows paper` (320 links and the arm).",
    WINDING.make,
)
TABLE6 = Entry(
    "table6",
    "Soft gripper: COND against PGS and APGD",
    LEE,
    "Table VI",
    "penetration, force and displacement errors, times and iterations at threshold 1e-6.",
    "`nodia compare soft_gripper --rows paper --paper-tolerance 1e-6`.",
    PRESSING.make,
)
