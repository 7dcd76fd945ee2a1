"""Rigid bodies and obstacles that are triangle meshes: crystals, prisms, wedges, thin plates and an L."""

import numpy as np

from campaign.sampling.draw import Stack, rounded
from campaign.sampling.rigid import motion, one_rigid_body
from campaign.sampling.soft import one_soft_body


def _obj(vertices, faces):
    lines = ["v {:.9g} {:.9g} {:.9g}".format(*vertex) for vertex in vertices]
    lines += ["f " + " ".join(str(k + 1) for k in face) for face in faces]
    return "\n".join(lines) + "\n"


def prism(outline, height):
    """A closed prism over a polygon that is star-shaped about its first vertex, counter-clockwise [n, 2]."""
    n = len(outline)
    low = np.column_stack([outline, np.full(n, -height / 2)])
    vertices = np.concatenate([low, low + [0, 0, height]])
    faces = [(0, k + 1, k) for k in range(1, n - 1)] + [(n, n + k, n + k + 1) for k in range(1, n - 1)]
    for k in range(n):
        j = (k + 1) % n
        faces += [(k, j, n + j), (k, n + j, n + k)]
    return vertices, faces


def octahedron(half):
    vertices = np.concatenate([np.diag(half), -np.diag(half)])
    faces = [(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2), (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)]
    return vertices, faces


def _outline(draw, what):
    size = draw.size
    if what == "wedge":
        return size * np.array([[-0.4, -0.2], [0.5, -0.2], [-0.4, draw.uniform(0, 0.3)]])
    if what == "l":  # all of it is seen from its inner corner, the first vertex
        a, b = draw.uniform(0.15, 0.3), draw.uniform(0.15, 0.3)
        return size * (np.array([[a, b], [a, 1], [0, 1], [0, 0], [1, 0], [1, b]]) - 0.3)
    n = draw.whole(3, 8)
    angle = 2 * np.pi * np.arange(n) / n
    return size * 0.5 * np.column_stack([np.cos(angle), np.sin(angle)])


def one_mesh(draw):
    """Text of an OBJ file, and the radius of a sphere about its origin that encloses it."""
    what = draw.choice(["octahedron", "prism", "wedge", "l", "plate"])
    if what == "octahedron":
        vertices, faces = octahedron(draw.size * draw.vector(0.2, 0.5))
    else:
        height = draw.size * (draw.log(0.02, 0.1) if what == "plate" else draw.uniform(0.2, 1))
        vertices, faces = prism(_outline(draw, "prism" if what == "plate" else what), height)
    return _obj(vertices, faces), float(np.linalg.norm(vertices, axis=1).max())


def sample(draw):
    stack, scenario, files = Stack(draw), {"obstacles": draw.floor()}, {}
    scenario["rigid_bodies"] = {}
    for k in range(draw.whole(1, 3)):
        text, reach = one_mesh(draw)
        files[f"mesh{k}.obj"] = text
        entry = {"shape": "mesh", "file": f"mesh{k}.obj", "density_kg_m3": rounded(draw.log(50, 8000)), **motion(draw)}
        scenario["rigid_bodies"][f"mesh{k}"] = entry | {"position_m": stack.place(reach, reach)}
    if draw.chance(0.3):
        scenario["rigid_bodies"]["rigid0"] = one_rigid_body(draw, stack)
    if draw.chance(0.3):
        scenario["bodies"] = {"soft0": one_soft_body(draw, stack)}
    return scenario, files
