"""Tables and curves of `nodia compare`, which runs several solvers on the same sampled steps of trials."""

from dataclasses import dataclass, field, replace

import numpy as np

from nodia_tools.paper.figures import SOLVER_COLOUR, SOLVER_NAME, finish
from nodia_tools.paper.result import COMPARED, CannotMake, Result, Table, beside

PART_SAMPLES = 25  # number of steps that are in memory at once if every step is used

REFERENCE = ("--reference-tolerance", "1e-7")  # three decades below the errors that are measured with it
ON_DELASSUS = ("pgs", "apgd")
ABLATION = "ablation, paper"  # purpose of the rows with and without Chebyshev acceleration
BASELINES = ("--rows", "paper", "--baseline-only", *REFERENCE)
WITH_ABLATION = ("--with-ablation", "--ablation-w", "frobenius")

# Quantity: (column of a sample, factor from the column to the printed unit)
MILLI = {
    "MP [mm]": ("max_penetration_m", 1e3),
    "IE [mN]": ("internal_force_error_N", 1e3),
    "IE [N]": ("internal_force_error_N", 1.0),
    "FE [N]": ("sensor_force_error_N", 1.0),
    "DE [mm]": ("displacement_error_m", 1e3),
    "DT [ms]": ("dynamics_ms", 1.0),
    "ST [ms]": ("solver_ms", 1.0),
    "Delassus [ms]": ("delassus_ms", 1.0),
    "IN": ("iterations", 1.0),
    "true error": ("true_error", 1.0),
}


@dataclass(frozen=True)
class Setup:
    """Options of `nodia compare` for one comparison of a paper."""

    scenario: str
    solvers: tuple = ("cond", "pgs", "apgd")
    settings: tuple = ()  # key=value
    options: tuple = (*BASELINES, *WITH_ABLATION)
    paper_tolerance: float = 1e-4  # |v_new - v_old| [m/s]
    drawn: bool = True  # each trial samples the scenario's random values
    most_trials: int | None = None  # limit without --full
    most_samples: int | None = None  # limit of the steps per trial without --full

    def trials(self, context):
        return context.seeds(self.most_trials) if self.drawn else [None]

    def size(self, context):
        samples = context.samples(self.most_samples)
        if not self.drawn:
            return f"the unchanged scenario, {_counted(samples)} (the paper: 20 trials, all steps)"
        n = len(self.trials(context))
        which = "--seed 0" if n == 1 else f"--seed 0` to `--seed {n - 1}"
        return (
            f"{n} randomised trial{'s' if n > 1 else ''} (`{which}`), {_counted(samples)} of each "
            f"(the paper: 20 trials, all steps)"
        )


def _counted(samples):
    return "every step" if samples is None else f"{samples} evenly spaced steps"


@dataclass
class Row:
    """Samples of one solver with one stopping rule, over all trials in sequence.

    columns  {name: values [n_sample]}
    trial    seed of each sample [n_sample]
    """

    solver: str
    purpose: str
    chebyshev: bool
    columns: dict = field(default_factory=dict)
    trial: list = field(default_factory=list)

    def add(self, row, trial):
        for sample in row["samples"]:
            for name, value in sample.items():
                self.columns.setdefault(name, []).append(np.nan if value is None else value)
            self.trial.append(trial)

    def mean(self, quantity):
        name, factor = MILLI[quantity]
        return float(factor * np.mean(self.columns[name]))

    def of_first_trial(self, name):
        values = [v for v, trial in zip(self.columns[name], self.trial) if trial == self.trial[0]]
        return np.array(values)

    @property
    def not_converged(self):
        return sum(status != "converged" for status in self.columns["status"])


def measure(context, setup):
    """Runs `nodia compare` for all trials.

    @return the rows, and the largest error of a reference solution
    """
    rows, reference_error = {}, 0.0
    samples = context.samples(setup.most_samples)
    words = [
        "compare",
        context.scenario(setup.scenario),
        *(("--solvers", ",".join(setup.solvers)) if setup.solvers else ()),
        *setup.options,
        *(word for setting in setup.settings for word in ("--set", setting)),
        *("--paper-tolerance", f"{setup.paper_tolerance:g}", "--threads", "1"),
    ]
    for trial in setup.trials(context):
        drawn = () if trial is None else ("--seed", trial)
        for sampling in _samplings(context, setup, samples):
            said = context.json(*words, *drawn, *sampling)
            reference_error = max(reference_error, said["reference_error"])
            for k, row in enumerate(said["rows"]):
                known = rows.setdefault(
                    k, Row(row["solver"], row["purpose"], bool(row["chebyshev"]))
                )
                known.add(row, trial)
    if not rows or not all(row.trial for row in rows.values()):
        raise CannotMake(f"nodia compare {setup.scenario}: no samples")
    return list(rows.values()), reference_error


def measure_solvers(context, setup):
    """Like measure(), without the rows of the ablation."""
    rows, reference_error = measure(context, setup)
    return [row for row in rows if row.purpose != ABLATION], reference_error


