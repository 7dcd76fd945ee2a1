"""Plots the table of `nodia scale`: cost against the number of nodes, on logarithmic axes.

One panel per stopping rule shows the time of a step, with a line and a power law for each solver. One panel shows the true
errors by the solvers' own rules, one the work of the solvers that count it. The last panel compares the time of a COND
iteration with the time to read its bytes. Skipped rows are not drawn.
"""

import sys

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)
import numpy as np  # noqa: E402

from nodia_tools.plot_files import number, plot_command, read_csv  # noqa: E402

REQUIRED = ("solver", "rule", "n_node", "solver_ms", "dynamics_ms", "left_out")
WORDS = ("solver", "rule", "left_out")
STYLES = ("o-", "s-", "^-", "v--", "D-", "x-")
COLOURS = ("#2070b4", "#ee7d22", "#2a9d62", "#8a4fbe", "#b3323a", "#5a6472")


def read_table(path):
    """Reads {(solver, rule): {column: values [n_row]}}, by ascending n_node.

    Skipped rows are omitted. An empty cell is NaN.
    """
    names, rows = read_csv(path, REQUIRED, "nodia scale")
    table = {}
    measured = [row for row in rows if not row["left_out"]]
    for key in dict.fromkeys((row["solver"], row["rule"]) for row in measured):
        own = sorted(
            (row for row in measured if (row["solver"], row["rule"]) == key),
            key=lambda row: number(path, row, "n_node"),
        )
        table[key] = {
            name: np.array([number(path, row, name) for row in own])
            for name in names
            if name not in WORDS
        }
    return table


def power_law(x, y):
    """Exponent and factor of y = factor x^exponent, by least squares of the logarithms.

    None if there are fewer than two points.
    """
    good = np.isfinite(x) & np.isfinite(y) & (x > 0) & (y > 0)
    if np.unique(x[good]).size < 2:
        return None
    exponent, logarithm = np.polyfit(np.log(x[good]), np.log(y[good]), 1)
    return exponent, np.exp(logarithm)


def with_law(label, n, values):
    """The label and the exponent of the values' power law, if there are enough values."""
    law = power_law(n, values)
    return label if law is None else f"{label}: n^{law[0]:.2f}"


def _draw_step_time(axes, table, rule, looks):
    dynamics = None
    for (solver, own_rule), columns in table.items():
        if own_rule != rule:
            continue
        n, total = columns["n_node"], columns["solver_ms"] + columns["dynamics_ms"]
        good = columns.get("reached", np.ones(len(n))) != 0
        label = with_law(solver, n[good], total[good])
        axes.plot(n[good], total[good], **looks[solver], label=label)
        if not good.all():
            axes.plot(n[~good], total[~good], "rx", label=f"{solver}: not met")
        if dynamics is None or len(n) > len(dynamics[0]):
            dynamics = n, columns["dynamics_ms"]
    if dynamics is not None:
        label = with_law("dynamics alone", *dynamics)
        axes.plot(*dynamics, "^:", color="#808080", label=label)
    title = "each by its own rule" if rule == "own" else f"mean {rule}"
    axes.set(title=f"time of a step [ms], {title}")


def _draw_column(axes, table, rule, looks, name, title):
    """Draws a column and its power law for each solver that has values in it."""
    for (solver, own_rule), columns in table.items():
        values = columns.get(name, np.array([np.nan]))
        if own_rule == rule and np.isfinite(values).any():
            n = columns["n_node"]
            axes.plot(n, values, **looks[solver], label=with_law(solver, n, values))
    axes.set(title=f"{title}, {'own rule' if rule == 'own' else rule}")


def _draw_iteration(axes, table, looks):
    for (solver, _), columns in table.items():
        us = columns.get("us_per_iteration", np.array([np.nan]))
        if not np.isfinite(us).any():
            continue
        n, read, colour = columns["n_node"], columns["read_us"], looks[solver]["color"]
        axes.plot(n, us, **looks[solver], label=with_law(solver, n, us))
        axes.plot(n, read, "--", color=colour, label=with_law("reading its bytes once", n, read))
        axes.plot(n, 1.5 * read, ":", color=colour, label="1.5 times that")
    axes.set(title="time of an iteration [µs]")


def draw(table, path):
    """Draws the time of a step by each rule, errors, work, and the time of a COND iteration."""
    rules = list(dict.fromkeys(rule for _, rule in table))
    looks = {}
    for i, solver in enumerate(dict.fromkeys(solver for solver, _ in table)):
        style = STYLES[i % len(STYLES)]
        looks[solver] = {
            "marker": style[0],
            "linestyle": style[1:],
            "color": COLOURS[i % len(COLOURS)],
            "markersize": 5,
        }
    parts = [lambda axes, rule=rule: _draw_step_time(axes, table, rule, looks) for rule in rules]
    if "own" in rules:
        parts.append(
            lambda axes: _draw_column(axes, table, "own", looks, "true_error", "true error")
        )
    if rules:
        parts.append(
            lambda axes: _draw_column(
                axes, table, rules[-1], looks, "work_units", "work [products with A]"
            )
        )
    parts.append(lambda axes: _draw_iteration(axes, table, looks))
    columns = min(3, len(parts))
    rows = -(-len(parts) // columns)
    figure, panels = plt.subplots(
        rows, columns, figsize=(5.4 * columns, 4.2 * rows), constrained_layout=True, squeeze=False
    )
    for axes in panels.flat[len(parts) :]:
        axes.set_axis_off()
    for axes, draw_part in zip(panels.flat, parts):
        draw_part(axes)
        axes.set(xlabel="nodes")
        if any((np.asarray(line.get_ydata(), float) > 0).any() for line in axes.lines):
            axes.set(xscale="log", yscale="log")
            axes.legend(fontsize=9, frameon=False)
        axes.grid(True, which="major", alpha=0.3)
    figure.savefig(path, dpi=80, metadata={"Software": "nodia"})
    plt.close(figure)


def main():
    pictures = {"png": "picture to write"}
    return plot_command("plot_scale", __doc__, "nodia scale", pictures, lambda csv, png: draw(read_table(csv), png))



if __name__ == "__main__":
    sys.exit(main())
