"""Closed triangle meshes as OBJ text: boxes, tori, cylinders, plates with a round hole."""

import math


def obj(vertices, triangles):
    lines = ["v {:.9g} {:.9g} {:.9g}".format(*v) for v in vertices]
    lines += ["f {} {} {}".format(*(i + 1 for i in t)) for t in triangles]
    return "\n".join(lines) + "\n"


def quads(four):
    """Two triangles for each quadrilateral."""
    return [t for a, b, c, d in four for t in ((a, b, c), (a, c, d))]


def box(size):
    half = [0.5 * s for s in size]
    vertices = [(x, y, z) for z in (-half[2], half[2]) for y in (-half[1], half[1]) for x in (-half[0], half[0])]
    return vertices, quads([(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)])


def torus(radius, tube_radius, n_ring=64, n_tube=32):
    vertices, four = [], []
    for i in range(n_ring):
        a = 2 * math.pi * i / n_ring
        for j in range(n_tube):
            b = 2 * math.pi * j / n_tube
            r = radius + tube_radius * math.cos(b)
            vertices.append((r * math.cos(a), r * math.sin(a), tube_radius * math.sin(b)))
            k, m = (i + 1) % n_ring * n_tube, (j + 1) % n_tube
            four.append((i * n_tube + j, k + j, k + m, i * n_tube + m))
    return vertices, quads(four)


def circle(n, radius, z):
    return [(radius * math.cos(2 * math.pi * i / n), radius * math.sin(2 * math.pi * i / n), z) for i in range(n)]


def cylinder(radius, length, n=64):
    vertices = circle(n, radius, -length / 2) + circle(n, radius, length / 2)
    vertices += [(0, 0, -length / 2), (0, 0, length / 2)]
    triangles = quads([(i, (i + 1) % n, n + (i + 1) % n, n + i) for i in range(n)])
    for i in range(n):
        j = (i + 1) % n
        triangles += [(2 * n, j, i), (2 * n + 1, n + i, n + j)]
    return vertices, triangles


def plate_with_hole(size, radius, height, n=64, corners=4):
    """Regular polygon of `corners` sides, `size` between opposite ones, with a hole along z."""

    def rim(z):
        points = []
        for x, y, _ in circle(n, 1, z):
            part = 2 * math.pi / corners
            angle = (math.atan2(y, x) + part / 2) % part - part / 2
            r = size / 2 / math.cos(angle)
            points.append((r * x, r * y, z))
        return points

    low, high = -height / 2, height / 2
    vertices = circle(n, radius, low) + rim(low) + circle(n, radius, high) + rim(high)
    four = []
    for i in range(n):
        j = (i + 1) % n
        four += [
            (i, 2 * n + i, 2 * n + j, j),
            (n + i, n + j, 3 * n + j, 3 * n + i),
            (i, j, n + j, n + i),
            (2 * n + i, 3 * n + i, 3 * n + j, 2 * n + j),
        ]
    return vertices, quads(four)