def _samplings(context, setup, samples):
    if samples is not None:
        return [("--samples", samples)]
    config = context.json(
        "compare",
        context.scenario(setup.scenario),
        "--samples",
        1,
        "--no-reference",
        "--rows",
        "residual",
        "--solvers",
        "cond",
    )
    n_step = config["rows"][0]["samples"][0]["step"]
    parts = -(-n_step // PART_SAMPLES)
    return [("--all", "--part", f"{k + 1}/{parts}") for k in range(parts)]


def against_paper(title, rows, printed, quantities, reasons):
    """Table of the mean values beside the printed ones.

    @param printed  {solver: {quantity: printed value}}
    @param reasons  {quantity or (solver, quantity): numbers of the reasons below the table}
    """
    compared = []
    for row in rows:
        for quantity in quantities:
            if quantity == "Delassus [ms]" and row.solver not in ON_DELASSUS:
                continue
            value = printed.get(row.solver, {}).get(quantity)
            reason = reasons.get((row.solver, quantity), reasons.get(quantity, ""))
            what = f"{SOLVER_NAME.get(row.solver, row.solver)} {quantity}"
            compared.append(beside(what, value, row.mean(quantity), reason))
    return Table(title, COMPARED, compared)


def time_ratios(title, rows, printed, reason):
    """Table of the solver times relative to COND's, which the paper states."""
    own = {row.solver: row.mean("ST [ms]") for row in rows}
    compared = []
    for solver in own:
        if solver == "cond":
            continue
        theirs = None
        if solver in printed:
            theirs = printed[solver]["ST [ms]"] / printed["cond"]["ST [ms]"]
        what = f"{SOLVER_NAME.get(solver, solver)} time / COND time"
        compared.append(beside(what, theirs, own[solver] / own["cond"], reason))
    return Table(title, COMPARED, compared)


def status_note(rows, reference_error):
    """Note on unconverged solves and on the accuracy of the reference solutions."""
    states = ", ".join(
        f"{SOLVER_NAME.get(row.solver, row.solver)} {row.not_converged}/{len(row.trial)}"
        for row in rows
    )
    return (
        f"Solves that reached the iteration limit before their stopping rule: {states}. Errors are "
        f"relative to solutions converged to {reference_error:.1g} or better."
    )


def solvers_result(context, setup, printed, quantities, reason_of, reasons, ratio_reasons):
    """Result that compares COND with other solvers: means beside the printed ones, and ratios of time.

    @param reason_of      as `reasons` of against_paper()
    @param ratio_reasons  numbers of the reasons of the ratios
    """
    rows, reference = measure_solvers(context, setup)
    return Result(
        tables=[
            against_paper("Means over trials and steps", rows, printed, quantities, reason_of),
            time_ratios("Solver time against COND's", rows, printed, ratio_reasons),
        ],
        reasons=reasons,
        notes=[setup.size(context), status_note(rows, reference)],
    )


EQUAL_ERROR = "true error <= 0.001"  # purpose of the rows of nodia compare --rows true_error


def by_true_error(context, setup, solvers, iterations=None):
    """Measures the error at which the paper's stopping rule ends, and the cost of a true error of 1e-3.

    @param setup       the paper's scenario, samples and threshold
    @param iterations  printed number of iterations of COND; adds a row after this number
    @return            a table, and its numbers for COND and newton as a sentence
    """
    options = ("--rows", "paper,true_error", "--baseline-only", *REFERENCE)
    rows, _ = measure(context, replace(setup, solvers=solvers, options=options))
    if iterations:
        options = ("--rows", "none", "--iterations", f"{iterations}", *REFERENCE)
        rows += measure(context, replace(setup, solvers=("cond",), options=options))[0]
    means = {
        (row.solver, row.purpose): [row.mean(q) for q in ("true error", "IN", "ST [ms]")]
        for row in rows
    }
    ends = {"paper": f"paper's rule, {setup.paper_tolerance:g} m/s"}
    table = Table(
        "By true error",
        ["solver", "ends at", "true error", "iterations", "ms per solve"],
        [[SOLVER_NAME[s], ends.get(p, p), *mean] for (s, p), mean in means.items()],
    )
    paper, equal, own = (
        means[key] for key in (("cond", "paper"), ("cond", EQUAL_ERROR), ("newton", EQUAL_ERROR))
    )
    counted = ""
    if iterations:
        error = means["cond", f"{iterations} iterations"][0]
        counted = f"After the {iterations} iterations that are printed it is {error:.2g}. "
    return table, (
        f"Measured: when the paper's rule stops COND, the true error is {paper[0]:.2g} "
        f"({paper[1]:.0f} iterations, {paper[2]:.3g} ms). {counted}"
        f"For a true error of at most 1e-3, COND needs {equal[1]:.0f} iterations, {equal[2]:.3g} ms. "
        f"The default solver, newton, needs {own[2]:.3g} ms."
    )


def draw_against_time(axes, rows, name, factor, label, reference=None, log=""):
    """Plots a quantity of the first trial over time, with one line per solver."""
    for row in rows:
        axes.plot(
            row.of_first_trial("time_s"),
            factor * row.of_first_trial(name),
            "o-",
            markersize=3,
            linewidth=1.2,
            color=SOLVER_COLOUR.get(row.solver),
            label=SOLVER_NAME.get(row.solver, row.solver),
        )
    if reference:
        axes.plot(
            rows[0].of_first_trial("time_s"),
            factor * rows[0].of_first_trial(reference),
            "k+",
            label="converged solution",
        )
    finish(axes, "time [s]", label, log=log)


def curves_table(title, rows, names):
    """Table of the first trial's samples: solver, time, and the named columns."""
    values = [
        [SOLVER_NAME.get(row.solver, row.solver), *map(float, sample)]
        for row in rows
        for sample in zip(*(row.of_first_trial(name) for name in ("time_s", *names)))
    ]
    return Table(title, ["solver", "time_s", *names], values)
