"""The commands and files of docs/tutorial.md behind the installation, run in the order of the page."""

import csv
import os
import subprocess
import sys

import imageio.v2 as imageio
import numpy as np
import pytest
from nodia_command import BINARY, SOURCE, needs_nodia
from shown_commands import page_text
from tutorial_page import TUTORIAL, text_after_the_installation

sys.path[:0] = [str(SOURCE / "tests/python"), str(SOURCE / "tools")]

import package_cache  # noqa: E402  (after the search path)
from built_package import PACKAGE  # noqa: E402
from page_script import script_of  # noqa: E402

pytestmark = needs_nodia


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """A folder with the programs that the page installs: nodia, python with the package, gmsh."""
    prefix = package_cache.install_gmsh()
    folder = tmp_path_factory.mktemp("bin")
    for name, line in (
        ("nodia", f'exec "{BINARY}" "$@"'),
        ("python", f'PYTHONPATH="{PACKAGE}" exec "{sys.executable}" "$@"'),
        ("gmsh", f'PYTHONPATH="{package_cache.modules_of(prefix)}" exec "{sys.executable}" "{prefix}/bin/gmsh" "$@"'),
    ):
        path = folder / name
        path.write_text(f"#!/bin/sh\n{line}\n")
        path.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def done(programs, tmp_path_factory):
    """The folder in which the page was done, and what its commands printed."""
    folder = tmp_path_factory.mktemp("grasp")
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "NODIA_PYTHON": sys.executable, "MPLBACKEND": "agg"}
    result = subprocess.run(
        ["bash", "-euc", script_of(text_after_the_installation())], cwd=folder, env=environment, capture_output=True, text=True, timeout=900
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return folder, result.stdout


def test_its_mesh_has_the_nodes_and_the_node_set_of_the_page(done):
    folder, _ = done
    text = (folder / "sponge.msh").read_text()
    n_node = int(text.split("$Nodes\n")[1].split()[1])
    assert f"this mesh has {n_node}" in page_text(TUTORIAL)
    assert '2 2 "bottom"' in text


def test_its_forces_are_those_of_the_page(done):
    _, printed = done
    force = [float(word) for word in printed.split("on the sponge [N]: [")[1].split("]")[0].split()]
    normal = float(printed.split("sum of normal forces [N]: ")[1].split()[0])
    page = page_text(TUTORIAL)
    assert np.allclose(force[:2], 0, atol=1e-4) and f"{force[2]:.2f} N upward" in page
    assert f"press with {normal:.1f} N" in page and f"{force[2]:.2f} / {normal:.1f} = {force[2] / normal:.2f}" in page
    used = float(printed.split("friction cone in use: ")[1].split()[0])
    assert force[2] / normal / 0.6 <= used <= 1 + 1e-9  # not less than the mean, and inside the cone


def test_its_picture_and_its_film_show_something(done):
    folder, _ = done
    assert np.std(imageio.imread(folder / "grasp.png")) > 1
    frames = imageio.mimread(folder / "grasp.mp4", memtest=False)
    assert len(frames) > 30 and frames[0].shape[:2] == (480, 640)
    assert np.abs(frames[-1].astype(float) - frames[0]).mean() > 1  # something moves


def test_its_sweep_holds_where_coulombs_law_says(done):
    folder, printed = done
    with (folder / "sweep.csv").open() as file:
        rows = [(float(row["friction"]), float(row["height_m"])) for row in csv.DictReader(file)]
    assert len(rows) == 20
    # 0.20 is what the weight needs; the acceleration of the lift adds 9 %.
    for friction, height in rows:
        assert (0.098 < height < 0.1) if friction > 0.22 else abs(height) < 1e-6, (friction, height)
    assert "the grasp begins to hold at 0.23" in printed
    assert np.std(imageio.imread(folder / "sweep.png")) > 1
