"""Enzenhöfer et al.: measures of error over direct and iterative solvers."""

import numpy as np

from nodia_tools.paper.figures import SOLVER_COLOUR, SOLVER_NAME, finish, panels
from nodia_tools.paper.result import ENZENHOFER, Entry, Result, Table
from nodia_tools.paper.solver_table import Setup, measure

ITERATIONS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
ITERATIVE, DIRECT = ("pgs", "apgd", "cond", "prox"), ("lemke", "fischer")
MEASURES = (
    ("energy_error_J", "energy error, cone [J]"),
    ("energy_error_box_J", "energy error, box [J]"),
    ("natural_map_error", "natural map, scaled"),
    ("error_siconos", "natural map, rho = 1"),
    ("true_error", "true error"),
)
SCENE = dict(scenario="cable_benchmark", settings=("time.duration_s=20",), drawn=False)


def _rank_agreement(a, b):
    """Spearman's rank correlation."""

    def rank(values):
        return np.argsort(np.argsort(values)).astype(float)

    return float(np.corrcoef(rank(a), rank(b))[0, 1])


def _median(row, name):
    return float(np.median(row.columns[name]))


def make(context):
    known = [solver["name"] for solver in context.info["solvers"]]
    iterative = [name for name in ITERATIVE if name in known]
    counts = ",".join(map(str, ITERATIONS))
    rows, _ = measure(
        context,
        Setup(
            **SCENE,
            solvers=tuple(iterative),
            options=("--rows", "none", "--iterations", counts, "--baseline-only"),
        ),
    )
    size = Setup(**SCENE).size(context)
    result = Result()
    direct = []
    for name in DIRECT:
        if name in known:
            direct += measure(
                context,
                Setup(**SCENE, solvers=(name,), options=("--rows", "residual", "--baseline-only")),
            )[0]
        else:
            result.missing.append(f"{name}: this nodia has no such solver")
    result.missing += [f"{n}: this nodia has no such solver" for n in ITERATIVE if n not in known]
    figure, axes = panels(3, 2)
    for axis, (name, label) in zip(axes, MEASURES):
        for solver in iterative:
            own = [row for row in rows if row.solver == solver]
            axis.plot(
                ITERATIONS,
                [_median(row, name) for row in own],
                "o-",
                markersize=3,
                color=SOLVER_COLOUR.get(solver),
                label=SOLVER_NAME.get(solver, solver),
            )
        for row in direct:
            axis.axhline(
                _median(row, name), linestyle="--", linewidth=1, label=f"{row.solver} (direct)"
            )
        finish(axis, "iterations", label, log="xy")
    axes[-1].set_axis_off()
    values = [
        [
            SOLVER_NAME.get(row.solver, row.solver),
            row.purpose,
            *(_median(row, name) for name, _ in MEASURES),
        ]
        for row in [*rows, *direct]
    ]
    energy = np.concatenate([row.columns["energy_error_J"] for row in rows])
    agreement = [
        [label, _rank_agreement(energy, np.concatenate([row.columns[name] for row in rows]))]
        for name, label in MEASURES[1:]
    ]
    result.tables = [
        Table(
            "Rank correlation of the cone form of the energy error with the other measures, over "
            "all solves",
            ["measure", "Spearman's rho"],
            agreement,
        ),
        Table(
            "Medians over the steps", ["solver", "rule", *(label for _, label in MEASURES)], values
        ),
    ]
    result.figures = [figure]
    result.reasons = [
        "The abstract prints no number: it says that the energy error agrees qualitatively with "
        "functions that mix units, and that direct and iterative solvers behave as expected. Its "
        "systems are not described."
    ]
    result.notes = [
        size + ".",
        "The box form has a floor at exact cone solutions: its friction bounds are a square. The "
        "diagonal of the Delassus matrix is the block-diagonal estimate.",
    ]
    return result


ENTRY = Entry(
    "enzenhofer_errors",
    "Measures of error over direct and iterative solvers",
    ENZENHOFER,
    "last paragraph",
    "the energy error agrees qualitatively with existing error functions; direct solvers are "
    "exact, iterative ones approach.",
    "`nodia compare cable_benchmark --iterations 1,...,500`: every measure of every answer.",
    make,
)
