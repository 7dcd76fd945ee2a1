"""Joins connected lines to polylines."""

import numpy as np


def polylines(lines):
    """Point indices of each polyline. A line that starts at the end of the previous line continues its polyline.

    @param lines  point indices [n_line, 2]
    """
    first, last = lines[:, 0], lines[:, 1]
    begins = np.flatnonzero(np.r_[True, first[1:] != last[:-1]]) if len(lines) else []
    return [np.r_[part[0, 0], part[:, 1]] for part in np.split(lines, begins[1:]) if len(part)]
