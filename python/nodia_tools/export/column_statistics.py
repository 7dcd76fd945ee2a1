"""Statistics of columns under LeRobot's names. Quantiles are exact, while LeRobot computes them from histograms."""

import numpy as np

QUANTILES = {"q01": 0.01, "q10": 0.1, "q50": 0.5, "q90": 0.9, "q99": 0.99}
NAMES = ("min", "max", "mean", "std", "count", *QUANTILES)


def statistics(values):
    """Statistics of every component over the frames.

    @param values  [n_frame, n], numbers or bool; frames with a value that is not finite are ignored
    @return        dict by NAMES of lists of n numbers; `count` has one number. None if no frame remains
    """
    values = np.asarray(values, np.float64)
    values = values[np.isfinite(values).all(axis=1)]
    if len(values) == 0:
        return None
    columns = np.ascontiguousarray(values.T)  # the rounding of a sum is then independent of the number of columns
    of = {
        "min": columns.min(axis=1),
        "max": columns.max(axis=1),
        "mean": columns.mean(axis=1),
        "std": columns.std(axis=1),
        "count": np.array([len(values)]),
    }
    of |= dict(zip(QUANTILES, np.quantile(columns, list(QUANTILES.values()), axis=1), strict=True))
    return {name: of[name].tolist() for name in NAMES}
