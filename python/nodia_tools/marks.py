"""Dots in the browser, all of them one mesh."""

import numpy as np
import trimesh

from nodia_tools import palette
from nodia_tools.coloured_surface import add_mesh
from nodia_tools.palette import rgb

N_DOT = 128  # no more are shown; more than a hundred cannot carry 1 % each of the force on a body


class Marks:
    """The mesh has always the same faces. A dot that is not shown has no size."""

    def __init__(self, server, radius):
        ball = trimesh.creation.icosahedron()
        self._ball = radius * np.asarray(ball.vertices)
        faces = np.vstack([np.asarray(ball.faces) + k * len(self._ball) for k in range(N_DOT)])
        self._mesh = add_mesh(server, "/marks", self._vertices(np.zeros((0, 3))), faces, color=rgb(palette.MARK))
        self._shown = 0

    def move_to(self, places):
        """Changes that show a dot at each place [n, 3]."""
        if len(places) or self._shown:
            yield self._mesh, "vertices", self._vertices(places[:N_DOT]).astype(np.float32)
        self._shown = len(places)

    def _vertices(self, places):
        vertices = np.zeros((N_DOT, len(self._ball), 3))
        vertices[: len(places)] = places[:, None] + self._ball
        return vertices.reshape(-1, 3)
