"""The surface of a tetrahedral mesh."""

import numpy as np

# Faces of a tetrahedron of positive volume, with outward normals.
_FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


SHEET = 0.05  # largest thickness of a sheet, as a fraction of its middle extent


class Surface:
    """Boundary faces of a tetrahedral mesh. The vertices are the nodes on the boundary, renumbered.

    nodes  node of each vertex [n_vertex]
    faces  vertices of each face, with outward normals [n_face, 3]
    owner  tetrahedron behind each face [n_face]
    """

    def __init__(self, points, cells):
        points, cells = np.asarray(points, float), np.asarray(cells)
        if len(cells) == 0:  # a scene without soft bodies
            self.owner = self.nodes = self._body = self._volumes = np.zeros(0, int)
            self.faces = np.zeros((0, 3), int)
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
        body = _bodies_of(cells, len(points))[cells[:, 0]]
        self._body = body[self.owner]
        self._volumes = np.bincount(body, np.abs(volumes))

    def vertices(self, points):
        return np.asarray(points)[self.nodes]

    def vertex_normals(self, vertices):
        """Area-weighted unit normals [n_vertex, 3], outward."""
        face_normals = self._face_vectors(vertices)
        normals = np.zeros_like(vertices)
        for k in range(3):
            np.add.at(normals, self.faces[:, k], face_normals)
        return _unit(normals)

    def face_normals(self, vertices):
        """Unit normals [n_face, 3], outward."""
        return _unit(self._face_vectors(vertices))

    def _face_vectors(self, vertices):
        """Outward normals whose length is twice the area of the face [n_face, 3] [m^2]."""
        a, b, c = (vertices[self.faces[:, k]] for k in range(3))
        return np.cross(b - a, c - a)

    def area(self, vertices):
        return 0.5 * np.linalg.norm(self._face_vectors(vertices), axis=1).sum()

    def longest_edge(self, vertices):
        corners = vertices[self.faces]
        return np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(initial=0)

    def face_to_vertex(self, values):
        """Averages values per face over the faces at each vertex [n_vertex]."""
        total = np.zeros(len(self.nodes))
        count = np.zeros(len(self.nodes))
        for k in range(3):
            np.add.at(total, self.faces[:, k], values)
            np.add.at(count, self.faces[:, k], 1)
        return total / np.maximum(count, 1)

    def faces_behind(self, points):
        """The face on the opposite side of the sheet, for each face [n_face]. -1 at the rim of a sheet and for other bodies.

        The thickness of a body is 2 volume / area. A body is a sheet if its thickness is less than SHEET times its middle extent.
        A finger, which is thin in two directions, is therefore not a sheet.
        """
        vertices = self.vertices(points)
        centres, vectors = vertices[self.faces].mean(axis=1), self._face_vectors(vertices)
        behind = np.full(len(self.faces), -1)
        for body in np.unique(self._body):
            faces = np.flatnonzero(self._body == body)
            area = 0.5 * np.linalg.norm(vectors[faces], axis=1).sum()
            thickness = 2 * self._volumes[body] / max(area, 1e-300)
            if thickness < SHEET * _middle_extent(vertices[np.unique(self.faces[faces])]):
                normals = _unit(vectors[faces])
                other = _nearest(centres[faces] - thickness * normals, centres[faces])
                is_opposite = np.einsum("fx,fx->f", normals, normals[other]) < -0.5
                behind[faces[is_opposite]] = faces[other[is_opposite]]
        return behind


def _unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-300)


def _middle_extent(points):
    """The second-largest extent of points along their principal axes [m]."""
    centred = points - points.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2]
    return np.sort(np.ptp(centred @ axes.T, axis=0))[1]


def _nearest(points, others):
    """Index of the nearest of `others` for each point [n]."""
    nearest = np.empty(len(points), int)
    for rows in np.array_split(np.arange(len(points)), len(points) * len(others) // 4_000_000 + 1):
        nearest[rows] = ((points[rows, None, :] - others[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)
    return nearest


def _bodies_of(cells, n_point):
    """Number of the body of each point: the least index of the points that are connected to it by cells [n_point]."""
    body = np.arange(n_point)
    while True:
        before = body.copy()
        np.minimum.at(body, cells, np.repeat(body[cells].min(axis=1), 4).reshape(-1, 4))
        body = body[body]
        if np.array_equal(body, before):
            return body
