"""Lines that hang together."""

import numpy as np


def polylines(lines):
    """Point indices of every chain of lines [n_line, 2] in which each begins where the one before ended."""
    first, last = lines[:, 0], lines[:, 1]
    begins = np.flatnonzero(np.r_[True, first[1:] != last[:-1]]) if len(lines) else []
    return [np.r_[part[0, 0], part[:, 1]] for part in np.split(lines, begins[1:]) if len(part)]
