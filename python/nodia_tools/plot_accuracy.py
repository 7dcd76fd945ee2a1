"""Plots the table of `nodia compare --suite accuracy`: cost against true error, with one panel per case.

The first picture shows CPU time. The second shows work in products with A, which not every solver counts.
"""

import sys

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)
import numpy as np  # noqa: E402
from matplotlib.ticker import LogLocator, NullFormatter  # noqa: E402

from nodia_tools.command_line import InputError  # noqa: E402
from nodia_tools.plot_files import number, plot_command, read_csv  # noqa: E402

WORDS = ("case", "solver", "reason")
NUMBERS = ("n_node", "n_contact", "true_error_mean", "work_units", "cpu_ms")
STYLES = (
    ("#2070b4", "o"),
    ("#ee7d22", "s"),
    ("#2a9d62", "^"),
    ("#8a4fbe", "v"),
    ("#b3323a", "D"),
    ("#5a6472", "P"),
)
TARGETS = (1e-3, 1e-6)
# Errors outside this range are drawn at its ends: a solution may be exact to rounding, or wrong by any factor.
ERRORS = (1e-8, 1.0)
COLUMNS = 4


def read_rows(path):
    """Reads the rows as dictionaries, in the order of the file. Numbers are floats, empty cells are NaN.

    Rows without a measurement, which only state a reason, are skipped.
    """
    _, rows = read_csv(path, WORDS + NUMBERS, "nodia compare --suite")
    rows = [row for row in rows if not row["reason"]]
    if not rows:
        raise InputError(f"{path}: holds no row")
    for row in rows:
        row.update({name: number(path, row, name) for name in NUMBERS})
    return rows


def curves_of(rows, case, cost):
    """{solver: (errors [n], costs [n])} of one case, by decreasing tolerance. Rows without a cost are skipped."""
    curves = {}
    for row in rows:
        if row["case"] == case and np.isfinite(row[cost]) and row[cost] > 0:
            errors, costs = curves.setdefault(row["solver"], ([], []))
            errors.append(np.clip(row["true_error_mean"], *ERRORS))
            costs.append(row[cost])
    return {solver: (np.array(e), np.array(c)) for solver, (e, c) in curves.items()}


def _draw_case(axes, rows, case, cost, styles):
    own = next(row for row in rows if row["case"] == case)
    for target in TARGETS:
        axes.axvline(target, color="#b0b6bd", linewidth=0.8, linestyle="--", zorder=0)
    for solver, (errors, costs) in curves_of(rows, case, cost).items():
        colour, marker = styles[solver]
        axes.plot(errors, costs, color=colour, marker=marker, markersize=3.2, linewidth=1.3)
    axes.set_title(
        f"{case}   {own['n_node']:.0f} nodes, {own['n_contact']:.0f} contacts", fontsize=8
    )
    axes.set(xscale="log", yscale="log", xlim=(2 * ERRORS[1], ERRORS[0] / 2))
    axes.xaxis.set_major_locator(LogLocator(base=100, numticks=9))
    axes.yaxis.set_major_locator(LogLocator(base=10, numticks=9))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    low, high = axes.get_ylim()
    if high < 30 * low:  # shows at least a decade, so that its ends are labelled
        middle = np.sqrt(low * high)
        axes.set_ylim(min(low, middle / 5.5), max(high, middle * 5.5))
    axes.tick_params(labelsize=7)
    axes.grid(True, which="major", alpha=0.25)


def draw(rows, cost, label, path):
    """Draws one panel per case: `cost` against the mean true error, with one line per solver."""
    cases = list(dict.fromkeys(row["case"] for row in rows))
    solvers = dict.fromkeys(row["solver"] for row in rows if np.isfinite(row[cost]))
    every = dict.fromkeys(row["solver"] for row in rows)
    styles = {solver: STYLES[k % len(STYLES)] for k, solver in enumerate(every)}
    columns = min(COLUMNS, len(cases))
    lines = -(-len(cases) // columns)
    figure, panels = plt.subplots(
        lines,
        columns,
        figsize=(3.3 * columns + 0.4, 2.35 * lines + 0.8),
        constrained_layout=True,
        squeeze=False,
    )
    for axes, case in zip(panels.flat, cases):
        _draw_case(axes, rows, case, cost, styles)
    for axes in panels.flat[len(cases) :]:
        axes.set_axis_off()
    handles = [
        plt.Line2D([], [], color=styles[s][0], marker=styles[s][1], markersize=4, label=s)
        for s in solvers
    ]
    figure.legend(
        handles=handles, loc="outside upper center", ncols=max(len(handles), 1), frameon=False
    )
    figure.supxlabel("mean true error (smaller to the right)", fontsize=9)
    figure.supylabel(label, fontsize=9)
    figure.savefig(path, dpi=100, metadata={"Software": "nodia"})
    plt.close(figure)


def _plot(csv, time_png, work_png):
    rows = read_rows(csv)
    draw(rows, "cpu_ms", "CPU time of a step [ms]", time_png)
    draw(rows, "work_units", "work of a step [products with A]", work_png)


def main():
    pictures = {"time_png": "picture of CPU time to write", "work_png": "picture of work to write"}
    return plot_command("plot_accuracy", __doc__, "nodia compare --suite accuracy", pictures, _plot)



if __name__ == "__main__":
    sys.exit(main())
