"""Meshes of three generators in five formats load, or are converted by the printed command, and lie on the floor."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from generated_meshes import FORMATS, GENERATORS, SURFACES
from nodia_command import SOURCE, expect_bad_input, needs_nodia, run
from test_mesh_formats import convert_by_printed_command, volumes

sys.path.append(str(SOURCE / "tests/python"))

import package_cache  # noqa: E402  (after the search path)
import packaged_robots  # noqa: E402

pytestmark = needs_nodia

WHEELS = ["pymeshfix==0.18.1", "pytetwild==0.4.2", "tetgen==0.8.4"]
DENSITY_KG_M3 = 1000.0
GRAVITY_M_S2 = 9.81
READ = ["msh", "vtk", "vtu"]  # the others are converted

# The body starts 1 mm above the floor. The duration includes the time in which the football rolls to rest on its facets.
SCENARIO = """name: generated
time: {{step_s: 0.02, duration_s: 3}}
gravity_m_s2: [0, 0, -{gravity}]
bodies:
  body:
    mesh: {{file: {mesh}}}
    density_kg_m3: {density}
    youngs_modulus_Pa: 1e6
    rayleigh_mass_1_s: 10
    rayleigh_stiffness_s: 0.01
    position_m: [0, 0, 0.001]
    friction: 0.8
obstacles:
  floor: {{shape: half_space}}
checks:
  converged: {{check: all_steps_converged}}
  weight: {{check: contact_force, on: floor, part: z, value_N: -{weight}, relative_tolerance: 1e-4, from_s: 2.9, to_s: 3}}
  at_rest: {{check: drift, body: body, from_s: 2.9, to_s: 3}}
"""


@pytest.fixture(scope="module")
def generate(tmp_path_factory):
    """A function of surface and generator: the folder with the mesh in all formats. Each mesh is made once."""
    packaged_robots.robot_files()
    gmsh = package_cache.install_gmsh()
    prefix = package_cache.CACHE / "mesh_generators"
    environment = os.environ | {"PYTHONPATH": f"{package_cache.modules_of(prefix)}:{package_cache.modules_of(gmsh)}"}

    def make():
        words = ["install", "--no-deps", "--ignore-installed", "--only-binary", ":all:", "--prefix", prefix, *WHEELS]
        package_cache.pip(sys.executable, *words)
        program = "import pymeshfix, pytetwild, tetgen"
        subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True)

    package_cache.install(prefix, make)
    folders = {}

    def folder_of(surface, generator):
        if (surface, generator) not in folders:
            out = tmp_path_factory.mktemp(f"{surface}_{generator}")
            inputs = [package_cache.CACHE / "files/pybullet_data", gmsh / "share/doc/gmsh/tutorials"]
            words = [sys.executable, SOURCE / "tests/tools/generated_meshes.py", surface, generator, *inputs, out]
            # In `out`, because pytetwild writes files into the working directory.
            done = subprocess.run([*map(str, words)], cwd=out, env=environment, capture_output=True, text=True, timeout=300)
            assert done.returncode == 0, done.stderr
            folders[surface, generator] = out
        return folders[surface, generator]

    return folder_of


def simulate(folder, mesh, weight):
    text = SCENARIO.format(mesh=mesh, weight=weight, density=DENSITY_KG_M3, gravity=GRAVITY_M_S2)
    (folder / "s.yaml").write_text(text)
    return run("run", folder / "s.yaml", "--check", "--out", folder / "out", "--overwrite")


@pytest.mark.parametrize("file_format", FORMATS)
@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("surface", SURFACES)
def test_a_generated_mesh_lies_on_the_floor_with_its_weight(generate, tmp_path, surface, generator, file_format):
    folder = generate(surface, generator)
    tetrahedra = np.load(folder / "tetrahedra.npz")
    volume = np.abs(volumes(tetrahedra["points"], tetrahedra["tets"])).sum()
    weight = float(volume * DENSITY_KG_M3 * GRAVITY_M_S2)

    name = f"mesh.{file_format}"
    shutil.copy(folder / name, tmp_path)
    if file_format not in READ:
        refused = simulate(tmp_path, name, weight)
        expect_bad_input(refused, "must be .msh, .vtk or .vtu")
        name = convert_by_printed_command(refused, tmp_path)
    done = simulate(tmp_path, name, weight)
    assert done.returncode == 0, done.stdout + done.stderr
