"""Mesh of the lines of a square grid."""

import numpy as np


def grid_lines(size, cell, width):
    """Lines of a square grid in the plane z = 0, centred on the origin, as flat rectangles.

    @param size   edge length of the grid [m], a multiple of 2 cell
    @param cell   distance between neighbouring lines [m]
    @param width  width of a line [m]
    @return vertices [8 n, 3] and faces [4 n, 3] of n = size / cell + 1 lines in each direction
    """
    ticks = np.arange(-round(size / cell) // 2, round(size / cell) // 2 + 1) * cell
    corner = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [size / 2, width / 2]
    along_x = corner + np.c_[0 * ticks, ticks][:, None, :]
    flat = np.concatenate([along_x, along_x[..., ::-1]]).reshape(-1, 2)
    first = 4 * np.arange(2 * len(ticks))[:, None]
    faces = np.concatenate([first + [0, 1, 2], first + [0, 2, 3]])
    return np.c_[flat, np.zeros(len(flat))], faces
