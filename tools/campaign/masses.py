"""Mass, centre and inertia of homogeneous shapes, from their formulas; of meshes by integrals over their tetrahedra."""

from dataclasses import dataclass

import numpy as np

from campaign.scene_text import number, vector


@dataclass
class MassProperties:
    mass: float
    centre: np.ndarray  # [3]
    inertia: np.ndarray  # [3, 3] about the centre


def _about_z(mass, across, along):
    return MassProperties(mass, np.zeros(3), np.diag([across, across, along]))


def of_shape(entry, density, mesh=None):
    """@param mesh  vertices [n, 3] and triangles [m, 3] of a shape that is a mesh"""
    shape = entry["shape"]
    if shape == "mesh":
        return of_triangles(*mesh, density)
    if shape == "box":
        x, y, z = vector(entry, "size_m")
        m = density * x * y * z
        return MassProperties(m, np.zeros(3), m / 12 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y]))
    r = number(entry, "radius_m")
    if shape == "sphere":
        m = density * 4 / 3 * np.pi * r**3
        return _about_z(m, 0.4 * m * r * r, 0.4 * m * r * r)
    if shape == "torus":
        a = number(entry, "tube_radius_m")
        m = density * 2 * np.pi**2 * r * a * a
        return _about_z(m, m * (5 * a * a + 4 * r * r) / 8, m * (3 * a * a + 4 * r * r) / 4)
    length = number(entry, "length_m")
    m = density * np.pi * r * r * length
    across, along = m * (3 * r * r + length**2) / 12, m * r * r / 2
    if shape == "cylinder":
        return _about_z(m, across, along)
    caps = density * 4 / 3 * np.pi * r**3
    caps_across = caps * (0.4 * r * r + length**2 / 4 + 3 / 8 * r * length)
    return _about_z(m + caps, across + caps_across, along + 0.4 * caps * r * r)


def of_triangles(vertices, triangles, density):
    """A closed surface as signed tetrahedra from the origin."""
    corners = vertices[triangles]
    volume = np.linalg.det(corners) / 6
    total = volume.sum()
    centre = (volume @ corners.sum(axis=1) / 4) / total
    sums = corners.sum(axis=1)
    second = np.einsum("t,tai,taj->ij", volume, corners, corners) + np.einsum("t,ti,tj->ij", volume, sums, sums)
    second = second / 20 - total * np.outer(centre, centre)
    return MassProperties(density * total, centre, density * (np.trace(second) * np.eye(3) - second))


def joined(parts):
    """@param parts  pairs of MassProperties and (position [3], rotation [3, 3]) in the common frame"""
    mass = sum(part.mass for part, _ in parts)
    centres = [position + rotation @ part.centre for part, (position, rotation) in parts]
    centre = sum(part.mass * c for (part, _), c in zip(parts, centres, strict=True)) / mass
    inertia = np.zeros((3, 3))
    for (part, (_, rotation)), c in zip(parts, centres, strict=True):
        d = c - centre
        inertia += rotation @ part.inertia @ rotation.T + part.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return MassProperties(mass, centre, inertia)
