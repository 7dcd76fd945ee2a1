"""Bodies as solids whose state is known at any time: points on their surface, and depth of points inside them.

Between frames, points move along straight lines and poses turn at constant speed.
"""

from functools import cached_property

import numpy as np

from campaign import bodies, shapes
from campaign.poses import between, rotations
from campaign.scene_text import vector
from campaign.triangles import TriangleMesh, boundary, principal_extents, signed, surface_stencil

PER_EDGE = 4  # intervals between points along an edge of a soft body


class Solid:
    """A solid with these members:

    size                  smallest thickness [m]
    margin                how far the surface is outside the points that `surface` returns [m]
    at(frame, share)      state at a share of the way from a frame to the next
    surface(state)        points [n, 3]
    depth(state, points, reach)  distances to the surface, positive inside; exact outside up to `reach`
    n_vertex              how many of the points of `surface`, from the first, are vertices
    radius                least radius of curvature of round surfaces [m]
    """

    margin, radius = 0.0, np.inf

    def __init__(self, name, owner, n_frame):
        self.name, self.owner, self._n_frame = name, owner, n_frame

    def sag(self, state, radius):
        """How deep points of `surface` that are no vertices may lie in a body of this radius that all vertices touch at most [m]."""
        return 0.0

    @cached_property
    def _motion(self):
        surfaces = [self.surface(self.at(frame, 0)) for frame in range(self._n_frame)]
        if not len(surfaces[0]):
            return np.full((self._n_frame, 2, 3), [[-np.inf], [np.inf]]), np.zeros(self._n_frame - 1)
        boxes = np.array([[x.min(axis=0) - self.margin, x.max(axis=0) + self.margin] for x in surfaces])
        moved = [np.linalg.norm(y - x, axis=1).max() for x, y in zip(surfaces, surfaces[1:], strict=False)]
        return boxes, np.array(moved)

    @property
    def boxes(self):
        """Lower and upper corner of the box around the surface at every frame [n_frame, 2, 3]."""
        return self._motion[0]

    @property
    def moved(self):
        """Longest way of a point in every step [n_step]."""
        return self._motion[1]


class PosedSolid(Solid):
    """A shape on a recorded pose. A body of several shapes has several of them."""

    def __init__(self, recording, name, owner, pose, shape):
        super().__init__(name, owner, len(recording.times))
        self._recording, self._pose, self._shape = recording, pose, shape
        mesh = recording.mesh_of(shape)
        self._mesh = TriangleMesh(*mesh) if mesh else None
        self._rotation, self._position = rotations(vector(shape, "orientation_wxyz", (1, 0, 0, 0))), vector(shape, "position_m")
        self.size, self.radius = shapes.least_extent(shape, self._mesh), shapes.least_radius(shape)
        self._surface = shapes.surface_points(shape, self._mesh) @ self._rotation.T + self._position
        self.n_vertex = len(self._surface)

    def at(self, frame, share):
        r = self._recording
        start = r.position[frame, self._pose], r.orientation[frame, self._pose]
        if share == 0:
            return start
        return between(start, (r.position[frame + 1, self._pose], r.orientation[frame + 1, self._pose]), share)

    def surface(self, state):
        position, wxyz = state
        return self._surface @ rotations(wxyz).T + position

    def depth(self, state, points, reach):
        position, wxyz = state
        local = ((points - position) @ rotations(wxyz) - self._position) @ self._rotation
        return shapes.depth(self._shape, local, reach, self._mesh)


