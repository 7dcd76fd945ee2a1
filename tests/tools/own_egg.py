"""Files of docs/adding/dataset.md: its scenario, the robot of the tutorial, and an egg as a surface and as tetrahedra."""

import numpy as np
import trimesh
from shown_commands import code_blocks
from tutorial_page import TUTORIAL

PAGE = "docs/adding/dataset.md"
SEMIAXES_M = (0.04, 0.03, 0.03)


def egg_mesh():
    """Points [n, 3] and tetrahedra [m, 4] of positive volume: about the centre a shell, about that the surface."""
    ball = trimesh.creation.icosphere(subdivisions=1)
    n = len(ball.vertices)
    points = np.vstack([0.5 * ball.vertices, ball.vertices, np.zeros((1, 3))]) * SEMIAXES_M
    tets = []
    for a, b, c in np.sort(ball.faces, axis=1):  # sorted: prisms side by side share the diagonals of their walls
        tets += [(2 * n, a, b, c), (a, b, c, n + c), (a, b, n + b, n + c), (a, n + a, n + b, n + c)]
    tets = np.array(tets)
    p, q, r, s = (points[tets[:, k]] for k in range(4))
    inverted = np.einsum("ij,ij->i", q - p, np.cross(r - p, s - p)) < 0
    tets[inverted] = tets[inverted][:, [0, 1, 3, 2]]
    return points, tets


def write_egg(folder):
    """Writes egg.stl, egg.msh, gripper.urdf and egg_lift.yaml into a folder."""
    surface = trimesh.creation.icosphere(subdivisions=1)
    surface.apply_scale(SEMIAXES_M)
    surface.export(folder / "egg.stl")
    points, tets = egg_mesh()
    nodes = "".join(f"{k} {x:.9g} {y:.9g} {z:.9g}\n" for k, (x, y, z) in enumerate(points, 1))
    elements = "".join(f"{k} 4 2 0 1 {' '.join(map(str, tet + 1))}\n" for k, tet in enumerate(tets, 1))
    (folder / "egg.msh").write_text(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
        f"$Nodes\n{len(points)}\n{nodes}$EndNodes\n$Elements\n{len(tets)}\n{elements}$EndElements\n"
    )
    (folder / "gripper.urdf").write_text(code_blocks(TUTORIAL, "xml")[0])
    (folder / "egg_lift.yaml").write_text(code_blocks(PAGE, "yaml")[0])
