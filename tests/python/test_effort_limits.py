"""Drives never give more than the effort of their joint, and as much as their law says below it, whatever they press against."""

import csv
import math
import random
import subprocess

import numpy as np
import pytest
import yaml
from built_package import BINARY

import nodia

pytestmark = pytest.mark.filterwarnings("ignore::nodia.ScenarioWarning")

CHECKED_HOST = BINARY.parents[1] / "tests/nodia_on_checked_host"
STEPS = 120
# Solver, tolerance, and the largest difference of a coordinate from newton_reference after 20 steps.
SOLVERS = {
    "newton": (1e-12, 1e-9),
    "cond_reference": (1e-12, 1e-9),
    "cond": (1e-12, 1e-9),
    "apgd": (1e-10, 1e-6),
    "prox": (1e-10, 1e-6),
    "ccs": (1e-10, 1e-6),
    "proximal_newton": (1e-10, 1e-6),
    "fischer": (1e-10, 1e-6),
}


def link(name, length, mass):
    inertia = mass * length**2 / 12
    centre = f'<origin xyz="{length / 2} 0 0"/>'
    return (
        f'<link name="{name}"><inertial>{centre}<mass value="{mass}"/>'
        f'<inertia ixx="{inertia / 50}" iyy="{inertia}" izz="{inertia}" ixy="0" ixz="0" iyz="0"/></inertial>'
        f'<collision>{centre}<geometry><box size="{length} 0.02 0.02"/></geometry></collision></link>'
    )


def joint(name, kind, parent, child, x, axis, effort):
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin xyz="{x} 0 0"/>'
        f'<axis xyz="{axis}"/><limit lower="-9" upper="9" velocity="9" effort="{effort!r}"/></joint>'
    )


class Arm:
    """A random arm of three links on a slide, all of whose drives ask for more than they may give when it meets the floor."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.step_s = self.rng.choice([0.001, 0.002, 0.005, 0.01])
        kinds = ["prismatic"] + ["revolute"] * 3
        self.effort = [self.sample(3, 60)] + [self.sample(0.3, 6) for _ in range(3)]
        parts = ['<robot name="arm"><link name="base"/>']
        for k, kind in enumerate(kinds):
            parent = "base" if k == 0 else f"l{k - 1}"
            parts.append(joint(f"j{k}", kind, parent, f"l{k}", 0.15 if k else 0, "0 0 1" if k == 0 else "0 1 0", self.effort[k]))
            parts.append(link(f"l{k}", 0.15, self.sample(0.05, 1)))
        self.urdf = "".join(parts) + "</robot>"
        self.stiffness = [self.sample(200, 5e3)] + [self.sample(10, 300) for _ in range(3)]
        self.damping = [k * self.sample(0.005, 0.1) for k in self.stiffness]
        self.targets = [self.rng.uniform(-0.3, 0.1)] + [self.rng.uniform(-1, 1) for _ in range(3)]

    def sample(self, low, high):
        return math.exp(self.rng.uniform(math.log(low), math.log(high)))

    def scenario(self, folder, **solver):
        (folder / "arm.urdf").write_text(self.urdf)
        drives = {
            f"j{k}": {
                "stiffness": self.stiffness[k],
                "damping": self.damping[k],
                "path": [{"time_s": 0, "target": self.targets[k]}],
            }
            for k in range(4)
        }
        scene = {
            "name": "arm",
            "time": {"step_s": self.step_s, "duration_s": STEPS * self.step_s},
            "robots": {
                "arm": {
                    "urdf": "arm.urdf",
                    "position_m": [0, 0, 0.1],
                    "friction": 0.4,
                    "gravity_compensation": False,
                    "joint_drives": drives,
                }
            },
            "rigid_bodies": {"box": {"shape": "box", "size_m": [0.1, 0.1, 0.04], "mass_kg": 0.3, "position_m": [0.4, 0, 0.02], "friction": 0.4}},
            "solver": solver,
            "obstacles": {"floor": {"shape": "half_space", "friction": 0.4}},
        }
        path = folder / "arm.yaml"
        path.write_text(yaml.safe_dump(scene))
        return path

    def asked(self, simulation):
        """What the drives ask for at the end of a step with theta = 1."""
        q, v = simulation.q("arm")[0], simulation.velocities("arm")[0]
        return self.stiffness * (np.array(self.targets) - q) - self.damping * v


@pytest.mark.parametrize("seed", [*range(12), 131])  # in 131 drives change sides while the box is pressed
def test_the_effort_is_what_the_drive_asks_for_or_its_limit(seed, tmp_path):
    """tau = P(tau_0 - g v), with the drive's law at the end of the step, for four drives at once."""
    arm = Arm(seed)
    simulation = nodia.Simulation(arm.scenario(tmp_path))
    assert np.all(np.isnan(simulation.effort("arm")))
    limit, limited = np.array(arm.effort), 0
    for k in range(STEPS):
        report = simulation.step()
        assert report.status[0] == "converged", (k, report.reason[0])
        effort = simulation.effort("arm")[0]
        expected = np.clip(arm.asked(simulation), -limit, limit)
        np.testing.assert_allclose(effort, expected, rtol=0, atol=1e-6 * limit.max())
        assert np.all(np.abs(effort) <= limit * (1 + 1e-6))
        limited += int(np.any(np.abs(effort) > limit * (1 - 1e-6)))
    assert limited > 5


