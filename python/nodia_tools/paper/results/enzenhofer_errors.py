"""Enzenhöfer et al.: error measures of direct and iterative solvers."""

import numpy as np

from nodia_tools.paper.figures import COLOURS, SOLVER_COLOUR, SOLVER_NAME, finish, panels
from nodia_tools.paper.result import ENZENHOFER, CannotMake, Entry, Result, Table
from nodia_tools.paper.solver_table import Setup, measure
from nodia_tools.paper.study import as_table, column, groups, study

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


def _add_measures_without_friction(context, result):
    """Adds energy error, natural residual and Fischer-Burmeister merit of the iterates of a problem without friction."""
    rows = study(context, "enzenhofer_measures")
    measures = ("energy_error_J", "natural_residual", "fischer_burmeister", "distance_J")
    figure, axes = panels(2, 2)
    for axis, name in zip(axes, measures):
        for colour, (solver, own) in zip(COLOURS, groups(rows, "solver").items()):
            values = [max(value, 1e-33) for value in column(own, name)]
            style = "D" if len(own) == 1 else "-"
            axis.plot(
                [max(k, 1) for k in column(own, "k")],
                values,
                style,
                color=colour,
                label=solver.replace("_", " "),
            )
        finish(axis, "iteration", name.replace("_", " "), log="xy")
    ends = [
        [solver, int(own[-1]["k"]), *(float(own[-1][name]) for name in measures)]
        for solver, own in groups(rows, "solver").items()
    ]
    energy = np.array(column(rows, "energy_error_J"))
    agreement = [
        [name, _rank_agreement(energy, np.array(column(rows, name)))] for name in measures[1:]
    ]
    result.tables += [
        Table("20 contacts without friction: last iterates", ["solver", "k", *measures], ends),
        Table(
            "20 contacts without friction: rank correlation with the energy error",
            ["measure", "Spearman's rho"],
            agreement,
        ),
        as_table("20 contacts without friction: all iterates", rows),
    ]
    result.figures.append(figure)


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
                Setup(
                    **SCENE,
                    solvers=(name,),
                    options=("--rows", "residual", "--baseline-only"),
                ),
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
    by_impulse = [row for row in rows if row.solver != "cond"]
    energy = np.concatenate([row.columns["energy_error_J"] for row in by_impulse])
    agreement = [
        [label, _rank_agreement(energy, np.concatenate([row.columns[name] for row in by_impulse]))]
        for name, label in MEASURES[1:]
    ]
    result.tables = [
        Table(
            "Rank correlation of the cone form of the energy error with the other measures, over "
            "all solves of solvers on impulses",
            ["measure", "Spearman's rho"],
            agreement,
        ),
        Table(
            "Medians over the steps", ["solver", "rule", *(label for _, label in MEASURES)], values
        ),
    ]
    result.figures = [figure]
    try:
        _add_measures_without_friction(context, result)
    except CannotMake as error:
        result.missing.append(f"problem without friction: {error}")
    result.reasons = [
        "The abstract prints no numbers. It states that the energy error agrees qualitatively with "
        "functions that mix units, and that direct and iterative solvers behave as expected. Its "
        "systems are not described."
    ]
    result.notes = [
        size + ".",
        "The metric requires (2): the velocities follow from the impulses. This is true for PGS, "
        "APGD and prox, whose entire error is in (3). COND's iterates satisfy the contact "
        "conditions at every iteration and have their error in the dynamics: the energy error is "
        "only rounding, and only the true error and the measure with the residual of the dynamics "
        "(natural map, rho = 1) detect the error.",
        "The box form can be nonzero at exact cone solutions, because its friction bounds are a "
        "square. The diagonal of the Delassus matrix is the block-diagonal estimate.",
    ]
    return result


ENTRY = Entry(
    "enzenhofer_errors",
    "Measures of error over direct and iterative solvers",
    ENZENHOFER,
    "last paragraph",
    "the energy error agrees qualitatively with existing error functions; direct solvers are "
    "exact, iterative ones approach.",
    "`nodia compare cable_benchmark --iterations 1,...,500`: all measures of all solutions.",
    make,
)
