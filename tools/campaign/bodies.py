"""Bodies of a recorded run: which points or pose they have, and their masses."""

from dataclasses import dataclass, field

import numpy as np

from campaign import masses
from campaign.poses import rotations
from campaign.scene_text import flag, number, vector


@dataclass
class SoftBody:
    name: str
    points: slice  # rows of the recorded points
    tets: np.ndarray  # [n, 4] from 0
    mass: np.ndarray  # [n_node], a quarter of the mass of each tetrahedron
    volume: np.ndarray  # [n_tet] at rest
    inverse: np.ndarray  # [n_tet, 3, 3] inverse of the edge matrix at rest
    youngs_modulus: float
    poissons_ratio: float
    mass_damping: float
    stiffness_damping: float
    entry: dict

    @property
    def lame(self):
        """lambda, mu [Pa]."""
        e, nu = self.youngs_modulus, self.poissons_ratio
        return e * nu / ((1 + nu) * (1 - 2 * nu)), e / (2 * (1 + nu))


@dataclass
class Cable:
    name: str
    points: slice
    link_mass: float
    link_length: float
    radius: float
    stretch_stiffness: float  # lower of stretch and shear, of a joint [N/m]
    drag: float
    entry: dict

    @property
    def mass(self):
        return np.full(self.points.stop - self.points.start, self.link_mass)


@dataclass
class RigidBody:
    """A rigid body or a compound. Its pose is that of its centre of mass."""

    name: str
    pose: int
    mass: float
    inertia: np.ndarray
    shapes: list
    entry: dict


@dataclass
class Robot:
    name: str
    poses: dict = field(default_factory=dict)  # index of the pose by name of the link
    entry: dict = field(default_factory=dict)


@dataclass
class Obstacle:
    name: str
    pose: int
    shapes: list
    entry: dict


def _edges(x, tets):
    return np.moveaxis(x[tets[:, 1:]] - x[tets[:, :1]], -1, -2)


def soft_body(name, entry, points, start, tets):
    """@param start  recorded points of the body at the start, where it is at rest"""
    edges = _edges(start, tets)
    volume = np.abs(np.linalg.det(edges)) / 6
    mass = np.zeros(len(start))
    np.add.at(mass, tets, (number(entry, "density_kg_m3", 1000) * volume / 4)[:, None])
    return SoftBody(
        name, points, tets, mass, volume, np.linalg.inv(edges),
        number(entry, "youngs_modulus_Pa", 75e3), number(entry, "poissons_ratio", 0.35),
        number(entry, "rayleigh_mass_1_s", 0), number(entry, "rayleigh_stiffness_s", 0), entry,
    )  # fmt: skip


def cable(name, entry, points):
    polyline = np.array([[float(x) for x in point] for point in entry["points_m"]])
    n = points.stop - points.start
    length = np.linalg.norm(np.diff(polyline, axis=0), axis=1).sum() / n
    radius = number(entry, "radius_m", 2e-3)
    area = np.pi * radius**2
    young, nu = number(entry, "youngs_modulus_Pa", 1e7), number(entry, "poissons_ratio", 0.3)
    shear = number(entry, "shear_correction", 1) * young / (2 * (1 + nu))
    return Cable(
        name, points, number(entry, "density_kg_m3", 1000) * area * length, length, radius,
        min(young, shear) * area / length, number(entry, "drag_translation_N_s_m", 0), entry,
    )  # fmt: skip


def rigid_body(name, entry, pose, shapes, mesh_of):
    """@param mesh_of  shape -> vertices and triangles of a mesh"""
    properties = masses.of_shape(entry, 1, mesh_of(entry))
    mass = number(entry, "mass_kg")
    mass = number(entry, "density_kg_m3", 1000) * properties.mass if mass is None else mass
    rotation = rotations(vector(entry, "shape_orientation_wxyz", (1, 0, 0, 0)))
    inertia = rotation @ (properties.inertia * (mass / properties.mass)) @ rotation.T
    if entry.get("inertia_kg_m2"):
        xx, yy, zz, xy, xz, yz = np.append(vector(entry, "inertia_kg_m2"), [0, 0, 0])[:6]
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return RigidBody(name, pose, mass, inertia, shapes, entry)


def compound(name, entry, pose, shapes):
    parts = []
    for part in entry["parts"].values():
        rotation = rotations(vector(part, "orientation_wxyz", (1, 0, 0, 0)))
        properties = masses.of_shape(part, number(part, "density_kg_m3", 1000))
        parts.append((properties, (vector(part, "position_m"), rotation)))
    whole = masses.joined(parts)
    return RigidBody(name, pose, whole.mass, whole.inertia, shapes, entry)


def connected(tets, n_point):
    """Number of the connected part of every node, in the order of the nodes."""
    part = np.arange(n_point)
    while True:
        least = part.copy()
        np.minimum.at(least, tets, part[tets].min(axis=1)[:, None])
        least = least[least]
        if np.array_equal(least, part):
            return np.unique(part, return_inverse=True)[1]
        part = least


def collides(robot):
    return flag(robot.entry, "collides", True)
