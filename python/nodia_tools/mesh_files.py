"""Reads triangles of mesh files with the program nodia-read-mesh, which uses the same reader as nodia."""

import os
import subprocess
from pathlib import Path

import numpy as np
import trimesh


def read_mesh(path, up_axis="as_written"):
    """Reads an OBJ, STL, COLLADA or glTF file.

    @param up_axis  "as_written", or "z_up" to rotate a COLLADA file so that z is up
    @return trimesh.Trimesh [m]
    @throws OSError  if the file or the program is missing
    @throws ValueError  if the file cannot be read as a mesh
    """
    with open(path, "rb"):
        pass
    words = [_reader_program(), str(Path(path).absolute()), up_axis]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    if done.returncode != 0:
        raise ValueError(f"{path}: cannot be read as a mesh ({done.stdout.decode(errors='replace')})")
    n_vertex, n_triangle = np.frombuffer(done.stdout, np.int64, 2)
    vertices = np.frombuffer(done.stdout, float, 3 * n_vertex, 16).reshape(-1, 3)
    triangles = np.frombuffer(done.stdout, np.int32, 3 * n_triangle, 16 + 24 * n_vertex).reshape(-1, 3)
    if n_triangle == 0 or not np.isfinite(vertices).all():
        raise ValueError(f"{path}: has no triangles, or vertices that are not finite")
    return trimesh.Trimesh(vertices, triangles)


def _reader_program():
    """Path of nodia-read-mesh: $NODIA_READ_MESH, which the nodia command sets, else the program of the package or of the clone."""
    here = Path(__file__).resolve().parent
    build = os.environ.get("NODIA_BUILD_DIR", here.parents[1] / "build/release")
    known = [here.parent / "nodia/bin/nodia-read-mesh", Path(build) / "bin/nodia-read-mesh"]
    given = os.environ.get("NODIA_READ_MESH")
    return given or str(next((program for program in known if program.exists()), known[-1]))
