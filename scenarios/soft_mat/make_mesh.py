#!/usr/bin/env python3
"""Makes soft_mat.msh: the unstructured mat of the scenario, about 1477 nodes and 4100 tetrahedra.

    python scenarios/soft_mat/make_mesh.py [OUT.msh]

needs the gmsh package; the committed file was made with 4.15.2.

The square [0, 0.3] m x [0, 0.3] m is meshed with Gmsh's Delaunay triangles and extruded by one
layer of 6 mm, which Gmsh cuts into tetrahedra. Nodes are numbered by reverse Cuthill-McKee and
tetrahedra by their lowest node, so that coupled nodes lie close in memory. Physical groups: volume
`mat`, surfaces `x_min x_max y_min y_max z_min z_max`.
"""

import pathlib
import sys

import gmsh
import numpy as np

SIZE_M = (0.3, 0.3, 0.006)
SPACING_M = 0.0133  # in the plane; gives the wanted number of nodes
TETRAHEDRON = 4
TRIANGLE = 2


def mesh_sheet():
    """Points [n, 3] and tetrahedra [m, 4] (positive volume) of the sheet."""
    gmsh.model.add("sheet")
    corners = [(0, 0), (SIZE_M[0], 0), (SIZE_M[0], SIZE_M[1]), (0, SIZE_M[1])]
    points = [gmsh.model.geo.addPoint(x, y, 0, SPACING_M) for x, y in corners]
    lines = [gmsh.model.geo.addLine(points[i], points[(i + 1) % 4]) for i in range(4)]
    square = gmsh.model.geo.addPlaneSurface([gmsh.model.geo.addCurveLoop(lines)])
    gmsh.model.geo.extrude([(2, square)], 0, 0, SIZE_M[2], numElements=[1])
    gmsh.model.geo.synchronize()
    gmsh.option.setNumber("Mesh.Algorithm", 5)  # Delaunay
    gmsh.model.mesh.generate(3)

    tags, coordinates, _ = gmsh.model.mesh.getNodes()
    _, node_tags = gmsh.model.mesh.getElementsByType(TETRAHEDRON)
    index = np.empty(int(tags.max()) + 1, int)
    index[tags] = np.arange(len(tags))
    return coordinates.reshape(-1, 3), index[node_tags].reshape(-1, 4)


def reverse_cuthill_mckee(n_node, tets):
    """Order of the nodes: breadth first, from and by the fewest neighbours, reversed."""
    neighbours = [set() for _ in range(n_node)]
    for tet in tets:
        for i in tet:
            neighbours[i].update(int(j) for j in tet if j != i)
    start = min(range(n_node), key=lambda i: (len(neighbours[i]), i))
    order, seen = [start], {start}
    for i in order:
        for j in sorted(neighbours[i] - seen, key=lambda j: (len(neighbours[j]), j)):
            seen.add(j)
            order.append(j)
    assert len(order) == n_node
    return np.array(order[::-1])


def boundary_triangles(tets):
    """Faces that belong to one tetrahedron only, outward."""
    faces = tets[:, [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]].reshape(-1, 3)
    _, first, count = np.unique(
        np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True
    )
    return faces[np.sort(first[count == 1])]


def write(path, points, tets):
    """Gmsh 4.1, ASCII. All nodes belong to the volume, so the file keeps their order."""
    gmsh.model.add("mat")
    sides = [f"{axis}_{end}" for axis in "xyz" for end in ("min", "max")]
    surfaces = [gmsh.model.addDiscreteEntity(2) for _ in sides]
    volume = gmsh.model.addDiscreteEntity(3, boundary=surfaces)
    gmsh.model.mesh.addNodes(3, volume, np.arange(1, len(points) + 1), points.ravel())
    triangles = boundary_triangles(tets)
    element = 1
    for k, (name, surface) in enumerate(zip(sides, surfaces)):
        wall = SIZE_M[k // 2] * (k % 2)
        side = triangles[np.all(points[triangles][:, :, k // 2] == wall, axis=1)]
        tags = np.arange(element, element + len(side))
        gmsh.model.mesh.addElementsByType(surface, TRIANGLE, tags, side.ravel() + 1)
        gmsh.model.addPhysicalGroup(2, [surface], name=name)
        element += len(side)
    assert element - 1 == len(triangles)
    tags = np.arange(element, element + len(tets))
    gmsh.model.mesh.addElementsByType(volume, TETRAHEDRON, tags, tets.ravel() + 1)
    gmsh.model.addPhysicalGroup(3, [volume], name="mat")
    gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
    gmsh.option.setNumber("Mesh.Binary", 0)
    gmsh.write(str(path))


def main():
    default = pathlib.Path(__file__).with_name("soft_mat.msh")
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    points, tets = mesh_sheet()
    points = np.clip(np.round(points, 9), 0, SIZE_M)  # to the nanometre, and exactly on the sides
    order = reverse_cuthill_mckee(len(points), tets)
    new_number = np.argsort(order)
    points, tets = points[order], new_number[tets]
    a, b, c, d = (points[tets[:, k]] for k in range(4))
    volume = np.einsum("ij,ij->i", b - a, np.cross(c - a, d - a)) / 6
    tets[volume < 0] = tets[volume < 0][:, [0, 1, 3, 2]]
    tets = tets[np.lexsort((np.arange(len(tets)), tets.min(axis=1)))]
    write(path, points, tets)
    bandwidth = int((tets.max(axis=1) - tets.min(axis=1)).max())
    print(f"{path}: {len(points)} nodes, {len(tets)} tetrahedra, bandwidth {bandwidth}")
    gmsh.finalize()


if __name__ == "__main__":
    main()
