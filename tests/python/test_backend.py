"""Where the loop runs: the arguments of the command line's options, their errors, and a checked host backend's bits."""

import inspect
import json
import subprocess
import sys

import numpy as np
import pytest
from built_package import BINARY, PACKAGE, SOURCE

import nodia
from nodia import _core, gym

CHECKED_HOST = BINARY.parents[1] / "tests/python_on_checked_host"
NAMES = [name for name, _, _ in _core.backend_options()]
HAS_DEVICE = bool(json.loads(subprocess.run([BINARY, "info", "--json"], capture_output=True).stdout)["devices"])


@pytest.fixture
def cond_box(box):
    return box | {"solver": {"solver": "cond"}}


def classes():
    yield nodia.Simulation
    yield from (gym.ScenarioEnv, gym.ScenarioVectorEnv)


def test_arguments_are_the_options_of_the_command():
    assert NAMES == ["backend", "loop", "device"]
    told = subprocess.run([BINARY, "run", "--help"], capture_output=True, text=True).stdout
    for name, values, _ in _core.backend_options():
        assert f"--{name} {values}" in told
    for kind in classes():
        parameters = inspect.signature(kind.__init__).parameters
        assert all(parameters[name].default is None for name in NAMES), kind
    for name, values, _ in _core.backend_options():
        said = nodia.Simulation.__doc__.split(f"@param {name} ")[1].split("@")[0]
        assert all(f'"{word}"' in said for word in values.split("|") if name != "device")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"backend": "gpu"}, "backend = gpu (must be auto, cpu or cuda)"),
        ({"backend": 3}, "backend = 3 (must be auto, cpu or cuda)"),
        ({"backend": "cpu", "loop": "graf"}, "loop = graf (must be auto, graph, launches or checked)"),
        ({"backend": "cpu", "loop": "graph"}, "loop = graph (must be left out on the CPU; backend cpu)"),
        ({"device": "first"}, "device = first (must be a whole number)"),
        ({"device": True}, "device = True (must be a whole number)"),
        ({"device": 1.5}, "device = 1.5 (must be a whole number)"),
    ],
)
def test_errors_are_those_of_the_command(cond_box, tmp_path, words, said):
    with pytest.raises(nodia.InputError) as raised:
        nodia.Simulation(cond_box, **words)
    assert str(raised.value) == said
    if any(name == "device" or not isinstance(value, str) for name, value in words.items()):
        return
    path = tmp_path / "box.yaml"
    path.write_text(json.dumps(cond_box))
    given = [part for name, value in words.items() for part in (f"--{name}", value)]
    done = subprocess.run([BINARY, "run", path, "--out", tmp_path / "run", *given], capture_output=True, text=True)
    assert done.returncode == 2
    in_python = done.stderr.replace("--", "").strip()
    assert in_python.endswith(said), in_python


def test_cuda_is_for_cond_and_newton_alone(box):
    with pytest.raises(nodia.InputError, match="backend = cuda .must be cpu or auto with solver pgs"):
        nodia.Simulation(box | {"solver": {"solver": "pgs"}}, backend="cuda")


if not HAS_DEVICE:

    def test_cuda_without_a_device_is_refused_in_words(cond_box):
        for scenario in (cond_box, *(cond_box | {"solver": {"solver": solver}} for solver in ("auto", "newton"))):
            with pytest.raises(nodia.InputError) as raised:
                nodia.Simulation(scenario, backend="cuda")
            assert str(raised.value).startswith("backend = cuda (must be cpu or auto here: ")
            assert str(raised.value).endswith("; run on the CPU with backend cpu)")
        with pytest.raises(nodia.InputError, match=r"device = 0 \(must be left out here: "):
            nodia.Simulation(cond_box, device=0)


def test_auto_says_why(cond_box):
    for words in ({}, {"backend": "auto"}):
        sim = nodia.Simulation(cond_box, **words)
        assert sim.backend == "cpu" and sim.backend_because
        sim.step(2)
    named = nodia.Simulation(cond_box, backend="cpu")
    named.step(2)
    assert named.backend == "cpu" and named.backend_because == ""
    assert np.array_equal(sim.nodes("box", 0), named.nodes("box", 0))
    newton = nodia.Simulation(cond_box | {"solver": {"solver": "newton"}})
    assert newton.backend_because == "newton runs on the GPU only with backend cuda; docs/gpu.md has no measurement of newton"


def test_environments_of_gymnasium_take_them():
    path = SOURCE / "scenarios/quick_lift/quick_lift.yaml"
    env = gym.ScenarioEnv(path, backend="cpu")
    assert env.backend == "cpu"
    envs = gym.ScenarioVectorEnv(path, num_envs=2, backend="auto")
    assert envs.backend == "cpu" or HAS_DEVICE
    for kind in (gym.ScenarioEnv, gym.ScenarioVectorEnv):
        with pytest.raises(nodia.InputError, match="backend = gpu"):
            kind(path, backend="gpu")


ON_DEVICE = """
import json, sys
import numpy as np
import nodia
scenario = json.loads(sys.argv[1])
ends = []
for words in [{"backend": "cpu"}] + [{"backend": "cuda", "loop": loop} for loop in ("auto", "graph", "launches", "checked")]:
    sim = nodia.Simulation(scenario, num_envs=3, seed=7, **words)
    assert sim.backend == words["backend"], words
    sim.step(20)
    for env in (None, 1):
        for read in (sim.nodes, sim.velocities):
            there = read("box", env, on_device=True)
            assert there.__dlpack_device__() == (1, 0)  # the checked host backend's memory is the host's
            assert np.array_equal(np.from_dlpack(there), read("box", env)), words
    ends.append(sim.nodes("box"))
print(nodia.Simulation(scenario).backend_because)
assert all(np.array_equal(end, ends[0]) for end in ends)
try:
    nodia.Simulation(scenario, backend="cuda", device=3)
except nodia.InputError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("solver", "because"),
    [
        ("cond", "docs/gpu.md has no measurement of cond on checked host backend"),
        ("auto", "newton runs on the GPU only with backend cuda; docs/gpu.md has no measurement of newton"),
    ],
)
def test_a_device_has_the_bits_of_the_cpu(box, solver, because):
    assert CHECKED_HOST.exists(), f"{CHECKED_HOST} is absent (tools/test.sh builds it)"
    scenario = json.dumps(box | {"solver": {"solver": solver}} | {"randomize": {"bodies.box.friction": [0.1, 0.9]}})
    done = subprocess.run(
        [sys.executable, "-c", ON_DEVICE, scenario],
        env={"PYTHONPATH": str(CHECKED_HOST), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{because}\ndevice = 3 (must be 0; there is the checked host backend alone)\n"
    assert PACKAGE != CHECKED_HOST
