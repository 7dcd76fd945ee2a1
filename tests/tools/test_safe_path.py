"""Commands that start Python run no module of the working directory, which may hold the files of a stranger."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from nodia_command import BINARY, needs_nodia, run
from push_dataset import GOOD, needs_package, push, words_of
from synthetic_dataset import write_dataset
from test_generate_class import acting
from test_mesh_formats import WRITERS, grid_of

__all__ = ["push"]  # a fixture
pytestmark = needs_nodia

PACKAGES = """gymnasium h5py imageio matplotlib msgspec nodia nodia_tools numpy PIL pyarrow pyvista scipy trimesh viser vtk
vtkmodules websockets yaml"""
# A user's PYTHONPATH that begins or ends with a colon names the working directory by mistake.
PATHS = ["", ":/nowhere", "/nowhere::/nowhere", "/nowhere:"]


class Folder:
    """A working directory with a file for every module that Python could import; each leaves a mark when it runs."""

    def __init__(self, path):
        self.path, self.marks = path, path.parent / "marks"
        path.mkdir()
        for name in {*sys.stdlib_module_names, *PACKAGES.split()}:
            (path / f"{name}.py").write_text(f"open({str(self.marks)!r}, 'a').write({name!r} + ' ')\n")

    def expect_unused(self):
        assert not self.marks.exists(), self.marks.read_text()


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path / "planted")


def test_python_runs_these_files_where_nothing_prevents_it(folder):
    subprocess.run([sys.executable, "-c", "import json"], cwd=folder.path, check=True)
    assert folder.marks.read_text() == "json "


@pytest.mark.parametrize("python_path", PATHS)
def test_search_paths(folder, python_path):
    done = run("paper", "--help", cwd=folder.path, environment={"PYTHONPATH": python_path})
    folder.expect_unused()
    assert done.returncode == 0 and "usage" in done.stdout, done.stderr


def test_render(run_directory, tmp_path, folder):
    words = ["render", run_directory, "--frames", 1, "--size", "160x160", "--out", tmp_path / "picture.png"]
    done = run(*words, cwd=folder.path)
    folder.expect_unused()
    assert done.returncode == 0 and (tmp_path / "picture.png").exists(), done.stderr


def test_view(run_directory, folder):
    words = [BINARY, "view", run_directory, "--no-open", "--port", "28600"]
    viewer = subprocess.Popen(list(map(str, words)), cwd=folder.path, stdout=subprocess.PIPE, text=True)
    try:
        assert viewer.stdout.readline().startswith("http://127.0.0.1:")
    finally:
        viewer.send_signal(signal.SIGTERM)
        viewer.communicate(timeout=60)
    assert viewer.returncode == 0
    folder.expect_unused()


def test_export(tmp_path, folder):
    dataset = write_dataset(tmp_path / "data", episodes=2, block=2, failed=())
    done = run("export", dataset, tmp_path / "out", "--to", "robomimic", cwd=folder.path)
    folder.expect_unused()
    assert done.returncode == 0, done.stderr


@needs_package
def test_a_policy_finds_the_modules_beside_its_file(push, tmp_path, folder):
    """It may be run from any folder; only the folder of its file counts."""
    (tmp_path / "my_bounds.py").write_text("def upper(task):\n    return task.high\n")
    text = acting("return upper(self.task)").replace("self.step = -1", "self.step, self.task = -1, task")
    (tmp_path / "own.py").write_text("from my_bounds import upper\n\n\n" + text)
    words = words_of(push, tmp_path / "out", 1, *GOOD, "--set", f"task.policy={tmp_path / 'own.py'}:Own")
    done = run(*words, cwd=folder.path)
    folder.expect_unused()
    assert done.returncode == 0, done.stderr


def test_a_mesh_of_vtk(tmp_path, folder):
    points = 0.1 * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    WRITERS["binary.vtk"](tmp_path / "mesh.vtk", grid_of(points, np.array([[0, 1, 2, 3]]), 10))
    (tmp_path / "scene.yaml").write_text(
        "name: scene\ntime: {step_s: 0.01, duration_s: 0.01}\nbodies:\n"
        "  body: {mesh: {file: mesh.vtk}, youngs_modulus_Pa: 1e5, poissons_ratio: 0.3}\n"
    )
    done = run("run", tmp_path / "scene.yaml", "--out", tmp_path / "out", cwd=folder.path)
    folder.expect_unused()
    assert done.returncode == 0, done.stderr


PYTHON = """\
import sys
import nodia
nodia.render(sys.argv[1], sys.argv[3], frames=1, size="160x160")
nodia.export(sys.argv[2], sys.argv[4], "robomimic")
"""


@needs_package
def test_the_python_package(python_package, run_directory, tmp_path, folder):
    """A script that lies elsewhere: Python itself leaves the working directory out."""
    (tmp_path / "script.py").write_text(PYTHON)
    dataset = write_dataset(tmp_path / "data", episodes=2, block=2, failed=())
    words = [sys.executable, tmp_path / "script.py", run_directory, dataset, tmp_path / "a.png", tmp_path / "out"]
    environment = os.environ | {"PYTHONPATH": str(python_package.parent)}
    done = subprocess.run(list(map(str, words)), cwd=folder.path, env=environment, capture_output=True, text=True, timeout=300)
    folder.expect_unused()
    assert done.returncode == 0, done.stderr
