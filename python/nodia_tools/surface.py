"""The surface of a tetrahedral mesh."""

import numpy as np

# Faces of a tetrahedron of positive volume, normals outward.
_FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


class Surface:
    """Boundary faces, renumbered to the nodes they use.

    nodes [n_vertex] node of each vertex; faces [n_face, 3] vertices, outward; owner [n_face]
    tetrahedron behind each face.
    """

    def __init__(self, points, cells):
        points, cells = np.asarray(points, float), np.asarray(cells)
        if len(cells) == 0:  # a scene without soft bodies
            self.owner = self.nodes = np.zeros(0, int)
            self.faces, self._volume = np.zeros((0, 3), int), 0.0
            return
        corners = points[cells]
        volumes = np.linalg.det(corners[:, 1:] - corners[:, :1]) / 6
        faces = cells[:, _FACES]
        faces[volumes < 0] = faces[volumes < 0][:, :, [0, 2, 1]]
        faces = faces.reshape(-1, 3)
        _, inverse, count = np.unique(
            np.sort(faces, axis=1), axis=0, return_inverse=True, return_counts=True
        )
        outside = np.flatnonzero(count[inverse.ravel()] == 1)
        self.owner = outside // 4
        self.nodes, vertices = np.unique(faces[outside], return_inverse=True)
        self.faces = vertices.reshape(-1, 3)
        self._volume = np.abs(volumes).sum()

    def vertices(self, points):
        return np.asarray(points)[self.nodes]

    def vertex_normals(self, vertices):
        """Area-weighted unit normals [n_vertex, 3], outward."""
        a, b, c = (vertices[self.faces[:, k]] for k in range(3))
        face_normals = np.cross(b - a, c - a)
        normals = np.zeros_like(vertices)
        for k in range(3):
            np.add.at(normals, self.faces[:, k], face_normals)
        return normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)

    def area(self, vertices):
        a, b, c = (vertices[self.faces[:, k]] for k in range(3))
        return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()

    def face_to_vertex(self, values):
        """Mean over the faces at each vertex of a value per face."""
        total = np.zeros(len(self.nodes))
        count = np.zeros(len(self.nodes))
        for k in range(3):
            np.add.at(total, self.faces[:, k], values)
            np.add.at(count, self.faces[:, k], 1)
        return total / np.maximum(count, 1)

    def other_side(self, points):
        """For a sheet, the vertex behind each vertex; None for a body that is not thin.

        Thickness is 2 volume / area; thin is less than a tenth of the body's diagonal.
        """
        vertices = self.vertices(points)
        if len(vertices) == 0:
            return None
        thickness = 2 * self._volume / max(self.area(vertices), 1e-300)
        if thickness > 0.1 * np.linalg.norm(np.ptp(vertices, axis=0)):
            return None
        goal = vertices - thickness * self.vertex_normals(vertices)
        behind = np.empty(len(vertices), int)
        for first in range(0, len(vertices), 512):
            rows = slice(first, first + 512)
            squared = ((goal[rows, None, :] - vertices[None, :, :]) ** 2).sum(axis=2)
            behind[rows] = squared.argmin(axis=1)
        return behind
