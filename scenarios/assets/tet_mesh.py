"""Functions that the scripts of Gmsh meshes share: numbering, orientation and output.

Nodes are numbered by reverse Cuthill-McKee and tetrahedra by their lowest node, so coupled nodes
are close in memory. Files are Gmsh 4.1, ASCII; named sets are physical groups.
"""

import gmsh
import numpy as np

TETRAHEDRON = 4
TRIANGLE = 2


def current_mesh():
    """Points [n, 3] and tetrahedra [m, 4] of Gmsh's current model, which must be meshed."""
    tags, coordinates, _ = gmsh.model.mesh.getNodes()
    _, node_tags = gmsh.model.mesh.getElementsByType(TETRAHEDRON)
    tets = node_tags.astype(int).reshape(-1, 4)
    index = np.full(int(tags.max()) + 1, -1)
    used = np.unique(tets)  # nodes of the geometry that no tetrahedron uses are left out
    index[used] = np.arange(len(used))
    place = np.empty(int(tags.max()) + 1, int)
    place[tags.astype(int)] = np.arange(len(tags))
    return coordinates.reshape(-1, 3)[place[used]], index[tets]


def reverse_cuthill_mckee(n_node, tets):
    """Order of the nodes: breadth-first search from a node of least degree, by degree, reversed."""
    neighbours = [set() for _ in range(n_node)]
    for tet in tets:
        for i in tet:
            neighbours[i].update(int(j) for j in tet if j != i)
    seen, order = set(), []
    for start in sorted(range(n_node), key=lambda i: (len(neighbours[i]), i)):
        if start in seen:
            continue
        seen.add(start)
        order.append(start)
        k = len(order) - 1
        while k < len(order):
            fresh = sorted(neighbours[order[k]] - seen, key=lambda j: (len(neighbours[j]), j))
            order += fresh
            seen.update(fresh)
            k += 1
    return np.array(order[::-1])


def tidy(points, tets):
    """Rounds points to 1 nm, renumbers nodes and tetrahedra, and makes all volumes positive."""
    points = np.round(points, 9) + 0.0
    order = reverse_cuthill_mckee(len(points), tets)
    points, tets = points[order], np.argsort(order)[tets]
    inverted = volumes(points, tets) < 0
    tets[inverted] = tets[inverted][:, [0, 1, 3, 2]]
    return points, tets[np.lexsort((np.arange(len(tets)), tets.min(axis=1)))]


def volumes(points, tets):
    """Signed volumes of tetrahedra [m^3]."""
    a, b, c, d = (points[tets[:, k]] for k in range(4))
    return np.einsum("ij,ij->i", b - a, np.cross(c - a, d - a)) / 6


def worst_quality(points, tets):
    """Minimum of 6 sqrt(2) V / l^3, where l is the RMS length of the edges; regular: 1."""
    corner = points[tets]
    edges = [corner[:, i] - corner[:, j] for i in range(4) for j in range(i)]
    length = np.sqrt(sum(np.einsum("ij,ij->i", e, e) for e in edges) / 6)
    return float((6 * np.sqrt(2) * volumes(points, tets) / length**3).min())


def boundary_triangles(tets):
    """Faces that belong to exactly one tetrahedron, with outward normals."""
    faces = tets[:, [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]].reshape(-1, 3)
    _, first, count = np.unique(
        np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True
    )
    return faces[np.sort(first[count == 1])]


def write(path, name, points, tets, surface_of):
    """Writes a mesh file.

    @param surface_of  corners of boundary triangles [k, 3, 3] -> names of their sets [k]
    """
    gmsh.model.add(name)
    triangles = boundary_triangles(tets)
    set_name = np.asarray(surface_of(points[triangles]))
    names = sorted(set(set_name))
    surfaces = [gmsh.model.addDiscreteEntity(2) for _ in names]
    volume = gmsh.model.addDiscreteEntity(3, boundary=surfaces)
    # All nodes belong to the volume, so the file keeps their order.
    gmsh.model.mesh.addNodes(3, volume, np.arange(1, len(points) + 1), points.ravel())
    element = 1
    for surface, of in zip(surfaces, names):
        side = triangles[set_name == of]
        tags = np.arange(element, element + len(side))
        gmsh.model.mesh.addElementsByType(surface, TRIANGLE, tags, side.ravel() + 1)
        gmsh.model.addPhysicalGroup(2, [surface], name=of)
        element += len(side)
    tags = np.arange(element, element + len(tets))
    gmsh.model.mesh.addElementsByType(volume, TETRAHEDRON, tags, tets.ravel() + 1)
    gmsh.model.addPhysicalGroup(3, [volume], name=name)
    gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
    gmsh.option.setNumber("Mesh.Binary", 0)
    gmsh.write(str(path))


def report(path, points, tets):
    print(
        f"{path}: {len(points)} nodes, {len(tets)} tetrahedra, "
        f"{volumes(points, tets).sum() * 1e6:.4f} cm^3, worst quality {worst_quality(points, tets):.2f}"
    )