@pytest.mark.parametrize("seed", [0, 5, 7])
def test_all_solvers_agree_while_drives_are_at_their_limits(seed, tmp_path):
    def run(solver, tolerance):
        arm = Arm(seed)
        simulation = nodia.Simulation(arm.scenario(tmp_path, solver=solver, tolerance=tolerance, max_iterations=200000))
        steps, limited = [], 0
        while len(steps) < 20 and simulation.step().status[0] == "converged":
            steps.append(np.array(simulation.q("arm")[0]))
            share = np.abs(simulation.effort("arm")[0]) / np.array(arm.effort)
            assert np.max(share) < 1 + 1e-6, solver
            limited += int(np.max(share) > 1 - 1e-6)
        return np.array(steps), limited

    exact, limited = run("newton_reference", 1e-12)
    assert len(exact) == 20 and limited > 5
    for solver, (tolerance, largest) in SOLVERS.items():
        steps, _ = run(solver, tolerance)
        assert len(steps) == 20, solver
        np.testing.assert_allclose(steps, exact, rtol=0, atol=largest, err_msg=solver)


@pytest.mark.parametrize("solver", ["newton", "cond"])
def test_batches_and_checkpoints_have_the_bits_of_a_run_alone(solver, tmp_path):
    paths = []
    for seed in (1, 3, 4):
        (tmp_path / str(seed)).mkdir()
        arm = Arm(seed)
        arm.step_s = 0.005
        paths.append(arm.scenario(tmp_path / str(seed), solver=solver))
    alone = []
    for path in paths:
        simulation = nodia.Simulation(path)
        simulation.step(60)
        alone.append((np.array(simulation.q("arm")[0]), np.array(simulation.effort("arm")[0])))
    batch = nodia.Simulation([nodia.Scenario(path).episode() for path in paths])
    batch.step(25)
    saved = batch.save()
    batch.step(35)
    other = nodia.Simulation([nodia.Scenario(path).episode() for path in paths])
    other.load(saved)
    other.step(35)
    for simulation in (batch, other):
        for env, (q, effort) in enumerate(alone):
            assert np.array_equal(simulation.q("arm")[env], q)
            assert np.array_equal(simulation.effort("arm")[env], effort)


@pytest.mark.skipif(not CHECKED_HOST.exists(), reason="PACKAGE: nodia_on_checked_host has not been built")
def test_cond_on_a_device_has_the_bits_of_the_cpu(tmp_path):
    """Three environments at once, of which some are solved again in a step and others not."""
    arm = Arm(1)
    path = arm.scenario(tmp_path, solver="cond")
    scene = yaml.safe_load(path.read_text())
    scene["randomize"] = {"rigid_bodies.box.mass_kg": [0.1, 2]}
    path.write_text(yaml.safe_dump(scene))
    tables = []
    for binary, backend in ((BINARY, "cpu"), (CHECKED_HOST, "cuda")):
        out = tmp_path / backend
        words = [binary, "run", path, "--out", out, "--envs", "3", "--seed", "5", "--backend", backend]
        done = subprocess.run([*map(str, words)], capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        with open(out / "steps.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        tables.append([{name: row[name] for name in row if not name.endswith("_ms") and not name.endswith("_J")} for row in rows])
    assert tables[0] == tables[1]
    efforts = np.array([[float(row[name]) for name in row if "_effort_" in name] for row in tables[0]])
    assert efforts.shape == (3 * STEPS, 4)
    assert np.all(np.abs(efforts) <= np.array(arm.effort) * (1 + 1e-6))
    assert np.count_nonzero(np.abs(efforts) > np.array(arm.effort) * (1 - 1e-6)) > 20
