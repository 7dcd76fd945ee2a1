"""Closed triangle meshes as OBJ text."""

import math

import trimesh


def obj(mesh):
    return trimesh.exchange.obj.export_obj(mesh, include_normals=False, include_texture=False, digits=12)


def box(size):
    return trimesh.creation.box(extents=size)


def cylinder(radius, length, facets=64):
    return trimesh.creation.cylinder(radius=radius, height=length, sections=facets)


def torus(radius, tube_radius, facets=64, tube_facets=32):
    return trimesh.creation.torus(radius, tube_radius, major_sections=facets, minor_sections=tube_facets)


def groove(size, left, right):
    """A block along y, whose top rises from the line x = z = 0 to both sides at these angles."""
    half = size / 2
    outline = [(-half, -half), (half, -half), (half, half * math.tan(right)), (0, 0), (-half, half * math.tan(left))]
    vertices = [(x, y, z) for y in (-half, half) for x, z in outline]
    cap = [(0, 1, 3), (1, 2, 3), (0, 3, 4)]
    faces = [*cap, *((c + 5, b + 5, a + 5) for a, b, c in cap)]
    for k in range(5):
        n = (k + 1) % 5
        faces += [(n, k, k + 5), (n, k + 5, n + 5)]
    return trimesh.Trimesh(vertices, faces, process=False)


def plate_with_hole(hole_radius, radius, height, facets=64):
    """A round plate with a round hole, along z."""
    return trimesh.creation.annulus(hole_radius, radius, height, sections=facets)