class SoftSolid(Solid):
    """Tetrahedra."""

    def __init__(self, recording, body):
        super().__init__(body.name, body.name, len(recording.times))
        self._points, self._tets = recording.points[:, body.points], body.tets
        self._faces = boundary(body.tets)
        self._nodes, self._weights = surface_stencil(self._faces, PER_EDGE)
        self.n_vertex = len(np.unique(self._faces))
        self.size = principal_extents(self._points[0]).min()

    def at(self, frame, share):
        x = self._points[frame]
        return x if share == 0 else (1 - share) * x + share * self._points[frame + 1]

    def surface(self, state):
        return np.einsum("pk,pkd->pd", self._weights, state[self._nodes])

    def depth(self, state, points, reach):
        found = np.full(len(points), -np.inf)
        near = np.flatnonzero(np.all((points > state.min(axis=0) - reach) & (points < state.max(axis=0) + reach), axis=1))
        inside = self._contains(state, points[near])
        return signed(found, near, inside, points, [state[self._faces[:, k]] for k in range(3)], reach)

    def sag(self, state, radius):
        """The sagitta of a chord as long as the longest edge."""
        longest = max(np.linalg.norm(state[self._faces[:, k]] - state[self._faces[:, k - 1]], axis=1).max() for k in range(3))
        return longest**2 / (8 * radius)

    def _contains(self, state, points):
        origin = state[self._tets[:, 0]]
        edges = np.moveaxis(state[self._tets[:, 1:]] - origin[:, None], -1, -2)
        sound = np.linalg.det(edges) > 0
        inverse, origin = np.linalg.inv(edges[sound]), origin[sound]
        inside = np.zeros(len(points), bool)
        for first in range(0, len(points), 256):
            rows = slice(first, first + 256)
            weights = np.einsum("tij,ptj->pti", inverse, points[rows, None] - origin)
            inside[rows] = np.any((weights.min(axis=2) >= 0) & (weights.sum(axis=2) <= 1), axis=1)
        return inside


class CableSolid(Solid):
    """A tube around the polyline through the centres of the links. Its surface points are those centres.

    Between two centres, the polyline leaves the links by at most an eighth of link length times bending angle.
    """

    def __init__(self, recording, cable):
        super().__init__(cable.name, cable.name, len(recording.times))
        self._points, self._cable = recording.points[:, cable.points], cable
        self.size, self.margin = 2 * cable.radius, cable.radius
        self.n_vertex = 0

    def at(self, frame, share):
        x = self._points[frame]
        return x if share == 0 else (1 - share) * x + share * self._points[frame + 1]

    def surface(self, state):
        return state

    def depth(self, state, points, reach):
        return self._cable.radius - np.sqrt(distances_to_polyline(points, state))

    def sag(self, state, radius):
        along = np.diff(state, axis=0)
        along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
        cosine = np.clip(np.sum(along[1:] * along[:-1], axis=1), -1, 1)
        return self._cable.link_length / 8 * np.arccos(cosine).max(initial=0)


def distances_to_polyline(points, polyline):
    """Squared distance of points to the nearest segment [n]."""
    a, along = polyline[:-1], np.diff(polyline, axis=0)
    share = np.einsum("psd,sd->ps", points[:, None] - a, along) / np.maximum(np.sum(along**2, axis=1), 1e-300)
    nearest = a + np.clip(share, 0, 1)[..., None] * along
    return np.sum((points[:, None] - nearest) ** 2, axis=2).min(axis=1)


def solids_of(recording):
    """Everything that may touch."""
    found = [SoftSolid(recording, body) for body in recording.soft]
    found += [CableSolid(recording, cable) for cable in recording.cables]
    for body in [*recording.rigid, *recording.obstacles]:
        found += [PosedSolid(recording, body.name, body.name, body.pose, shape) for shape in body.shapes]
    for robot in filter(bodies.collides, recording.robots):
        for link, pose in robot.poses.items():
            name = f"{robot.name}.{link}"
            found += [PosedSolid(recording, name, robot.name, pose, shape) for shape in recording.frames[pose]["shapes"]]
    return found


def pairs_of(recording):
    """Ordered pairs (a, b) of solids of different owners: points of a may lie in b. What moves by prescription alone is no pair."""
    solids = solids_of(recording)
    fixed = {obstacle.name for obstacle in recording.obstacles}
    fixed |= {solid.name for solid in solids if solid.owner != solid.name and not solid.moved.any()}
    return [(a, b) for a in solids for b in solids if a.owner != b.owner and not (a.name in fixed and b.name in fixed)]
