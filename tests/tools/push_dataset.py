"""A small scenario with a task, and datasets of it by the nodia command."""

import json
import subprocess

import h5py
import pytest
from nodia_command import BINARY, run

# A box beside a plate that pushes it. One start in fifty lies beyond a kilometre, where an observation fails.
PUSH = """\
name: push
time: {step_s: 0.01, duration_s: 0.2}
bodies:
  box:
    mesh: {box: {size_m: [0.1, 0.1, 0.05], cells: [2, 2, 1]}}
    youngs_modulus_Pa: 1.0e+5
    poissons_ratio: 0.3
    position_m: [0, 0, 0]
    friction: 0.4
obstacles:
  floor: {shape: half_space}
  plate:
    shape: box
    size_m: [0.02, 0.2, 0.1]
    position_m: [-0.02, 0, 0.06]
    path: [{time_s: 0, position_m: [-0.02, 0, 0.06]}, {time_s: 0.2, position_m: [0.02, 0, 0.06]}]
randomize:
  bodies.box.friction: [0.2, 0.8]
  bodies.box.position_m.1: [0, 1020]
task:
  text: push the box
  control_hz: 25
  action: {space: picker, frame: plate, bounds_m: 0.02}
  observe: [box.nodes, box.contact_force, plate.pose]
  record: {what: [state, wrench, contacts]}
"""
needs_package = pytest.mark.usefixtures("python_package")

GOOD = ("--set", "bodies.box.position_m.1=0")


@pytest.fixture
def push(tmp_path):
    path = tmp_path / "push.yaml"
    path.write_text(PUSH)
    return path


def words_of(scenario, folder, episodes=10, *more):
    usual = {"--seed": 7, "--threads": 1}
    words = [word for pair in usual.items() if pair[0] not in more for word in pair]
    return ["generate", scenario, folder, "--episodes", episodes, *words, *more]


def generate(scenario, folder, episodes=10, *more):
    done = run(*words_of(scenario, folder, episodes, *more), "--json", timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def start(scenario, folder, episodes=10, *more):
    return subprocess.Popen(
        list(map(str, [BINARY, *words_of(scenario, folder, episodes, *more)])),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait(*children):
    for child in children:
        _, messages = child.communicate(timeout=600)
        assert child.returncode == 0, messages


def dataset(folder):
    done = run("dataset", folder, "--json", timeout=600)
    report = json.loads(done.stdout)
    assert done.returncode == (0 if report["complete"] else 1), done.stderr
    return report


def files(folder):
    """Bytes of all that counts."""
    kept = [folder / "dataset.yaml", *folder.glob("assets/*"), *folder.glob("blocks/*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in kept}


def episodes_of(folder):
    for path in sorted(folder.glob("blocks/*.json")):
        yield from json.loads(path.read_text())["episodes"]


def attributes_of(folder, number, block=8):
    """Of an episode, from the file of its block."""
    with h5py.File(folder / f"blocks/{number // block:06}.h5") as file:
        return dict(file[f"episode_{number:06}"].attrs)
