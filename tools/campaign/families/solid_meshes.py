"""Closed triangle meshes as OBJ text."""

import trimesh


def obj(mesh):
    return trimesh.exchange.obj.export_obj(mesh, include_normals=False, include_texture=False, digits=12)


def box(size):
    return trimesh.creation.box(extents=size)


def cylinder(radius, length, facets=64):
    return trimesh.creation.cylinder(radius=radius, height=length, sections=facets)


def torus(radius, tube_radius, facets=64, tube_facets=32):
    return trimesh.creation.torus(radius, tube_radius, major_sections=facets, minor_sections=tube_facets)


def plate_with_hole(hole_radius, radius, height, facets=64):
    """A round plate with a round hole, along z."""
    return trimesh.creation.annulus(hole_radius, radius, height, sections=facets)
