"""Depth of points in shapes, and points on the surfaces of shapes, in the frame of the shape."""

import numpy as np

from campaign.scene_text import number, vector

PER_EDGE = 8  # intervals between points along an edge
ON_ROUND = 24  # points around a circle


def depth(shape, points, reach=0.0, mesh=None):
    """Distance of points to the surface, positive inside; outside, minus at most the distance [n].

    @param reach  outside distances up to here matter: a mesh gives minus infinity beyond [m]
    @param mesh  TriangleMesh of a shape that is a mesh
    """
    kind = shape["shape"]
    if kind == "mesh":
        return mesh.depth(points, reach)
    if kind == "half_space":
        return -points[:, 2]
    if kind == "box":
        return np.min(vector(shape, "size_m") / 2 - np.abs(points), axis=1)
    radius = number(shape, "radius_m")
    if kind == "sphere":
        return radius - np.linalg.norm(points, axis=1)
    across = np.linalg.norm(points[:, :2], axis=1)
    if kind == "torus":
        return number(shape, "tube_radius_m") - np.hypot(across - radius, points[:, 2])
    half = number(shape, "length_m") / 2
    if kind == "cylinder":
        return np.minimum(radius - across, half - np.abs(points[:, 2]))
    return radius - np.hypot(across, points[:, 2] - np.clip(points[:, 2], -half, half))


def least_extent(shape, mesh=None):
    """Smallest thickness of a shape [m]; infinite for a half-space."""
    kind = shape["shape"]
    if kind == "half_space":
        return np.inf
    if kind == "mesh":
        return mesh.least_extent
    if kind == "box":
        return float(vector(shape, "size_m").min())
    if kind == "torus":
        return 2 * number(shape, "tube_radius_m")
    width = 2 * number(shape, "radius_m")
    return min(width, number(shape, "length_m")) if kind == "cylinder" else width


def least_radius(shape):
    """Least radius of curvature of a round surface [m]; infinite of shapes with flat faces."""
    if shape["shape"] == "torus":
        return number(shape, "tube_radius_m")
    return number(shape, "radius_m", np.inf)


def surface_points(shape, mesh=None):
    """Points on the surface: corners, points along edges and on faces [n, 3]. None of a half-space."""
    kind = shape["shape"]
    if kind == "half_space":
        return np.zeros((0, 3))
    if kind == "mesh":
        return mesh.surface_points(PER_EDGE)
    if kind == "box":
        return _box(vector(shape, "size_m"))
    radius = number(shape, "radius_m")
    if kind == "sphere":
        return radius * _directions(150)
    angle = 2 * np.pi * np.arange(ON_ROUND) / ON_ROUND
    circle = np.stack([np.cos(angle), np.sin(angle), np.zeros(ON_ROUND)], axis=1)
    if kind == "torus":
        tube = number(shape, "tube_radius_m")
        turn = 2 * np.pi * np.arange(8) / 8
        return np.concatenate([circle * (radius + tube * np.cos(t)) + [0, 0, tube * np.sin(t)] for t in turn])
    half = number(shape, "length_m") / 2
    rings = [radius * circle + [0, 0, z] for z in np.linspace(-half, half, PER_EDGE + 1)]
    if kind == "cylinder":
        ends = [share * radius * circle + [0, 0, z] for z in (-half, half) for share in (0, 1 / 3, 2 / 3)]
        return np.concatenate(rings + ends)
    ball = radius * _directions(150)
    return np.concatenate([*rings, ball + np.sign(ball[:, 2:]) * [0, 0, half]])


def _box(size):
    steps = np.linspace(-0.5, 0.5, PER_EDGE + 1)
    grid = np.stack(np.meshgrid(steps, steps, [-0.5, 0.5], indexing="ij"), axis=-1).reshape(-1, 3)
    return np.unique(np.concatenate([np.roll(grid, k, axis=1) for k in range(3)]), axis=0) * size


def _directions(n):
    """Unit vectors on a spiral from pole to pole."""
    z = 1 - (2 * np.arange(n) + 1) / n
    angle = np.pi * (1 + 5**0.5) * np.arange(n)
    across = np.sqrt(1 - z * z)
    return np.stack([across * np.cos(angle), across * np.sin(angle), z], axis=1)
