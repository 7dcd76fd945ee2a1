"""Distances to triangles, and depth inside closed surfaces, by testing every triangle."""

import numpy as np

BLOCK = 1 << 20  # pairs of points and triangles that are in memory at once


def _dot(a, b):
    return np.sum(a * b, axis=-1)


def distances(points, a, b, c):
    """Distance of every point to the nearest of the triangles a b c [n]."""
    best = np.full(len(points), np.inf)
    size = max(1, BLOCK // max(len(a), 1))
    for first in range(0, len(points), size):
        rows = slice(first, first + size)
        best[rows] = np.sqrt(_squared(points[rows, None], a[None], b[None], c[None]).min(axis=1))
    return best


def _to_edge(p, a, b):
    ab = b - a
    share = np.clip(_dot(p - a, ab) / np.maximum(_dot(ab, ab), 1e-300), 0, 1)
    d = p - a - share[..., None] * ab
    return _dot(d, d)


def _squared(p, a, b, c):
    normal = np.cross(b - a, c - a)
    size = _dot(normal, normal)
    inside = size > 0
    for u, v in ((a, b), (b, c), (c, a)):
        inside = inside & (_dot(np.cross(v - u, p - u), normal) >= 0)
    plane = _dot(p - a, normal) ** 2 / np.maximum(size, 1e-300)
    edges = np.minimum(np.minimum(_to_edge(p, a, b), _to_edge(p, b, c)), _to_edge(p, c, a))
    return np.where(inside, np.minimum(plane, edges), edges)


def winding_numbers(points, a, b, c):
    """Winding number of a closed surface about every point: 1 inside, 0 outside [n] (van Oosterom and Strackee 1983)."""
    number = np.zeros(len(points))
    size = max(1, BLOCK // max(len(a), 1))
    for first in range(0, len(points), size):
        rows = slice(first, first + size)
        u, v, w = (x[None] - points[rows, None] for x in (a, b, c))
        lu, lv, lw = (np.linalg.norm(x, axis=-1) for x in (u, v, w))
        above = _dot(u, np.cross(v, w))
        below = lu * lv * lw + _dot(u, v) * lw + _dot(v, w) * lu + _dot(w, u) * lv
        number[rows] = np.arctan2(above, below).sum(axis=1) / (2 * np.pi)
    return number


def signed(found, near, inside, points, corners, reach):
    """Writes distances to `found`: positive for rows of `near` that are inside, negative for others if there is a reach."""
    wanted = near if reach > 0 else near[inside]
    sign = np.where(inside, 1, -1) if reach > 0 else 1
    found[wanted] = sign * distances(points[wanted], *corners)
    return found


class TriangleMesh:
    """A closed surface whose triangles face outward."""

    def __init__(self, vertices, triangles):
        self.vertices, self.triangles = vertices, triangles
        self.corners = [vertices[triangles[:, k]] for k in range(3)]
        self.low, self.high = vertices.min(axis=0), vertices.max(axis=0)
        self.least_extent = principal_extents(vertices).min()

    def depth(self, points, reach):
        """Signed distance to the surface, positive inside; minus infinity farther outside than `reach` [n]."""
        found = np.full(len(points), -np.inf)
        near = np.flatnonzero(np.all((points > self.low - reach) & (points < self.high + reach), axis=1))
        inside = winding_numbers(points[near], *self.corners) > 0.5
        return signed(found, near, inside, points, self.corners, reach)

    def surface_points(self, per_edge):
        nodes, weights = surface_stencil(self.triangles, per_edge)
        return np.einsum("pk,pkd->pd", weights, self.vertices[nodes])


def surface_stencil(triangles, per_edge):
    """Vertices, points along edges and middles of triangles, as weighted means of three vertices.

    @return vertices [n, 3] and weights [n, 3]
    """
    edges = np.unique(np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    share = np.linspace(0, 1, per_edge + 1)[1:-1]
    corners = np.unique(triangles)
    nodes = [np.repeat(corners[:, None], 3, axis=1), np.repeat(edges[:, [0, 1, 1]], len(share), axis=0), triangles]
    weights = [
        np.tile([1.0, 0, 0], (len(corners), 1)),
        np.tile(np.stack([1 - share, share, 0 * share], axis=1), (len(edges), 1)),
        np.full((len(triangles), 3), 1 / 3),
    ]
    return np.concatenate(nodes), np.concatenate(weights)


def principal_extents(points):
    """Extents along the principal axes of a set of points [3]."""
    axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[2]
    return np.ptp(points @ axes.T, axis=0)


def boundary(tets):
    """Triangles of one tetrahedron only, seen from outside."""
    faces = np.concatenate([tets[:, [1, 2, 3]], tets[:, [0, 3, 2]], tets[:, [0, 1, 3]], tets[:, [0, 2, 1]]])
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    return faces[first[count == 1]]
