"""Draws the table of `nodia scale`: cost against the number of nodes, double logarithmic.

Two columns are used where the table has them: read_us, the time to read an iteration's bytes at
the speed measured for that size, and in_cache, 1 where the problem fits the caches and 0 where not;
step times are then fitted apart.
"""

import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)
import numpy as np  # noqa: E402

from nodia_tools.command_line import ArgumentParser, InputError, exit_code_of  # noqa: E402

REQUIRED = (
    "solver",
    "n_node",
    "iterations_paper",
    "iterations_residual",
    "us_per_iteration",
    "solver_ms",
    "dynamics_ms",
)
COLOURS = ("#2070b4", "#ee7d22", "#2a9d62", "#8a4fbe", "#b3323a", "#5a6472")


def read_table(path):
    """{solver: {column: values [n_row]}}, rows by ascending n_node; an empty cell is NaN."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
            names = reader.fieldnames or []
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read as CSV ({error})") from None
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        raise InputError(f"{path}: column {missing[0]} is missing (must be a table of nodia scale)")
    if not rows:
        raise InputError(f"{path}: holds no row")
    table = {}
    for solver in dict.fromkeys(row["solver"] for row in rows):
        own = sorted(
            (row for row in rows if row["solver"] == solver),
            key=lambda row: _number(path, row, "n_node"),
        )
        columns = [name for name in names if name != "solver" and _is_numeric(own, name)]
        table[solver] = {
            name: np.array([_number(path, row, name) for row in own]) for name in columns
        }
    return table


def _is_numeric(rows, name):
    """Columns beyond the required ones may hold words; those are left out."""
    try:
        return name in REQUIRED or len([float(row[name] or "nan") for row in rows]) > 0
    except (TypeError, ValueError):
        return False


def _number(path, row, name):
    try:
        return np.nan if row[name] == "" else float(row[name])
    except (TypeError, ValueError):
        raise InputError(f"{path}: {name} = {row[name]} (must be a number)") from None


def power_law(x, y):
    """Exponent and factor of y = factor x^exponent, by least squares of the logarithms.

    None below two points.
    """
    good = np.isfinite(x) & np.isfinite(y) & (x > 0) & (y > 0)
    if np.unique(x[good]).size < 2:
        return None
    exponent, logarithm = np.polyfit(np.log(x[good]), np.log(y[good]), 1)
    return exponent, np.exp(logarithm)


def _draw_iteration_time(axes, solver, columns, colour):
    n = columns["n_node"]
    axes.plot(n, columns["us_per_iteration"], "o-", color=colour, label=solver)
    if np.isfinite(columns.get("read_us", np.nan)).any():
        axes.plot(n, columns["read_us"], "--", color=colour, label=f"{solver}: reading its bytes")
        axes.plot(n, 1.5 * columns["read_us"], ":", color=colour, label="1.5 times that")


def _draw_iterations(axes, solver, columns, colour):
    for name, style, rule in (
        ("iterations_paper", "o-", "paper"),
        ("iterations_residual", "s--", "residual"),
    ):
        axes.plot(
            columns["n_node"], columns[name], style, color=colour, label=f"{solver}, rule {rule}"
        )


def _draw_step_time(axes, solver, columns, colour):
    """Total time of a step and its power law, in and out of the caches apart where known."""
    n, total = columns["n_node"], columns["solver_ms"] + columns["dynamics_ms"]
    axes.plot(n, total, "o", color=colour, label=solver)
    groups = [("", np.ones(len(n), bool))]
    if np.isfinite(columns.get("in_cache", np.nan)).any():
        inside = columns["in_cache"] > 0.5
        groups = [(" in the caches", inside), (" out of the caches", ~inside)]
    for where, rows in groups:
        law = power_law(n[rows], total[rows])
        if law is not None:
            ends = np.array([n[rows].min(), n[rows].max()])
            axes.plot(
                ends, law[1] * ends ** law[0], "-", color=colour, label=f"n^{law[0]:.2f}{where}"
            )
    axes.plot(n, columns["dynamics_ms"], "^:", color=colour, alpha=0.5, label=f"{solver}: dynamics")


def draw(table, path):
    """Three panels: time of an iteration, iterations to both stopping rules, time of a step."""
    figure, panels = plt.subplots(1, 3, figsize=(16, 5.2), constrained_layout=True)
    parts = (
        (_draw_iteration_time, "time of an iteration [µs]"),
        (_draw_iterations, "iterations"),
        (_draw_step_time, "time of a step [ms]"),
    )
    for axes, (draw_part, title) in zip(panels, parts):
        for i, (solver, columns) in enumerate(table.items()):
            draw_part(axes, solver, columns, COLOURS[i % len(COLOURS)])
        axes.set(xlabel="nodes", title=title)
        if any((np.asarray(line.get_ydata(), float) > 0).any() for line in axes.lines):
            axes.set(xscale="log", yscale="log")
        axes.grid(True, which="both", alpha=0.25)
        axes.legend(fontsize=9, frameon=False)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def _plot(arguments):
    path = Path(arguments.png)
    if path.suffix.lower() != ".png" or not path.parent.is_dir():
        raise InputError(f"{path} (must end in .png and lie in a directory that exists)")
    draw(read_table(arguments.csv), path)
    print(path)
    return 0


def main():
    parser = ArgumentParser(prog="plot_scale", description=__doc__)
    parser.add_argument("csv", metavar="CSV", help="table of nodia scale")
    parser.add_argument("png", metavar="PNG", help="picture to write")
    arguments = parser.parse_args()
    return exit_code_of("plot_scale", lambda: _plot(arguments))


if __name__ == "__main__":
    sys.exit(main())
