"""Draws dots in the browser as one mesh."""

import numpy as np
import trimesh

from nodia_tools import palette
from nodia_tools.coloured_surface import add_mesh
from nodia_tools.palette import rgb

N_DOT = 128  # most dots that are shown; at most a hundred contacts can each carry 1 % of the force on a body


class Marks:
    """Dots at the contacts. The faces of the mesh never change; a hidden dot has size zero."""

    def __init__(self, server, radius):
        ball = trimesh.creation.icosahedron()
        self._ball = radius * np.asarray(ball.vertices)
        faces = np.vstack([np.asarray(ball.faces) + k * len(self._ball) for k in range(N_DOT)])
        self._mesh = add_mesh(server, "/marks", self._vertices(np.zeros((0, 3))), faces, color=rgb(palette.MARK))
        self._shown = 0

    def move_to(self, places):
        """Yields the changes that show a dot at each place [n, 3] [m]."""
        if len(places) or self._shown:
            yield self._mesh, "vertices", self._vertices(places[:N_DOT]).astype(np.float32)
        self._shown = len(places)

    def _vertices(self, places):
        vertices = np.zeros((N_DOT, len(self._ball), 3))
        vertices[: len(places)] = places[:, None] + self._ball
        return vertices.reshape(-1, 3)
