"""Common style of the figures."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402  (after the choice of the backend)

COLOURS = ("#2070b4", "#ee7d22", "#2a9d62", "#8a4fbe", "#b3323a", "#5a6472")
SOLVER_COLOUR = {
    "cond": COLOURS[0],
    "pgs": COLOURS[1],
    "apgd": COLOURS[2],
    "ccs": COLOURS[3],
    "xpbd": COLOURS[4],
    "reference": COLOURS[5],
}
SOLVER_NAME = {
    "cond": "COND",
    "pgs": "PGS",
    "apgd": "APGD",
    "ccs": "CCS",
    "xpbd": "XPBD",
    "newton": "newton",
}


def panels(n_column, n_row=1, width=5.2, height=4.0):
    """A figure and its axes [n_row * n_column]."""
    figure, axes = plt.subplots(
        n_row,
        n_column,
        figsize=(width * n_column, height * n_row),
        constrained_layout=True,
        squeeze=False,
    )
    return figure, list(axes.flat)


def finish(axes, x, y, title="", log="", legend=True):
    """Sets labels, grid and scales. `log` names the logarithmic axes, e.g. "xy"."""
    axes.set(xlabel=x, ylabel=y, title=title)
    if "x" in log:
        axes.set_xscale("log")
    if "y" in log:
        axes.set_yscale("log")
    axes.grid(True, which="both" if log else "major", alpha=0.25)
    if legend and axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=9, frameon=False)


def save(figure, path):
    figure.savefig(path, dpi=120, metadata={"Software": "nodia"})
    plt.close(figure)
