"""Plots the table of `nodia bench`: cost against the number of nodes, and the throughput of batches."""

import sys

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)
import numpy as np  # noqa: E402

from nodia_tools.plot_files import number, plot_command, read_csv  # noqa: E402

# Columns that distinguish the lines of a panel.
SERIES = ("case", "backend", "precision", "threads")
NUMBERS = (
    "n_node",
    "n_env",
    "us_per_iteration",
    "ratio_to_eigen_csr",
    "ratio_to_read_time",
    "share_of_copy_bandwidth",
    "env_steps_per_s",
)
# (column, title, abscissa, cases; None: all cases with values in the column)
PANELS = (
    ("us_per_iteration", "time of a product, iteration, assembly, detection [µs]", "n_node", None),
    ("ratio_to_eigen_csr", "time over Eigen's row-major product", "n_node", None),
    ("ratio_to_read_time", "time over the time to read the same bytes", "n_node", None),
    ("share_of_copy_bandwidth", "share of the copy bandwidth", "n_node", None),
    ("env_steps_per_s", "steps per second", "n_node", ("step",)),
    ("env_steps_per_s", "environment steps per second of a batch", "n_env", ("batch_step", "task_step")),
)


def read_rows(path):
    """Reads the rows as dictionaries. Numbers are floats, empty cells are NaN."""
    _, rows = read_csv(path, SERIES + NUMBERS, "nodia bench")
    for row in rows:
        row.update({name: number(path, row, name) for name in NUMBERS})
    return rows


def series_of(rows, column, abscissa, cases):
    """{label: (x, y)} of the rows with a value in the column, by ascending x."""
    series = {}
    for row in rows:
        if np.isnan(row[column]) or (cases is not None and row["case"] not in cases):
            continue
        words = [row["case"], row["backend"], row["precision"], f"{row['threads']} threads"]
        words += [f"{row['stop']} rule"] if row.get("stop") else []
        if abscissa == "n_env":
            words.append(f"{row['n_node']:.0f} nodes")
        series.setdefault(", ".join(words), []).append((row[abscissa], row[column]))
    return {label: np.array(sorted(points)).T for label, points in series.items()}


def draw(rows, path):
    figure, panels = plt.subplots(2, 3, figsize=(19, 10.5), constrained_layout=True)
    for axes, (column, title, abscissa, cases) in zip(panels.flat, PANELS):
        series = series_of(rows, column, abscissa, cases)
        for i, (label, (x, y)) in enumerate(series.items()):
            axes.plot(x, y, "os^v"[i // 10 % 4] + "-", color=f"C{i % 10}", label=label)
        axes.set(xlabel={"n_node": "nodes", "n_env": "environments"}[abscissa], title=title)
        if series:
            axes.set(xscale="log", yscale="log")
            axes.legend(fontsize=7, frameon=False)
        axes.grid(True, which="both", alpha=0.25)
    figure.savefig(path, dpi=110, metadata={"Software": "nodia"})
    plt.close(figure)


def main():
    pictures = {"png": "picture to write"}
    return plot_command("plot_bench", __doc__, "nodia bench", pictures, lambda csv, png: draw(read_rows(csv), png))



if __name__ == "__main__":
    sys.exit(main())
